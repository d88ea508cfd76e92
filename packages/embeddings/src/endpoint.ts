import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import CircuitBreaker from 'opossum';
import { Agent, request } from 'undici';
import { builtInModel } from './built-in';
import { type Embedder, type EmbedderError, type EmbedOptions, embedderError, isEmbedderError } from './embedder';

export interface EndpointOptions {
  /** The base URL without `/embeddings`: `https://host/v1`. */
  url: string;
  model: string;
  apiKey?: string;
  /** The dimensions of the model's vectors. A response with other dimensions is rejected. */
  dimensions: number;
  /**
   * Whether each request contains the dimensions, for models that can return fewer than their
   * maximum.
   */
  sendDimensions: boolean;
  queryPrefix: string;
  passagePrefix: string;
  /**
   * The deadline for up to 64 queries, retries included, in milliseconds. More queries are sent 64
   * at a time. The deadline for passages, for which no user waits, is twelve times as long.
   */
  timeoutMs: number;
  /**
   * How long the open circuit breaker waits before each probe, in milliseconds. 10 seconds by
   * default.
   */
  probeAfterMs?: number;
  random?: () => number;
}

const maxTextsPerRequest = 64;

const passageTimeoutFactor = 12;
const firstRetryDelayMs = 200;
const maxRetryDelayMs = 20_000;

/**
 * The number of consecutive failures that open the circuit breaker. A failure rate over some
 * seconds is not enough: if the endpoint hangs, each failure takes the whole deadline, so few
 * failures fall into these seconds.
 */
const maxFailures = 3;

/** The text that the circuit breaker's probe embeds. Each of these probes costs a few tokens. */
const probeText = 'love';

/** The maximum number of concurrent requests. Further requests wait, within their deadline. */
const maxConnections = 8;

/** Matches lone surrogates, which many JSON parsers reject. */
const loneSurrogate = /\p{Surrogate}/gu;

interface Batch {
  texts: readonly string[];
  deadlineMs: number;
  signal?: AbortSignal;
}

type SendOptions = EndpointOptions & { agent: Agent };

/**
 * Creates an embedder that sends texts to an OpenAI-compatible `/v1/embeddings` endpoint. Retries
 * after status 429, status 5xx and lost connections, with exponential backoff or the delay of
 * `Retry-After`, until the deadline. If three calls in a row fail, or more than half of at least
 * four calls within ten seconds, a circuit breaker rejects all calls at once, until a probe
 * succeeds. The embedder sends the probes itself, so that no call waits for a probe.
 */
export function createEndpointEmbedder(options: EndpointOptions): Embedder {
  const { url, model, dimensions, queryPrefix, passagePrefix, timeoutMs, probeAfterMs = 10_000 } = options;
  const agent = new Agent({ connections: maxConnections, connect: { timeout: timeoutMs } });
  const baseUrl = url.replace(/\/+$/, '').replace(/\/embeddings$/, '');
  const breaker = new CircuitBreaker(
    (batch: Batch) => embedWithRetries(batch, { ...options, url: `${baseUrl}/embeddings`, agent }),
    {
      timeout: false,
      errorThresholdPercentage: 50,
      volumeThreshold: 4,
      rollingCountTimeout: 10_000,
      resetTimeout: probeAfterMs,
      // Cancelled calls and rejected texts do not count as failures, because they say nothing about
      // the endpoint.
      errorFilter: (error: unknown) => !isEmbedderError(error) || 'isTextRejected' in error,
    },
  );
  let failures = 0;
  breaker.on('success', () => void (failures = 0));
  breaker.on('failure', () => {
    failures += 1;
    if (failures >= maxFailures) breaker.open();
  });
  breaker.on('halfOpen', () => {
    breaker.fire({ texts: [queryPrefix + probeText], deadlineMs: timeoutMs }).catch(() => {});
  });

  const embed = async (
    { texts: all, deadlineMs }: Omit<Batch, 'signal'>,
    prefix: string,
    { signal }: EmbedOptions = {},
  ): Promise<Float32Array[]> => {
    const texts = all.map((text) => (prefix + text).replace(loneSurrogate, '\ufffd'));
    const vectors: Float32Array[] = [];
    for (let first = 0; first < texts.length; first += maxTextsPerRequest) {
      const batch = { texts: texts.slice(first, first + maxTextsPerRequest), deadlineMs, ...(signal && { signal }) };
      vectors.push(...(await breaker.fire(batch).catch(rethrowOpenCircuit)));
    }
    return vectors;
  };

  const prefixes = JSON.stringify([queryPrefix, passagePrefix]);
  const id = `${model}-${dimensions}-${createHash('sha256').update(prefixes).digest('hex').slice(0, 8)}`;
  return {
    // An endpoint that serves the built-in model has the ids of this model, so that the vectors
    // that ship with Lectern are used.
    ...(model === builtInModel.id ? { id: model, passageId: builtInModel.passageId } : { id, passageId: id }),
    dimensions,
    embedQueries: (texts, embedOptions) => embed({ texts, deadlineMs: timeoutMs }, queryPrefix, embedOptions),
    embedPassages: (texts, embedOptions) =>
      embed({ texts, deadlineMs: timeoutMs * passageTimeoutFactor }, passagePrefix, embedOptions),
    // `warm` sends no request: the endpoint loads its model by itself, and a request may cost
    // money.
    warm: () => Promise.resolve(),
    isCircuitOpen: () => !breaker.closed,
    probe: () => probeEndpoint({ ...options, url: `${baseUrl}/models`, agent }),
    async close() {
      breaker.shutdown();
      await agent.destroy();
    },
  };
}

/**
 * Requests the list of models. Rejects if the endpoint does not respond, responds with a status of
 * 5xx, or rejects the key with 401. A status such as 404 is accepted, because some endpoints have
 * no such list.
 */
async function probeEndpoint({ url, apiKey, timeoutMs, agent }: SendOptions): Promise<void> {
  const { statusCode, body } = await request(url, {
    dispatcher: agent,
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
  }).catch((error: unknown) => {
    throw unreachable(error);
  });
  await body.dump();
  if (statusCode === 401) throw misconfigured(statusCode);
  if (statusCode >= 500) throw unavailable(`responded with status ${statusCode}`);
}

function rethrowOpenCircuit(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'EOPENBREAKER') {
    throw embedderError('unavailable', 'the embedding endpoint failed too often; it is tried again in a few seconds');
  }
  throw error;
}

async function embedWithRetries({ texts, deadlineMs, signal }: Batch, options: SendOptions): Promise<Float32Array[]> {
  const endsAt = performance.now() + deadlineMs;
  const deadline = AbortSignal.timeout(deadlineMs);
  const deadlineOrCancel = signal ? AbortSignal.any([deadline, signal]) : deadline;
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await sendBatch(texts, options, deadlineOrCancel);
    if (outcome.kind === 'vectors') return outcome.vectors;
    if (deadline.aborted || isTimeout(signal))
      throw embedderError('unavailable', `the embedding endpoint gave no response within ${deadlineMs} ms`);
    signal?.throwIfAborted();
    if (outcome.kind === 'failed') throw outcome.error;
    const { random = Math.random } = options;
    const delayMs =
      outcome.retryAfterMs ?? Math.min(maxRetryDelayMs, firstRetryDelayMs * 2 ** attempt) * (0.5 + random());
    // If the retry would come after the deadline, the call fails now.
    if (performance.now() + delayMs >= endsAt) throw outcome.error;
    await wait(delayMs, undefined, { signal: deadlineOrCancel }).catch(() => {});
    if (!isTimeout(signal)) signal?.throwIfAborted();
  }
}

/**
 * Returns true if the caller's own timeout has aborted the call. That counts as a failure of the
 * endpoint. Any other abort does not.
 */
const isTimeout = (signal: AbortSignal | undefined): boolean =>
  signal?.reason instanceof DOMException && signal.reason.name === 'TimeoutError';

type Outcome =
  | { kind: 'vectors'; vectors: Float32Array[] }
  /**
   * A failure after which a retry may succeed. `retryAfterMs` is null if there is no response, or
   * if the response has no valid Retry-After header.
   */
  | { kind: 'retryable'; error: EmbedderError; retryAfterMs: number | null }
  | { kind: 'failed'; error: EmbedderError };

async function sendBatch(texts: readonly string[], options: SendOptions, signal: AbortSignal): Promise<Outcome> {
  const { url, model, apiKey, dimensions, sendDimensions, agent } = options;
  try {
    const { statusCode, headers, body } = await request(url, {
      method: 'POST',
      dispatcher: agent,
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, input: texts, encoding_format: 'float', ...(sendDimensions && { dimensions }) }),
    });
    if (statusCode === 200) {
      const text = await readBounded(body, texts.length);
      return { kind: 'vectors', vectors: parseEndpointResponse(text, { count: texts.length, dimensions }) };
    }
    await body.dump();
    return outcomeOfStatus(statusCode, headers['retry-after']);
  } catch (error) {
    if (isEmbedderError(error)) return { kind: 'failed', error };
    return { kind: 'retryable', error: unreachable(error), retryAfterMs: null };
  }
}

/** Returns the outcome of a response with a status other than 200. */
function outcomeOfStatus(statusCode: number, retryAfter: string | string[] | undefined): Outcome {
  if (statusCode === 429 || statusCode >= 500)
    return {
      kind: 'retryable',
      error: unavailable(`responded with status ${statusCode}`),
      retryAfterMs: parseRetryAfter(retryAfter),
    };
  if (statusCode === 400 || statusCode === 413 || statusCode === 422)
    return {
      kind: 'failed',
      error: Object.assign(unavailable(`rejected a text with status ${statusCode}`), { isTextRejected: true }),
    };
  return { kind: 'failed', error: misconfigured(statusCode) };
}

function misconfigured(statusCode: number): EmbedderError {
  const settings =
    statusCode === 401 || statusCode === 403 ? 'EMBEDDINGS_API_KEY' : 'EMBEDDINGS_URL and EMBEDDINGS_MODEL';
  return embedderError(
    'misconfigured',
    `the embedding endpoint responded with status ${statusCode}: check ${settings}`,
  );
}

const unavailable = (problem: string): EmbedderError =>
  embedderError('unavailable', `the embedding endpoint ${problem}`);

const unreachable = (error: unknown): EmbedderError =>
  unavailable(`cannot be reached (${error instanceof Error ? error.message : String(error)})`);

/**
 * Returns the maximum size of a response with `rows` vectors, in bytes: enough for vectors of
 * 10,000 dimensions in decimal digits.
 */
const maxBytes = (rows: number): number => 65_536 + rows * 262_144;

async function readBounded(body: AsyncIterable<Buffer>, rows: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes(rows)) throw unavailable('responded with far more than was requested');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Parses a Retry-After header with seconds or a date. Returns milliseconds from now, or null
 * without a valid header.
 */
function parseRetryAfter(header: string | string[] | undefined): number | null {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined || text.trim() === '') return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/**
 * Parses the body of a `/v1/embeddings` response. Returns the vectors in the order of the texts,
 * normalized to unit length. Throws an EmbedderError if the number of vectors, an index or a vector
 * is not as requested.
 */
function parseEndpointResponse(
  body: string,
  { count, dimensions }: { count: number; dimensions: number },
): Float32Array[] {
  const rows = parseRows(body);
  if (rows.length !== count) throw invalidResponse(`${rows.length} vectors for ${count} texts`);
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const [position, row] of rows.entries()) {
    const index = row.index ?? position;
    if (typeof index !== 'number' || !isFreeIndex(index, vectors)) throw invalidResponse('invalid or repeated indexes');
    vectors[index] = normalize(parseNumbers(row.embedding), dimensions);
  }
  return vectors.map((vector) => vector ?? throwInvalidResponse('fewer vectors than texts'));
}

const isFreeIndex = (index: number, vectors: readonly unknown[]): boolean =>
  Number.isInteger(index) && index >= 0 && index < vectors.length && vectors[index] === undefined;

function parseRows(body: string): { index?: unknown; embedding?: unknown }[] {
  let response: unknown;
  try {
    response = JSON.parse(body);
  } catch {
    throw invalidResponse(body.trimStart().startsWith('<') ? 'HTML instead of JSON' : 'something that is not JSON');
  }
  const data = typeof response === 'object' && response !== null && 'data' in response ? response.data : null;
  if (!Array.isArray(data) || !data.every((row) => typeof row === 'object' && row !== null))
    throw invalidResponse('JSON without a list `data`');
  return data as object[];
}

/**
 * Parses one vector: an array of numbers, or little-endian floats in base64, which some endpoints
 * send without a request for base64.
 */
function parseNumbers(embedding: unknown): ArrayLike<unknown> {
  if (Array.isArray(embedding)) return embedding;
  if (typeof embedding !== 'string') throw invalidResponse('a row without a vector');
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4));
}

function normalize(numbers: ArrayLike<unknown>, dimensions: number): Float32Array {
  if (numbers.length !== dimensions)
    throw invalidResponse(`vectors of ${numbers.length} dimensions; EMBEDDINGS_DIMENSIONS says ${dimensions}`);
  const vector = Float32Array.from(numbers, (value) =>
    typeof value === 'number' && Number.isFinite(value)
      ? value
      : throwInvalidResponse('a vector with a component that is not a number'),
  );
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!(length > 0)) throw invalidResponse('a vector of nothing but zeros');
  return vector.map((value) => value / length);
}

const invalidResponse = (content: string) =>
  embedderError('unavailable', `the embedding endpoint responded with ${content}`);

function throwInvalidResponse(content: string): never {
  throw invalidResponse(content);
}
