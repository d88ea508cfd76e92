import type { IncomingMessage } from 'node:http';
import { errors } from '@lectern/errors';
import type { CatalogueError } from '@lectern/errors';

/** The gateway asks for the text of many entities at once; a body beyond this is no request of a gateway's. */
const mostBodyBytes = 10 * 1024 * 1024;

/** The body, or why it cannot be read. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > mostBodyBytes) return errors.bodyTooLarge(mostBodyBytes);
  const body = await readBody(request);
  if (!Buffer.isBuffer(body)) return body;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return errors.invalidJson();
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer | CatalogueError> {
  // What came in one piece with the head is there after this.
  await Promise.resolve();
  if (request.readableLength > 0 && request.readableLength === Number(request.headers['content-length'])) {
    const whole: unknown = request.read();
    // To its end, which is told by an event.
    request.resume();
    if (Buffer.isBuffer(whole)) return whole;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBodyBytes) return errors.bodyTooLarge(mostBodyBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
