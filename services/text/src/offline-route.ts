import type { Stats } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { packageFile, parsePackagePath } from '@lectern/corpus';
import type { FileRoute } from '@lectern/subgraph';
import send from 'send';

/** A download of which the client reads nothing for so long is aborted. The client continues it with a Range request. */
const idleMs = 60_000;

/** Pages of every origin may download packages, because packages are public. */
const corsHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Accept-Ranges, Content-Length, Content-Range, ETag, Retry-After',
  'cross-origin-resource-policy': 'cross-origin',
};

const preflightHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Range, If-Range, If-Match, If-None-Match',
  'access-control-max-age': '86400',
  allow: 'GET, HEAD, OPTIONS',
};

/**
 * Serves the offline packages of a data folder at `/offline/<identifier>/v<schema>/<sha256>.sqlite.gz`. A file is streamed
 * from the disk, with Range and conditional requests. A removed file is still sent to those who are downloading it.
 */
export const createOfflineRoute = (dataDir: string): FileRoute => ({
  path: '/offline/',
  handle(request, response, path) {
    for (const [name, value] of Object.entries(corsHeaders)) response.setHeader(name, value);
    if (request.method === 'OPTIONS') return void response.writeHead(204, preflightHeaders).end();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD, OPTIONS');
      return sendMessage(response, 405);
    }
    const parsed = parsePackagePath(path);
    if (!parsed) return sendMessage(response, 404);
    return sendPackage(request, response, { file: packageFile(dataDir, parsed.identifier, parsed), ...parsed });
  },
});

function sendPackage(
  request: IncomingMessage,
  response: ServerResponse,
  { file, sha256 }: { file: string; sha256: string },
): void {
  response.setTimeout(idleMs, () => response.destroy());
  send(request, encodeURI(file), { dotfiles: 'allow', index: false, cacheControl: false, lastModified: false })
    .on('file', (_path: string, { size }: Stats) => {
      // RFC 9110: a suffix longer than the file means the whole file. `send` would respond 416.
      const suffix = /^ *bytes=-(\d+) *$/.exec(request.headers.range ?? '')?.[1];
      if (suffix !== undefined && Number(suffix) > size) request.headers.range = 'bytes=0-';
    })
    .on('headers', () => {
      response.setHeader('etag', `"${sha256}"`);
      response.setHeader('cache-control', 'public, max-age=31536000, immutable');
      response.setHeader('content-type', 'application/gzip');
    })
    .on('error', ({ status }: { status: number }) => {
      if (response.headersSent) response.destroy();
      else sendMessage(response, status);
    })
    .pipe(response);
}

const messages: Readonly<Record<number, string>> = {
  404: 'There is no such offline package. Ask for `Translation.offlinePackage` again: another package may have replaced it.',
  405: 'Offline packages can only be read, with GET or HEAD.',
  412: 'The package is not the one that If-Match names.',
  416: 'The range lies outside the package. Its size is in the header Content-Range.',
};

/** Sends an error as a line of text. */
function sendMessage(response: ServerResponse, status: number): void {
  const message = `${messages[status] ?? 'The package cannot be read at the moment. Try again later.'}\n`;
  for (const name of ['etag', 'cache-control', 'accept-ranges', 'content-length']) response.removeHeader(name);
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(message),
  });
  response.end(response.req.method === 'HEAD' ? undefined : message);
}
