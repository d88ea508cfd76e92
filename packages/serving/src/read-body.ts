import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';

/** The declared length, before anything is read. */
export function isDeclaredTooLong(request: IncomingMessage, mostBytes: number): boolean {
  const length = Number(request.headers['content-length'] ?? 0);
  return Number.isNaN(length) || length > mostBytes;
}

/**
 * The body, whole; or that it is longer than it may be, whatever its declared length, or that it broke off. What comes of one that is too long is
 * let go by unread: whoever sends it gets to see the answer.
 */
export async function readBody(
  request: IncomingMessage,
  mostBytes: number,
): Promise<Buffer | 'too-long' | 'broken-off'> {
  const declared = request.headers['content-length'] ?? null;
  // What came in one piece with the head is there after this; the long way is for what did not.
  await Promise.resolve();
  const { readableLength } = request;
  if (readableLength > 0 && readableLength <= mostBytes && readableLength === Number(declared)) {
    const whole: unknown = request.read();
    // To its end, which is told by an event.
    request.resume();
    if (Buffer.isBuffer(whole)) return whole;
  }
  try {
    return await rawBody(request, { limit: mostBytes, length: declared });
  } catch (error) {
    request.resume();
    const { type } = error as { type?: string };
    if (type === 'entity.too.large') return 'too-long';
    if (type === 'request.size.invalid' || type === 'request.aborted') return 'broken-off';
    throw error;
  }
}
