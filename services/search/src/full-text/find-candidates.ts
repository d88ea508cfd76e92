import type { Statement } from 'better-sqlite3';
import type { CompiledQuery } from './compile-query';
import type { QueryUnit } from './parse-query';

/** The verses that match an expression of FTS5's language, as positions in the edition. */
export type MatchStatement = Statement<[string], number>;

/** Units asked of FTS5 at once: with the rarest two, few verses are left. */
const mostUnits = 2;

/** A word in this share of the verses or more is not worth looking up: walking over every verse costs less than reading its list. */
const commonShare = 1 / 8;

/**
 * The verses that may answer a query: those that hold its rarest units, found by FTS5. Null where all its words are common: then every
 * verse has to be looked at.
 */
export function findCandidates(
  match: MatchStatement,
  { units }: CompiledQuery,
  { verseCount, stemOf }: { verseCount: number; stemOf: ((folded: string) => string) | null },
): number[] | null {
  const rare = units
    .filter(({ estimate }) => estimate < verseCount * commonShare)
    .sort((a, b) => a.estimate - b.estimate)
    .slice(0, mostUnits);
  return rare.length === 0 ? null : match.all(rare.map(({ unit }) => expression(unit, stemOf)).join(' AND '));
}

function expression({ words, exact }: QueryUnit, stemOf: ((folded: string) => string) | null): string {
  if (exact) return `(${words.map((word) => `exact : ${quoted(word)}`).join(' AND ')})`;
  return `(${words.map((word) => `exact : ${quoted(word)} *${stemOf ? ` OR stem : ${quoted(stemOf(word))}` : ''}`).join(' AND ')})`;
}

/** A string of FTS5's language: nothing in it is an operator. Words are letters and digits alone, and quoted all the same. */
const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`;
