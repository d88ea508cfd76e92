import { isPublicError } from '@lectern/errors';
import type { GatewayMetrics } from '../gateway-metrics';
import type { GraphResponse } from './run-graph-stages';

export type Outcome = 'ok' | 'partial' | 'rejected' | 'failed';

/**
 * Records the metrics of each operation, whether a client sent it to /graphql or a page needs it.
 * `startedAt` is in milliseconds of `performance.now()`.
 */
export function createOperationMetricsRecorder(metrics: Pick<GatewayMetrics, 'request' | 'rejection'>) {
  const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1_000;
  return {
    /** Records a GraphQL response. Returns its outcome and its duration in milliseconds. */
    responded(
      { isRejected, codes, operation }: GraphResponse,
      startedAt: number,
    ): { readonly outcome: Outcome; readonly ms: number } {
      const outcome = outcomeOf(isRejected, codes);
      const seconds = secondsSince(startedAt);
      metrics.request({ operation, outcome, seconds });
      if (isRejected) metrics.rejection(codes[0] ?? '');
      return { outcome, ms: seconds * 1_000 };
    },

    /** Records an operation that ended with an error instead of a GraphQL response. */
    failed(error: unknown, startedAt: number): void {
      const outcome = isPublicError(error) ? 'rejected' : 'failed';
      metrics.request({ operation: null, outcome, seconds: secondsSince(startedAt) });
    },
  };
}

function outcomeOf(isRejected: boolean, codes: readonly string[]): Outcome {
  if (isRejected) return 'rejected';
  return codes.length > 0 ? 'partial' : 'ok';
}
