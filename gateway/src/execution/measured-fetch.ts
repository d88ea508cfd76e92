import { errors, type PublicError } from '@lectern/errors';
import { createOutageReporter, errorMessage, type Logger } from '@lectern/serving';
import type { SubgraphRequest, SubgraphResponse } from '@lectern/subgraph';
import { attribute } from '@lectern/telemetry';
import type { FieldNode, GraphQLFormattedError, SelectionSetNode } from 'graphql';
import { getOperationAST, Kind, parse } from 'graphql';
import type { GatewayMetrics } from '../metrics';
import { settleMaybe } from '../shared/awaitable';
import type { SubgraphFetch, SubgraphFetchOptions } from '../transport/replica-fetch';
import type { UpstreamError } from '../transport/response';
import { representationsVariable } from './plan/fetch';

/** Called when a subgraph has made embedding calls (for semantic search) for a request with an API key. */
export type OnEmbeddingCalls = (keyId: string, calls: number) => void;

/**
 * Wraps the fetch function of a subgraph: measures and traces requests, logs outages, and reports embedding calls and
 * hints.
 */
export function measuredFetch(
  name: string,
  fetch: SubgraphFetch,
  { metrics, onEmbeddingCalls, log }: { metrics: GatewayMetrics; onEmbeddingCalls?: OnEmbeddingCalls; log: Logger },
): SubgraphFetch {
  const outageMessages = { began: 'a subgraph is unavailable', ended: 'a subgraph is available again' };
  const outage = createOutageReporter(log, outageMessages, { subgraph: name });
  let isRejectionLogged = false;
  const reportFailure = (error: unknown, requestId: string): void => {
    if ((error as Partial<UpstreamError>).kind !== 'document-rejected') return outage.begin(error, { requestId });
    // All replicas reject this document although it fits the supergraph. Other documents still succeed, so this counts
    // as no outage.
    if (isRejectionLogged) return;
    isRejectionLogged = true;
    log.warn(
      { subgraph: name, requestId, reason: errorMessage(error) },
      'a subgraph rejects an operation that fits the supergraph: deploy the version with this schema to all replicas',
    );
  };
  const tracedFetch = traceFetch(name, fetch);
  return (request, about) => {
    const spent = about.work?.spent();
    if (spent) return failedResponse(request, spent);
    const startedAt = performance.now();
    const succeed = (response: SubgraphResponse): SubgraphResponse => {
      metrics.subgraphRequest(name, 'ok', (performance.now() - startedAt) / 1_000);
      outage.end();
      if (response.cpuMs) about.work?.add(response.cpuMs);
      if (response.embeddingCalls && about.keyId !== undefined)
        onEmbeddingCalls?.(about.keyId, response.embeddingCalls);
      for (const hint of response.hints ?? []) about.onHint?.(hint);
      return response;
    };
    const fail = (error: unknown): never => {
      metrics.subgraphRequest(name, 'failed', (performance.now() - startedAt) / 1_000);
      reportFailure(error, about.requestId);
      throw error;
    };
    return settleMaybe(() => tracedFetch(request, about), succeed, fail);
  };
}

const traceFetch =
  (name: string, fetch: SubgraphFetch): SubgraphFetch =>
  (request, about) => {
    const { span: parent } = about;
    if (!parent || parent.traceId === null) return fetch(request, about);
    const type = request.query.startsWith('mutation') ? 'mutation' : 'query';
    const attributes = { [attribute.graphqlOperationType]: type, 'lectern.subgraph.name': name };
    // For a subgraph over HTTP, `transport/replica-fetch.ts` renames the span to `POST /graphql`.
    return parent.span({ name: type, kind: 'client', attributes }, async (span) => {
      const response = await fetch(request, { ...about, span, headers: span.headers() });
      const errorCount = response.errors?.length ?? 0;
      if (errorCount > 0) span.set({ 'lectern.error.count': errorCount });
      return response;
    });
  };

export async function fetchOrNull(fetch: SubgraphFetch, request: SubgraphRequest, options: SubgraphFetchOptions) {
  try {
    return await fetch(request, options);
  } catch {
    return null;
  }
}

export const unavailableResponse = (request: SubgraphRequest): SubgraphResponse =>
  failedResponse(request, errors.subgraphUnavailable());

/**
 * Returns a response without data, with this error at each field of the request, because the subgraph sent no response.
 */
function failedResponse({ query, variables }: SubgraphRequest, { message, extensions }: PublicError): SubgraphResponse {
  const errorAt = (path: (string | number)[]): GraphQLFormattedError => ({ message, path, extensions });
  const operation = getOperationAST(parse(query, { noLocation: true }));
  const rootFields = operation ? fieldsOf(operation.selectionSet) : [];
  const representations = variables?.[representationsVariable];
  // The variable alone does not show a fetch of entities: a client may declare one named `representations`, but
  // cannot select the field `_entities`.
  if (!Array.isArray(representations) || rootFields[0]?.name.value !== '_entities')
    return { errors: rootFields.map((field) => errorAt([responseKey(field)])) };
  // The request fetches entities, such as `_entities { ... on Verse { words } }`. The response would have one entity
  // for each representation.
  const fields = rootFields.flatMap(({ selectionSet }) => (selectionSet ? fieldsOf(selectionSet) : []));
  const keys = new Set(fields.map(responseKey).filter((key) => key !== '__typename'));
  return { errors: representations.flatMap((_, index) => [...keys].map((key) => errorAt(['_entities', index, key]))) };
}

/** Returns the fields of a selection set. At this level a plan has inline fragments, but no fragment spreads. */
const fieldsOf = ({ selections }: SelectionSetNode): FieldNode[] =>
  selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    return selection.kind === Kind.INLINE_FRAGMENT ? fieldsOf(selection.selectionSet) : [];
  });

const responseKey = (field: FieldNode): string => (field.alias ?? field.name).value;

/** A response that another strategy has fetched, for @apollo/gateway to use instead of a fetch. */
export interface PrefetchedResponse {
  readonly subgraph: string;
  /** The request that was sent. Null if the response applies to every request to the subgraph. */
  readonly request: SubgraphRequest | null;
  /** The response of the subgraph. Null if the subgraph was unavailable. */
  readonly response: SubgraphResponse | null;
}

/**
 * Returns the prefetched response for a request and removes it from the list. @apollo/gateway changes the responses
 * that it receives, so two equal fetches of a plan must not share one object.
 */
export function takePrefetched(
  prefetched: PrefetchedResponse[],
  subgraph: string,
  { query, variables }: SubgraphRequest,
): PrefetchedResponse | undefined {
  const index = prefetched.findIndex(
    ({ subgraph: name, request }) =>
      name === subgraph &&
      (request === null ||
        (request.query === query && JSON.stringify(request.variables) === JSON.stringify(variables))),
  );
  return index === -1 ? undefined : prefetched.splice(index, 1)[0];
}
