import { errorMessage } from '@lectern/serving';
import { type EmbedOptions, embedderError } from './embedder';
import type { QueryEncoderModel } from './read-model-folder';
import { createRespawningThread } from './respawning-thread';

export interface EncoderOptions {
  model: QueryEncoderModel;
  /** The number of cores that compute one text together. */
  cores: number;
  /**
   * The maximum number of waiting texts. A call that would exceed this number is rejected at once
   * with the failure `busy`.
   */
  queueLength: number;
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

export interface EncodeOptions extends EmbedOptions {
  /**
   * Whether each vector depends on its text alone, to the last bit. Exact texts are computed one by
   * one, without padding.
   */
  exact: boolean;
}

export interface EncodedText {
  vector: Float32Array;
  tokenCount: number;
}

/** A group of texts that are sent to the thread in the same message. */
interface QueueEntry {
  texts: readonly string[];
  exact: boolean;
  settle(outcome: EncodedText[] | Error): void;
}

/**
 * The maximum number of texts in one message to the thread, if they come from several calls. With
 * fewer texts, the thread would often wait for the next message. With more texts, a query would
 * wait longer for the texts before it.
 */
const maxTextsPerMessage = 4;

/**
 * A call with many passages queues this many texts at a time. So the queries of other calls do not
 * wait for all of these passages.
 */
export const sliceLength = 32;

/**
 * Creates a queue in front of a sentence encoder in a worker thread. The first text, or `load`,
 * starts the thread. Several cores share the work of this one thread. A second thread would need a
 * second model in memory, and would not speed up a single query.
 */
export function createEncoder({ model, cores, queueLength }: EncoderOptions) {
  const thread = createRespawningThread<EncoderRequest, EncoderResponse>('encoder.mjs', {
    ...model,
    cores,
  } satisfies EncoderData);
  const queue: QueueEntry[] = [];
  let queuedTexts = 0;
  let isRunning = false;
  let closed = false;

  /**
   * Takes the next entries for one message: all exact or all inexact, up to `maxTextsPerMessage`
   * texts or one entry.
   */
  const takeEntries = (): QueueEntry[] => {
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
  };

  const encodeEntries = async (entries: readonly QueueEntry[]): Promise<void> => {
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
  };

  /** Sends queued entries to the thread until the queue is empty. */
  const runQueue = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    while (queue.length > 0) {
      try {
        await thread.ready();
      } catch (error) {
        rejectAll(cannotLoadError(error));
        break;
      }
      await encodeEntries(takeEntries());
    }
    isRunning = false;
  };

  const cannotLoadError = (error: unknown): Error =>
    closed
      ? closedError()
      : embedderError('misconfigured', `the model ${model.modelFile} cannot be loaded: ${errorMessage(error)}`);

  const rejectAll = (failure: Error): void => {
    queuedTexts = 0;
    for (const entry of queue.splice(0)) entry.settle(failure);
  };

  /**
   * Queues an entry. `cancel` removes the entry from the queue if it is still there, and rejects
   * `done` with the reason.
   */
  const enqueue = (
    texts: readonly string[],
    exact: boolean,
  ): { done: Promise<EncodedText[]>; cancel(reason: unknown): void } => {
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
  };

  const runAll = async (
    textGroups: readonly (readonly string[])[],
    { exact, signal }: EncodeOptions,
  ): Promise<EncodedText[]> => {
    signal?.throwIfAborted();
    const entries = textGroups.map((texts) => enqueue(texts, exact));
    const cancelAll = (): void => entries.forEach((entry) => entry.cancel(signal?.reason));
    signal?.addEventListener('abort', cancelAll, { once: true });
    void runQueue();
    try {
      return (await Promise.all(entries.map(({ done }) => done))).flat();
    } finally {
      signal?.removeEventListener('abort', cancelAll);
    }
  };

  const throwIfFull = (count: number): void => {
    if (closed) throw closedError();
    if (queuedTexts + count > queueLength)
      throw embedderError(
        'busy',
        `the embedder is busy: ${queuedTexts} texts wait already, and the maximum is ${queueLength}`,
      );
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
      if (options.exact) {
        throwIfFull(texts.length);
        return runAll(
          texts.map((text) => [text]),
          options,
        );
      }
      const encoded: EncodedText[] = [];
      for (let first = 0; first < texts.length; first += sliceLength) {
        const slice = texts.slice(first, first + sliceLength);
        throwIfFull(slice.length);
        encoded.push(...(await runAll([slice], options)));
      }
      return encoded;
    },
    /** Rejects waiting texts with `unavailable`, and ends the thread. */
    async close(): Promise<void> {
      closed = true;
      rejectAll(closedError());
      await thread.close();
    },
  };
}

const closedError = (): Error => embedderError('unavailable', 'the embedder is closed');
