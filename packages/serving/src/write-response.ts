import type { ServerResponse } from 'node:http';
import type { CatalogueError } from '@lectern/errors';
import { httpStatus } from '@lectern/errors';

/** Name, value, name, value ...: what node writes as it is. An object would be built, copied and taken apart for every answer. */
export type HeaderList = readonly string[];

/** Sends JSON whole, with its length. `headers` are added to those that were set on the response before. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers: HeaderList = []): void {
  sendText(response, status, JSON.stringify(body), headers);
}

/** Sends JSON that is written already. */
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

const extraHeaders: Record<string, HeaderList> = {
  UNAUTHENTICATED: ['WWW-Authenticate', 'Bearer'],
  METHOD_NOT_ALLOWED: ['Allow', 'POST, OPTIONS'],
};

/** Refuses a whole request: the status and headers that go with the error, and the error alone as the body. */
export function sendError(response: ServerResponse, error: CatalogueError, headers: HeaderList = []): void {
  const { code, retryAfter } = error.extensions;
  sendJson(response, httpStatus(code), errorBody(error), [
    ...headers,
    ...(extraHeaders[code] ?? []),
    ...(typeof retryAfter === 'number' ? ['Retry-After', String(retryAfter)] : []),
  ]);
}

export const errorBody = (error: CatalogueError) => ({
  errors: [{ message: error.message, extensions: error.extensions }],
});
