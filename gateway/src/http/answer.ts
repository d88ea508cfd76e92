import type { ServerResponse } from 'node:http';
import { httpStatus } from '@lectern/errors';
import type { CatalogueError } from '@lectern/errors';

/** Sends JSON whole, with its length. `headers` are added to those that were set on the response before. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  sendText(response, status, JSON.stringify(body), headers);
}

/** Sends JSON that is written already. */
export function sendText(response: ServerResponse, status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers }).end(body);
}

const extraHeaders: Record<string, Record<string, string>> = {
  UNAUTHENTICATED: { 'www-authenticate': 'Bearer' },
  METHOD_NOT_ALLOWED: { allow: 'POST, OPTIONS' },
};

/** Refuses a whole request: the status and headers that go with the error, and the error alone as the body. */
export function sendRefusal(response: ServerResponse, error: CatalogueError, headers: Readonly<Record<string, string>> = {}): void {
  const { code, retryAfter } = error.extensions;
  sendJson(response, httpStatus(code), refusal(error), { ...headers, ...extraHeaders[code], ...(typeof retryAfter === 'number' && { 'retry-after': String(retryAfter) }) });
}

export const refusal = (error: CatalogueError) => ({ errors: [{ message: error.message, extensions: error.extensions }] });
