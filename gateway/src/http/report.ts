import { errors, httpStatus, isPublicError } from '@lectern/errors';
import type { Logger } from '@lectern/serving';
import { redactKeys } from '@lectern/serving';
import type { Span } from '@lectern/telemetry';
import { attribute } from '@lectern/telemetry';
import { hashQuery } from '../documents/manifest';
import type { GatewayMetrics } from '../metrics';
import type { Exchange } from './exchange';
import type { GraphResponse } from './stages';

type Outcome = 'ok' | 'partial' | 'rejected' | 'failed';

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

/** The maximum length of operation names in logs and spans. Longer names are cut off. */
const maxNameCharacters = 100;

/** The maximum number of error codes in a span. A response may have many more errors. */
const maxSpanCodes = 10;

/** Writes metrics, the attributes of the span and the log line of each request. */
export function createReportRequest({ metrics, log }: { metrics: GatewayMetrics; log: Logger }) {
  const operations = createOperationMetricsRecorder(metrics);
  return {
    /** Reports that the request has been handled, by a GraphQL response or by an error. */
    httpRequest({ request, response, startedAt }: Exchange): void {
      // If no headers were sent, the client has closed the connection. Then nothing is recorded.
      if (!metrics.httpRequest || !response.headersSent) return;
      const seconds = (performance.now() - startedAt) / 1_000;
      metrics.httpRequest({ method: request.method, route: '/graphql', status: response.statusCode, seconds });
    },

    /** Reports that a GraphQL response was sent. */
    responded(exchange: Exchange, span: Span, { result, status, requestedName, query }: RespondedRequest): void {
      const { codes, operation } = result;
      const { outcome, ms } = operations.responded(result, exchange.startedAt);
      const operationName = (operation?.name ?? requestedName)?.slice(0, maxNameCharacters) ?? null;
      const cost = result.cost?.complexity;
      if (span.isRecorded) describeSpan(span, result, { status, outcome, operationName, query });
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
      operations.failed(error, exchange.startedAt);
    },

    /**
     * Reports that an error of `@lectern/errors` is about to be sent, before or after admission.
     */
    rejected({ requestId, keyId }: Exchange, code: string): void {
      metrics.rejection(code);
      log.info({ requestId, keyId, status: 'rejected', code }, 'request');
    },

    /**
     * Reports that an unexpected error, a bug of the gateway, is about to be sent as
     * INTERNAL_SERVER_ERROR.
     */
    failed({ requestId, keyId }: Exchange, error: unknown): void {
      metrics.rejection(errors.internal.code);
      log.error({ err: error, requestId, keyId }, 'a request failed');
    },
  };
}

interface RespondedRequest {
  readonly result: GraphResponse;
  readonly status: number;
  /** The request's `operationName`. */
  readonly requestedName: string | null;
  /** The text of the document. */
  readonly query: string;
}

/** Sets the attributes of a request's span, and its name, which is the type of the operation. */
function describeSpan(
  span: Span,
  { operation, codes, cost }: GraphResponse,
  {
    status,
    outcome,
    operationName,
    query,
  }: { status: number; outcome: Outcome; operationName: string | null; query: string },
): void {
  if (operation) span.rename(operation.type);
  span.set({
    ...(operation && { [attribute.graphqlOperationType]: operation.type }),
    ...(operationName !== null && { [attribute.graphqlOperationName]: redactKeys(operationName) }),
    [attribute.httpResponseStatusCode]: status,
    'lectern.document.hash': hashQuery(query),
    'lectern.outcome': outcome,
    ...(cost && { 'lectern.cost': cost.complexity }),
    ...(codes.length > 0 && { 'lectern.errors': codes.slice(0, maxSpanCodes).join(' ') }),
  });
  const failure = codes.find((code) => code === errors.subgraphUnavailable.code || httpStatus(code) >= 500);
  if (failure !== undefined) span.fail(failure);
  else if (codes[0] !== undefined) span.set({ [attribute.errorType]: codes[0] });
}
