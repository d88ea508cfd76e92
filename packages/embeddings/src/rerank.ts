import type { SharedRows } from './search';
import type { ScanMatches } from './vector-scan';

/** The number of verses, the best first, that are reranked. */
const reranked = 100;

/** The number of rows that a scan must find, so that `rerank` can compare the best with the next. */
export const requiredRows = reranked + 1;

// Chosen with the development questions (RANKING.md).
const supportFactor = 0.25;
/** The share of its support that a verse gets which is not the best of its chapter. */
const shareOfOthers = 0.5;
const prominenceFactor = 0.008;
const lengthFactor = 0.01;
/** The scale of the differences between the new scores. It keeps nearly all scores below 1. */
const scale = 0.8;

/** The score of a row that the scan excludes is lower. */
const minScore = -1;

interface RowProperties {
  /** Returns a number that verses of the same chapter share. */
  chapterOf: (row: number) => number;
  /** Returns how prominent a verse is: 0 or more. */
  prominenceOf: (row: number) => number;
  /** Returns the number of words of a verse. */
  wordCountOf: (row: number) => number;
}

/**
 * Creates the properties that do not depend on a translation. `ordinals` has the verse of each row. `prominenceOf`
 * gets a verse in the standard numbering.
 */
export const createRowProperties = (
  ordinals: ArrayLike<number>,
  { standardOf }: Pick<SharedRows, 'standardOf'>,
  prominenceOf: (ordinal: number) => number,
): Omit<RowProperties, 'wordCountOf'> => ({
  chapterOf: (row) => Math.floor((ordinals[row] ?? 0) / 1_000),
  prominenceOf: (row) => prominenceOf(standardOf(row)),
});

/**
 * Raises the bonuses of the 100 best verses. Verses of the same chapter support each other, because the right answer
 * is often a passage whose verses are all near to the query. The support is the length of the vector that consists of
 * the other verses' scores above the score of the 101st verse. Only the best verse of a chapter gets all of its
 * support, so that the first results are from several chapters. Prominent verses and long verses are right more often.
 */
export function rerank(matches: ScanMatches, { chapterOf, prominenceOf, wordCountOf }: RowProperties): ScanMatches {
  const { indices, cosines, bonuses } = matches;
  const scores = cosines.map((cosine, at) => cosine + (bonuses[at] ?? 0));
  const rising = scores.toSorted();
  const threshold = Math.max(
    rising.at(-reranked - 1) ?? minScore,
    rising.find((score) => score > minScore) ?? minScore,
  );
  const excesses = scores.map((score) => Math.max(0, score - threshold));
  const chapters = new Map<number, { squares: number; best: number }>();
  for (const [at, excess] of excesses.entries()) {
    if (excess === 0) continue;
    const chapter = chapterOf(indices[at] ?? 0);
    const { squares, best } = chapters.get(chapter) ?? { squares: 0, best: 0 };
    chapters.set(chapter, { squares: squares + excess ** 2, best: Math.max(best, excess) });
  }
  const added = (row: number, excess: number): number => {
    const { squares, best } = chapters.get(chapterOf(row)) ?? { squares: 0, best: 0 };
    const support = Math.sqrt(Math.max(0, squares - excess ** 2)) * (excess < best ? shareOfOthers : 1);
    const priors = prominenceFactor * prominenceOf(row) + lengthFactor * Math.log1p(wordCountOf(row));
    return scale * (excess + supportFactor * support + priors) - excess;
  };
  return {
    indices,
    cosines,
    bonuses: bonuses.map((bonus, at) => {
      const excess = excesses[at] ?? 0;
      return excess > 0 ? bonus + added(indices[at] ?? 0, excess) : bonus;
    }),
  };
}
