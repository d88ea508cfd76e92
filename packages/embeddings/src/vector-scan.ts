import { embedderError } from './embedder';
import type { VerseValues } from './lexical-overlap';
import { createRespawningThread } from './worker-thread';

/** What the scanning thread works on. */
export interface ScanData {
  /** The vectors file, and where in it the rows begin. */
  file: string;
  /** What tells the file from one that takes its place: inode, size and time. */
  mark: string;
  rowsAt: number;
  count: number;
  dimensions: number;
  /** For each question of a batch a number for every verse. */
  bonuses: Float32Array;
}

/** What the thread is asked: the bonuses lie in the memory that it shares. */
export interface ScanRequest {
  questions: Pick<ScanQuestion, 'vector' | 'limit'>[];
}

export interface ScanQuestion {
  /** Of length 1. */
  vector: Float32Array;
  /** How many verses to find at least; those that rounding could bring level with the last come as well. */
  limit: number;
  /** Added to the cosines of these verses before the best are chosen. */
  bonus?: VerseValues | null;
}

export interface ScanFound {
  /** Positions of verses, ascending: not ranked. */
  indices: Uint32Array;
  /** Exact cosines, without the bonus. */
  cosines: Float64Array;
  /** What was asked to be added to each. */
  bonuses: Float32Array;
}

interface Waiting {
  question: ScanQuestion;
  resolve(found: ScanFound): void;
  reject(error: unknown): void;
}

/** Questions compared in one pass: four take hardly longer than one, and more no less time for each. */
const questionsTogether = 4;

const mostWaiting = 5_000;

/** Compares questions with every verse, in a thread of its own, which is started again should it end. Exact: nothing that belongs among the best is missed. */
export async function createVectorScan(data: Omit<ScanData, 'bonuses'>) {
  // A question of common words has a bonus for most verses: sent along, it would be the most of what the threads have to collect.
  const bonuses = new Float32Array(
    new SharedArrayBuffer(questionsTogether * data.count * Float32Array.BYTES_PER_ELEMENT),
  );
  const thread = createRespawningThread<ScanRequest, { found: ScanFound[] }>('scan.mjs', {
    ...data,
    bonuses,
  } satisfies ScanData);
  await thread.ready();
  let closed = false;
  const waiting: Waiting[] = [];
  let working = false;

  const setBonuses = (batch: readonly Waiting[], to: (bonus: VerseValues, at: number) => number): void => {
    for (const [
      number,
      {
        question: { bonus },
      },
    ] of batch.entries()) {
      if (bonus)
        for (let at = 0; at < bonus.positions.length; at += 1)
          bonuses[number * data.count + (bonus.positions[at] ?? 0)] = to(bonus, at);
    }
  };

  const work = async (): Promise<void> => {
    working = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, questionsTogether);
      setBonuses(batch, (bonus, at) => bonus.values[at] ?? 0);
      try {
        await thread.ready();
        const { found } = await thread.ask({
          questions: batch.map(({ question: { vector, limit } }) => ({ vector, limit })),
        });
        for (const [at, { resolve }] of batch.entries())
          resolve(
            found[at] ?? { indices: new Uint32Array(), cosines: new Float64Array(), bonuses: new Float32Array() },
          );
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      setBonuses(batch, () => 0);
    }
    working = false;
  };

  return {
    find(question: ScanQuestion): Promise<ScanFound> {
      if (closed) return Promise.reject(embedderError('unavailable', 'the vectors are closed'));
      if (waiting.length >= mostWaiting)
        return Promise.reject(embedderError('busy', `${mostWaiting} questions wait already`));
      return new Promise((resolve, reject) => {
        waiting.push({ question, resolve, reject });
        if (!working) void work();
      });
    },
    async close(): Promise<void> {
      closed = true;
      await thread.close();
    },
  };
}
