import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, isCatalogueError } from '@lectern/errors';
import type { KeyRecord } from '@lectern/keys';
import type { Logger } from '@lectern/serving';
import type { Graph } from '../graph';
import { refusal, sendJson, sendRefusal } from './answer';
import { isTooLong, parseParams, readBody } from './body';
import type { Cors } from './cors';
import { acceptedType, isJsonBody } from './media-type';

export interface GraphqlHandlerParts {
  authenticate: (rawHeaders: readonly string[]) => KeyRecord;
  graph: Pick<Graph, 'execute'>;
  cors: Cors;
  mostBodyBytes: number;
  log: Logger;
}

/** A name that is longer is no name to find in a log. */
const mostNameCharacters = 100;

/**
 * One request to /graphql: each line of `answer` is one check, in the order in which they are promised, and bounds come before work.
 * A check that fails throws an error of the catalogue, and that is the answer.
 */
export function createGraphqlHandler({ authenticate, graph, cors, mostBodyBytes, log }: GraphqlHandlerParts) {
  const answer = async (request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> => {
    const began = performance.now();
    const key = authenticate(request.rawHeaders);
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('Cache-Control', 'private');
    if (request.method !== 'POST') throw errors.methodNotAllowed();
    if (isTooLong(request, mostBodyBytes)) throw errors.bodyTooLarge(mostBodyBytes);
    if (!isJsonBody(request.headers)) throw errors.unsupportedMediaType();
    const type = acceptedType(request.headers);
    if (!type) throw errors.notAcceptable();
    if (expectsContinue(request)) response.writeContinue();
    const params = parseParams(await readBody(request, mostBodyBytes));

    const result = await graph.execute({ ...params, requestId });
    // Under application/json the specification of GraphQL over HTTP keeps 200 for every answer that GraphQL itself gives.
    const status = result.refused && type === 'application/graphql-response+json' ? 400 : 200;
    sendJson(response, status, result.answer, { 'content-type': `${type}; charset=utf-8` });
    log.info({ requestId, keyId: key.id, operationName: params.operationName?.slice(0, mostNameCharacters), status, errors: codes(result.answer.errors), ms: Math.round((performance.now() - began) * 10) / 10 }, 'request');
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
        log.info({ requestId, status: 'refused', code: error.extensions.code }, 'request');
        sendRefusal(response, error);
      } else {
        log.error({ err: error, requestId }, 'a request failed');
        const { message } = errors.internal();
        sendJson(response, errors.internal.status ?? 500, refusal(Object.assign(new Error(message), { extensions: { code: errors.internal.code, requestId } })));
      }
    }
    return undefined;
  };
}

const expectsContinue = (request: IncomingMessage): boolean => request.headers.expect?.toLowerCase() === '100-continue';

const codes = (list: readonly { extensions?: Record<string, unknown> }[] | undefined) => list?.map((error) => error.extensions?.['code']);
