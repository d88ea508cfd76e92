import { errorMessage } from '@lectern/serving';
import { type EmbedOptions, embedderError } from './embedder';
import { createEncoderQueue, type EncodedText, type QueueEntry } from './encoder-batch-queue';
import type { QueryEncoderModel } from './folder';
import { createRespawningThread } from './thread';

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

interface EncoderThread {
  send(request: EncoderRequest): Promise<EncoderResponse>;
}

/** Sends entries to the thread in one message, and settles each of them. */
async function encodeEntries(thread: EncoderThread, entries: readonly QueueEntry[]): Promise<void> {
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
