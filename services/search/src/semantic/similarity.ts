import type { RowValues } from '@lectern/embeddings';

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
