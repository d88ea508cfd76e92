import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import fresh from 'fresh';
import parseRange from 'range-parser';
import { createPacer } from './work/scheduler';

/**
 * The time after which a download is aborted if the client reads nothing, in milliseconds. The client can continue
 * the download with a Range request.
 */
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
/**
 * The minimum time between two parts that are sent, of any download, in milliseconds. It limits a process to about 30
 * MB/s.
 */
const partIntervalMs = 2;

/** The parts of the path of an offline package. All of them are safe in file names. */
export interface OfflinePackagePath {
  readonly identifier: string;
  readonly schemaVersion: number;
  /** The SHA-256 digest of the file, in hexadecimal. */
  readonly sha256: string;
}

/** Parses `/offline/<identifier>/v<schema>/<sha256>.sqlite.gz`. Returns null for any other path. */
export function parseOfflinePackagePath(path: string): OfflinePackagePath | null {
  const [, identifier = '', version = '', sha256 = ''] =
    /^\/offline\/([a-z0-9-]{1,100})\/v([1-9]\d{0,2})\/([0-9a-f]{64})\.sqlite\.gz$/.exec(path) ?? [];
  return identifier === '' ? null : { identifier, schemaVersion: Number(version), sha256 };
}

/**
 * The open file of a package, or why there is none. `unavailable`: the package cannot be read at
 * the moment. `sent`: the function that opens packages has already sent a response.
 */
export type OpenedPackage =
  | { readonly file: FileHandle; readonly sha256: string }
  | 'not-found'
  | 'unavailable'
  | 'sent';

/**
 * Creates the function that responds to requests for offline packages, including Range and conditional requests. `open`
 * is called for GET and HEAD only. The function streams the opened file and closes it.
 */
export function createSendOfflinePackage() {
  const pace = createPacer(partIntervalMs);
  return async (
    request: IncomingMessage,
    response: ServerResponse,
    open: () => Promise<OpenedPackage>,
  ): Promise<void> => {
    for (const [name, value] of Object.entries(corsHeaders)) response.setHeader(name, value);
    if (request.method === 'OPTIONS') return void response.writeHead(204, preflightHeaders).end();
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendMessage(response, 405, { allow: 'GET, HEAD, OPTIONS' });
    const opened = await open();
    if (opened === 'sent') return;
    if (opened === 'not-found') return sendMessage(response, 404);
    if (opened === 'unavailable') return sendMessage(response, 503, { 'retry-after': '5' });
    try {
      await sendFile(request, response, { ...opened, pace });
    } finally {
      await opened.file.close();
    }
  };
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
    return sendMessage(response, 412);
  const headers = { etag, 'cache-control': 'public, max-age=31536000, immutable', 'accept-ranges': 'bytes' };
  // A package never changes, so `no-cache` in the request's Cache-Control does not prevent a 304.
  if (fresh({ 'if-none-match': ifNoneMatch }, { etag })) return void response.writeHead(304, headers).end();
  const range = ifRange === undefined || ifRange === etag ? parseOneRange(requested.range, size) : null;
  if (range === 'unsatisfiable') return sendMessage(response, 416, { 'content-range': `bytes */${size}` });
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
  // If N in `bytes=-N` exceeds the size of the file, RFC 9110 requires the whole file. The package range-parser treats
  // this as an invalid range.
  const suffix = /^bytes=-(\d+)$/.exec(range)?.[1];
  if (suffix !== undefined && Number(suffix) > size) return { start: 0, end: size - 1 };
  const ranges = parseRange(size, range, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  const [only, ...more] = ranges === -2 || ranges.type !== 'bytes' ? [] : ranges;
  return only && more.length === 0 ? only : null;
}

/**
 * Sends a file in parts, and awaits `pace` before each part. All parts use the same buffer, because new buffers would
 * cause long pauses for garbage collection.
 */
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
  404: 'There is no such offline package. Ask for `Translation.offlinePackage` again: another package may have replaced it.',
  405: 'Offline packages can only be read, with GET or HEAD.',
  412: 'The package is not the one that If-Match names.',
  416: 'The range lies outside the package. Its size is in the header Content-Range.',
  503: 'The package cannot be read at the moment. Try again later.',
};

/** Sends an error as a line of text. */
function sendMessage(
  response: ServerResponse,
  status: keyof typeof messages,
  headers: Readonly<Record<string, string>> = {},
): void {
  const message = `${messages[status]}\n`;
  response.writeHead(status, {
    ...headers,
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(message),
  });
  response.end(response.req.method === 'HEAD' ? undefined : message);
}
