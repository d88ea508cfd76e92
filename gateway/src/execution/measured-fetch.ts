import { errors, type PublicError } from '@lectern/errors';
import { fragmentsByName } from '@lectern/execution';
import { createOutageReporter, errorMessage, type Logger } from '@lectern/serving';
import type { SubgraphRequest, SubgraphResponse } from '@lectern/subgraph';
import { attribute } from '@lectern/telemetry';
import type { FieldNode, GraphQLFormattedError, SelectionSetNode } from 'graphql';
import { getOperationAST, Kind, parse } from 'graphql';
import type { GatewayMetrics } from '../metrics';
import { settleMaybe } from '../shared/awaitable';
import type { SubgraphFetch, SubgraphFetchOptions } from '../transport/replica-fetch';
import type { UpstreamError } from '../transport/response';

/** Called when a subgraph has made embedding calls (for semantic search) for a request with an API key. */
export type OnEmbeddingCalls = (keyId: string, calls: number) => void;

/** Wraps the fetch function of a subgraph: measures, traces, logs outages, reports embedding calls and hints. */
export function measuredFetch(
  name: string,
  fetch: SubgraphFetch,
  { metrics, onEmbeddingCalls, log }: { metrics: GatewayMetrics; onEmbeddingCalls?: OnEmbeddingCalls; log: Logger },
): SubgraphFetch {
  const outageMessages = { began: 'a subgraph is unavailable', ended: 'a subgraph is available again' };
  const outage = createOutageReporter(log, outageMessages, { subgraph: name });
  let isRejectionLogged = false;
  const reportFailure = (error: unknown, requestId: string): void => {
    const { kind } = error as Partial<UpstreamError>;
    // The replica has logged the denied request, and serves others.
    if (kind === 'access-denied') return;
    if (kind !== 'document-rejected') return outage.begin(error, { requestId });
    // All replicas reject this document. Others still succeed, so this is no outage.
    if (isRejectionLogged) return;
    isRejectionLogged = true;
    log.warn(
      { subgraph: name, requestId, reason: errorMessage(error) },
      'a subgraph rejects an operation that fits the supergraph: deploy the version with this schema to all replicas',
    );
  };
  const tracedFetch = traceFetch(name, fetch);
  /** Adds the name of the subgraph to an error, which the subgraph cannot set itself, and a code if it has none. */
  const complete = ({ extensions, ...error }: GraphQLFormattedError): GraphQLFormattedError =>
    Object.assign(error, { extensions: { code: errors.internal.code, ...extensions, subgraph: name } });
  return (request, about) => {
    const spent = about.work?.spent();
    if (spent) return failedResponse(request, spent);
    const startedAt = performance.now();
    const succeed = (response: SubgraphResponse): SubgraphResponse => {
      metrics.subgraphRequest(name, 'ok', (performance.now() - startedAt) / 1_000);
      outage.end();
      if (response.errors) response.errors = response.errors.map(complete);
      if (response.cpuMs) about.work?.add(response.cpuMs);
      if (response.embeddingCalls && about.keyId !== undefined)
        onEmbeddingCalls?.(about.keyId, response.embeddingCalls);
      if (response.verses !== undefined) about.work?.verses.addReport(response.verses);
      for (const hint of response.hints ?? []) about.onHint?.(hint);
      about.onMaxAge?.(response.maxAge ?? 0);
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
      const response = await fetch(request, { ...about, span, headers: { ...about.headers, ...span.headers() } });
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
 * Returns an error at each field of the request, because the subgraph sent no response. Below `_entities`, each field
 * of each entity has the error.
 */
function failedResponse({ query, variables }: SubgraphRequest, { message, extensions }: PublicError): SubgraphResponse {
  const errorAt = (path: (string | number)[]): GraphQLFormattedError => ({ message, path, extensions });
  const document = parse(query, { noLocation: true });
  const fragments = fragmentsByName(document);
  const fieldsOf = ({ selections }: SelectionSetNode): FieldNode[] =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
      return fragment ? fieldsOf(fragment.selectionSet) : [];
    });
  const operation = getOperationAST(document);
  const rootFields = operation ? fieldsOf(operation.selectionSet) : [];
  return {
    errors: rootFields.flatMap((field) => {
      const key = responseKey(field);
      const [argument] = field.arguments ?? [];
      if (field.name.value !== '_entities' || argument?.value.kind !== Kind.VARIABLE) return [errorAt([key])];
      const representations = variables?.[argument.value.name.value];
      if (!Array.isArray(representations)) return [errorAt([key])];
      const keys = new Set(field.selectionSet ? fieldsOf(field.selectionSet).map(responseKey) : []);
      keys.delete('__typename');
      return representations.flatMap((_, index) => [...keys].map((inner) => errorAt([key, index, inner])));
    }),
  };
}

const responseKey = (field: FieldNode): string => (field.alias ?? field.name).value;
