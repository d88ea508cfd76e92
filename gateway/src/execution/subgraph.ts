import { isPromise } from 'node:util/types';
import type { Logger } from '@lectern/serving';
import { createOutageReporter, errorMessage } from '@lectern/serving';
import { attribute } from '@lectern/telemetry';
import type { Awaitable } from '../awaitable';
import type { GatewayMetrics } from '../gateway-metrics';
import type { UpstreamError } from '../transport/request';
import type {
  SubgraphFetch,
  SubgraphFetchOptions,
  SubgraphRequest,
  SubgraphResponse,
} from '../transport/subgraph-fetch-types';

/**
 * Called if a subgraph made embedding calls (for semantic search) for a request with an API key:
 * with the id of the key and the number of calls.
 */
export type OnEmbeddingCalls = (keyId: string, calls: number) => void;

/**
 * Wraps the fetch function of one subgraph. The wrapper measures and traces the requests, logs
 * outages of the subgraph, and reports the embedding calls and the hints (advice for client
 * developers) of the responses.
 */
export const measuredFetch = (
  name: string,
  fetch: SubgraphFetch,
  {
    metrics,
    onEmbeddingCalls,
    log,
  }: { metrics: Pick<GatewayMetrics, 'subgraphRequest'>; onEmbeddingCalls: OnEmbeddingCalls; log: Logger },
): SubgraphFetch => {
  const reportFailure = createReportFailure(name, log);
  const tracedFetch = traceFetch(name, fetch);
  return (request, about) => {
    const startedAt = performance.now();
    const succeed = (response: SubgraphResponse): SubgraphResponse => {
      metrics.subgraphRequest(name, 'ok', (performance.now() - startedAt) / 1_000);
      reportFailure.end();
      if (response.embeddingCalls && about.keyId !== undefined) onEmbeddingCalls(about.keyId, response.embeddingCalls);
      for (const hint of response.hints ?? []) about.onHint?.(hint);
      return response;
    };
    const fail = (error: unknown): never => {
      metrics.subgraphRequest(name, 'failed', (performance.now() - startedAt) / 1_000);
      reportFailure.begin(error, about.requestId);
      throw error;
    };
    let response: Awaitable<SubgraphResponse>;
    try {
      response = tracedFetch(request, about);
    } catch (error) {
      return fail(error);
    }
    return isPromise(response) ? response.then(succeed, fail) : succeed(response);
  };
};

/**
 * Logs when a subgraph becomes unavailable and when it is available again. If all replicas reject a
 * document that fits the supergraph, other documents still succeed. So such a rejection is no
 * outage, and is logged once for each supergraph.
 */
function createReportFailure(subgraph: string, log: Logger) {
  const outage = createOutageReporter(
    log,
    { began: 'a subgraph is unavailable', ended: 'a subgraph is available again' },
    { subgraph },
  );
  let isRejectionLogged = false;
  return {
    begin(error: unknown, requestId: string): void {
      if ((error as Partial<UpstreamError>).kind !== 'document-rejected') return outage.begin(error, { requestId });
      if (isRejectionLogged) return;
      isRejectionLogged = true;
      log.warn(
        { subgraph, requestId, reason: errorMessage(error) },
        'a subgraph rejects an operation that fits the supergraph: deploy the version with this schema to all replicas',
      );
    },
    end: (): void => outage.end(),
  };
}

/** Runs each fetch in a span, if the client's request is traced. */
const traceFetch =
  (name: string, fetch: SubgraphFetch): SubgraphFetch =>
  (request: SubgraphRequest, about: SubgraphFetchOptions) => {
    const { span: parent } = about;
    if (!parent || parent.traceId === null) return fetch(request, about);
    const type = request.query.startsWith('mutation') ? 'mutation' : 'query';
    const attributes = { [attribute.graphqlOperationType]: type, 'lectern.subgraph.name': name };
    return parent.span(
      // For a subgraph over HTTP, `transport/fetch.ts` renames the span to `POST /graphql`.
      { name: type, kind: 'client', attributes },
      async (span) => {
        const response = await fetch(request, { ...about, span, headers: span.headers() });
        const errors = response.errors?.length ?? 0;
        if (errors > 0) span.set({ 'lectern.error.count': errors });
        return response;
      },
    );
  };
