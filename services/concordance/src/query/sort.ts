import { LRUCache } from 'lru-cache';
import type { ConcordanceContent } from '../data/files';
import { indexedVerse } from '../data/files';
import type { ConcordanceTranslation } from '../data/metadata';
import type { ConcordanceResult } from './occurrences';
import type { SortedVerses, WordOrder } from './order';
import { createStemNeighbour, sortKey, sortVerses, wordBeside } from './order';

/**
 * Bounds the cached lists of sorted verses to about 2 MB for all translations. The commonest words
 * have more than 20,000 verses.
 */
const maxCachedVerses = 250_000;

/**
 * The number of verses between two pauses, which are read and decoded in one or two milliseconds.
 */
const versesPerStep = 250;

/** A verse, and the word before or after its first match as the text spells it. */
type VerseWithWord = readonly [ordinal: number, word: string];

/**
 * Creates the function that sorts the verses of a result by the word before or after their first
 * match. If the file of the translation is replaced meanwhile, `currentContent` returns null, and
 * so does the created function. Sorted lists are cached, because a client that reads all pages
 * requests the same list many times.
 */
export function createNeighbourWordSorter(
  currentContent: (translation: ConcordanceTranslation) => ConcordanceContent | null,
) {
  const cache = new LRUCache<string, SortedVerses>({
    maxSize: maxCachedVerses,
    sizeCalculation: ({ ordinals, keys }) => 1 + ordinals.length + 10 * keys.length,
  });

  function* sortInSteps(
    translation: ConcordanceTranslation,
    result: ConcordanceResult,
    order: WordOrder,
  ): Generator<void, SortedVerses | null> {
    const ordinalsByKey = new Map<string, number[]>();
    const sortKeyOf = createSortKeys();
    const readVerses = createVerseReader(translation, result, order);
    const { ordinals } = result.postings;
    for (let from = 0; from < ordinals.length; from += versesPerStep) {
      yield;
      const content = currentContent(translation);
      if (!content) return null;
      for (const [ordinal, word] of readVerses(content, [...ordinals.subarray(from, from + versesPerStep)])) {
        const key = sortKeyOf(word);
        const group = ordinalsByKey.get(key);
        if (group) group.push(ordinal);
        else ordinalsByKey.set(key, [ordinal]);
      }
    }
    yield;
    return sortVerses(ordinalsByKey);
  }

  return function* sortedVerses(
    translation: ConcordanceTranslation,
    result: ConcordanceResult,
    order: WordOrder,
  ): Generator<void, SortedVerses | null> {
    const kind = result.strongsNumber === null ? 'words' : 'number';
    const cacheKey = `${translation.cacheKey} ${order} ${kind} ${result.lemma}`;
    const cached = cache.get(cacheKey);
    if (cached) return cached;
    const sorted = yield* sortInSteps(translation, result, order);
    if (sorted) cache.set(cacheKey, sorted);
    return sorted;
  };
}

/** Returns a function that reads verses, each with the word before or after its first match. */
function createVerseReader(
  translation: ConcordanceTranslation,
  result: ConcordanceResult,
  order: WordOrder,
): (content: ConcordanceContent, ordinals: readonly number[]) => VerseWithWord[] {
  if (result.strongsNumber === null) {
    const wordOf = createStemNeighbour(result.stems, order);
    return (content, ordinals) =>
      content.readTexts(ordinals).map(([ordinal, text, words]) => [ordinal, wordOf(text, words)]);
  }
  return (content, ordinals) =>
    content.readVerses(ordinals).map((row) => {
      const verse = indexedVerse(translation, row);
      return [row.ordinal, wordBeside(verse, result.matchedSpans(verse), order)];
    });
}

/**
 * Returns a function that finds the sort key of a word. The key of each spelling is computed once.
 */
function createSortKeys(): (written: string) => string {
  const sortKeys = new Map<string, string>();
  return (written) => {
    const key = sortKeys.get(written) ?? sortKey(written);
    sortKeys.set(written, key);
    return key;
  };
}
