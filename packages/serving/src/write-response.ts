import type { ServerResponse } from 'node:http';
import type { CatalogueError } from '@lectern/errors';
import { httpStatus } from '@lectern/errors';

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
 * the body.
 */
export function sendError(response: ServerResponse, error: CatalogueError, headers: HeaderList = []): void {
  const { code, retryAfter } = error.extensions;
  sendJson(response, httpStatus(code), errorBody(error), [
    ...headers,
    ...(headersByCode[code] ?? []),
    ...(typeof retryAfter === 'number' ? ['Retry-After', String(retryAfter)] : []),
  ]);
}

/** The body of a rejected request: a GraphQL response without `data`. */
export const errorBody = (error: CatalogueError) => ({
  errors: [{ message: error.message, extensions: error.extensions }],
});
