import { errors, isCatalogueError } from '@lectern/errors';
import type { Logger } from '@lectern/serving';
import { redactKeys } from '@lectern/serving';
import type { Span } from '@lectern/telemetry';
import type { GatewayMetrics } from '../gateway-metrics';
import type { GraphResponse } from './graph-response';
import type { Exchange } from './graphql-exchange';

/** The maximum length of operation names in logs and spans. Longer names are cut off. */
const maxNameCharacters = 100;

/** The maximum number of error codes in a span. A response may have many more errors. */
const maxSpanCodes = 10;

/** Writes metrics, the attributes of the span and the log line of each request. */
export function createReportRequest({ metrics, log }: { metrics: GatewayMetrics; log: Logger }) {
  return {
    /**
     * Reports that a GraphQL response was sent. `requestedName` is the request's `operationName`.
     */
    responded(
      exchange: Exchange,
      span: Span,
      { result, status, requestedName }: { result: GraphResponse; status: number; requestedName: string | null },
    ): void {
      const { isRejected, codes } = result;
      const ms = performance.now() - exchange.startedAt;
      const outcome = outcomeOf(result);
      const operationName = (result.operationName ?? requestedName)?.slice(0, maxNameCharacters) ?? null;
      const cost = result.cost?.complexity;
      metrics.request({ operationName: result.operationName, outcome, seconds: ms / 1_000 });
      if (isRejected) metrics.rejection(codes[0] ?? '');
      if (span.traceId !== null)
        span.set({
          'http.response.status_code': status,
          'lectern.outcome': outcome,
          ...(operationName !== null && { 'graphql.operation.name': redactKeys(operationName) }),
          ...(cost !== undefined && { 'lectern.cost': cost }),
          ...(codes.length > 0 && { 'lectern.errors': codes.slice(0, maxSpanCodes).join(' ') }),
        });
      log.info(
        {
          requestId: exchange.requestId,
          traceId: span.traceId ?? undefined,
          keyId: exchange.keyId,
          operationName,
          status,
          cost,
          errors: codes.length > 0 ? codes : undefined,
          ms: Math.round(ms * 10) / 10,
        },
        'request',
      );
    },

    /** Reports that an admitted request ended with an error instead of a GraphQL response. */
    admittedFailed(exchange: Exchange, error: unknown): void {
      metrics.request({
        operationName: null,
        outcome: isCatalogueError(error) ? 'rejected' : 'failed',
        seconds: (performance.now() - exchange.startedAt) / 1_000,
      });
    },

    /** Reports that an error of the catalogue is about to be sent, before or after admission. */
    rejected({ requestId, keyId }: Exchange, code: string): void {
      metrics.rejection(code);
      log.info({ requestId, keyId, status: 'rejected', code }, 'request');
    },

    /**
     * Reports that an unexpected error, a bug of ours, is about to be sent as
     * INTERNAL_SERVER_ERROR.
     */
    failed({ requestId, keyId }: Exchange, error: unknown): void {
      metrics.rejection(errors.internal.code);
      log.error({ err: error, requestId, keyId }, 'a request failed');
    },
  };
}

const outcomeOf = ({ isRejected, codes }: GraphResponse): 'rejected' | 'partial' | 'ok' => {
  if (isRejected) return 'rejected';
  return codes.length > 0 ? 'partial' : 'ok';
};
