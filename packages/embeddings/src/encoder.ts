import { errorMessage } from '@lectern/serving';
import { type Embedder, type EmbedOptions, embedderError } from './embedder';
import { createRespawningThread } from './respawning-thread';

export type Pooling = 'mean' | 'cls';

export interface EncoderModel {
  modelFile: string;
  tokenizerFile: string;
  tokenizerConfigFile: string | null;
  /** How the vectors of a text's tokens become one vector. Ignored if the model returns one vector for each text. */
  pooling: Pooling;
  maxTokens: number;
  /** The prefix of queries of a question adapter: its input `question` is 1 for them, else 0. Null without one. */
  adapterPrefix: string | null;
}

export interface EncoderLimits {
  /** The number of cores that compute one text together. */
  cores: number;
  /** The maximum number of waiting texts. A call that would exceed it is rejected as `busy`. */
  queueLength: number;
}

/** What workers/encoder.mjs receives as `workerData`. */
export interface EncoderData extends EncoderModel {
  cores: number;
}

/** A request to workers/encoder.mjs. */
export interface EncoderRequest {
  texts: string[];
  exact: boolean;
}

/** A response of workers/encoder.mjs. */
export interface EncoderResponse {
  /** The vectors of all texts, one after another. */
  vectors: Float32Array;
  /** The CPU time of the thread in milliseconds. It does not include other threads that compute the same text. */
  ms: number;
}

interface EncodeOptions extends EmbedOptions {
  /** Whether each text is computed alone and without padding, so that equal texts get exactly equal vectors. */
  exact: boolean;
}

interface QueuedText extends Pick<EncodeOptions, 'exact' | 'onComputed'> {
  text: string;
  resolve(vector: Float32Array): void;
  reject(reason: unknown): void;
}

/**
 * The maximum number of texts in a message. With fewer, the thread waits for messages. With more, queries wait longer.
 * Texts that are not exact are computed faster together.
 */
const maxExactTexts = 4;
const maxOtherTexts = 32;

/** One thread with a queue, started by `load` or a text. A second would need a second model, and speed up no query. */
export function createEncoder({ model, cores, queueLength }: EncoderLimits & { model: EncoderModel }) {
  const data = { ...model, cores } satisfies EncoderData;
  const thread = createRespawningThread<EncoderRequest, EncoderResponse>('encoder.mjs', data);
  let queue: QueuedText[] = [];
  let isRunning = false;
  let closed = false;

  /** Encodes the first texts of the queue that have the same `exact`, which applies to a whole message. */
  const encodeNext = async (): Promise<void> => {
    const exact = queue[0]?.exact ?? true;
    const end = queue.findIndex((each) => each.exact !== exact);
    const max = exact ? maxExactTexts : maxOtherTexts;
    const taken = queue.splice(0, end < 0 ? max : Math.min(end, max));
    try {
      const { vectors, ms } = await thread.send({ texts: taken.map(({ text }) => text), exact });
      const size = vectors.length / taken.length;
      for (const [at, { onComputed, resolve }] of taken.entries()) {
        onComputed?.(ms / taken.length);
        resolve(vectors.slice(at * size, (at + 1) * size));
      }
    } catch (error) {
      rejectAll(taken, embedderError('unavailable', `the model could not run: ${errorMessage(error)}`));
    }
  };

  const runQueue = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    while (queue.length > 0) {
      try {
        await thread.ready();
      } catch (error) {
        rejectAll(queue.splice(0), cannotLoadError(error));
      }
      if (queue.length > 0) await encodeNext();
    }
    isRunning = false;
  };

  const cannotLoadError = (error: unknown): Error =>
    closed
      ? closedError()
      : embedderError('misconfigured', `the model ${model.modelFile} cannot be loaded: ${errorMessage(error)}`);

  const encodeAll = async (texts: readonly string[], options: EncodeOptions): Promise<Float32Array[]> => {
    if (closed) throw closedError();
    if (queue.length + texts.length > queueLength)
      throw embedderError(
        'busy',
        `the embedder is busy: ${queue.length} texts wait already, and the maximum is ${queueLength}`,
      );
    const { signal } = options;
    signal?.throwIfAborted();
    const added = new Set<QueuedText>();
    const encoded = texts.map(
      (text) => new Promise<Float32Array>((resolve, reject) => added.add({ ...options, text, resolve, reject })),
    );
    queue.push(...added);
    const cancel = (): void => {
      queue = queue.filter((each) => !added.has(each));
      rejectAll(added, signal?.reason);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    void runQueue();
    try {
      return await Promise.all(encoded);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  };

  return {
    /** Loads the model if it is not loaded yet. Returns the dimensions of its vectors. */
    async load(): Promise<number> {
      if (closed) throw closedError();
      try {
        return Number((await thread.ready())['dimensions']);
      } catch (error) {
        throw cannotLoadError(error);
      }
    },
    /** Adds all exact texts to the queue at once, and other texts by slices, so that a query waits for few of them. */
    async encode(texts: readonly string[], options: EncodeOptions): Promise<Float32Array[]> {
      if (options.exact) return encodeAll(texts, options);
      const encoded: Float32Array[] = [];
      for (let first = 0; first < texts.length; first += maxOtherTexts)
        encoded.push(...(await encodeAll(texts.slice(first, first + maxOtherTexts), options)));
      return encoded;
    },
    /** Ends the thread. Rejects all unfinished texts as `unavailable`. */
    async close(): Promise<void> {
      closed = true;
      rejectAll(queue.splice(0), closedError());
      await thread.close();
    },
  };
}

function rejectAll(texts: Iterable<QueuedText>, reason: unknown): void {
  for (const { reject } of texts) reject(reason);
}

const closedError = (): Error => embedderError('unavailable', 'the embedder is closed');

/** Creates the functions of an embedder that put the model's prefixes before the texts. */
export function createPrefixEmbedding(
  { encode }: Pick<ReturnType<typeof createEncoder>, 'encode'>,
  { queryPrefix, passagePrefix }: { queryPrefix: string; passagePrefix: string },
): Pick<Embedder, 'embedQueries' | 'embedPassages'> {
  const embed = (texts: readonly string[], prefix: string, options: EncodeOptions): Promise<Float32Array[]> =>
    encode(
      texts.map((text) => prefix + text),
      options,
    );
  return {
    embedQueries: (texts, options) => embed(texts, queryPrefix, { ...options, exact: true }),
    embedPassages: (texts, options) => embed(texts, passagePrefix, { ...options, exact: false }),
  };
}
