import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'content-type';
import rawBody from 'raw-body';

/** Whether a Content-Type header declares JSON in UTF-8, which is also the default charset. */
export function isJsonInUtf8(contentType: string | undefined): boolean {
  // The usual values are compared first, because parsing takes longer.
  if (contentType === 'application/json' || contentType === 'application/json; charset=utf-8') return true;
  return isInUtf8(contentType, 'application/json');
}

/** Whether a Content-Type header declares this media type in UTF-8, which is also the default charset. */
export function isInUtf8(contentType: string | undefined, mediaType: string): boolean {
  try {
    const { type, parameters } = parse(contentType ?? '');
    return type === mediaType && /^utf-?8$/i.test(parameters['charset'] ?? 'utf-8');
  } catch {
    return false;
  }
}

/** `broken-off`: the client closed the connection, or sent more or fewer bytes than it declared. */
export type ReadBody =
  | { readonly kind: 'complete'; readonly body: Buffer }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'broken-off' };

/** Returns whether the Content-Length header exceeds `maxBytes` or is not a number. Does not read the body. */
export function isDeclaredTooLong(request: IncomingMessage, maxBytes: number): boolean {
  const length = Number(request.headers['content-length'] ?? 0);
  return Number.isNaN(length) || length > maxBytes;
}

/** Reads the whole body. The rest of one that is `too-long` is discarded, so that the client can read the response. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  const declared = request.headers['content-length'] ?? null;
  // After one microtask, a body that arrived in one packet with the headers is complete, and is read faster below.
  await Promise.resolve();
  const { readableLength } = request;
  if (readableLength > 0 && readableLength <= maxBytes && readableLength === Number(declared)) {
    const body: unknown = request.read();
    // `resume` makes the request emit 'end', so that node knows that the whole body was read.
    request.resume();
    if (Buffer.isBuffer(body)) return { kind: 'complete', body };
  }
  try {
    return { kind: 'complete', body: await rawBody(request, { limit: maxBytes, length: declared }) };
  } catch (error) {
    request.resume();
    const { type } = error as { type?: string };
    if (type === 'entity.too.large') return { kind: 'too-long' };
    // `stream.not.readable`: the client had closed the connection before.
    if (['request.size.invalid', 'request.aborted', 'stream.not.readable'].includes(type ?? ''))
      return { kind: 'broken-off' };
    throw error;
  }
}

const lingerMs = 1_000;

/** Discards an unread body. Closing the connection at once, and not after a second, could lose the response. */
export function discardUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    const linger = setTimeout(() => request.socket.destroy(), lingerMs).unref();
    const stop = () => clearTimeout(linger);
    request.once('end', stop).once('close', stop).resume();
  });
}
