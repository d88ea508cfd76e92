import type { Database } from 'better-sqlite3';

/**
 * How often each stem of a translation occurs, by the number of the stem. Forms of one word have
 * one stem.
 */
export interface StemCounts {
  readonly occurrences: Int32Array;
  /** 1 for a stem in the word index, 0 for a function word such as `the`. */
  readonly isInIndex: Uint8Array;
  readonly totalWords: number;
}

/** A row of the table `stem`. `isInIndex` is 1 if the stem is in the word index. */
type StemCountRow = [text: string, number: number, occurrences: number, isInIndex: 0 | 1];

/** Reads the stems that follow a text, at most `limit` of them, sorted by text. */
export type ReadStemCounts = (afterText: string, limit: number) => StemCountRow[];

/** The number of stems between two pauses, which are read in about a millisecond. */
const stemsPerStep = 1_500;

export function createStemCountReader(db: Database): ReadStemCounts {
  const select = db
    .prepare<[string, number], StemCountRow>(
      'SELECT text, number, occurrences, place IS NOT NULL FROM stem WHERE text > ? ORDER BY text LIMIT ?',
    )
    .raw(true);
  return (afterText, limit) => select.all(afterText, limit) as unknown as StemCountRow[];
}

/**
 * Reads the counts of all stems. Yields before each step, so that other requests are executed in
 * between. Returns null if `read` returns null, because the file was replaced meanwhile.
 */
export function* readStemCounts(
  read: (...args: Parameters<ReadStemCounts>) => StemCountRow[] | null,
): Generator<void, StemCounts | null> {
  const rows: StemCountRow[] = [];
  for (let isLast = false; !isLast; ) {
    yield;
    const next = read(rows.at(-1)?.[0] ?? '', stemsPerStep);
    if (next === null) return null;
    rows.push(...next);
    isLast = next.length < stemsPerStep;
  }
  const counts = { occurrences: new Int32Array(rows.length), isInIndex: new Uint8Array(rows.length), totalWords: 0 };
  for (const [, number, occurrences, isInIndex] of rows) {
    counts.occurrences[number] = occurrences;
    counts.isInIndex[number] = isInIndex;
    counts.totalWords += occurrences;
  }
  return counts;
}
