import { errors, httpStatus, isPublicError, type PublicError } from '@lectern/errors';
import { type Logger, redactKeys } from '@lectern/serving';
import { attribute, type Span } from '@lectern/telemetry';
import { hashQuery } from '../documents/manifest';
import type { GatewayMetrics } from '../metrics';
import { documentsPath } from './document-get';
import type { GraphResponse } from './graph-stages';
import type { Exchange } from './request';

/** `startedAt` is in milliseconds of `performance.now()`. */
const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1_000;

const maxNameCharacters = 100;

const maxSpanCodes = 10;

export function createReportRequest({ metrics, log }: { metrics: GatewayMetrics; log: Logger }) {
  return {
    httpRequest({ request, response, startedAt, isDocument }: Exchange): void {
      // If no headers were sent, the client has closed the connection. Then nothing is recorded.
      if (!metrics.httpRequest || !response.headersSent) return;
      const { method } = request;
      const seconds = secondsSince(startedAt);
      metrics.httpRequest({
        method,
        route: isDocument ? documentsPath : '/graphql',
        status: response.statusCode,
        seconds,
      });
    },

    responded(exchange: Exchange, span: Span, responded: RespondedRequest): void {
      const { result, status } = responded;
      const { isRejected, codes, operation } = result;
      const outcome = isRejected ? 'rejected' : codes.length === 0 ? 'ok' : 'partial';
      const seconds = secondsSince(exchange.startedAt);
      metrics.request({ operation, outcome, seconds });
      if (isRejected) metrics.rejection(codes[0] ?? '');
      const operationName = (operation?.name ?? responded.requestedName)?.slice(0, maxNameCharacters) ?? null;
      if (span.isRecorded) describeSpan(span, responded, outcome, operationName);
      log.info(
        {
          requestId: exchange.requestId,
          traceId: span.traceId ?? undefined,
          keyId: exchange.keyId,
          operationName,
          status,
          cost: result.cost?.complexity,
          errors: codes.length > 0 ? codes : undefined,
          ms: Math.round(seconds * 10_000) / 10,
        },
        'request',
      );
    },

    /** Reports that an admitted request ended with an error instead of a GraphQL response. */
    admittedFailed(exchange: Exchange, error: unknown): void {
      const outcome = isPublicError(error) ? 'rejected' : 'failed';
      metrics.request({ operation: null, outcome, seconds: secondsSince(exchange.startedAt) });
    },

    /** Reports that a public error is about to be sent, before or after admission. */
    rejected({ requestId, keyId }: Exchange, { code, limit }: PublicError['extensions']): void {
      metrics.rejection(code, code === errors.rateLimited.code ? String(limit) : '');
      log.info({ requestId, keyId, status: 'rejected', code }, 'request');
    },

    /** Reports that a bug of the gateway is about to be sent as INTERNAL_SERVER_ERROR. */
    failed({ requestId, keyId }: Exchange, error: unknown): void {
      metrics.rejection(errors.internal.code);
      log.error({ err: error, requestId, keyId }, 'a request failed');
    },
  };
}

export type ReportRequest = ReturnType<typeof createReportRequest>;

interface RespondedRequest {
  readonly result: GraphResponse;
  readonly status: number;
  /** The value of `operationName` in the body of the request. */
  readonly requestedName: string | null;
  readonly query: string;
}

function describeSpan(
  span: Span,
  { result: { operation, codes, cost }, status, query }: RespondedRequest,
  outcome: string,
  operationName: string | null,
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
