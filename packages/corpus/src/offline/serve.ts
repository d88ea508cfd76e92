import { type FileHandle, open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  type ConsumeRateLimit,
  createAddressLimit,
  createPacer,
  discardUnreadBody,
  type Listening,
  type Logger,
  listen,
  type Route,
  wholeNumber,
} from '@lectern/serving';
import fresh from 'fresh';
import parseRange from 'range-parser';
import { packageFile } from './package-list';

/** A download is aborted if the client reads nothing for so long, in milliseconds. A Range request can continue it. */
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

const partBytes = 64 * 1024;
/** The minimum time between two parts of any downloads, in milliseconds. It limits a process to about 30 MB/s. */
const partIntervalMs = 2;

/** Parses `/offline/<identifier>/v<schema>/<sha256>.sqlite.gz`. Returns null for any other path. */
function parsePackagePath(path: string) {
  const [, identifier = '', version = '', sha256 = ''] =
    /^\/offline\/([a-z0-9-]{1,100})\/v([1-9]\d{0,2})\/([0-9a-f]{64})\.sqlite\.gz$/.exec(path) ?? [];
  return identifier === '' ? null : { identifier, schemaVersion: Number(version), sha256 };
}

/** Creates the route of offline packages, with Range and conditional requests. GET and HEAD count as downloads. */
export function createOfflineRoute(dataDir: string, consumeRateLimit: ConsumeRateLimit): Route {
  const pace = createPacer(partIntervalMs);
  return {
    path: '/offline/',
    async handle(request, response, path) {
      for (const [name, value] of Object.entries(corsHeaders)) response.setHeader(name, value);
      if (request.method === 'OPTIONS') return void response.writeHead(204, preflightHeaders).end();
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return sendMessage(response, messages.method, { allow: 'GET, HEAD, OPTIONS' });
      const { allowed, retryAfterSeconds } = await consumeRateLimit(request);
      if (!allowed) return sendRateLimited(response, retryAfterSeconds);
      const key = parsePackagePath(path);
      const file = key && (await openIfPresent(packageFile(dataDir, key.identifier, key)));
      if (!file) return sendMessage(response, messages.notFound);
      try {
        await sendFile(request, response, { file, sha256: key.sha256, pace });
      } finally {
        await file.close();
      }
    },
  };
}

async function openIfPresent(path: string): Promise<FileHandle | null> {
  try {
    return await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Sends the file, the range that the request names, or the status that the request's conditions demand. */
async function sendFile(
  { method, headers: requested }: IncomingMessage,
  response: ServerResponse,
  { file, sha256, pace }: { file: FileHandle; sha256: string; pace: () => Promise<void> },
): Promise<void> {
  const etag = `"${sha256}"`;
  const { size } = await file.stat();
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch, 'if-range': ifRange } = requested;
  if (ifMatch !== undefined && ifMatch !== '*' && !ifMatch.split(',').some((each) => each.trim() === etag))
    return sendMessage(response, messages.precondition);
  const headers = { etag, 'cache-control': 'public, max-age=31536000, immutable', 'accept-ranges': 'bytes' };
  // A package never changes, so `no-cache` in the request's Cache-Control does not prevent a 304.
  if (fresh({ 'if-none-match': ifNoneMatch }, { etag })) return void response.writeHead(304, headers).end();
  const range = ifRange === undefined || ifRange === etag ? parseOneRange(requested.range, size) : null;
  if (range === 'unsatisfiable') return sendMessage(response, messages.range, { 'content-range': `bytes */${size}` });
  const { start, end } = range ?? { start: 0, end: size - 1 };
  response.writeHead(range ? 206 : 200, {
    ...headers,
    'content-type': 'application/gzip',
    'content-length': end - start + 1,
    ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
  });
  if (method === 'HEAD') return void response.end();
  await sendParts(response, { file, start, end, pace });
}

/** Parses the header Range. Returns null, for the whole file, if the range is invalid or there are several. */
function parseOneRange(
  range: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  if (range === undefined) return null;
  // If N in `bytes=-N` exceeds the file, RFC 9110 requires the whole file, but range-parser finds the range invalid.
  const suffix = /^bytes=-(\d+)$/.exec(range)?.[1];
  if (suffix !== undefined && Number(suffix) > size) return { start: 0, end: size - 1 };
  const ranges = parseRange(size, range, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  const [only, ...more] = ranges === -2 || ranges.type !== 'bytes' ? [] : ranges;
  return only && more.length === 0 ? only : null;
}

/** Sends parts after `pace`, all in one buffer, because new ones would cause long pauses for garbage collection. */
async function sendParts(
  response: ServerResponse,
  { file, start, end, pace }: { file: FileHandle; start: number; end: number; pace: () => Promise<void> },
): Promise<void> {
  response.setTimeout(idleMs, () => response.destroy());
  const memory = Buffer.allocUnsafeSlow(Math.min(partBytes, end - start + 1));
  for (let position = start; position <= end; ) {
    const { bytesRead } = await file.read(memory, 0, Math.min(memory.length, end - position + 1), position);
    await pace();
    // If no bytes remain before the expected end, the file was truncated during the download.
    if (bytesRead === 0 || response.destroyed) return void response.destroy();
    await writePart(response, memory.subarray(0, bytesRead));
    position += bytesRead;
  }
  response.end();
}

/** Resolves when the operating system has accepted the part, or when the client has closed the connection. */
const writePart = (response: ServerResponse, part: Buffer): Promise<void> =>
  new Promise((resolve) => {
    response.once('close', resolve);
    response.write(part, () => {
      response.off('close', resolve);
      resolve();
    });
  });

const messages = {
  notFound: [
    404,
    'There is no such offline package. Ask for `Translation.offlinePackage` again: another package may have replaced it.',
  ],
  method: [405, 'Offline packages can only be read, with GET or HEAD.'],
  precondition: [412, 'The package is not the one that If-Match names.'],
  range: [416, 'The range lies outside the package. Its size is in the header Content-Range.'],
  failed: [500, 'The package cannot be read because of an error in this service. Try again later.'],
} as const;

const sendRateLimited = (response: ServerResponse, seconds: number): void =>
  sendMessage(response, [429, `Rate limit exceeded. Retry after ${seconds} seconds.`], {
    'retry-after': String(seconds),
  });

function sendMessage(
  response: ServerResponse,
  [status, message]: readonly [number, string],
  headers: Readonly<Record<string, string>> = {},
): void {
  const line = `${message}\n`;
  response.writeHead(status, {
    ...headers,
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(line),
  });
  response.end(response.req.method === 'HEAD' ? undefined : line);
}

export const defaultDownloadsPerMinute = 60;

export const offlineRateSetting = wholeNumber(
  0,
  999_999_999,
)({
  default: defaultDownloadsPerMinute,
  desc: 'How many downloads of offline packages one address may start or continue in a minute; 0 for no limit. They need no key and count against no other limit.',
});

interface ServeOptions {
  dataDir: string;
  host: string;
  port: number;
  /** The maximum number of downloads of an address in a minute. 0 means no limit. */
  maxPerMinute: number;
  addressOf: (request: IncomingMessage) => string;
  log: Logger;
}

/** Serves offline packages, and nothing else, on a port of their own. Requests need no API key. */
export function serveOfflinePackages({
  dataDir,
  host,
  port,
  maxPerMinute,
  addressOf,
  log,
}: ServeOptions): Promise<Listening> {
  const route = createOfflineRoute(dataDir, createAddressLimit(maxPerMinute, addressOf));
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.split('?', 1)[0] ?? '';
    try {
      await route.handle(request, response, path);
    } catch (error) {
      log.error({ err: error, path }, 'an offline package cannot be sent');
      if (response.headersSent) response.destroy();
      else sendMessage(response, messages.failed);
    }
  };
  // Load balancers keep idle connections for 60 s, so this server keeps them longer.
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 },
    (request, response) => {
      void handle(request, response);
      discardUnreadBody(request, response);
    },
  );
  return listen(server, { host, port, setting: 'OFFLINE_PORT' });
}
