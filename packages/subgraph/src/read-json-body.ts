import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { errors } from '@lectern/errors';
import { isJsonInUtf8, readBody } from '@lectern/serving';

/**
 * The maximum size of a request body, before and after decompression. A gateway fetches many
 * entities at once, but never sends a longer body.
 */
const maxBodyBytes = 10 * 1024 * 1024;

/**
 * The functions that decompress a request, by content coding. Apollo Router compresses its requests
 * if `traffic_shaping` of its configuration says so.
 */
const decompress = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/**
 * Reads the body of a request as JSON in UTF-8, compressed with gzip, deflate or brotli or not
 * compressed. Throws `unsupportedMediaType`, `bodyTooLarge`, `malformedHttp`, `invalidBody` or
 * `invalidJson`.
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const { 'content-type': type, 'content-encoding': coding = 'identity' } = request.headers;
  if (!isJsonInUtf8(type)) throw errors.unsupportedMediaType();
  const read = await readBody(request, maxBodyBytes);
  if (read.kind === 'too-long') throw errors.bodyTooLarge(maxBodyBytes);
  if (read.kind === 'broken-off') throw errors.malformedHttp();
  const body = coding === 'identity' ? read.body : await decode(read.body, coding);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw errors.invalidJson();
  }
}

async function decode(body: Buffer, coding: string): Promise<Buffer> {
  const name = coding.trim().toLowerCase();
  if (name === 'identity' || name === '') return body;
  const decoder = decompress.get(name);
  if (!decoder) throw errors.unsupportedMediaType();
  try {
    return await decoder(body, { maxOutputLength: maxBodyBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw errors.bodyTooLarge(maxBodyBytes);
    throw errors.invalidBody(`The request body is not valid ${name}, which Content-Encoding declares.`);
  }
}
