import type { VerseValues } from './lexical-overlap';
import type { Nearest } from './open-vectors';

/** The bonus for a verse that contains all words of the query, beside a cosine of at most 1. */
const maxLexicalBonus = 0.03;

/** Converts lexical overlap, 0 to 1, to what is added to the cosines of verses. */
export const lexicalBonus = ({ positions, values }: VerseValues): VerseValues => ({
  positions,
  values: values.map((overlap) => overlap * maxLexicalBonus),
});

export interface Ranked {
  ordinal: number;
  /** 0 to 1, four decimals. */
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
