import { foldWord } from './fold-word';

/** One word of a text. `start` and `length` are UTF-16 units into that text. */
export interface Token {
  /** As written. */
  text: string;
  start: number;
  length: number;
  folded: string;
}

// A mark alone is no word: it needs a letter or a digit to stand on.
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/** The words of a text, in its order: runs of letters, marks and digits. Everything else separates. */
export function tokenize(text: string): Token[] {
  return Array.from(text.matchAll(word), ({ 0: found, index }) => ({
    text: found,
    start: index,
    length: found.length,
    folded: foldWord(found),
  }));
}
