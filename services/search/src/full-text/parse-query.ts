import { searchTokens } from './search-tokens';

/** What a verse has to hold: a word, as it is or in another form, or several words one after the other exactly. */
export interface QueryUnit {
  /** Folded. */
  readonly words: readonly string[];
  /** As a whole word only: no word starts, no other forms. */
  readonly exact: boolean;
}

export interface ParsedQuery {
  /** No two alike. */
  readonly units: readonly QueryUnit[];
  /** Indexes into `units`, in the order they were written. */
  readonly sequence: readonly number[];
}

// A quote that nothing closes is no quote.
const quoted = /"([^"]*)"|“([^“”]*)”|„([^„“”]*)[“”]|«([^«»]*)»/gu;

/** Reads any text at all: what is no word separates words, and a text without a word has no units. */
export function parseQuery(text: string): ParsedQuery {
  const units: QueryUnit[] = [];
  let at = 0;
  for (const match of text.matchAll(quoted)) {
    units.push(...looseUnits(text.slice(at, match.index)));
    const words = searchTokens(match.slice(1).join('')).map(({ folded }) => folded);
    if (words.length > 0) units.push({ words, exact: true });
    at = match.index + match[0].length;
  }
  units.push(...looseUnits(text.slice(at)));
  return distinct(units);
}

/** One unit a word; the characters of a script without blanks stay together as they were written. */
function looseUnits(text: string): QueryUnit[] {
  const units: QueryUnit[] = [];
  let run: string[] = [];
  for (const { folded, joined } of searchTokens(text)) {
    run.push(folded);
    if (joined) continue;
    units.push({ words: run, exact: run.length > 1 });
    run = [];
  }
  return units;
}

function distinct(all: readonly QueryUnit[]): ParsedQuery {
  const keys = all.map(unitKey);
  const unique = [...new Set(keys)];
  return {
    units: unique.flatMap((key) => all[keys.indexOf(key)] ?? []),
    sequence: keys.map((key) => unique.indexOf(key)),
  };
}

const unitKey = ({ words, exact }: QueryUnit): string => `${exact ? '"' : ''}${words.join(' ')}`;

/** Two queries that ask the same have the same text here, however they were typed. */
export const canonicalQuery = ({ units, sequence }: ParsedQuery): string =>
  sequence
    .map((index) => units[index])
    .map((unit) => (unit ? unitKey(unit) : ''))
    .join('\n');
