import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type HeaderList, type ResponseMediaType, sendText, type WorkBudget } from '@lectern/serving';
import fresh from 'fresh';
import Negotiator from 'negotiator';
import { createRateLimitHeaders } from '../admission/limits';
import type { LimitState } from '../admission/rate-limiter';
import type { ContentCoding } from '../cache/response-cache';
import { type Awaitable, thenMaybe } from '../shared/awaitable';
import type { Deprecation } from '../validation/choose-operation';
import { cachingHeaders, type DocumentGetSettings, keptHeaders, noStoreHeaders } from './document-get';
import type { CompressedForms, GraphResponse } from './graph-stages';
import type { Exchange } from './request';

/** The maximum number of links in one response, because proxies limit the length of headers. */
const maxLinks = 10;

/** Returns `Deprecation` (RFC 9745) with the earliest date, and `Link`, which leads to `/changes`. */
function deprecationHeaders(deprecations: readonly Deprecation[]): HeaderList {
  if (deprecations.length === 0) return [];
  const times = deprecations.flatMap(({ since }) => (since === null ? [] : [Date.parse(since) / 1_000]));
  const links = deprecations
    .slice(0, maxLinks)
    .map(({ coordinate }) => `</changes#${encodeURIComponent(coordinate)}>; rel="deprecation"; type="text/html"`);
  return [...(times.length === 0 ? [] : ['Deprecation', `@${Math.min(...times)}`]), 'Link', links.join(', ')];
}

const minCompressedBytes = 2_000;

/** A body as it is sent. `coding` is null if the body is not compressed. */
interface EncodedBody {
  readonly body: string | Buffer;
  readonly coding: ContentCoding | null;
}

/** Compresses a body if the client accepts it. `forms` has those of a cached response, and gets new ones. */
function compressBody(
  headers: IncomingHttpHeaders,
  body: string | Buffer,
  forms: CompressedForms | null,
  compress: Compress,
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

/** The content codings that the gateway offers, in order of preference. */
const codings: readonly ContentCoding[] = ['br', 'gzip'];

/** Declares a method of the package `negotiator`, version 1, whose types lack the second argument. */
interface CodingNegotiator {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
}

/** Returns the best coding that the client accepts, or null if the client prefers an uncompressed body. */
function negotiateCoding(headers: IncomingHttpHeaders): ContentCoding | null {
  const negotiator: CodingNegotiator = new Negotiator({ headers });
  const preferred = negotiator.encoding([...codings, 'identity'], { preferred: codings });
  return codings.find((coding) => coding === preferred) ?? null;
}

// docs/decisions/0016-compression.md compares the compression levels.
const gzipLevel = 4;
const brotliQuality = 3;
/** A window of 2^18 bytes (256 kB). A larger window needs more memory and time, and saves no bytes. */
const brotliWindowBits = 18;

const brotliInThread = promisify(brotliCompress);
const gzipInThread = promisify(gzip);

/** In bytes. Smaller buffers wake the main thread too often, and larger ones cost 20 to 50 ms of garbage collection. */
const maxChunkBytes = 262_144;

type Compress = (body: Buffer, coding: ContentCoding) => Promise<Buffer>;

/** Compresses a body in the thread pool of Node.js, so that other requests do not wait. */
const compressInThread: Compress = (body, coding) => {
  const chunkSize = Math.min(body.length, maxChunkBytes);
  if (coding === 'gzip') return gzipInThread(body, { level: gzipLevel, chunkSize });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_LGWIN]: brotliWindowBits,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  return brotliInThread(body, { params, chunkSize });
};

interface WaitingBody {
  readonly clients: readonly string[];
  readonly work: WorkBudget;
  readonly begin: () => void;
}

/** Compresses one body for each core at a time. Clients take turns, and the time counts as theirs. */
function createCompressInTurns() {
  const maxRunning = availableParallelism();
  const waiting: WaitingBody[] = [];
  let running = 0;
  const run = async (work: WorkBudget, body: Buffer, coding: ContentCoding): Promise<Buffer> => {
    running += 1;
    const startedAt = performance.now();
    try {
      return await compressInThread(body, coding);
    } finally {
      running -= 1;
      work.add(performance.now() - startedAt);
      waiting[0]?.work.takeNext(waiting)?.begin();
    }
  };
  return (work: WorkBudget): Compress =>
    (body, coding) =>
      running < maxRunning
        ? run(work, body, coding)
        : new Promise((resolve) => {
            waiting.push({ clients: work.clients, work, begin: () => resolve(run(work, body, coding)) });
          });
}

/** Creates the function that returns the headers of every response, including the known rate limits. */
export function createResponseHeaders(): (exchange: Exchange) => HeaderList {
  const rateLimitHeaders = createRateLimitHeaders();
  return ({ headers, quota, keyRate, address }) => {
    const states: LimitState[] = [];
    if (quota) states.push(quota);
    if (keyRate) states.push(keyRate);
    if (address) states.push(address);
    return states.length === 0 ? headers : [...headers, ...rateLimitHeaders(states)];
  };
}

/** `Lectern-Report: cost` reports the cost, the quota of the key, deprecations, and hints for the developer. */
const reportHeader = 'lectern-report';

interface SendOptions {
  readonly baseHeaders: HeaderList;
  readonly work: WorkBudget;
  /** How HTTP caches may keep the response. Null for `POST /graphql`. */
  readonly caching: DocumentGetSettings | null;
}

/** Creates the function that sends a GraphQL response and returns the HTTP status. */
export function createSendGraphResponse() {
  const compressFor = createCompressInTurns();
  return (
    exchange: Exchange,
    mediaType: ResponseMediaType,
    result: GraphResponse,
    { baseHeaders, caching, work }: SendOptions,
  ): Awaitable<number> =>
    sendGraphResponse(exchange, mediaType, result, { baseHeaders, caching, compress: compressFor(work) });
}

function sendGraphResponse(
  { request, response, quota }: Exchange,
  mediaType: ResponseMediaType,
  result: GraphResponse,
  { baseHeaders, caching, compress }: Omit<SendOptions, 'work'> & { readonly compress: Compress },
): Awaitable<number> {
  // GraphQL over HTTP: under application/json, an operation that is rejected by POST also has the status 200.
  const isPlainPost = caching === null && mediaType === 'application/json';
  const status = result.isRejected && !isPlainPost ? 400 : 200;
  const withReport = request.headers[reportHeader] === 'cost';
  const body = withReport ? withExtensions(result.body, costReport(result, quota)) : result.body;
  const forms = withReport ? null : result.compressedForms;
  const { deprecations } = result;
  const isKept = !withReport && result.maxAge > 0;
  let headers = caching && isKept ? keptHeaders(baseHeaders, caching, result) : baseHeaders;
  if (deprecations.length > 0) headers = [...headers, ...deprecationHeaders(deprecations)];
  if (caching) {
    if (!isKept) headers = [...headers, ...noStoreHeaders];
    else {
      // The ETag is weak, because all content codings of a body share it.
      const etag = `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
      headers = [...headers, 'ETag', etag, ...cachingHeaders(caching, result)];
      if (fresh({ 'if-none-match': request.headers['if-none-match'] }, { etag })) {
        response.writeHead(304, [...headers]).end();
        return 304;
      }
    }
  }
  return thenMaybe(compressBody(request.headers, body, forms, compress), (encoded) => {
    const sentHeaders = encoded.coding === null ? headers : [...headers, 'Content-Encoding', encoded.coding];
    sendText(response, status, encoded.body, sentHeaders, `${mediaType}; charset=utf-8`);
    return status;
  });
}

const costReport = ({ cost, deprecations, hints }: GraphResponse, quota: LimitState | null) => ({
  ...(cost && { cost }),
  ...(quota &&
    quota.max !== Infinity && {
      quota: { limit: quota.max, remaining: quota.remaining, resetSeconds: quota.secondsLeft },
    }),
  ...(deprecations.length > 0 && { deprecations }),
  ...(hints.length > 0 && { hints }),
});

/** Adds the member `extensions` at the end of a JSON object, which must not be empty. */
function withExtensions(body: string | Buffer, extensions: unknown): string | Buffer {
  const end = `,"extensions":${JSON.stringify(extensions)}}`;
  // Converting a buffer of 6 MB to text and back would block the event loop for 50 ms.
  return typeof body === 'string' ? body.slice(0, -1) + end : Buffer.concat([body.subarray(0, -1), Buffer.from(end)]);
}
