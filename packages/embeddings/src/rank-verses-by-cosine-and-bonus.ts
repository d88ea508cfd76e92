import type { RowValues } from './overlap';
import type { Nearest } from './search';

/**
 * The bonus for a verse whose lexical overlap with the query is 1, the maximum. The cosine, to
 * which the bonus is added, is at most 1.
 */
const maxLexicalBonus = 0.03;

/** Converts the lexical overlap of verses, 0 to 1, to the bonus that is added to their cosines. */
export const lexicalBonus = ({ rows, values }: RowValues): RowValues => ({
  rows,
  values: values.map((overlap) => overlap * maxLexicalBonus),
});

/**
 * Verses with their similarities, in no order. Two lists of numbers take less memory than objects,
 * and there may be as many as a translation has verses.
 */
export interface SimilarVerses {
  readonly ordinals: readonly number[];
  /** The similarity of each verse, from 0 to 1, rounded to four decimals. */
  readonly similarities: readonly number[];
}

export const noSimilarVerses: SimilarVerses = { ordinals: [], similarities: [] };

export interface Ranked {
  ordinal: number;
  /** The similarity from 0 to 1, rounded to four decimals. */
  similarity: number;
}

/** Sorts by similarity, then in canonical order, and returns the first `limit` verses. */
export const rank = (nearest: readonly Nearest[], limit: number): Ranked[] =>
  sortRanked(
    nearest.map(({ ordinal, cosine, bonus }) => ({ ordinal, similarity: toSimilarity(cosine + bonus) })),
    limit,
  );

/** Sorts and limits verses like `rank`, but receives them as `SimilarVerses`. */
export const rankSimilar = ({ ordinals, similarities }: SimilarVerses, limit: number): Ranked[] =>
  sortRanked(
    ordinals.map((ordinal, at) => ({ ordinal, similarity: similarities[at] ?? 0 })),
    limit,
  );

const sortRanked = (verses: Ranked[], limit: number): Ranked[] =>
  verses.sort((a, b) => b.similarity - a.similarity || a.ordinal - b.ordinal).slice(0, Math.max(limit, 0));

/** Converts the sum of a cosine and its bonus to a similarity. */
export const toSimilarity = (score: number): number => Math.round(Math.min(1, Math.max(0, score)) * 10_000) / 10_000;
