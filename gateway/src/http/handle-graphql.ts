import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, isCatalogueError } from '@lectern/errors';
import type { Logger } from '@lectern/serving';
import type { Tracing } from '@lectern/telemetry';
import type { Graph, GraphResult } from '../graph';
import type { Observations } from '../observations';
import type { Admission, Spent } from '../rate/admission';
import type { Taken } from '../rate/rate';
import { setRateHeaders } from '../rate/rate-headers';
import { refusal, sendBytes, sendJson, sendRefusal } from './answer';
import { isTooLong, parseParams, readBody } from './body';
import type { GraphqlParams } from './body';
import type { Cors } from './cors';
import { acceptedType, isJsonBody } from './media-type';
import type { AnswerType } from './media-type';

export interface GraphqlHandlerParts {
  admit: (request: IncomingMessage) => Promise<Admission | Spent>;
  graph: Pick<Graph, 'execute'>;
  cors: Cors;
  mostBodyBytes: number;
  observations: Observations;
  tracing: Tracing;
  log: Logger;
}

/** A name that is longer is no name to find in a log. */
const mostNameCharacters = 100;

/** A client that sends `Lectern-Report: cost` is told in `extensions` what its operation costs and what is left of its day. */
const reportHeader = 'lectern-report';

/** Refusals that give the day's request back: the limits are ours, and finding them out is free. */
const freeRefusals: ReadonlySet<string> = new Set([errors.tooDeep.code, errors.tooComplex.code, errors.tooManyTokens.code]);

/**
 * One request to /graphql: each line of `answer` is one check, in the order in which they are promised, and bounds come before work.
 * A check that fails throws an error of the catalogue, and that is the answer.
 */
export function createGraphqlHandler({ admit, graph, cors, mostBodyBytes, observations, tracing, log }: GraphqlHandlerParts) {
  const readParams = async (request: IncomingMessage, response: ServerResponse): Promise<{ params: GraphqlParams; type: AnswerType }> => {
    if (request.method !== 'POST') throw errors.methodNotAllowed();
    if (isTooLong(request, mostBodyBytes)) throw errors.bodyTooLarge(mostBodyBytes);
    if (!isJsonBody(request.headers)) throw errors.unsupportedMediaType();
    const type = acceptedType(request.headers);
    if (!type) throw errors.notAcceptable();
    if (expectsContinue(request)) response.writeContinue();
    return { params: parseParams(await readBody(request, mostBodyBytes)), type };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> => {
    const began = performance.now();
    const admission = await admit(request);
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('Cache-Control', 'private');
    if ('spent' in admission) {
      setRateHeaders(response, [admission.spent]);
      throw errors.rateLimited(admission.spent.secondsLeft);
    }
    const { key, address } = admission;
    let { quota } = admission;
    setRateHeaders(response, [quota, address]);
    const giveBack = () => {
      quota = quota.giveBack();
      setRateHeaders(response, [quota, address]);
    };
    const { params, type } = await readParams(request, response).catch((error: unknown) => {
      giveBack();
      throw error;
    });
    if (!quota.allowed) throw errors.rateLimited(quota.secondsLeft);

    const operationName = params.operationName?.slice(0, mostNameCharacters) ?? null;
    const execute = () => graph.execute({ ...params, requestId });
    const result = tracing.on
      ? await tracing.incoming(request.headers, () => tracing.span('graphql', 'server', { 'graphql.operation.name': operationName ?? '', 'lectern.request.id': requestId, 'lectern.key.id': key.id }, execute))
      : await execute();
    if (result.refused && result.codes.some((code) => freeRefusals.has(code))) giveBack();
    // Under application/json the specification of GraphQL over HTTP keeps 200 for every answer that GraphQL itself gives.
    const status = result.refused && type === 'application/graphql-response+json' ? 400 : 200;
    const body = request.headers[reportHeader] === 'cost' ? withExtensions(result.body, report(result, quota)) : result.body;
    sendBytes(response, status, body, { 'content-type': `${type}; charset=utf-8` });
    const ms = performance.now() - began;
    const { refused, codes } = result;
    observations.request({ operationName, outcome: refused ? 'refused' : codes.length > 0 ? 'partial' : 'ok', seconds: ms / 1_000 });
    if (refused) observations.refusal(codes[0] ?? '');
    log.info({ requestId, keyId: key.id, operationName, status, cost: result.measured?.complexity, errors: codes.length > 0 ? codes : undefined, ms: Math.round(ms * 10) / 10 }, 'request');
  };

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    cors.setHeaders(request, response);
    if (request.method === 'OPTIONS') return cors.sendPreflight(response);
    const requestId = randomUUID();
    try {
      await answer(request, response, requestId);
    } catch (error) {
      if (response.headersSent || response.destroyed) return void response.destroy();
      if (isCatalogueError(error)) {
        observations.refusal(error.extensions.code);
        log.info({ requestId, status: 'refused', code: error.extensions.code }, 'request');
        sendRefusal(response, error);
      } else {
        observations.refusal(errors.internal.code);
        log.error({ err: error, requestId }, 'a request failed');
        const { message } = errors.internal();
        sendJson(response, errors.internal.status ?? 500, refusal(Object.assign(new Error(message), { extensions: { code: errors.internal.code, requestId } })));
      }
    }
    return undefined;
  };
}

const report = ({ measured }: GraphResult, { most, remaining, secondsLeft }: Taken) => ({
  ...(measured && { cost: { complexity: measured.complexity, maxComplexity: measured.maxComplexity, depth: measured.depth, maxDepth: measured.maxDepth } }),
  ...(most !== Infinity && { quota: { limit: most, remaining, resetSeconds: secondsLeft } }),
});

/** The answer is a JSON object that is not empty, so its last brace is where another member goes. */
const withExtensions = (body: Buffer, extensions: unknown): Buffer => Buffer.concat([body.subarray(0, -1), Buffer.from(`,"extensions":${JSON.stringify(extensions)}}`)]);

const expectsContinue = (request: IncomingMessage): boolean => request.headers.expect?.toLowerCase() === '100-continue';

