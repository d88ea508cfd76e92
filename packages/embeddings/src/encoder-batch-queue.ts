import { embedderError } from './embedder';

export interface EncodedText {
  vector: Float32Array;
  tokenCount: number;
}

/** Texts of one call, which are sent to the encoder's worker thread in the same message. */
export interface QueueEntry {
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
export function createEncoderQueue(maxTexts: number) {
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
     * Takes the next entries for one message: all with the same `exact`, because the thread computes a
     * message in one way, and together at most `maxTextsPerMessage` texts. The first entry is taken
     * even if it has more texts.
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
