import type { ParsedQuery, QueryUnit } from './parse-query';
import type { TermDictionary, Tier } from './term-dictionary';
import { tiers } from './term-dictionary';

/** What one word of a verse is to a query. */
export interface TermRole {
  readonly unit: number;
  readonly tier: Tier;
  /** For the last word of a phrase: the words that may stand at each of its places. */
  readonly phrase: readonly ReadonlySet<number>[] | null;
}

/** A query as numbers of an edition's words. */
export interface CompiledQuery {
  readonly units: readonly { readonly unit: QueryUnit; readonly estimate: number }[];
  /** For each word of the edition an index into `roles`; 0, which is empty, for most. */
  readonly roleOf: Uint32Array;
  readonly roles: readonly (readonly TermRole[])[];
  /** For each unit those that stand right before it in the query; each pair has a number. */
  readonly before: readonly (readonly { readonly unit: number; readonly pair: number }[])[];
  readonly pairs: readonly (readonly [left: number, right: number])[];
}

/** Null when some part of the query answers to no word of the edition. */
export function compileQuery(
  lexicon: TermDictionary,
  { units, sequence }: ParsedQuery,
  loose: boolean,
): CompiledQuery | null {
  const byTerm = new Map<number, TermRole[]>();
  const estimated: { unit: QueryUnit; estimate: number }[] = [];
  for (const [index, unit] of units.entries()) {
    const phrase = unit.exact ? unit.words.map((word) => new Set(lexicon.equal(word, loose))) : null;
    const terms = phrase ? lastOf(phrase) : lexicon.matches(unit.words[0] ?? '', loose);
    if (terms.size === 0) return null;
    for (const [term, tier] of terms) {
      const role: TermRole = { unit: index, tier, phrase };
      const others = byTerm.get(term);
      if (others) others.push(role);
      else byTerm.set(term, [role]);
    }
    estimated.push({
      unit,
      estimate: phrase ? Math.min(...phrase.map((set) => versesOf(lexicon, set))) : versesOf(lexicon, terms.keys()),
    });
  }

  const roles: TermRole[][] = [[]];
  const roleOf = new Uint32Array(lexicon.terms.length);
  for (const [term, list] of byTerm) roleOf[term] = roles.push(list) - 1;
  return { units: estimated, roleOf, roles, ...neighbours(units.length, sequence) };
}

const lastOf = (phrase: readonly ReadonlySet<number>[]): Map<number, Tier> =>
  new Map(phrase.every((set) => set.size > 0) ? [...(phrase.at(-1) ?? [])].map((term) => [term, tiers.exact]) : []);

/** At most so many verses hold one of these words. */
function versesOf(lexicon: TermDictionary, terms: Iterable<number>): number {
  let sum = 0;
  for (const term of terms) sum += lexicon.verses[term] ?? 0;
  return sum;
}

function neighbours(unitCount: number, sequence: readonly number[]): Pick<CompiledQuery, 'before' | 'pairs'> {
  const before: { unit: number; pair: number }[][] = Array.from({ length: unitCount }, () => []);
  const pairs: [number, number][] = [];
  for (const [at, right] of sequence.entries()) {
    const left = at > 0 ? sequence[at - 1] : undefined;
    if (left === undefined || before[right]?.some(({ unit }) => unit === left)) continue;
    before[right]?.push({ unit: left, pair: pairs.push([left, right]) - 1 });
  }
  return { before, pairs };
}

/** Whether the phrase ends with the word at `end`, not reaching back beyond `begin`. */
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
