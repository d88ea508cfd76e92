import type { ParsedQuery } from './parse-query';
import type { TermDictionary, Tier } from './term-dictionary';
import { tiers } from './term-dictionary';

/** How a term matches one unit of a query. */
export interface TermRole {
  /** The index of the matched unit in the query. */
  readonly unit: number;
  readonly tier: Tier;
  /**
   * The term ids that match at each place of a phrase.
   * Null unless the term matches the last word of a phrase.
   */
  readonly phrase: readonly ReadonlySet<number>[] | null;
}

/** The terms of one word of a query. A hit contains at least one of them. */
export interface RequiredTerms {
  readonly terms: readonly number[];
  /** An upper bound for the number of verses that contain one of the terms. */
  readonly estimate: number;
}

/** A query whose words are replaced by term ids of one translation. */
export interface CompiledQuery {
  /** The units of the query. `estimate` is an upper bound for the number of verses that match a unit. */
  readonly units: readonly { readonly required: readonly RequiredTerms[]; readonly estimate: number }[];
  /** Maps a term id to an index into `roles`. Most terms have index 0, which has no role. */
  readonly roleIndexes: Uint32Array;
  readonly roles: readonly (readonly TermRole[])[];
  /** The units directly before each unit of the query. `pair` is an index into `pairs`. */
  readonly precedingUnits: readonly (readonly { readonly unit: number; readonly pair: number }[])[];
  /** Each pair of adjacent units, once. */
  readonly pairs: readonly (readonly [left: number, right: number])[];
}

/** Returns null if a unit of the query matches no term of the translation. */
export function compileQuery(
  dictionary: TermDictionary,
  { units, sequence }: ParsedQuery,
  loose: boolean,
): CompiledQuery | null {
  const rolesByTerm = new Map<number, TermRole[]>();
  const compiled: CompiledQuery['units'][number][] = [];
  for (const [index, unit] of units.entries()) {
    const phrase = unit.exact ? unit.words.map((word) => new Set(dictionary.equalTerms(word, loose))) : null;
    const matches = phrase ? lastTermsOf(phrase) : dictionary.matches(unit.words[0] ?? '', loose);
    if (matches.size === 0) return null;
    for (const [term, tier] of matches) {
      const role: TermRole = { unit: index, tier, phrase };
      const roles = rolesByTerm.get(term);
      if (roles) roles.push(role);
      else rolesByTerm.set(term, [role]);
    }
    const required = (phrase ?? [matches.keys()]).map((terms) => requiredTerms(dictionary, [...terms]));
    compiled.push({ required, estimate: required.reduce((min, { estimate }) => Math.min(min, estimate), Infinity) });
  }

  const roles: TermRole[][] = [[]];
  const roleIndexes = new Uint32Array(dictionary.terms.length);
  for (const [term, termRoles] of rolesByTerm) roleIndexes[term] = roles.push(termRoles) - 1;
  return { units: compiled, roleIndexes, roles, ...adjacentUnits(units.length, sequence) };
}

/**
 * Returns the terms at the last place of a phrase.
 * Returns none if a place of the phrase has no term.
 */
const lastTermsOf = (phrase: readonly ReadonlySet<number>[]): Map<number, Tier> =>
  new Map(phrase.every((terms) => terms.size > 0) ? [...(phrase.at(-1) ?? [])].map((term) => [term, tiers.exact]) : []);

const requiredTerms = (dictionary: TermDictionary, terms: readonly number[]): RequiredTerms => ({
  terms,
  estimate: terms.reduce((sum, term) => sum + dictionary.countVerses(term), 0),
});

function adjacentUnits(
  unitCount: number,
  sequence: readonly number[],
): Pick<CompiledQuery, 'precedingUnits' | 'pairs'> {
  const precedingUnits: { unit: number; pair: number }[][] = Array.from({ length: unitCount }, () => []);
  const pairs: [number, number][] = [];
  for (const [at, right] of sequence.entries()) {
    const left = at > 0 ? sequence[at - 1] : undefined;
    if (left === undefined || precedingUnits[right]?.some(({ unit }) => unit === left)) continue;
    precedingUnits[right]?.push({ unit: left, pair: pairs.push([left, right]) - 1 });
  }
  return { precedingUnits, pairs };
}

/** Returns whether the phrase ends with the word at `end` and begins at `begin` or later. */
export function phraseEndsAt(
  words: ArrayLike<number>,
  { begin, end }: { begin: number; end: number },
  phrase: readonly ReadonlySet<number>[],
): boolean {
  const first = end - phrase.length + 1;
  if (first < begin) return false;
  for (let at = 0; at < phrase.length; at += 1) if (!phrase[at]?.has(words[first + at] ?? -1)) return false;
  return true;
}
