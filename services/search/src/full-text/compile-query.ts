import type { ParsedQuery, QueryUnit } from './query';
import { type TermDictionary, type Tier, tiers } from './term-dictionary';

/** A way in which a term (a folded word of a translation) matches a unit (a word or phrase of a query). */
export interface TermRole {
  readonly unit: number;
  readonly tier: Tier;
  /** Null for a word. For the last word of a phrase: the ids of the terms that match each word of the phrase. */
  readonly phrase: readonly ReadonlySet<number>[] | null;
}

/** The terms that match one word of a query. A matching verse contains at least one of them. */
export interface RequiredTerms {
  readonly terms: readonly number[];
  /** An upper bound of the number of verses that contain one of the terms. */
  readonly estimate: number;
}

/** Whether a verse that lacks a unit is a hit, a hit of less weight, or no hit (always so for an unrelaxed query). */
type Need = 'optional' | 'weighted' | 'required';

interface CompiledUnit {
  readonly text: string;
  /** The terms that match each word of the unit. A single word has one item, a phrase has several. */
  readonly required: readonly RequiredTerms[];
  readonly estimate: number;
  readonly need: Need;
}

/** A query, compiled for one translation: each unit has the ids of the terms that match it. */
export interface CompiledQuery {
  readonly units: readonly CompiledUnit[];
  /** Maps a term id to an index into `roles`. Most terms have the index 0: the empty list of roles. */
  readonly roleIndexes: Uint8Array | Uint32Array;
  readonly roles: readonly (readonly TermRole[])[];
  /** The units before each unit in the query, next to it or over a `Bridge`. `pair` is an index into `pairs`. */
  readonly precedingUnits: readonly (readonly { readonly unit: number; readonly pair: number }[])[];
  /** The pairs of units that are adjacent in the query, without duplicates. The pairs of `bridges` follow. */
  readonly pairs: readonly (readonly [left: number, right: number])[];
  readonly bridges: readonly Bridge[];
}

/** Two units with only optional ones between: "¿Qué es la verdad?" finds "¿qué cosa es verdad?", which lacks `la`. */
interface Bridge {
  readonly pair: number;
  readonly between: readonly number[];
}

const maxBridged = 3;

/** The terms that match a unit. For a phrase, also the terms that match each of its words. */
interface UnitMatches {
  readonly terms: ReadonlyMap<number, Tier>;
  readonly phrase: readonly ReadonlySet<number>[] | null;
}

/** Returns null if a unit matches no term of the translation. If `loose` is true, n and ñ count as equal. */
export function compileQuery(dictionary: TermDictionary, query: ParsedQuery, loose: boolean): CompiledQuery | null {
  const matches = query.units.map((unit) =>
    (unit.alternatives ?? [unit])
      .map((each) => matchesOf(dictionary, each, loose))
      .filter(({ terms }) => terms.size > 0),
  );
  if (matches.some((alternatives) => alternatives.length === 0)) return null;
  const needs = matches.map((): Need => 'required');
  return compile(dictionary, query, matches, needs);
}

/**
 * A verse may lack some units of a relaxed query, but no phrase. Function words (such as `the`) are optional beside
 * other words. Synonyms match too, and n equals ñ in a unit that otherwise matches no term.
 */
export function compileRelaxedQuery(
  dictionary: TermDictionary,
  query: ParsedQuery,
  isFunctionWord: (folded: string) => boolean,
): CompiledQuery {
  const { units } = query;
  const isOptional = ({ words, kind }: QueryUnit): boolean => kind !== 'phrase' && isFunctionWord(words[0] ?? '');
  const hasOthers = !units.every(isOptional);
  const needs = units.map((unit): Need => {
    if (unit.kind === 'phrase') return 'required';
    return hasOthers && isOptional(unit) ? 'optional' : 'weighted';
  });
  const matches = units.map((unit) => [relaxedMatchesOf(dictionary, unit)]);
  return compile(dictionary, query, matches, needs);
}

/** The unit must have no alternatives. */
function matchesOf(dictionary: TermDictionary, { words, kind }: QueryUnit, loose: boolean): UnitMatches {
  if (kind !== 'phrase')
    return { terms: dictionary.matches(words[0] ?? '', { loose, beginning: kind === 'beginning' }), phrase: null };
  const phrase = words.map((word) => new Set(dictionary.equalTerms(word, loose)));
  const lastTerms = phrase.every((terms) => terms.size > 0) ? [...(phrase.at(-1) ?? [])] : [];
  return { terms: new Map(lastTerms.map((term) => [term, tiers.exact])), phrase };
}

function relaxedMatchesOf(dictionary: TermDictionary, unit: QueryUnit): UnitMatches {
  const strict = matchesOf(dictionary, unit, false);
  const matches = strict.terms.size > 0 ? strict : matchesOf(dictionary, unit, true);
  if (unit.kind === 'phrase') return matches;
  const terms = new Map(matches.terms);
  for (const other of dictionary.synonymsOf(unit.words[0] ?? ''))
    for (const id of dictionary.matches(other, { loose: false, beginning: false }).keys())
      if (!terms.has(id) && isFormOf(other, dictionary.terms[id] ?? '')) terms.set(id, tiers.start);
  return { terms, phrase: null };
}

/** A much shorter word with the same stem is often another word: `kind` is no form of `kindness`. */
const isFormOf = (synonym: string, term: string): boolean => term.length >= synonym.length - 2;

function compile(
  dictionary: TermDictionary,
  { units, sequence }: ParsedQuery,
  matches: readonly (readonly UnitMatches[])[],
  needs: readonly Need[],
): CompiledQuery {
  const rolesByTerm = new Map<number, TermRole[]>();
  const compiled = matches.map((alternatives, unit): CompiledUnit => {
    for (const { terms, phrase } of alternatives)
      for (const [term, tier] of terms) {
        const role: TermRole = { unit, tier, phrase };
        const roles = rolesByTerm.get(term);
        if (roles) roles.push(role);
        else rolesByTerm.set(term, [role]);
      }
    const words = alternatives.map(({ terms, phrase }) => phrase ?? [terms.keys()]);
    // Of several alternatives a verse must have one, and thus one of all their terms.
    const ids = words.length === 1 ? (words[0] ?? []) : [words.flat().flatMap((each) => [...each])];
    const required = ids.map((each) => requiredTerms(dictionary, [...new Set(each)]));
    const estimate = required.reduce((min, each) => Math.min(min, each.estimate), Infinity);
    return { text: units[unit]?.text ?? '', required, estimate, need: needs[unit] ?? 'required' };
  });
  const roles: TermRole[][] = [[]];
  // To fill 32 bits for each of all terms with zeros takes 10 microseconds. Few queries match 256 terms.
  const roleIndexes = new (rolesByTerm.size < 256 ? Uint8Array : Uint32Array)(dictionary.terms.length);
  for (const [term, termRoles] of rolesByTerm) roleIndexes[term] = roles.push(termRoles) - 1;
  return { units: compiled, roleIndexes, roles, ...unitPairs(sequence, needs) };
}

const requiredTerms = (dictionary: TermDictionary, terms: readonly number[]): RequiredTerms => ({
  terms,
  estimate: terms.reduce((sum, term) => sum + dictionary.countVerses(term), 0),
});

/** Lists the pairs of units that are adjacent in the query, or have only optional units between them. */
function unitPairs(
  sequence: readonly number[],
  needs: readonly Need[],
): Pick<CompiledQuery, 'precedingUnits' | 'pairs' | 'bridges'> {
  const precedingUnits: { unit: number; pair: number }[][] = needs.map(() => []);
  const pairs: [number, number][] = [];
  const bridges: Bridge[] = [];
  /** Adds a pair and returns its index. Returns null if the pair is already there. */
  const addPair = (left: number, right: number): number | null => {
    if (precedingUnits[right]?.some(({ unit }) => unit === left)) return null;
    const pair = pairs.push([left, right]) - 1;
    precedingUnits[right]?.push({ unit: left, pair });
    return pair;
  };
  for (const [at, right] of sequence.entries()) if (at > 0) addPair(sequence[at - 1] ?? 0, right);
  for (const [at, right] of sequence.entries()) {
    for (let from = at - 2; from >= 0 && from >= at - 1 - maxBridged; from -= 1) {
      const between = sequence.slice(from + 1, at);
      const left = sequence[from] ?? 0;
      if (needs[between[0] ?? 0] !== 'optional') break;
      const pair = left === right ? null : addPair(left, right);
      if (pair !== null) bridges.push({ pair, between });
    }
  }
  return { precedingUnits, pairs, bridges };
}

/** Returns whether the phrase ends at `end` in `words` and begins at `begin` or later. */
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
