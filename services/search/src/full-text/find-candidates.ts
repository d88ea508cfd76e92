import type { CompiledQuery } from './compile-query';
import type { QueryUnit } from './parse-query';

/** Finds the verses that match an FTS5 expression, as positions in the translation. */
export type FindMatches = (expression: string) => number[];

/** The number of units in the FTS5 expression. The two rarest units leave few verses. */
const maxUnits = 2;

/** FTS5 is slower than scoring all verses for a word in this share of the verses or more. */
const commonShare = 1 / 8;

/**
 * Finds the verses that contain the rarest units of a query, with FTS5. These may be hits.
 * Returns null if all words are common: then every verse is a candidate.
 */
export function findCandidates(
  findMatches: FindMatches,
  { units }: CompiledQuery,
  { verseCount, stemOf }: { verseCount: number; stemOf: ((folded: string) => string) | null },
): number[] | null {
  const rare = units
    .filter(({ estimate }) => estimate < verseCount * commonShare)
    .sort((a, b) => a.estimate - b.estimate)
    .slice(0, maxUnits);
  return rare.length === 0 ? null : findMatches(rare.map(({ unit }) => expression(unit, stemOf)).join(' AND '));
}

function expression({ words, exact }: QueryUnit, stemOf: ((folded: string) => string) | null): string {
  if (exact) return `(${words.map((word) => `exact : ${quoted(word)}`).join(' AND ')})`;
  return `(${words.map((word) => `exact : ${quoted(word)} *${stemOf ? ` OR stem : ${quoted(stemOf(word))}` : ''}`).join(' AND ')})`;
}

/** Writes an FTS5 string, so that no word acts as an operator. */
const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`;
