import { errorMessage } from '@lectern/serving';
import { type Embedder, type EmbedOptions, embedderError } from './embedder';
import { createRespawningThread } from './respawning-thread';

export type Pooling = 'mean' | 'cls';

/** The files and parameters of a sentence encoder. */
export interface EncoderModel {
  modelFile: string;
  tokenizerFile: string;
  tokenizerConfigFile: string | null;
  /** How the vectors of a text's tokens become one vector. Ignored if the model returns one vector for each text. */
  pooling: Pooling;
  maxTokens: number;
}

export interface QueryEncoderModel extends EncoderModel {
  /**
   * The prefix of queries, for a model with a question adapter (additional weights for queries). Such a model has the
   * input `question`, which is 1 for texts with this prefix and 0 for other texts. Null for a model without an
   * adapter.
   */
  adapterPrefix: string | null;
}

export interface EncoderLimits {
  /** The number of cores that compute one text together. */
  cores: number;
  /** The maximum number of waiting texts. A call that would exceed it is rejected as `busy`. */
  queueLength: number;
}

export interface EncodedText {
  vector: Float32Array;
  tokenCount: number;
}

/** What workers/encoder.mjs receives as `workerData`. */
export interface EncoderData extends QueryEncoderModel {
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
  tokenCounts: number[];
  /** The CPU time of the thread in milliseconds. It does not include other threads that compute the same text. */
  ms: number;
}

interface EncodeOptions extends EmbedOptions {
  /** Whether each text is computed alone and without padding, so that equal texts get exactly equal vectors. */
  exact: boolean;
}

/** Texts that are sent to the worker thread together, in one message. */
interface QueueEntry {
  texts: readonly string[];
  exact: boolean;
  onComputed: EmbedOptions['onComputed'] | undefined;
  resolve(encoded: EncodedText[]): void;
  reject(reason: unknown): void;
}

/**
 * The maximum number of texts in a message that has several entries. With a smaller maximum, the thread would often
 * wait for its next message. With a larger one, a query would wait longer for the texts before it.
 */
const maxTextsPerMessage = 4;

/** The number of a call's passages in the queue at a time, so that a query waits for few of them. */
const sliceLength = 32;

/**
 * Creates a sentence encoder in a worker thread, with a queue. The first text, or `load`, starts the thread. There is
 * only one thread, whose work several cores share: a second thread would need a second model in memory, and would not
 * make a single query faster.
 */
export function createEncoder({ model, cores, queueLength }: EncoderLimits & { model: QueryEncoderModel }) {
  const data = { ...model, cores } satisfies EncoderData;
  const thread = createRespawningThread<EncoderRequest, EncoderResponse>('encoder.mjs', data);
  let queue: QueueEntry[] = [];
  let isRunning = false;
  let closed = false;

  const rejectAll = (error: Error): void => {
    for (const { reject } of queue.splice(0)) reject(error);
  };

  /**
   * Takes the entries of the next message from the queue. All have the same `exact`, which applies to a whole
   * message. The first entry is taken even if it alone has more than `maxTextsPerMessage` texts.
   */
  const takeEntries = (): QueueEntry[] => {
    const exact = queue[0]?.exact;
    let count = 0;
    const end = queue.findIndex((entry, at) => {
      count += entry.texts.length;
      return at > 0 && (entry.exact !== exact || count > maxTextsPerMessage);
    });
    return queue.splice(0, end < 0 ? queue.length : end);
  };

  const encodeEntries = async (entries: readonly QueueEntry[]): Promise<void> => {
    try {
      const texts = entries.flatMap((entry) => entry.texts);
      const { vectors, tokenCounts, ms } = await thread.send({ texts, exact: entries[0]?.exact ?? true });
      const msPerText = ms / texts.length;
      const size = vectors.length / tokenCounts.length;
      const encoded = tokenCounts.map((tokenCount, at) => ({
        vector: vectors.slice(at * size, (at + 1) * size),
        tokenCount,
      }));
      for (const entry of entries) {
        entry.onComputed?.(msPerText * entry.texts.length);
        entry.resolve(encoded.splice(0, entry.texts.length));
      }
    } catch (error) {
      const failure = embedderError('unavailable', `the model could not run: ${errorMessage(error)}`);
      for (const { reject } of entries) reject(failure);
    }
  };

  const runQueue = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    while (queue.length > 0) {
      try {
        await thread.ready();
      } catch (error) {
        rejectAll(cannotLoadError(error));
      }
      if (queue.length > 0) await encodeEntries(takeEntries());
    }
    isRunning = false;
  };

  const cannotLoadError = (error: unknown): Error =>
    closed
      ? closedError()
      : embedderError('misconfigured', `the model ${model.modelFile} cannot be loaded: ${errorMessage(error)}`);

  /** Adds groups of texts to the queue. The texts of a group are sent in one message. */
  const runAll = async (
    groups: readonly (readonly string[])[],
    { exact, signal, onComputed }: EncodeOptions,
  ): Promise<EncodedText[]> => {
    if (closed) throw closedError();
    const waiting = queue.reduce((sum, { texts }) => sum + texts.length, 0);
    if (waiting + groups.flat().length > queueLength)
      throw embedderError(
        'busy',
        `the embedder is busy: ${waiting} texts wait already, and the maximum is ${queueLength}`,
      );
    signal?.throwIfAborted();
    const entries = new Set<QueueEntry>();
    const encoded = groups.map(
      (texts) =>
        new Promise<EncodedText[]>((resolve, reject) => entries.add({ texts, exact, onComputed, resolve, reject })),
    );
    queue.push(...entries);
    const cancel = (): void => {
      queue = queue.filter((entry) => !entries.has(entry));
      for (const { reject } of entries) reject(signal?.reason);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    void runQueue();
    try {
      return (await Promise.all(encoded)).flat();
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
    async encode(texts: readonly string[], options: EncodeOptions): Promise<EncodedText[]> {
      const singles = texts.map((text) => [text]);
      if (options.exact) return runAll(singles, options);
      const encoded: EncodedText[] = [];
      for (let first = 0; first < texts.length; first += sliceLength)
        encoded.push(...(await runAll([texts.slice(first, first + sliceLength)], options)));
      return encoded;
    },
    /** Ends the thread. Rejects all unfinished texts as `unavailable`. */
    async close(): Promise<void> {
      closed = true;
      rejectAll(closedError());
      await thread.close();
    },
  };
}

const closedError = (): Error => embedderError('unavailable', 'the embedder is closed');

/** Creates the functions of an embedder that put the model's prefixes before the texts. */
export function createPrefixEmbedding(
  { encode }: Pick<ReturnType<typeof createEncoder>, 'encode'>,
  { queryPrefix, passagePrefix }: { queryPrefix: string; passagePrefix: string },
): Pick<Embedder, 'embedQueries' | 'embedPassages'> {
  const embed = async (texts: readonly string[], prefix: string, options: EncodeOptions): Promise<Float32Array[]> => {
    const prefixed = texts.map((text) => prefix + text);
    return (await encode(prefixed, options)).map(({ vector }) => vector);
  };
  return {
    embedQueries: (texts, options) => embed(texts, queryPrefix, { ...options, exact: true }),
    embedPassages: (texts, options) => embed(texts, passagePrefix, { ...options, exact: false }),
  };
}
