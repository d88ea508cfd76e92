import { searchTokens } from './search-tokens';

/** A part of a query that a verse must contain: a word in any form, or a phrase of exact words. */
export interface QueryUnit {
  /** The folded words of the unit: one word, or the words of a phrase. */
  readonly words: readonly string[];
  /** True if only whole equal words match, neither word starts nor other forms of the stem. */
  readonly exact: boolean;
}

export interface ParsedQuery {
  /** The different units of the query. */
  readonly units: readonly QueryUnit[];
  /** The units in the order of the query, as indexes into `units`. */
  readonly sequence: readonly number[];
}

// Matches a phrase in quotation marks. A mark without a closing mark does not match.
const quoted = /"([^"]*)"|“([^“”]*)”|„([^„“”]*)[“”]|«([^«»]*)»/gu;

/** Splits a query into units. Accepts any text. A text without a word has no units. */
export function parseQuery(text: string): ParsedQuery {
  const units: QueryUnit[] = [];
  let at = 0;
  for (const match of text.matchAll(quoted)) {
    units.push(...unquotedUnits(text.slice(at, match.index)));
    const words = searchTokens(match.slice(1).join('')).map(({ folded }) => folded);
    if (words.length > 0) units.push({ words, exact: true });
    at = match.index + match[0].length;
  }
  units.push(...unquotedUnits(text.slice(at)));
  return withoutDuplicates(units);
}

/**
 * Makes one unit of each word. Adjacent characters of a script without spaces become one phrase.
 */
function unquotedUnits(text: string): QueryUnit[] {
  const units: QueryUnit[] = [];
  let words: string[] = [];
  for (const { folded, joined } of searchTokens(text)) {
    words.push(folded);
    if (joined) continue;
    units.push({ words, exact: words.length > 1 });
    words = [];
  }
  return units;
}

function withoutDuplicates(all: readonly QueryUnit[]): ParsedQuery {
  const keys = all.map(unitKey);
  const distinct = [...new Set(keys)];
  return {
    units: distinct.flatMap((key) => all[keys.indexOf(key)] ?? []),
    sequence: keys.map((key) => distinct.indexOf(key)),
  };
}

const unitKey = ({ words, exact }: QueryUnit): string => `${exact ? '"' : ''}${words.join(' ')}`;

/**
 * Writes the query in one canonical form: queries with equal units in equal order have equal texts.
 */
export const canonicalQuery = ({ units, sequence }: ParsedQuery): string =>
  sequence
    .map((index) => units[index])
    .map((unit) => (unit ? unitKey(unit) : ''))
    .join('\n');
