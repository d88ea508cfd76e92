import type { VerseValues } from './lexical-overlap';
import type { Nearest } from './open-vectors';

/**
 * The bonus for a verse that contains all words of the query. The cosine, to which the bonus is
 * added, is at most 1.
 */
const maxLexicalBonus = 0.03;

/** Converts the lexical overlap of verses, 0 to 1, to the bonus that is added to their cosines. */
export const lexicalBonus = ({ positions, values }: VerseValues): VerseValues => ({
  positions,
  values: values.map((overlap) => overlap * maxLexicalBonus),
});

export interface Ranked {
  ordinal: number;
  /** The similarity from 0 to 1, rounded to four decimals. */
  similarity: number;
}

/** Sorts by similarity, then in canonical order, and returns the first `limit` verses. */
export function rank(nearest: readonly Nearest[], limit: number): Ranked[] {
  return nearest
    .map(({ ordinal, cosine, bonus }) => ({ ordinal, similarity: toSimilarity(cosine + bonus) }))
    .sort((a, b) => b.similarity - a.similarity || a.ordinal - b.ordinal)
    .slice(0, Math.max(limit, 0));
}

const toSimilarity = (score: number): number => Math.round(Math.min(1, Math.max(0, score)) * 10_000) / 10_000;
