import type { Token } from '@lectern/words';
import { tokenize } from '@lectern/words';

/** Scripts without spaces between words, where `tokenize` returns a whole clause as one token. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const characters = /[\p{L}\p{N}]\p{M}*/gu;

/** Folding may produce spaces or punctuation (㎏, ⒈, ﷺ). A term is one line of a list, so it has no spaces. */
const separators = /[^\p{L}\p{M}\p{N}]+/gu;

/** The endings that `tokenize` returns as separate words: the s of "lord's" and the t of "don't". */
const contractedEnds = new Set(['s', 't']);
const apostrophe = /^['’ʼ＇]$/;

/** A searchable word. Text in a script without spaces is split into characters. */
export interface SearchToken extends Token {
  /** True if the text has no spaces between words and the next character follows directly. */
  readonly joined: boolean;
}

/**
 * Splits a text into searchable words, in the order of the text. The endings 's and 't are a part of their word, and
 * folding removes the apostrophe. So "lord's" has the same folded form as "lords", which people type instead.
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

/** Listing the properties takes a quarter of the time of copying them with `...`, for every word of a page of verses. */
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
