import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import CircuitBreaker from 'opossum';
import { Agent, request } from 'undici';
import { builtInModel } from './built-in-embedder';
import { type Embedder, type EmbedderError, type EmbedOptions, embedderError, isEmbedderError } from './embedder';
import { parseEndpointResponse } from './parse-endpoint-response';

export interface EndpointOptions {
  /** Up to and without `/embeddings`: `https://host/v1`. */
  url: string;
  model: string;
  apiKey?: string;
  /** What the model gives; anything else from it is refused. */
  dimensions: number;
  /** Asks the endpoint for that many dimensions. For models that can give fewer than they have. */
  sendDimensions: boolean;
  queryPrefix: string;
  passagePrefix: string;
  /** What questions may take, everything included. Passages, which nobody waits for, may take twelve times as long. */
  timeoutMs: number;
  random?: () => number;
}

/** Texts in one request. */
const batchLength = 64;

const passagePatience = 12;
const firstPauseMs = 200;
const longestPauseMs = 20_000;

/** Requests at a time; the others wait in line, within their deadline. */
const connections = 8;

/** Half a character, which many a JSON parser refuses. */
const loneSurrogate = /\p{Surrogate}/gu;

interface Call {
  texts: readonly string[];
  deadlineMs: number;
  signal?: AbortSignal;
}

/**
 * An OpenAI-compatible `/v1/embeddings` endpoint. What may go away by itself (429, 5xx, no connection) is tried again with growing
 * pauses, or those of `Retry-After`, as long as the deadline lasts. When half of the calls fail, none is sent for ten seconds.
 */
export function createEndpointEmbedder(options: EndpointOptions): Embedder {
  const { url, model, dimensions, queryPrefix, passagePrefix, timeoutMs } = options;
  const agent = new Agent({ connections, connect: { timeout: timeoutMs } });
  const target = `${url.replace(/\/+$/, '').replace(/\/embeddings$/, '')}/embeddings`;
  const breaker = new CircuitBreaker((call: Call) => embedBatch(call, { ...options, url: target, agent }), {
    timeout: false,
    errorThresholdPercentage: 50,
    volumeThreshold: 4,
    rollingCountTimeout: 10_000,
    resetTimeout: 10_000,
    // A caller who left and a text that was refused say nothing about the endpoint.
    errorFilter: (error: unknown) => !isEmbedderError(error) || 'aboutText' in error,
  });

  const embed = async (
    texts: readonly string[],
    deadlineMs: number,
    { signal }: EmbedOptions,
  ): Promise<Float32Array[]> => {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += batchLength) {
      const call = {
        texts: texts.slice(from, from + batchLength).map((text) => text.replace(loneSurrogate, '\ufffd')),
        deadlineMs,
        ...(signal && { signal }),
      };
      vectors.push(...(await breaker.fire(call).catch(explain)));
    }
    return vectors;
  };

  return {
    // An endpoint that runs the built-in model gives its vectors: those that ship with Lectern fit.
    id:
      model === builtInModel.id
        ? model
        : `${model}-${dimensions}-${createHash('sha256')
            .update(JSON.stringify([queryPrefix, passagePrefix]))
            .digest('hex')
            .slice(0, 8)}`,
    dimensions,
    embedQueries: (texts, embedOptions = {}) =>
      embed(
        texts.map((text) => queryPrefix + text),
        timeoutMs,
        embedOptions,
      ),
    embedPassages: (texts, embedOptions = {}) =>
      embed(
        texts.map((text) => passagePrefix + text),
        timeoutMs * passagePatience,
        embedOptions,
      ),
    // Another's model is loaded or it is not; a question to find that out may cost money.
    warm: () => Promise.resolve(),
    isCircuitOpen: () => breaker.opened,
    async close() {
      breaker.shutdown();
      await agent.destroy();
    },
  };
}

function explain(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'EOPENBREAKER') {
    throw embedderError('unavailable', 'the embedding endpoint failed too often; it is asked again in a few seconds');
  }
  throw error;
}

async function embedBatch(
  { texts, deadlineMs, signal }: Call,
  options: EndpointOptions & { agent: Agent },
): Promise<Float32Array[]> {
  const endsAt = performance.now() + deadlineMs;
  const deadline = AbortSignal.timeout(deadlineMs);
  const either = signal ? AbortSignal.any([deadline, signal]) : deadline;
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await ask(texts, options, either);
    signal?.throwIfAborted();
    if ('vectors' in outcome) return outcome.vectors;
    if (deadline.aborted)
      throw embedderError('unavailable', `the embedding endpoint gave no answer within ${deadlineMs} ms`);
    if (!outcome.again) throw outcome.error;
    const { random = Math.random } = options;
    const pause = outcome.retryAfterMs ?? Math.min(longestPauseMs, firstPauseMs * 2 ** attempt) * (0.5 + random());
    // A pause that outlasts the deadline can only end in the same failure: say so now.
    if (performance.now() + pause >= endsAt) throw outcome.error;
    await wait(pause, undefined, { signal: either }).catch(() => {});
    signal?.throwIfAborted();
  }
}

type Outcome = { vectors: Float32Array[] } | { error: EmbedderError; again: boolean; retryAfterMs?: number };

async function ask(
  texts: readonly string[],
  { url, model, apiKey, dimensions, sendDimensions, agent }: EndpointOptions & { agent: Agent },
  signal: AbortSignal,
): Promise<Outcome> {
  const unavailable = (message: string): EmbedderError =>
    embedderError('unavailable', `the embedding endpoint ${message}`);
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
    if (statusCode === 200)
      return {
        vectors: parseEndpointResponse(await readBounded(body, texts.length), { count: texts.length, dimensions }),
      };
    await body.dump();
    if (statusCode === 429 || statusCode >= 500) {
      const retryAfterMs = readRetryAfter(headers['retry-after']);
      return {
        error: unavailable(`answered ${statusCode}`),
        again: true,
        ...(retryAfterMs !== null && { retryAfterMs }),
      };
    }
    if (statusCode === 400 || statusCode === 413 || statusCode === 422) {
      return {
        error: Object.assign(unavailable(`refused a text with ${statusCode}`), { aboutText: true }),
        again: false,
      };
    }
    const hint =
      statusCode === 401 || statusCode === 403
        ? ': see EMBEDDINGS_API_KEY'
        : ': see EMBEDDINGS_URL and EMBEDDINGS_MODEL';
    return {
      error: embedderError('misconfigured', `the embedding endpoint answered ${statusCode}${hint}`),
      again: false,
    };
  } catch (error) {
    if (isEmbedderError(error)) return { error, again: false };
    return {
      error: unavailable(`cannot be reached (${error instanceof Error ? error.message : String(error)})`),
      again: true,
    };
  }
}

/** Far more than the longest vectors written out in digits take. */
const mostBytes = (rows: number): number => 65_536 + rows * 262_144;

async function readBounded(body: AsyncIterable<Buffer>, rows: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > mostBytes(rows))
      throw embedderError('unavailable', 'the embedding endpoint answered with far more than was asked for');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Seconds or a date, in milliseconds from now; null where there is none that can be read. */
function readRetryAfter(header: string | string[] | undefined): number | null {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined || text.trim() === '') return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
