import type { ServerResponse } from 'node:http';
import type { PublicError } from '@lectern/errors';
import { httpStatus } from '@lectern/errors';
import { negotiateMediaType } from './negotiate-media-type';

/**
 * The headers as name, value, name, value ... Node writes this form directly, without building an
 * object for every response.
 */
export type HeaderList = readonly string[];

/**
 * Sends `body` as JSON with its Content-Length. `headers` are added to the headers already set on
 * the response.
 */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers: HeaderList = []): void {
  sendText(response, status, JSON.stringify(body), headers);
}

/** Sends a body that is already serialized. */
export function sendText(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: HeaderList = [],
  type = 'application/json',
): void {
  response
    .writeHead(status, ['Content-Type', type, 'Content-Length', String(Buffer.byteLength(body)), ...headers])
    .end(body);
}

const headersByCode: Record<string, HeaderList> = {
  UNAUTHENTICATED: ['WWW-Authenticate', 'Bearer'],
  METHOD_NOT_ALLOWED: ['Allow', 'POST, OPTIONS'],
};

/**
 * Rejects a whole HTTP request: sends the status and headers of the error's code, and the error as
 * the body. The body has the media type that the request's Accept header prefers, or
 * application/json if that header excludes both types. Apollo Client shows the message of a
 * rejection only under application/graphql-response+json.
 */
export function sendError(response: ServerResponse, error: PublicError, headers: HeaderList = []): void {
  const { code, retryAfter } = error.extensions;
  const isGraphqlJson = negotiateMediaType(response.req.headers) === 'application/graphql-response+json';
  sendText(
    response,
    httpStatus(code),
    JSON.stringify(errorBody(error)),
    [
      ...headers,
      ...(headersByCode[code] ?? []),
      ...(typeof retryAfter === 'number' ? ['Retry-After', String(retryAfter)] : []),
    ],
    isGraphqlJson ? 'application/graphql-response+json; charset=utf-8' : 'application/json',
  );
}

/** The body of a rejected request: a GraphQL response without `data`. */
export const errorBody = (error: PublicError) => ({
  errors: [{ message: error.message, extensions: error.extensions }],
});
