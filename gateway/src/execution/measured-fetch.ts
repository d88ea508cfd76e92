import { isPromise } from 'node:util/types';
import type { Logger } from '@lectern/serving';
import type { Awaitable } from '../async';
import type { GatewayMetrics } from '../metrics';
import type { SubgraphFetch, SubgraphResponse } from '../transport/subgraph-fetch';

/** Asking a subgraph, counted, timed, traced and told to the log. */
export const measuredFetch = (
  name: string,
  fetch: SubgraphFetch,
  { metrics, log }: { metrics: Pick<GatewayMetrics, 'subgraphCall'>; log: Logger },
): SubgraphFetch => {
  // One line when it begins and one when it is over; a line for every request of an outage would be an outage of the log.
  let isAway = false;
  return (request, about) => {
    const began = performance.now();
    const answered = (answer: SubgraphResponse): SubgraphResponse => {
      metrics.subgraphCall(name, 'answered', (performance.now() - began) / 1_000);
      if (isAway) log.info({ subgraph: name }, 'a subgraph answers again');
      isAway = false;
      return answer;
    };
    const failed = (error: unknown): never => {
      metrics.subgraphCall(name, 'failed', (performance.now() - began) / 1_000);
      log[isAway ? 'debug' : 'warn'](
        { err: error, subgraph: name, requestId: about.requestId },
        'a subgraph does not answer',
      );
      isAway = true;
      throw error;
    };
    const { span: parent } = about;
    let answer: Awaitable<SubgraphResponse>;
    try {
      answer =
        parent && parent.traceId !== null
          ? parent.span(
              { name: `subgraph ${name}`, kind: 'client', attributes: { 'lectern.subgraph': name } },
              async (span) => {
                const given = await fetch(request, { ...about, headers: span.headers() });
                span.set({ 'lectern.errors': given.errors?.length ?? 0 });
                return given;
              },
            )
          : fetch(request, about);
    } catch (error) {
      return failed(error);
    }
    return isPromise(answer) ? answer.then(answered, failed) : answered(answer);
  };
};
