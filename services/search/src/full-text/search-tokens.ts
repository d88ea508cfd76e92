import type { Token } from '@lectern/words';
import { tokenize } from '@lectern/words';

/** Scripts without spaces between words, where `tokenize` returns a whole clause as one token. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const characters = /[\p{L}\p{N}]\p{M}*/gu;

/** Folding may produce spaces or punctuation (㎏, ⒈, ﷺ). A term is one line of a list, so it has no spaces. */
const separators = /[^\p{L}\p{M}\p{N}]+/gu;

/** A searchable word. Text in a script without spaces is split into characters. */
export interface SearchToken extends Token {
  /** True if the text has no spaces between words and the next character follows directly. */
  readonly joined: boolean;
}

/** Splits a text into searchable words, in the order of the text. */
export function searchTokens(text: string): SearchToken[] {
  const tokens: SearchToken[] = [];
  for (const token of tokenize(text)) {
    if (unspaced.test(token.text)) tokens.push(...splitCharacters(token));
    else tokens.push({ ...token, folded: token.folded.replace(separators, ''), joined: false });
  }
  return tokens.filter(({ folded }) => folded !== '');
}

function splitCharacters({ text, start }: Token): SearchToken[] {
  const parts = [...text.matchAll(characters)];
  return parts.flatMap(({ 0: part, index }, at) =>
    tokenize(part).map((token) => ({
      ...token,
      folded: token.folded.replace(separators, ''),
      start: start + index,
      joined: at < parts.length - 1,
    })),
  );
}
