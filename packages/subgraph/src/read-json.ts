import type { IncomingMessage } from 'node:http';
import { errors } from '@lectern/errors';
import { readBody } from '@lectern/serving';

/** The gateway asks for the text of many entities at once; a body beyond this is no request of a gateway's. */
const maxBodyBytes = 10 * 1024 * 1024;

/** The body, or why it cannot be read. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, maxBodyBytes);
  if (body === 'too-long') return errors.bodyTooLarge(maxBodyBytes);
  if (body === 'broken-off') return errors.malformedHttp();
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return errors.invalidJson();
  }
}
