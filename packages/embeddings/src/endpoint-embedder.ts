import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { errorMessage } from '@lectern/serving';
import { Agent, type Dispatcher, request } from 'undici';
import { builtInModel } from './built-in';
import { type Embedder, type EmbedderError, type EmbedOptions, embedderError, isEmbedderError } from './embedder';
import { unitVector } from './vectors';

export interface EndpointOptions {
  /** The URL of the endpoint without `/embeddings`: `https://host/v1`. */
  url: string;
  model: string;
  apiKey?: string;
  /** The dimensions of each vector. A response with other dimensions is rejected. */
  dimensions: number;
  /** Whether requests have the parameter `dimensions`, for models that can return fewer dimensions. */
  sendDimensions: boolean;
  queryPrefix: string;
  passagePrefix: string;
  /** The deadline for 64 queries with retries, in milliseconds. Passages have twelve times as long. */
  timeoutMs: number;
  /** The time between two probes while the circuit breaker is open, in milliseconds. */
  probeAfterMs?: number;
  random?: () => number;
}

const maxTextsPerRequest = 64;

/** The maximum size of a response in bytes, which is enough for 10,000 dimensions in decimal digits. */
const maxBytes = (vectors: number): number => 65_536 + vectors * 262_144;

const passageTimeoutFactor = 12;
const firstRetryDelayMs = 200;
const maxRetryDelayMs = 20_000;

/** The number of consecutive failures that open the circuit breaker. Cancelled calls do not count. */
const maxFailures = 3;

/** The text that probes the endpoint while the circuit breaker is open. It costs a few tokens. */
const probeText = 'love';

/** The maximum number of concurrent requests. Any further request waits, and its deadline includes the wait. */
const maxConnections = 8;

/** Matches lone surrogates, which many JSON parsers reject. */
const loneSurrogate = /\p{Surrogate}/gu;

/**
 * Sends texts to an OpenAI-compatible `/v1/embeddings`. Retries after status 429, 5xx or a lost connection until the
 * deadline, with exponential backoff or `Retry-After`. After `maxFailures`, a circuit breaker rejects all calls until
 * one of its own probes succeeds, so that no call waits.
 */
export function createEndpointEmbedder(options: EndpointOptions): Embedder {
  const { model, apiKey, dimensions, queryPrefix, passagePrefix, timeoutMs } = options;
  const { probeAfterMs = 10_000, random = Math.random } = options;
  const agent = new Agent({ connections: maxConnections, connect: { timeout: timeoutMs } });
  const baseUrl = options.url.replace(/(?<!\/)\/+$/, '').replace(/\/embeddings$/, '');
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  };
  const common: CommonOptions = { dispatcher: agent, headers };
  const sendTexts = createSendTexts(options, `${baseUrl}/embeddings`, common);

  const embedWithRetries = async (texts: readonly string[], deadlineMs: number, signal?: AbortSignal) => {
    const endsAt = performance.now() + deadlineMs;
    const deadline = AbortSignal.timeout(deadlineMs);
    const deadlineOrCancel = signal ? AbortSignal.any([deadline, signal]) : deadline;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await sendTexts(texts, deadlineOrCancel);
      if (Array.isArray(outcome)) return outcome;
      if (deadline.aborted || isTimeout(signal))
        throw embedderError('unavailable', `the embedding endpoint gave no response within ${deadlineMs} ms`);
      signal?.throwIfAborted();
      if (outcome.retryAfterMs === undefined) throw outcome.error;
      const backoffMs = Math.min(maxRetryDelayMs, firstRetryDelayMs * 2 ** attempt) * (0.5 + random());
      const delayMs = outcome.retryAfterMs ?? backoffMs;
      // A retry would come after the deadline, so the call fails now.
      if (performance.now() + delayMs >= endsAt) throw outcome.error;
      await wait(delayMs, undefined, { signal: deadlineOrCancel }).catch(() => {});
    }
  };

  let failures = 0;
  let probeTimer: NodeJS.Timeout | undefined;
  const isCircuitOpen = (): boolean => failures >= maxFailures;

  const embedBatch = async (texts: readonly string[], deadlineMs: number, signal?: AbortSignal) => {
    try {
      const vectors = await embedWithRetries(texts, deadlineMs, signal);
      failures = 0;
      return vectors;
    } catch (error) {
      if (isEmbedderError(error)) failures = 'isTextRejected' in error ? 0 : failures + 1;
      clearTimeout(probeTimer);
      if (isCircuitOpen() && !agent.destroyed) probeTimer = setTimeout(probeCircuit, probeAfterMs).unref();
      throw error;
    }
  };
  const probeCircuit = (): void => void embedBatch([queryPrefix + probeText], timeoutMs).catch(() => {});

  const embed = async (all: readonly string[], prefix: string, deadlineMs: number, { signal }: EmbedOptions = {}) => {
    const texts = all.map((text) => (prefix + text).replace(loneSurrogate, '\ufffd'));
    const vectors: Float32Array[] = [];
    for (let first = 0; first < texts.length; first += maxTextsPerRequest) {
      if (isCircuitOpen()) throw unavailable('failed too often; it is tried again in a few seconds');
      vectors.push(...(await embedBatch(texts.slice(first, first + maxTextsPerRequest), deadlineMs, signal)));
    }
    return vectors;
  };

  const prefixes = JSON.stringify([queryPrefix, passagePrefix]);
  const id = `${model}-${dimensions}-${createHash('sha256').update(prefixes).digest('hex').slice(0, 8)}`;
  return {
    // For an endpoint with the built-in model, the vectors that ship with Lectern are used.
    ...(model === builtInModel.id ? { id: model, passageId: builtInModel.passageId } : { id, passageId: id }),
    dimensions,
    parallelQueries: maxConnections,
    embedQueries: (texts, embedOptions) => embed(texts, queryPrefix, timeoutMs, embedOptions),
    embedPassages: (texts, embedOptions) => embed(texts, passagePrefix, timeoutMs * passageTimeoutFactor, embedOptions),
    // Does nothing: the endpoint loads its model by itself, and a request may cost money.
    warm: () => Promise.resolve(),
    isCircuitOpen,
    /** Requests the list of models. Status 404 counts as success, because some endpoints have no such list. */
    async probe() {
      const signal = AbortSignal.timeout(timeoutMs);
      const { statusCode, body } = await request(`${baseUrl}/models`, { ...common, signal }).catch((error: unknown) => {
        throw unreachable(error);
      });
      await body.dump();
      if (statusCode === 401) throw misconfigured(statusCode);
      if (statusCode >= 500) throw unavailable(`responded with status ${statusCode}`);
    },
    async close() {
      clearTimeout(probeTimer);
      await agent.destroy();
    },
  };
}

type CommonOptions = Pick<Dispatcher.RequestOptions, 'headers'> & { dispatcher: Agent };

/** Creates the function that sends one request. If it fails, resolves with the error instead of rejecting. */
function createSendTexts({ model, dimensions, sendDimensions }: EndpointOptions, url: string, common: CommonOptions) {
  return async (input: readonly string[], signal: AbortSignal): Promise<Float32Array[] | Failure> => {
    try {
      const body = JSON.stringify({ model, input, encoding_format: 'float', ...(sendDimensions && { dimensions }) });
      const response = await request(url, { ...common, method: 'POST', signal, body });
      if (response.statusCode === 200)
        return parseEndpointResponse(
          await readBounded(response.body, maxBytes(input.length)),
          input.length,
          dimensions,
        );
      await response.body.dump();
      return failureOfStatus(response.statusCode, String(response.headers['retry-after'] ?? ''));
    } catch (error) {
      return isEmbedderError(error) ? { error } : { error: unreachable(error), retryAfterMs: null };
    }
  };
}

/** Returns whether the call's own timeout has aborted it, which counts as a failure of the endpoint. */
const isTimeout = (signal: AbortSignal | undefined): boolean =>
  signal?.reason instanceof DOMException && signal.reason.name === 'TimeoutError';

interface Failure {
  error: EmbedderError;
  /** The delay before a retry, in milliseconds. Null if the endpoint names none. Absent if a retry would fail. */
  retryAfterMs?: number | null;
}

function failureOfStatus(statusCode: number, retryAfter: string): Failure {
  if (statusCode === 429 || statusCode >= 500)
    return { error: unavailable(`responded with status ${statusCode}`), retryAfterMs: parseRetryAfter(retryAfter) };
  if (statusCode !== 400 && statusCode !== 413 && statusCode !== 422) return { error: misconfigured(statusCode) };
  const error = unavailable(`rejected a text with status ${statusCode}`);
  return { error: Object.assign(error, { isTextRejected: true }) };
}

function misconfigured(statusCode: number): EmbedderError {
  const isKey = statusCode === 401 || statusCode === 403;
  const settings = isKey ? 'EMBEDDINGS_API_KEY' : 'EMBEDDINGS_URL and EMBEDDINGS_MODEL';
  return embedderError(
    'misconfigured',
    `the embedding endpoint responded with status ${statusCode}: check ${settings}`,
  );
}

const unavailable = (problem: string): EmbedderError =>
  embedderError('unavailable', `the embedding endpoint ${problem}`);

const unreachable = (error: unknown): EmbedderError => unavailable(`cannot be reached (${errorMessage(error)})`);

async function readBounded(body: AsyncIterable<Buffer>, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw unavailable('responded with far more than was requested');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Parses a Retry-After header, which has seconds or a date. Returns the milliseconds from now. */
function parseRetryAfter(header: string): number | null {
  if (header.trim() === '') return null;
  const seconds = Number(header);
  const milliseconds = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(milliseconds) ? null : Math.max(0, milliseconds);
}

/** Returns the vectors in the order of the texts, with length 1. Throws an EmbedderError if one is wrong. */
function parseEndpointResponse(body: string, count: number, dimensions: number): Float32Array[] {
  const rows = parseRows(body);
  if (rows.length !== count) throw invalidResponse(`${rows.length} vectors for ${count} texts`);
  const byIndex = new Map(rows.map(({ index, embedding }, position) => [index ?? position, embedding]));
  return rows.map((_, position) => {
    if (!byIndex.has(position)) throw invalidResponse('invalid or repeated indexes');
    return normalize(parseNumbers(byIndex.get(position)), dimensions);
  });
}

function parseRows(body: string): { index?: unknown; embedding?: unknown }[] {
  let response: unknown;
  try {
    response = JSON.parse(body);
  } catch {
    throw invalidResponse(body.trimStart().startsWith('<') ? 'HTML instead of JSON' : 'something that is not JSON');
  }
  const { data } = Object(response) as { data?: unknown };
  if (!Array.isArray(data) || !data.every((row) => typeof row === 'object' && row !== null))
    throw invalidResponse('JSON without a list `data`');
  return data as object[];
}

/** Parses one vector: an array of numbers, or little-endian floats in base64, which some endpoints always send. */
function parseNumbers(embedding: unknown): unknown[] {
  if (Array.isArray(embedding)) return embedding;
  if (typeof embedding !== 'string') throw invalidResponse('a row without a vector');
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4));
}

function normalize(numbers: unknown[], dimensions: number): Float32Array {
  if (numbers.length !== dimensions)
    throw invalidResponse(`vectors of ${numbers.length} dimensions; EMBEDDINGS_DIMENSIONS says ${dimensions}`);
  if (!numbers.every((value) => Number.isFinite(value)))
    throw invalidResponse('a vector with a component that is not a number');
  const vector = Float32Array.from(numbers as number[]);
  if (vector.every((value) => value === 0)) throw invalidResponse('a vector of nothing but zeros');
  return unitVector(vector);
}

const invalidResponse = (content: string) =>
  embedderError('unavailable', `the embedding endpoint responded with ${content}`);
