import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPromise } from 'node:util/types';
import { errors, isCatalogueError } from '@lectern/errors';
import type { HeaderList, Logger } from '@lectern/serving';
import { errorBody, isDeclaredTooLong, redactKeys, sendError, sendJson, sendText } from '@lectern/serving';
import type { Span, Tracing } from '@lectern/telemetry';
import { noSpan } from '@lectern/telemetry';
import type { Admission, Spent } from '../admission/admit';
import { rateHeaders } from '../admission/rate-limit-headers';
import type { LimitState } from '../admission/rate-limiter';
import type { Awaitable } from '../async';
import type { ResponseCache } from '../cache/response-cache';
import type { RequestContext } from '../execution/chosen-operation';
import type { ExecutableRequest } from '../execution/executable-operation';
import type { ExecutionResult, FormattedResponse } from '../execution/format-response';
import { formatRejection } from '../execution/format-response';
import type { GatewayMetrics } from '../metrics';
import type { OperationCost } from '../validation/measure-operation';
import type { PreparedRequest } from '../validation/operation-validator';
import type { Rejection } from '../validation/rejection';
import type { Cors } from './cors';
import type { ResponseMediaType } from './media-types';
import { isJsonBody, negotiateMediaType } from './media-types';
import type { GraphqlParams } from './request-params';
import { parseParams, readBody } from './request-params';
import { cutUnreadBody } from './unread-body';

/** The stages of a request over one supergraph. */
export interface GraphStages {
  prepare(params: GraphqlParams): PreparedRequest | Rejection;
  readonly cache: Pick<ResponseCache, 'keyFor' | 'get' | 'set'>;
  execute(request: ExecutableRequest, context: RequestContext): Awaitable<ExecutionResult>;
  format(result: ExecutionResult, request: ExecutableRequest, context: RequestContext): FormattedResponse;
}

/** The supergraph that is served. A lease keeps its graph open until the request ends. */
interface LiveGraph {
  acquire(): { readonly graph: GraphStages };
  release(lease: { readonly graph: GraphStages }): void;
}

/** The response of the stages to one GraphQL request. */
export interface GraphResponse extends FormattedResponse {
  /** Whether the request was rejected before execution. */
  readonly isRejected: boolean;
  readonly cost: OperationCost | null;
  /** The name in the document. Null if there is none, or nothing was executed. */
  readonly operationName: string | null;
}

/** Runs the stages of one request: prepare, look up in the cache, execute, format. */
export async function respondTo(
  { prepare, cache, execute, format }: GraphStages,
  params: GraphqlParams,
  context: RequestContext,
): Promise<GraphResponse> {
  const request = prepare(params);
  if (request.kind === 'rejected')
    return { ...formatRejection(request.errors), isRejected: true, cost: request.cost, operationName: null };
  const { cost } = request;
  const operationName = request.operation.name;

  const key = cache.keyFor(request);
  const lookup = key && cache.get(key);
  const cached = isPromise(lookup) ? await lookup : lookup;
  if (cached) return { body: cached, codes: [], isRejected: false, cost, operationName };

  const execution = execute(request, context);
  const { body, codes } = format(isPromise(execution) ? await execution : execution, request, context);
  if (key && codes.length === 0) cache.set(key, body);
  return { body, codes, isRejected: false, cost, operationName };
}

export interface GraphqlHandlerParts {
  admit: (request: IncomingMessage) => Awaitable<Admission | Spent>;
  supergraph: LiveGraph;
  cors: Cors;
  maxBodyBytes: number;
  observations: GatewayMetrics;
  tracing: Tracing;
  log: Logger;
}

interface UnderWay {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Of the answer, whichever it will be. */
  headers: HeaderList;
  readonly requestId: string;
  readonly began: number;
  /** As soon as it is known who asks. */
  keyId?: string;
  /** As soon as it is counted; what the answer tells of the limits. */
  taken: readonly LimitState[];
}

/** A name that is longer is no name to find in a log. */
const mostNameCharacters = 100;

/** A document may have a hundred faults, and a span says of which kinds. */
const mostCodes = 10;

/** A client that sends `Lectern-Report: cost` is told in `extensions` what its operation costs and what is left of its day. */
const reportHeader = 'lectern-report';

/** Refusals that give the day's request back: the limits are ours, and finding them out is free. */
const freeRefusals: ReadonlySet<string> = new Set([
  errors.tooDeep.code,
  errors.tooComplex.code,
  errors.tooManyTokens.code,
]);

/**
 * One request to /graphql: each line of `answer` is one check, in the order in which they are promised, and bounds come before work.
 * A check that fails throws an error of the catalogue, and that is the answer.
 */
export function createGraphqlHandler({
  admit,
  supergraph,
  cors,
  maxBodyBytes,
  observations,
  tracing,
  log,
}: GraphqlHandlerParts) {
  const readParams = (
    request: IncomingMessage,
    response: ServerResponse,
  ): { params: Promise<GraphqlParams>; type: ResponseMediaType } => {
    if (request.method !== 'POST') throw errors.methodNotAllowed();
    if (isDeclaredTooLong(request, maxBodyBytes)) throw errors.bodyTooLarge(maxBodyBytes);
    if (!isJsonBody(request.headers)) throw errors.unsupportedMediaType();
    const type = negotiateMediaType(request.headers);
    if (!type) throw errors.notAcceptable();
    if (expectsContinue(request)) response.writeContinue();
    return { params: readBody(request, maxBodyBytes).then(parseParams), type };
  };

  /** What comes after the key: from here on a request is counted, traced and logged with who asks. */
  const serve = async ({ key, address, quota: taken }: Admission, underWay: UnderWay, span: Span): Promise<void> => {
    const { request, response, requestId, began } = underWay;
    let quota = taken;
    underWay.taken = [quota, address];
    const refund = () => {
      quota = quota.refund();
      underWay.taken = [quota, address];
    };
    let params: GraphqlParams;
    let type: ResponseMediaType;
    try {
      const read = readParams(request, response);
      type = read.type;
      params = await read.params;
    } catch (error) {
      refund();
      throw error;
    }
    if (!quota.allowed) throw errors.rateLimited(quota.secondsLeft);

    const lease = supergraph.acquire();
    let result: GraphResponse;
    try {
      result = await respondTo(lease.graph, params, { requestId, span });
    } finally {
      supergraph.release(lease);
    }
    const { isRejected, codes } = result;
    if (isRejected && codes.some((code) => freeRefusals.has(code))) refund();
    // Under application/json the specification of GraphQL over HTTP keeps 200 for every answer that GraphQL itself gives.
    const status = isRejected && type === 'application/graphql-response+json' ? 400 : 200;
    sendText(
      response,
      status,
      request.headers[reportHeader] === 'cost' ? withExtensions(result.body, report(result, quota)) : result.body,
      headersOf(underWay),
      `${type}; charset=utf-8`,
    );
    const ms = performance.now() - began;
    const outcome = isRejected ? 'rejected' : codes.length > 0 ? 'partial' : 'ok';
    const operationName = (result.operationName ?? params.operationName)?.slice(0, mostNameCharacters) ?? null;
    observations.request({ operationName: result.operationName, outcome, seconds: ms / 1_000 });
    if (isRejected) observations.rejection(codes[0] ?? '');
    const cost = result.cost?.complexity;
    if (tracing.on)
      span.set({
        'http.response.status_code': status,
        'lectern.outcome': outcome,
        ...(operationName !== null && { 'graphql.operation.name': redactKeys(operationName) }),
        ...(cost !== undefined && { 'lectern.cost': cost }),
        ...(codes.length > 0 && { 'lectern.errors': codes.slice(0, mostCodes).join(' ') }),
      });
    log.info(
      {
        requestId,
        traceId: span.traceId ?? undefined,
        keyId: key.id,
        operationName,
        status,
        cost,
        errors: codes.length > 0 ? codes : undefined,
        ms: Math.round(ms * 10) / 10,
      },
      'request',
    );
  };

  const answer = async (underWay: UnderWay): Promise<void> => {
    const { request, requestId, began } = underWay;
    const startedAt = Date.now();
    const admitted = admit(request);
    const admission = isPromise(admitted) ? await admitted : admitted;
    underWay.headers = [...underWay.headers, 'X-Request-Id', requestId, 'Cache-Control', 'private'];
    if ('spent' in admission) {
      underWay.taken = [admission.spent];
      throw errors.rateLimited(admission.spent.secondsLeft);
    }
    underWay.keyId = admission.key.id;
    const attributes = { 'lectern.request.id': requestId, 'lectern.key.id': admission.key.id };
    const served = tracing.on
      ? tracing.from(request.headers)({ name: 'graphql', kind: 'server', attributes, startedAt }, (span) =>
          serve(admission, underWay, span),
        )
      : serve(admission, underWay, noSpan);
    await served.catch((error: unknown) => {
      observations.request({
        operationName: null,
        outcome: isCatalogueError(error) ? 'rejected' : 'failed',
        seconds: (performance.now() - began) / 1_000,
      });
      throw error;
    });
  };

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const headers = cors.headersOf(request);
    if (request.method === 'OPTIONS') {
      cutUnreadBody(request, response);
      return cors.sendPreflight(response, headers);
    }
    const requestId = randomUUID();
    const underWay: UnderWay = { request, response, headers, requestId, began: performance.now(), taken: [] };
    try {
      await answer(underWay);
    } catch (error) {
      if (response.headersSent || response.destroyed) return void response.destroy();
      cutUnreadBody(request, response);
      if (isCatalogueError(error)) {
        observations.rejection(error.extensions.code);
        log.info({ requestId, keyId: underWay.keyId, status: 'refused', code: error.extensions.code }, 'request');
        sendError(response, error, headersOf(underWay));
      } else {
        observations.rejection(errors.internal.code);
        log.error({ err: error, requestId, keyId: underWay.keyId }, 'a request failed');
        const { message } = errors.internal();
        sendJson(
          response,
          errors.internal.status ?? 500,
          errorBody(Object.assign(new Error(message), { extensions: { code: errors.internal.code, requestId } })),
          headersOf(underWay),
        );
      }
    }
    return undefined;
  };
}

const headersOf = ({ headers, taken }: UnderWay): HeaderList => [...headers, ...rateHeaders(taken)];

const report = ({ cost }: GraphResponse, { max, remaining, secondsLeft }: LimitState) => ({
  ...(cost && { cost }),
  ...(max !== Infinity && { quota: { limit: max, remaining, resetSeconds: secondsLeft } }),
});

/** The answer is a JSON object that is not empty, so its last brace is where another member goes. */
const withExtensions = (body: string | Buffer, extensions: unknown): string =>
  `${body.toString().slice(0, -1)},"extensions":${JSON.stringify(extensions)}}`;

const expectsContinue = (request: IncomingMessage): boolean => request.headers.expect?.toLowerCase() === '100-continue';
