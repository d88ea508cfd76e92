import { foldWord, isUnspaced, type Token, tokenize } from '@lectern/words';

/** A word or a phrase of a query. A verse that matches the whole query has all its units. */
export interface QueryUnit {
  /** The words of the unit, without case and accents: one word, or all words of a phrase. */
  readonly words: readonly string[];
  /** The unit as the client wrote it. */
  readonly text: string;
  /**
   * `word` matches all forms with its stem (`loved` for `loving`). `beginning` also matches words that begin with it.
   * `phrase` matches only the same words in the same order. `any` matches what one of its `alternatives` matches.
   */
  readonly kind: 'word' | 'beginning' | 'phrase' | 'any';
  readonly alternatives?: readonly QueryUnit[];
}

/** What operators ask for, besides the units that a verse must have. */
export interface Operators {
  /** A verse must lack this unit. Null if verses may have all words. */
  readonly excluded: QueryUnit | null;
  /** Pairs of units (indexes into `units`) that are at most `distance` words apart: 1 for neighbours. */
  readonly near: readonly { readonly left: number; readonly right: number; readonly distance: number }[];
}

/** The minimum length of a last word that also matches longer words that begin with it. */
export const minBeginningLetters = 3;

export interface ParsedQuery {
  /** The units of the query, without duplicates. */
  readonly units: readonly QueryUnit[];
  /** The units in the order of the query, as indexes into `units`. The index of a repeated word occurs again. */
  readonly sequence: readonly number[];
  /** Absent if the query has no operators. A query with operators is never relaxed. */
  readonly operators?: Operators;
}

// Matches a phrase in quotation marks. A mark without a partner is ignored.
const quoted = /"([^"]*)"|“([^“”]*)”|„([^„“”]*)[“”]|«([^«»]*)»/gu;

/** Splits a query into words and phrases. A text without a word has no units. */
export function parseQuery(text: string): ParsedQuery {
  const units: QueryUnit[] = [];
  let at = 0;
  for (const match of text.matchAll(quoted)) {
    units.push(...unquotedUnits(text.slice(at, match.index)));
    const words = wordsOfText(match.slice(1).join(''));
    if (words.length > 0) units.push({ words, text: match[0], kind: 'phrase' });
    at = match.index + match[0].length;
  }
  units.push(...unquotedUnits(text.slice(at)));
  return toParsedQuery(units);
}

export const wordsOfText = (text: string): string[] => searchTokens(text).map(({ folded }) => folded);

/** Lets the last word match longer words. Returns null if it is a phrase or has fewer than three letters. */
export function withBeginning(query: ParsedQuery): ParsedQuery | null {
  const { units, sequence } = query;
  const at = sequence.at(-1) ?? -1;
  const last = units[at];
  if (last?.kind !== 'word' || [...(last.words[0] ?? '')].length < minBeginningLetters) return null;
  return { ...query, units: units.with(at, { ...last, kind: 'beginning' }) };
}

/** Makes a unit of each word. A word in a script without spaces becomes a phrase of its characters. */
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

/** Removes repeated units. */
export function toParsedQuery(all: readonly QueryUnit[]): ParsedQuery {
  const units: QueryUnit[] = [];
  const indexes = new Map<string, number>();
  const sequence = all.map((unit) => {
    const key = unitKey(unit);
    const index = indexes.get(key) ?? units.length;
    indexes.set(key, index);
    units[index] = unit;
    return index;
  });
  return { units, sequence };
}

const unitKey = ({ words, kind, alternatives }: QueryUnit): string =>
  alternatives?.map(unitKey).join(' | ') ?? `${kind === 'phrase' ? '"' : ''}${words.join(' ')}`;

/** Returns a text that is equal for queries with the same words and phrases in the same order. */
export const canonicalQuery = ({ units, sequence, operators }: ParsedQuery): string => {
  const keys = units.map(unitKey);
  const words = sequence.map((index) => keys[index]).join('\n');
  return operators ? JSON.stringify([words, operators, units.map(({ kind }) => kind)]) : words;
};

/** Matches punctuation and spaces. Some characters, such as ⒈ and ﷺ, become such text when they are folded. */
const separators = /[^\p{L}\p{M}\p{N}]+/gu;

/** The endings that `tokenize` makes words of their own: the s of "lord's" and the t of "don't". */
const contractedEnds = new Set(['s', 't']);
const apostrophe = /^['’ʼ＇]$/;

export interface SearchToken extends Token {
  /** Whether the token is a character of a word in a script without spaces, but not the last of this word. */
  readonly joined: boolean;
}

/**
 * Splits a text into words. "lord's" folds like "lords", which people type instead. In a script without spaces, each
 * character becomes a token, so that a word can be found inside a longer word.
 */
export function searchTokens(text: string): SearchToken[] {
  const hasUnspaced = isUnspaced(text);
  const tokens: SearchToken[] = [];
  for (const token of tokenize(text)) {
    const previous = token.length === 1 ? tokens.at(-1) : undefined;
    if (previous && isContractedEnd(token, previous, text)) tokens[tokens.length - 1] = joinEnd(previous, token, text);
    else if (hasUnspaced && isUnspaced(token.text)) tokens.push(...splitCharacters(token));
    else tokens.push(toSearchToken(token, token.start, false));
  }
  return tokens.filter(({ folded }) => folded !== '');
}

/** Copies the properties one by one. This runs for each word of a page, and a spread takes four times as long. */
const toSearchToken = ({ text, length, folded }: Token, start: number, joined: boolean): SearchToken => ({
  text,
  start,
  length,
  folded: folded.replace(separators, ''),
  joined,
});

/** Matches a letter with its marks. Thai and Lao `am` is a letter that is written over the previous one. */
const character = /[\p{L}\p{N}][\p{M}\u0e33\u0eb3]*/gu;

function splitCharacters({ text, start }: Token): SearchToken[] {
  const parts = [...text.matchAll(character)];
  return parts.map(({ 0: part, index }, at) =>
    toSearchToken(
      { text: part, start: index, length: part.length, folded: foldWord(part) },
      start + index,
      at < parts.length - 1,
    ),
  );
}

const isContractedEnd = ({ folded, start }: Token, previous: SearchToken, text: string): boolean =>
  contractedEnds.has(folded) &&
  previous.start + previous.length === start - 1 &&
  apostrophe.test(text.charAt(start - 1));

function joinEnd(word: SearchToken, end: Token, text: string): SearchToken {
  const length = end.start + end.length - word.start;
  return { ...word, text: text.slice(word.start, word.start + length), length, folded: word.folded + end.folded };
}
