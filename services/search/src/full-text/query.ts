import { searchTokens } from './tokenize-spaced-and-unspaced-scripts';

/** A word or a phrase of a query. A verse that matches the whole query contains all its units. */
export interface QueryUnit {
  /** The words of the unit without case and accents: one word, or the words of a phrase. */
  readonly words: readonly string[];
  /** The unit as the client wrote it. */
  readonly text: string;
  /**
   * `word` matches the word and other forms of its stem (`loved` for `loving`), `beginning` also
   * words that begin with it. `phrase` matches only the same words, one after the other.
   */
  readonly kind: 'word' | 'beginning' | 'phrase';
}

/**
 * If the last word of a query has at least this many letters, it also matches longer words that
 * begin with it, because the client may still be typing the word.
 */
export const minBeginningLetters = 3;

export interface ParsedQuery {
  /** The different units of the query. */
  readonly units: readonly QueryUnit[];
  /**
   * The order of the query: an index into `units` for each word or phrase, also for repeated words.
   */
  readonly sequence: readonly number[];
}

// Matches a phrase in quotation marks. A quotation mark without a closing mark is ignored.
const quoted = /"([^"]*)"|“([^“”]*)”|„([^„“”]*)[“”]|«([^«»]*)»/gu;

/**
 * Splits a query into words and phrases, its units. Accepts any text. A text without a word has no
 * units. If the last unit is a word of at least three letters, it also matches words that begin
 * with it.
 */
export function parseQuery(text: string): ParsedQuery {
  const units: QueryUnit[] = [];
  let at = 0;
  for (const match of text.matchAll(quoted)) {
    units.push(...unquotedUnits(text.slice(at, match.index)));
    const words = searchTokens(match.slice(1).join('')).map(({ folded }) => folded);
    if (words.length > 0) units.push({ words, text: match[0], kind: 'phrase' });
    at = match.index + match[0].length;
  }
  units.push(...unquotedUnits(text.slice(at)));
  const last = units.at(-1);
  if (last?.kind === 'word' && [...(last.words[0] ?? '')].length >= minBeginningLetters)
    units[units.length - 1] = { ...last, kind: 'beginning' };
  return withoutDuplicates(units);
}

/**
 * Makes one unit of each word outside quotation marks. In a script without spaces, such as Chinese,
 * adjacent characters become one phrase.
 */
function unquotedUnits(text: string): QueryUnit[] {
  const units: QueryUnit[] = [];
  let words: string[] = [];
  let written = '';
  for (const { folded, joined, text: word } of searchTokens(text)) {
    words.push(folded);
    written += word;
    if (joined) continue;
    units.push({ words, text: written, kind: words.length > 1 ? 'phrase' : 'word' });
    words = [];
    written = '';
  }
  return units;
}

function withoutDuplicates(all: readonly QueryUnit[]): ParsedQuery {
  const units: QueryUnit[] = [];
  const indexes = new Map<string, number>();
  const sequence = all.map((unit) => {
    const key = unitKey(unit);
    const index = indexes.get(key) ?? units.length;
    indexes.set(key, index);
    // Equal units become one unit. Keeps the last of them, because the last word of a query may
    // have the kind `beginning`.
    units[index] = unit;
    return index;
  });
  return { units, sequence };
}

const unitKey = ({ words, kind }: QueryUnit): string => `${kind === 'phrase' ? '"' : ''}${words.join(' ')}`;

/**
 * Returns the query in a canonical form. Two queries with the same words and phrases in the same
 * order have the same form.
 */
export const canonicalQuery = ({ units, sequence }: ParsedQuery): string =>
  sequence
    .map((index) => units[index])
    .map((unit) => (unit ? unitKey(unit) : ''))
    .join('\n');
