import { isPromise } from 'node:util/types';
import type { Logger } from '@lectern/serving';
import type { Awaitable } from '../async';
import type { GatewayMetrics } from '../metrics';
import type {
  SubgraphFetch,
  SubgraphFetchOptions,
  SubgraphRequest,
  SubgraphResponse,
} from '../transport/subgraph-fetch';

/** Measures, traces and logs the requests to one subgraph. */
export const measuredFetch = (
  name: string,
  fetch: SubgraphFetch,
  { metrics, log }: { metrics: Pick<GatewayMetrics, 'subgraphRequest'>; log: Logger },
): SubgraphFetch => {
  // An outage is logged once when it begins and once when it ends, not for each request.
  let isUnavailable = false;
  const tracedFetch = traceFetch(name, fetch);
  return (request, about) => {
    const startedAt = performance.now();
    const succeed = (response: SubgraphResponse): SubgraphResponse => {
      metrics.subgraphRequest(name, 'ok', (performance.now() - startedAt) / 1_000);
      if (isUnavailable) log.info({ subgraph: name }, 'a subgraph is available again');
      isUnavailable = false;
      return response;
    };
    const fail = (error: unknown): never => {
      metrics.subgraphRequest(name, 'failed', (performance.now() - startedAt) / 1_000);
      log[isUnavailable ? 'debug' : 'warn'](
        { err: error, subgraph: name, requestId: about.requestId },
        'a subgraph is unavailable',
      );
      isUnavailable = true;
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

/** Runs each fetch in a span, if the client's request is traced. */
const traceFetch =
  (name: string, fetch: SubgraphFetch): SubgraphFetch =>
  (request: SubgraphRequest, about: SubgraphFetchOptions) => {
    const { span: parent } = about;
    if (!parent || parent.traceId === null) return fetch(request, about);
    return parent.span(
      { name: `subgraph ${name}`, kind: 'client', attributes: { 'lectern.subgraph': name } },
      async (span) => {
        const response = await fetch(request, { ...about, headers: span.headers() });
        span.set({ 'lectern.errors': response.errors?.length ?? 0 });
        return response;
      },
    );
  };
