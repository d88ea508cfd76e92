import type { OfVerses } from './coverage';
import { embedderError } from './embedder';
import { startThread } from './thread';

/** What the scanning thread works on. */
export interface ScanData {
  rows: Int8Array;
  count: number;
  dimensions: number;
}

export interface ScanQuestion {
  /** Of length 1. */
  vector: Float32Array;
  /** How many verses to find at least; those that rounding could bring level with the last come as well. */
  limit: number;
  /** Added to the cosines of these verses before the best are chosen. */
  bonus?: OfVerses | null;
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

/** Questions compared in one pass: eight take hardly longer than two. */
const questionsTogether = 8;

const mostWaiting = 5_000;

/** Compares questions with every verse, in a thread of its own. Exact: nothing that belongs among the best is missed. */
export async function createVectorScan(data: ScanData) {
  const thread = startThread<{ questions: ScanQuestion[] }, { found: ScanFound[] }>('scan.mjs', data);
  await thread.ready;
  const waiting: Waiting[] = [];
  let working = false;

  const work = async (): Promise<void> => {
    working = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, questionsTogether);
      try {
        const { found } = await thread.ask({ questions: batch.map(({ question }) => question) });
        for (const [at, { resolve }] of batch.entries()) resolve(found[at] ?? { indices: new Uint32Array(), cosines: new Float64Array(), bonuses: new Float32Array() });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    working = false;
  };

  return {
    find(question: ScanQuestion): Promise<ScanFound> {
      if (waiting.length >= mostWaiting) return Promise.reject(embedderError('busy', `${mostWaiting} questions wait already`));
      return new Promise((resolve, reject) => {
        waiting.push({ question, resolve, reject });
        if (!working) void work();
      });
    },
    close: (): Promise<void> => thread.close(),
  };
}
