import { foldWord } from '@lectern/words';
import { LRUCache } from 'lru-cache';
import { type ConcordanceContent, type ConcordanceTranslation, type IndexedVerse, indexedVerse } from '../data/files';
import { createWordReader, endOf, memoizeByWord, type Span } from '../data/words';
import { type ConcordanceResult, isMatch } from './occurrences';

/** The orders that sort verses by the word before or after their first match. */
export type WordOrder = 'WORD_BEFORE' | 'WORD_AFTER';

/** The maximum length of a sort key, in characters, so that a cursor is short. */
export const maxSortKeyLength = 40;

/** Sorted by the word before or after their first match. Verses with equal words are in canonical order. */
export interface SortedVerses {
  /** The sort keys, ascending and without duplicates. */
  readonly keys: readonly string[];
  /** The index in `ordinals` of the first verse with each key. The last item is the number of verses. */
  readonly starts: Int32Array;
  readonly ordinals: Int32Array;
}

/** The maximum number of verses in all cached lists: about 2 MB. The most frequent words have more than 20,000. */
const maxCachedVerses = 250_000;

/** The number of verses that are decoded, in one or two milliseconds, before other requests may run. */
const versesPerStep = 250;

/** Caches the sorted lists for further pages. Returns null if the translation's file was replaced between two steps. */
export function createNeighbourWordSorter(
  currentContent: (translation: ConcordanceTranslation) => ConcordanceContent | null,
) {
  const cache = new LRUCache<string, SortedVerses>({
    maxSize: maxCachedVerses,
    sizeCalculation: ({ ordinals, keys }) => 1 + ordinals.length + 10 * keys.length,
  });

  return function* sortedVerses(
    translation: ConcordanceTranslation,
    result: ConcordanceResult,
    order: WordOrder,
  ): Generator<void, SortedVerses | null> {
    const kind = result.strongsNumber === null ? result.match : 'number';
    const words = [result.lemma, ...(result.spellings ?? [])].join(' ');
    const cacheKey = `${translation.cacheKey} ${order} ${kind} ${words}`;
    const cached = cache.get(cacheKey);
    if (cached) return cached;
    const ordinalsByKey = new Map<string, number[]>();
    const sortKeyOf = memoizeByWord(sortKey);
    const readWordsBeside = createReader(translation, result, order);
    const { ordinals } = result.postings;
    for (let from = 0; from < ordinals.length; from += versesPerStep) {
      yield;
      const content = currentContent(translation);
      if (!content) return null;
      for (const [ordinal, word] of readWordsBeside(content, [...ordinals.subarray(from, from + versesPerStep)])) {
        const key = sortKeyOf(word);
        const group = ordinalsByKey.get(key);
        if (group) group.push(ordinal);
        else ordinalsByKey.set(key, [ordinal]);
      }
    }
    yield;
    const sorted = sortVerses(ordinalsByKey);
    cache.set(cacheKey, sorted);
    return sorted;
  };
}

/** Creates the function that reads verses, and for each the word before or after its first match. */
function createReader(translation: ConcordanceTranslation, result: ConcordanceResult, order: WordOrder) {
  const wordOf = createNeighbour(result, order);
  return (content: ConcordanceContent, ordinals: readonly number[]): (readonly [ordinal: number, word: string])[] =>
    result.strongsNumber === null
      ? content.readTexts(ordinals).map(([ordinal, text, words]) => [ordinal, wordOf(text, words)])
      : content.readVerses(ordinals).map((row) => {
          const verse = indexedVerse(translation, row);
          return [row.ordinal, wordBeside(verse, result.matchedSpans(verse), order)];
        });
}

/** Returns the word before or after the first match, as written. Returns '' if there is none. */
function wordBeside({ text, words }: IndexedVerse, [match]: readonly Span[], order: WordOrder): string {
  if (!match) return '';
  const word =
    order === 'WORD_BEFORE'
      ? words().findLast((each) => endOf(each) <= match.start)
      : words().find(({ start }) => start >= endOf(match));
  return word ? text.slice(word.start, endOf(word)) : '';
}

/** Like `wordBeside`, but without objects for words, to save memory: a frequent word has 20,000 verses. */
function createNeighbour(result: ConcordanceResult, order: WordOrder) {
  const reader = createWordReader();
  return (text: string, words: Uint8Array): string => {
    const size = reader.read(words);
    for (let word = 0; word < size; word += 1) {
      if (!result.stems.has(reader.stemOf(word))) continue;
      if (result.spellings && !isMatch(result, text.slice(reader.startOf(word), reader.endOf(word)))) continue;
      const beside = order === 'WORD_BEFORE' ? word - 1 : word + 1;
      return beside < 0 || beside >= size ? '' : text.slice(reader.startOf(beside), reader.endOf(beside));
    }
    return '';
  };
}

/** A word without case and accents, cut to the maximum length. ñ is n and a combining tilde, so it sorts after n. */
const sortKey = (written: string): string =>
  [...foldWord(written).normalize('NFD')].slice(0, maxSortKeyLength).join('');

function sortVerses(ordinalsByKey: ReadonlyMap<string, readonly number[]>): SortedVerses {
  // Sorted by UTF-16 units, because `positionOf` compares by UTF-16 units.
  const keys = [...ordinalsByKey.keys()].sort();
  const starts = new Int32Array(keys.length + 1);
  const ordinals: number[] = [];
  for (const [index, key] of keys.entries()) {
    for (const ordinal of ordinalsByKey.get(key) ?? []) ordinals.push(ordinal);
    starts[index + 1] = ordinals.length;
  }
  return { keys, starts, ordinals: Int32Array.from(ordinals) };
}

/** Returns the index of the first verse at or after a sort key and an ordinal. */
export function positionOf({ keys, starts, ordinals }: SortedVerses, key: string, ordinal: number): number {
  const index = firstIndex(0, keys.length, (at) => (keys[at] ?? '') >= key);
  const start = starts[index] ?? 0;
  if (keys[index] !== key) return start;
  return firstIndex(start, starts[index + 1] ?? start, (at) => (ordinals[at] ?? 0) >= ordinal);
}

export const keyAt = ({ keys, starts }: SortedVerses, position: number): string =>
  keys[firstIndex(0, keys.length, (index) => (starts[index + 1] ?? 0) > position)] ?? '';

/** Returns the first index for which `test` is true, or `high`. It must be true for all later ones (binary search). */
function firstIndex(low: number, high: number, test: (index: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (test(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
