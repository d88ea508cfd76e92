import type { Token } from '@lectern/words';
import { tokenize } from '@lectern/words';

/** Scripts that put no blanks between words: what looks like one word there is a whole clause. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const characters = /[\p{L}\p{N}]\p{M}*/gu;

/** Folding may leave a blank or a stop behind (㎏, ⒈, ﷺ): a word to search has none, or the index would take it for two. */
const foreign = /[^\p{L}\p{M}\p{N}]+/gu;

/** A word of a text as it is searched. Words of scripts without blanks are cut into characters, and `joined` says that the next follows at once. */
export interface SearchToken extends Token {
  readonly joined: boolean;
}

export function searchTokens(text: string): SearchToken[] {
  const found: SearchToken[] = [];
  for (const token of tokenize(text)) {
    if (unspaced.test(token.text)) found.push(...split(token));
    else found.push({ ...token, folded: token.folded.replace(foreign, ''), joined: false });
  }
  return found.filter(({ folded }) => folded !== '');
}

function split({ text, start }: Token): SearchToken[] {
  const parts = [...text.matchAll(characters)];
  return parts.flatMap(({ 0: part, index }, at) =>
    tokenize(part).map((token) => ({
      ...token,
      folded: token.folded.replace(foreign, ''),
      start: start + index,
      joined: at < parts.length - 1,
    })),
  );
}
