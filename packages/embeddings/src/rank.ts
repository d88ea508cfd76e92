import type { VerseValues } from './lexical-overlap';
import type { Nearest } from './open-vectors';

/** What a question that stands word for word in a verse is worth beside the cosine of meanings. */
const weightOfLexicalOverlap = 0.03;

/** What the cosines of verses grow by. */
export const lexicalBonus = ({ positions, values }: VerseValues): VerseValues => ({
  positions,
  values: values.map((covered) => covered * weightOfLexicalOverlap),
});

export interface Ranked {
  ordinal: number;
  /** 0..1, four decimals. */
  similarity: number;
}

/** Best first, verses of one score in canonical order, `limit` at most. */
export function rank(found: readonly Nearest[], limit: number): Ranked[] {
  return found
    .map(({ ordinal, cosine, bonus }) => ({ ordinal, similarity: rounded(cosine + bonus) }))
    .sort((a, b) => b.similarity - a.similarity || a.ordinal - b.ordinal)
    .slice(0, Math.max(limit, 0));
}

const rounded = (score: number): number => Math.round(Math.min(1, Math.max(0, score)) * 10_000) / 10_000;
