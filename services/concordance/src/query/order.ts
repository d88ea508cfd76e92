import { foldWord } from '@lectern/words';
import type { IndexedVerse } from '../data/files';
import type { Span } from '../data/words';
import { createWordReader, endOf } from '../data/words';

/**
 * The orders of a concordance by the word that stands before or after the first match of a verse.
 */
export type WordOrder = 'WORD_BEFORE' | 'WORD_AFTER';

/**
 * The maximum number of characters of a sort key, which bounds the length of a cursor. The words of
 * Bibles are shorter.
 */
export const maxSortKeyLength = 40;

/**
 * The verses of a result, sorted by the word before or after their first match. Verses with the
 * same word are in canonical order.
 */
export interface SortedVerses {
  /** The distinct sort keys in ascending order. */
  readonly keys: readonly string[];
  /**
   * The position in `ordinals` of the first verse of each key. The last item is the number of
   * verses.
   */
  readonly starts: Int32Array;
  /** The sorted verses as ordinals: 43003016 is JHN 3:16. */
  readonly ordinals: Int32Array;
}

/**
 * Returns the sort key of a word: the word without case and accents, but with ñ as n and a
 * combining tilde, cut to `maxSortKeyLength` characters. A comparison of UTF-16 units then sorts ñ
 * between n and o.
 */
export const sortKey = (written: string): string =>
  [...foldWord(written).normalize('NFD')].slice(0, maxSortKeyLength).join('');

/** Returns the word before or after the first match as written, or '' if there is no such word. */
export function wordBeside({ text, words }: IndexedVerse, [match]: readonly Span[], order: WordOrder): string {
  if (!match) return '';
  const word =
    order === 'WORD_BEFORE'
      ? words().findLast((each) => endOf(each) <= match.start)
      : words().find(({ start }) => start >= endOf(match));
  return word ? text.slice(word.start, endOf(word)) : '';
}

/**
 * Returns a function that finds the same word as `wordBeside`, but reads the encoded words of a
 * verse. The matches are the words with one of these stems. The function decodes without allocating
 * memory, because a common word has 20,000 verses.
 */
export function createStemNeighbour(stems: ReadonlySet<number>, order: WordOrder) {
  const reader = createWordReader();
  return (text: string, words: Uint8Array): string => {
    const size = reader.read(words);
    for (let word = 0; word < size; word += 1) {
      if (!stems.has(reader.stemOf(word))) continue;
      const beside = order === 'WORD_BEFORE' ? word - 1 : word + 1;
      return beside < 0 || beside >= size ? '' : text.slice(reader.startOf(beside), reader.endOf(beside));
    }
    return '';
  };
}

/** Sorts verses by their keys. The verses of each key must be in canonical order, and stay so. */
export function sortVerses(ordinalsByKey: ReadonlyMap<string, readonly number[]>): SortedVerses {
  // Sorts by UTF-16 units, because `positionOf` compares by UTF-16 units.
  const keys = [...ordinalsByKey.keys()].sort();
  const starts = new Int32Array(keys.length + 1);
  const ordinals: number[] = [];
  for (const [index, key] of keys.entries()) {
    starts[index] = ordinals.length;
    for (const ordinal of ordinalsByKey.get(key) ?? []) ordinals.push(ordinal);
  }
  starts[keys.length] = ordinals.length;
  return { keys, starts, ordinals: Int32Array.from(ordinals) };
}

/**
 * Returns the position of the first verse that has this key and at least this ordinal, or else has
 * a greater key.
 */
export function positionOf({ keys, starts, ordinals }: SortedVerses, key: string, ordinal: number): number {
  const index = firstIndex(0, keys.length, (at) => (keys[at] ?? '') >= key);
  const start = starts[index] ?? 0;
  if (keys[index] !== key) return start;
  return firstIndex(start, starts[index + 1] ?? start, (at) => (ordinals[at] ?? 0) >= ordinal);
}

/** Returns the sort key of the verse at a position. */
export const keyAt = ({ keys, starts }: SortedVerses, position: number): string =>
  keys[firstIndex(0, keys.length, (index) => (starts[index + 1] ?? 0) > position)] ?? '';

/**
 * Returns the first index from `low` up to `high` for which `test` is true, or `high` if there is
 * none. `test` must be true for all later indexes too, because this is a binary search.
 */
function firstIndex(low: number, high: number, test: (index: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (test(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
