import type { ServerResponse } from 'node:http';
import type { ConsumeRateLimit, Route } from '@lectern/site';

/** Responds to a request for a file. */
export type HandleFile = Route['handle'];

/**
 * Serves offline packages (translations as SQLite files) to everybody, without a key. Downloads are
 * limited by the client's address.
 */
export const createOfflinePackageRoute = (handle: HandleFile, consumeRateLimit: ConsumeRateLimit): Route => ({
  path: '/offline/',
  async handle(request, response, path) {
    if (request.method === 'GET' || request.method === 'HEAD') {
      const { allowed, retryAfterSeconds } = await consumeRateLimit(request);
      if (!allowed) return sendRateLimited(response, retryAfterSeconds);
    }
    return handle(request, response, path);
  },
});

function sendRateLimited(response: ServerResponse, seconds: number): void {
  const message = `Rate limit exceeded. Retry after ${seconds} seconds.\n`;
  response
    .writeHead(429, {
      'retry-after': String(seconds),
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(message),
      // Pages of every origin may download packages, and must learn when to retry.
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Retry-After',
    })
    .end(response.req.method === 'HEAD' ? undefined : message);
}
