import type { RowValues, ScanMatches } from '@lectern/embeddings';
import type { SharedRows } from './shared-rows';

/** The bonus of a verse whose lexical overlap with the query is 1. It is added to a cosine, which is at most 1. */
const maxLexicalBonus = 0.09;

/** The bonus of an overlap (0 to 1). It grows with the square, because one shared word says little. */
export const lexicalBonus = ({ rows, values }: RowValues): RowValues => ({
  rows,
  values: values.map((overlap) => overlap ** 2 * maxLexicalBonus),
});

/** Returns the lexical overlap that has a bonus: the inverse of `lexicalBonus`. */
export const lexicalOverlapOf = (bonus: number): number => Math.sqrt(bonus / maxLexicalBonus);

/** Verses in no order. Lists of numbers take less memory than objects, for all verses of a translation. */
export interface SimilarVerses {
  readonly ordinals: readonly number[];
  /** The similarity of each verse, as `toSimilarity` returns it. */
  readonly similarities: readonly number[];
}

export const noSimilarVerses: SimilarVerses = { ordinals: [], similarities: [] };

export interface Ranked {
  ordinal: number;
  similarity: number;
}

/** Returns the `limit` verses with the highest similarities. Equal similarities are in canonical order. */
export const rankSimilar = ({ ordinals, similarities }: SimilarVerses, limit: number): Ranked[] =>
  ordinals
    .map((ordinal, at) => ({ ordinal, similarity: similarities[at] ?? 0 }))
    .sort((a, b) => b.similarity - a.similarity || a.ordinal - b.ordinal)
    .slice(0, Math.max(limit, 0));

/** Converts a score (cosine plus bonus) to a similarity: 0 to 1, with four decimals. */
export const toSimilarity = (score: number): number => Math.round(Math.min(1, Math.max(0, score)) * 10_000) / 10_000;

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
/** The scale of the differences between the new scores. */
const scale = 0.8;
/** Scores above this one are pressed together, so that each stays below 1 and their order stays. */
const pressedFrom = 0.8;

/** The score of a row that the scan excludes is lower. */
const minScore = -1;

interface RowProperties {
  /** Returns a number that verses of the same chapter share. */
  chapterOf: (row: number) => number;
  prominenceOf: (row: number) => number;
  wordCountOf: (row: number) => number;
}

/** `ordinals` has the verse of each row. `prominenceOf` gets a verse in the standard numbering. */
export const createRowProperties = (
  ordinals: ArrayLike<number>,
  { standardOf }: Pick<SharedRows, 'standardOf'>,
  prominenceOf: (ordinal: number) => number,
): Omit<RowProperties, 'wordCountOf'> => ({
  chapterOf: (row) => Math.floor((ordinals[row] ?? 0) / 1_000),
  prominenceOf: (row) => prominenceOf(standardOf(row)),
});

function press(score: number): number {
  const above = score - pressedFrom;
  if (above <= 0) return score;
  const room = 1 - pressedFrom;
  return pressedFrom + (room * above) / (room + above);
}

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
    bonuses: bonuses.map((_, at) => {
      const [score = 0, excess = 0] = [scores[at], excesses[at]];
      return press(excess > 0 ? score + added(indices[at] ?? 0, excess) : score) - (cosines[at] ?? 0);
    }),
  };
}
