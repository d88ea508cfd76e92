import { foldWord } from './fold-word';

/** A word in a text. `start` and `length` count UTF-16 units of the text. */
export interface Token {
  /** The word as written. */
  text: string;
  start: number;
  length: number;
  /** The word as `foldWord` folds it. */
  folded: string;
}

// A word starts with a letter or a digit, because a combining mark alone is not a word.
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/**
 * Splits a text into words: runs of letters, marks and digits. All other characters separate words.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: found, index } of text.matchAll(word))
    tokens.push({ text: found, start: index, length: found.length, folded: foldWord(found) });
  return tokens;
}
