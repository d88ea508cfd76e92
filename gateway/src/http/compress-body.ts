import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import type { Awaitable } from '../awaitable';
import type { ContentCoding } from '../cache/response-cache';
import type { CompressedForms } from './run-graph-stages';

/** The size in bytes from which a body is compressed. */
const minCompressedBytes = 2_000;

/** A body as it is sent. `coding` is null if the body is not compressed. */
export interface EncodedBody {
  readonly body: string | Buffer;
  readonly coding: ContentCoding | null;
}

/**
 * Compresses a body of 2,000 bytes or more, if the Accept-Encoding header allows compression.
 * `forms` holds the compressed forms of a response that is cached. If `forms` has the compressed
 * body, it is used. Otherwise the new compressed body is added to `forms`.
 */
export function compressBody(
  headers: IncomingHttpHeaders,
  body: string | Buffer,
  forms: CompressedForms | null,
): Awaitable<EncodedBody> {
  if (headers['accept-encoding'] === undefined || Buffer.byteLength(body) < minCompressedBytes)
    return { body, coding: null };
  const coding = negotiateCoding(headers);
  if (coding === null) return { body, coding };
  const known = forms?.get(coding);
  if (known) return { body: known, coding };
  return compress(typeof body === 'string' ? Buffer.from(body) : body, coding).then((compressed) => {
    forms?.set(coding, compressed);
    return { body: compressed, coding };
  });
}

/** The codings in order of preference. */
const codings: readonly ContentCoding[] = ['br', 'gzip'];

/**
 * The method `encoding` of the package negotiator, version 1, whose types lack the second argument.
 */
interface CodingNegotiator {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
}

/**
 * Returns the coding that the Accept-Encoding header prefers. Brotli is chosen among equals.
 * Returns null if the header prefers identity or excludes every coding: then the body is sent as it
 * is.
 */
function negotiateCoding(headers: IncomingHttpHeaders): ContentCoding | null {
  const negotiator: CodingNegotiator = new Negotiator({ headers });
  const preferred = negotiator.encoding([...codings, 'identity'], { preferred: codings });
  return codings.find((coding) => coding === preferred) ?? null;
}

// docs/decisions/0016-compression.md compares the compression levels.
const gzipLevel = 4;
const brotliQuality = 3;
/** The window is 256 kB. Larger windows take more memory, which costs time, and save no bytes. */
const brotliWindowBits = 18;

const brotliInThread = promisify(brotliCompress);
const gzipInThread = promisify(gzip);

/**
 * The maximum size in bytes of the buffers for the output. zlib returns to the main thread when a
 * buffer is full, so small buffers cost time. A buffer as long as a body of 5 MB costs more: each
 * makes the garbage collector start, which stops all requests for 20 to 50 ms.
 */
const maxChunkBytes = 262_144;

/** Compresses a body in node's thread pool, so that other requests do not wait. */
function compress(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  const chunkSize = Math.min(body.length, maxChunkBytes);
  if (coding === 'gzip') return gzipInThread(body, { level: gzipLevel, chunkSize });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_LGWIN]: brotliWindowBits,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  return brotliInThread(body, { params, chunkSize });
}
