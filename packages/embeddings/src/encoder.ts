import { errorMessage } from '@lectern/serving';
import { type Embedder, type EmbedOptions, embedderError } from './embedder';
import { createRespawningThread } from './thread';

export type Pooling = 'mean' | 'cls';

/** The files and parameters of a sentence encoder. */
export interface EncoderModel {
  modelFile: string;
  tokenizerFile: string;
  tokenizerConfigFile: string | null;
  /**
   * The pooling, which makes one vector from the vectors of tokens. Ignored for a model that pools
   * by itself.
   */
  pooling: Pooling;
  maxTokens: number;
}

/** A sentence encoder with the prefix that marks the texts that are queries. */
export interface QueryEncoderModel extends EncoderModel {
  /**
   * The prefix of queries. A question adapter is an additional set of weights for queries: a model
   * that has one has the input `question`, which is 1 for texts with this prefix and 0 for other
   * texts. Null if all texts are embedded alike.
   */
  adapterPrefix: string | null;
}

export interface EncoderLimits {
  /** The number of cores that compute one text together. */
  cores: number;
  /**
   * The maximum number of waiting texts. A call that would exceed it is rejected at once with the
   * failure `busy`.
   */
  queueLength: number;
}

export interface EncodedText {
  vector: Float32Array;
  tokenCount: number;
}

/** Texts of one call, which are sent to the encoder's worker thread in the same message. */
interface QueueEntry {
  texts: readonly string[];
  /** Whether the thread computes these texts one by one, without padding (see `EncodeOptions`). */
  exact: boolean;
  settle(outcome: EncodedText[] | Error): void;
}

/**
 * The maximum number of texts in one message to the thread, if the message has several entries. An
 * entry with more texts is sent alone. With fewer texts, the thread would often wait for the next
 * message. With more texts, a query would wait longer for the texts before it.
 */
const maxTextsPerMessage = 4;

/**
 * Creates the queue of the texts that wait for the encoder's worker thread. `throwIfFull` checks
 * the bound `maxTexts`; `add` does not.
 */
function createEncoderQueue(maxTexts: number) {
  const queue: QueueEntry[] = [];
  let queuedTexts = 0;

  return {
    isEmpty: (): boolean => queue.length === 0,

    /**
     * Throws an EmbedderError with the failure `busy` if the queue has no room for `count` texts.
     */
    throwIfFull(count: number): void {
      if (queuedTexts + count > maxTexts)
        throw embedderError(
          'busy',
          `the embedder is busy: ${queuedTexts} texts wait already, and the maximum is ${maxTexts}`,
        );
    },

    /**
     * Queues an entry. `cancel` removes the entry from the queue if it is still there, and rejects
     * `done` with the reason.
     */
    add(texts: readonly string[], exact: boolean): { done: Promise<EncodedText[]>; cancel(reason: unknown): void } {
      let cancel: (reason: unknown) => void = () => {};
      const done = new Promise<EncodedText[]>((resolve, reject) => {
        const entry: QueueEntry = {
          texts,
          exact,
          settle: (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)),
        };
        cancel = (reason) => {
          const index = queue.indexOf(entry);
          if (index >= 0) {
            queue.splice(index, 1);
            queuedTexts -= texts.length;
          }
          reject(reason);
        };
        queue.push(entry);
        queuedTexts += texts.length;
      });
      return { done, cancel };
    },

    /**
     * Takes the next entries for one message: all with the same `exact`, because the thread
     * computes a message in one way, and together at most `maxTextsPerMessage` texts. The first
     * entry is taken even if it has more texts.
     */
    take(): QueueEntry[] {
      const taken: QueueEntry[] = [];
      let count = 0;
      const exact = queue[0]?.exact;
      const fits = (entry: QueueEntry): boolean =>
        entry.exact === exact && (count === 0 || count + entry.texts.length <= maxTextsPerMessage);
      for (let entry = queue[0]; entry && fits(entry); entry = queue[0]) {
        queue.shift();
        taken.push(entry);
        count += entry.texts.length;
      }
      queuedTexts -= count;
      return taken;
    },

    /** Rejects all waiting texts. */
    rejectAll(failure: Error): void {
      queuedTexts = 0;
      for (const entry of queue.splice(0)) entry.settle(failure);
    },
  };
}

/** The `workerData` that workers/encoder.mjs receives. */
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
  /** The vectors of the texts, one after another. */
  vectors: Float32Array;
  tokenCounts: number[];
}

interface EncodeOptions extends EmbedOptions {
  /**
   * Whether each vector depends on its text alone, to the last bit: such texts are computed one by
   * one, unpadded.
   */
  exact: boolean;
}

/**
 * A call with many passages queues this many texts at a time. So the queries of other calls do not
 * wait for all of these passages.
 */
const sliceLength = 32;

/**
 * Creates a queue in front of a sentence encoder in a worker thread. The first text, or `load`,
 * starts the thread. Several cores share the work of this one thread. A second thread would need a
 * second model in memory, and would not speed up a single query.
 */
export function createEncoder({ model, cores, queueLength }: EncoderLimits & { model: QueryEncoderModel }) {
  const thread = createRespawningThread<EncoderRequest, EncoderResponse>('encoder.mjs', {
    ...model,
    cores,
  } satisfies EncoderData);
  const queue = createEncoderQueue(queueLength);
  let isRunning = false;
  let closed = false;

  /**
   * Sends queued entries to the thread until the queue is empty. If the thread cannot start,
   * rejects all queued entries.
   */
  const runQueue = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    while (!queue.isEmpty()) {
      try {
        await thread.ready();
      } catch (error) {
        queue.rejectAll(cannotLoadError(error));
        break;
      }
      await encodeEntries(thread, queue.take());
    }
    isRunning = false;
  };

  const cannotLoadError = (error: unknown): Error =>
    closed
      ? closedError()
      : embedderError('misconfigured', `the model ${model.modelFile} cannot be loaded: ${errorMessage(error)}`);

  const runAll = async (
    textGroups: readonly (readonly string[])[],
    { exact, signal }: EncodeOptions,
  ): Promise<EncodedText[]> => {
    if (closed) throw closedError();
    queue.throwIfFull(textGroups.flat().length);
    signal?.throwIfAborted();
    const entries = textGroups.map((texts) => queue.add(texts, exact));
    const cancelAll = (): void => entries.forEach((entry) => entry.cancel(signal?.reason));
    signal?.addEventListener('abort', cancelAll, { once: true });
    void runQueue();
    try {
      return (await Promise.all(entries.map(({ done }) => done))).flat();
    } finally {
      signal?.removeEventListener('abort', cancelAll);
    }
  };

  return {
    /**
     * Loads the model if it is not loaded yet. Returns the number of dimensions of the model's
     * vectors.
     */
    async load(): Promise<number> {
      if (closed) throw closedError();
      try {
        return Number((await thread.ready())['dimensions']);
      } catch (error) {
        throw cannotLoadError(error);
      }
    },
    /** Returns one vector per text, in order. */
    async encode(texts: readonly string[], options: EncodeOptions): Promise<EncodedText[]> {
      if (texts.length === 0) return [];
      if (options.exact)
        return runAll(
          texts.map((text) => [text]),
          options,
        );
      const encoded: EncodedText[] = [];
      for (let first = 0; first < texts.length; first += sliceLength) {
        encoded.push(...(await runAll([texts.slice(first, first + sliceLength)], options)));
      }
      return encoded;
    },
    /** Rejects all unfinished texts with the failure `unavailable`, and ends the thread. */
    async close(): Promise<void> {
      closed = true;
      queue.rejectAll(closedError());
      await thread.close();
    },
  };
}

/** Sends entries to the thread in one message, and settles each of them. */
async function encodeEntries(
  thread: { send(request: EncoderRequest): Promise<EncoderResponse> },
  entries: readonly QueueEntry[],
): Promise<void> {
  try {
    const { vectors, tokenCounts } = await thread.send({
      texts: entries.flatMap(({ texts }) => texts),
      exact: entries[0]?.exact ?? true,
    });
    const size = vectors.length / tokenCounts.length;
    let first = 0;
    for (const entry of entries) {
      entry.settle(
        entry.texts.map((_, index) => ({
          vector: vectors.slice((first + index) * size, (first + index + 1) * size),
          tokenCount: tokenCounts[first + index] ?? 0,
        })),
      );
      first += entry.texts.length;
    }
  } catch (error) {
    const failure = embedderError('unavailable', `the model could not run: ${errorMessage(error)}`);
    for (const entry of entries) entry.settle(failure);
  }
}

const closedError = (): Error => embedderError('unavailable', 'the embedder is closed');

/**
 * Creates the functions of an embedder that write the model's prefixes before queries and passages.
 */
export function createPrefixEmbedding(
  { encode }: Pick<ReturnType<typeof createEncoder>, 'encode'>,
  { queryPrefix, passagePrefix }: { queryPrefix: string; passagePrefix: string },
): Pick<Embedder, 'embedQueries' | 'embedPassages'> {
  const embed = async (prefix: string, texts: readonly string[], options: EncodeOptions): Promise<Float32Array[]> => {
    const encoded = await encode(
      texts.map((text) => prefix + text),
      options,
    );
    return encoded.map(({ vector }) => vector);
  };
  return {
    embedQueries: (texts, options) => embed(queryPrefix, texts, { ...options, exact: true }),
    embedPassages: (texts, options) => embed(passagePrefix, texts, { ...options, exact: false }),
  };
}
