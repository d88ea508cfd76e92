import type { Token } from '@lectern/words';
import { tokenize } from '@lectern/words';

/**
 * A character of a script without spaces, such as Chinese. In such a script, `tokenize` returns a
 * whole clause as one token, which is then split into characters.
 */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const characters = /[\p{L}\p{N}]\p{M}*/gu;

/**
 * Characters to remove from a folded word, a word without case and accents. Folding turns some
 * characters (⒈, ﷺ) into text with punctuation or spaces, but the words of the index have only
 * letters, marks and digits.
 */
const separators = /[^\p{L}\p{M}\p{N}]+/gu;

/**
 * Endings after an apostrophe, which `tokenize` returns as words: the s of "lord's", the t of
 * "don't".
 */
const contractedEnds = new Set(['s', 't']);
const apostrophe = /^['’ʼ＇]$/;

/** A searchable word. Text in a script without spaces is split into characters. */
export interface SearchToken extends Token {
  /**
   * True if the token is a character of a script without spaces and the next one follows directly.
   */
  readonly joined: boolean;
}

/**
 * Splits a text into searchable words, in the order of the text. The endings 's and 't stay a part
 * of their word, without the apostrophe. So "lord's" has the same folded form as "lords", which
 * people type instead.
 */
export function searchTokens(text: string): SearchToken[] {
  const hasUnspaced = unspaced.test(text);
  const tokens: SearchToken[] = [];
  for (const token of tokenize(text)) {
    const previous = token.length === 1 ? tokens.at(-1) : undefined;
    if (previous && isContractedEnd(token, previous, text)) tokens[tokens.length - 1] = joinEnd(previous, token, text);
    else if (hasUnspaced && unspaced.test(token.text)) tokens.push(...splitCharacters(token));
    else tokens.push(toSearchToken(token, token.start, false));
  }
  return tokens.filter(({ folded }) => folded !== '');
}

/**
 * Lists the properties, which takes a quarter of the time of copying them with `...`. The function
 * runs for every word of a page of verses.
 */
const toSearchToken = ({ text, length, folded }: Token, start: number, joined: boolean): SearchToken => ({
  text,
  start,
  length,
  folded: folded.replace(separators, ''),
  joined,
});

function splitCharacters({ text, start }: Token): SearchToken[] {
  const parts = [...text.matchAll(characters)];
  return parts.flatMap(({ 0: part, index }, at) =>
    tokenize(part).map((token) => toSearchToken(token, start + index, at < parts.length - 1)),
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
