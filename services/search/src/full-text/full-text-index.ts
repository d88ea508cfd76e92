import type { Book, BookCode, TestamentCode, TranslationShape } from '@lectern/canon';
import { books, indexOfSorted } from '@lectern/canon';
import type { SimilarVerses } from '@lectern/embeddings';
import { noSimilarVerses } from '@lectern/embeddings';
import { errors } from '@lectern/errors';
import type { IndexedTranslation, SearchFiles } from '../search-files';
import { readIndexInSteps } from '../search-files';
import type { FullTextResult } from './find-verses';
import type { TextSpan } from './matched-spans';
import type { SearchOrder } from './page-collector';
import { bestByScore, createPageCollector } from './page-collector';
import type { ParsedQuery } from './parse-query';
import { createTranslationShape } from './query-reference';
import type { MeaningResult } from './rank-by-meaning';
import { rankByMeaning } from './rank-by-meaning';
import { rankHybrid } from './rank-hybrid';
import { maxScore } from './score-verses';
import type { Hit } from './search-cursor';
import type { TranslationIndex } from './translation-index';
import type { VerseKeys } from './verse-keys';
import { createVerseKeys, ownKeys } from './verse-keys';

/** How verses are found and ranked: by their words, by their meaning, or by both. */
export type SearchMode = 'WORDS' | 'MEANING' | 'HYBRID';

/** The maximum number of verses that a search by meaning finds. */
export const maxRankedVerses = 500;

export interface FullTextRequest {
  query: ParsedQuery;
  mode: SearchMode;
  /**
   * The verses of each translation that are nearest to the query in meaning. Empty in the mode
   * WORDS.
   */
  nearest: readonly SimilarVerses[];
  /**
   * The verses of the references in the query, such as `John 3:16`, as ordinals (43003016 is JHN
   * 3:16) in the first translation. These verses come before all other hits.
   */
  named: readonly number[];
  /** The books to search. Null means all books. */
  books: ReadonlySet<BookCode> | null;
  /** The testament to search. Null means both testaments. */
  testament: TestamentCode | null;
  order: SearchOrder;
  first: number;
  /** The last hit of the page before; null for the first page. */
  after: Hit | null;
}

/** A found verse in one translation. */
export interface FoundVerse {
  translation: IndexedTranslation;
  ordinal: number;
  /** Returns the spans in the text of the verse that match the query. */
  matchedSpans(text: string): TextSpan[];
}

/**
 * A hit: one verse in each translation where it was found, in the order of the request, at least
 * one.
 */
export interface FoundHit extends Hit {
  verses: FoundVerse[];
  /** The similarity of the first of the verses. Null in the mode WORDS, and for a verse that was found only by its words. */
  similarity: number | null;
}

export interface FullTextPage {
  /** The number of hits that pass the filters. */
  total: number;
  /** The number of hits in each book, in canonical order, without books that have no hit. */
  byBook: { book: Book; count: number }[];
  hits: FoundHit[];
  hasNextPage: boolean;
  /** Whether hits that pass the filters come before this page. */
  hasPreviousPage: boolean;
  /** Whether no verse of the translations contains all words of the query, even without the filters. */
  lacksFullHits: boolean;
  /** The words, as written, that the hits need not contain. Null if every hit contains all words. */
  leftOut: readonly string[] | null;
}

/** The number of hits between two pauses, which are collected in less than a millisecond. */
const hitsPerStep = 2_048;

interface Searched {
  translation: IndexedTranslation;
  index: TranslationIndex;
  keys: VerseKeys;
}

interface Found extends Searched {
  result: FullTextResult & Partial<MeaningResult>;
}

/**
 * Creates the full-text index of all translations. The file of a translation is opened when the
 * translation is first searched.
 */
export function createFullTextIndex(files: SearchFiles) {
  const keysOfTranslations = new WeakMap<IndexedTranslation, VerseKeys>();
  /**
   * Opens the file of a translation. If this process has never opened the file, first checks the
   * file against its checksum. Yields between short steps.
   */
  function* indexOf({ identifier }: IndexedTranslation): Generator<void, TranslationIndex> {
    const index = yield* readIndexInSteps(files, identifier);
    if (!index) throw errors.translationNotFound(identifier);
    return index;
  }
  const keysOf = (translation: IndexedTranslation, { ordinals }: TranslationIndex): VerseKeys => {
    const keys = keysOfTranslations.get(translation) ?? createVerseKeys(ordinals, translation.numbering);
    keysOfTranslations.set(translation, keys);
    return keys;
  };

  return {
    /**
     * Searches translations. If a verse matches in several translations, it is one hit. Yields
     * between short steps, so that other requests are executed in between.
     */
    *page(translations: readonly IndexedTranslation[], request: FullTextRequest): Generator<void, FullTextPage> {
      const searched: Searched[] = [];
      for (const translation of translations) {
        const index = yield* indexOf(translation);
        yield;
        searched.push({ translation, index, keys: translations.length > 1 ? keysOf(translation, index) : ownKeys });
      }
      const found = yield* findByMode(searched, request);
      const named = new Set(request.named.map((ordinal) => searched[0]?.keys.keyOf(ordinal) ?? ordinal));
      const isSelected = selectedBooks(request);
      yield;
      const all = yield* mergeHits(found, named);
      yield;
      const merged = request.mode === 'WORDS' ? all : bestHits(all, isSelected);

      const collector = createPageCollector(request);
      const counts = new Uint32Array(books.length + 1);
      let total = 0;
      for (let index = 0; index < merged.keys.length; index += 1) {
        if (index % hitsPerStep === 0) yield;
        const key = merged.keys[index] ?? 0;
        const position = bookPosition(key);
        if (!isSelected[position]) continue;
        total += 1;
        counts[position] = (counts[position] ?? 0) + 1;
        collector.add(merged.scores[index] ?? 0, key);
      }
      const { hits, ...page } = collector.page();
      const leftOut = bestOf(found)?.leftOut ?? null;
      return {
        ...page,
        total,
        byBook: books.map((book) => ({ book, count: counts[book.position] ?? 0 })).filter(({ count }) => count > 0),
        hits: hits.map(({ score, ordinal }) => {
          const { verses, similarity } = versesOfKey(ordinal, found, named.has(ordinal));
          return { score, ordinal, verses, similarity };
        }),
        lacksFullHits: request.mode !== 'MEANING' && named.size === 0 && (leftOut !== null || merged.keys.length === 0),
        leftOut,
      };
    },

    /**
     * Returns which books, chapters and verses a translation has, as the reference parser reads
     * them. Yields between short steps, so that other requests are executed in between.
     */
    *shape(translation: IndexedTranslation, bookName: (book: BookCode) => string): Generator<void, TranslationShape> {
      const { ordinals } = yield* indexOf(translation);
      return createTranslationShape(ordinals, translation.language, bookName);
    },

    /**
     * Finds a similar query for which the search finds verses. Yields between short steps, so that
     * other requests are executed in between.
     */
    *suggestion(translation: IndexedTranslation, query: string): Generator<void, string | null> {
      const index = yield* indexOf(translation);
      return yield* index.suggestion(query);
    },
  };
}

export type FullTextIndex = ReturnType<typeof createFullTextIndex>;

function* findByMode(
  searched: readonly Searched[],
  { mode, query, nearest }: FullTextRequest,
): Generator<void, Found[]> {
  const found = mode === 'MEANING' ? null : yield* findInAll(searched, query);
  if (found && mode === 'WORDS') return found;
  const ranked: Found[] = [];
  for (const [at, each] of searched.entries()) {
    const verses = nearest[at] ?? noSimilarVerses;
    const words = found?.[at]?.result;
    const result = words
      ? yield* rankHybrid(each.index, query, { words, nearest: verses, limit: maxRankedVerses })
      : yield* rankByMeaning(each.index, query, verses);
    ranked.push({ ...each, result });
  }
  return ranked;
}

/**
 * Returns the hits that pass the filters, at most `maxRankedVerses`: those with the best scores.
 */
function bestHits({ keys, scores }: MergedHits, isSelected: readonly boolean[]): MergedHits {
  const selected: { keys: number[]; scores: number[] } = { keys: [], scores: [] };
  for (let at = 0; at < keys.length; at += 1) {
    if (!isSelected[bookPosition(keys[at] ?? 0)]) continue;
    selected.keys.push(keys[at] ?? 0);
    selected.scores.push(scores[at] ?? 0);
  }
  const best = bestByScore(selected.scores, selected.keys, maxRankedVerses);
  return { keys: best.map(({ ordinal }) => ordinal), scores: best.map(({ score }) => score) };
}

/**
 * Finds the verses that contain all words of the query. If no translation has such a verse, finds
 * the verses that contain most of the words.
 */
function* findInAll(searched: readonly Searched[], query: ParsedQuery): Generator<void, Found[]> {
  const full: Found[] = [];
  for (const { translation, index, keys } of searched)
    full.push({ translation, index, keys, result: yield* index.findFull(query) });
  if (full.some(({ result }) => result.hits.verses.length > 0)) return full;
  const relaxed: Found[] = [];
  for (const { translation, index, keys } of searched)
    relaxed.push({ translation, index, keys, result: yield* index.findRelaxed(query) });
  return relaxed;
}

/**
 * The hits of all translations, each verse once. The key of a verse is a number that is the same in
 * every translation.
 */
interface MergedHits {
  readonly keys: ArrayLike<number>;
  readonly scores: ArrayLike<number>;
}

/**
 * Merges the hits of several translations. A verse with several scores keeps the best score. The
 * verses of references in the query (`named`) get the highest score.
 */
function* mergeHits(found: readonly Found[], named: ReadonlySet<number>): Generator<void, MergedHits> {
  const [only, ...others] = found;
  if (only && others.length === 0 && named.size === 0) return hitsOfOne(only);
  const merged: { keys: number[]; scores: number[] } = { keys: [...named], scores: Array.from(named, () => maxScore) };
  /** The index of each key in `merged`. Null for a single translation, which has each key once. */
  const indexes = found.length > 1 ? new Map<number, number>() : null;
  for (const { keys, index, result } of found) {
    for (const [at, verse] of result.hits.verses.entries()) {
      if (at % hitsPerStep === 0) yield;
      const key = keys.keyOf(index.ordinals[verse] ?? 0);
      const score = result.hits.scores[at] ?? 0;
      const earlier = indexes?.get(key);
      if (earlier !== undefined) merged.scores[earlier] = Math.max(merged.scores[earlier] ?? 0, score);
      else if (!named.has(key)) {
        indexes?.set(key, merged.keys.length);
        merged.keys.push(key);
        merged.scores.push(score);
      }
    }
  }
  return merged;
}

/** Returns the hits of a search of one translation, where the ordinals of verses are their keys. */
function hitsOfOne({ index: { ordinals }, result: { hits } }: Found): MergedHits {
  const keys = new Uint32Array(hits.verses.length);
  // A search finds up to 31,000 verses. For so many verses, a loop is faster than map().
  for (let at = 0; at < keys.length; at += 1) keys[at] = ordinals[hits.verses[at] ?? 0] ?? 0;
  return { keys, scores: hits.scores };
}

/** Returns the result of the translation that has the hit with the best score. */
function bestOf(found: readonly Found[]): FullTextResult | undefined {
  const bestScore = ({ result }: Found): number =>
    result.hits.scores.reduce((best, score) => Math.max(best, score), -1);
  return found.length === 1 ? found[0]?.result : [...found].sort((a, b) => bestScore(b) - bestScore(a))[0]?.result;
}

/**
 * Returns the verse with a key in each translation where it matched. A verse of a reference in the
 * query (`isNamed`) is returned in every translation that has it.
 */
function versesOfKey(key: number, found: readonly Found[], isNamed: boolean): Pick<FoundHit, 'verses' | 'similarity'> {
  const [only, ...others] = found;
  // If only one translation was searched by words, the key of a hit is its ordinal, so no look-up
  // is needed.
  if (only && others.length === 0 && !only.result.similarityOf) {
    const { translation, result } = only;
    return { verses: [{ translation, ordinal: key, matchedSpans: result.matchedSpans }], similarity: null };
  }
  const matched = found.flatMap(({ translation, index, keys, result }) => {
    for (const ordinal of keys.ordinalsOf(key)) {
      const verse = indexOfSorted(index.ordinals, ordinal);
      if (verse < 0 || !(isNamed || indexOfSorted(result.hits.verses, verse) >= 0)) continue;
      const similarity = result.similarityOf?.(verse) ?? null;
      return [{ similarity, verse: { translation, ordinal, matchedSpans: result.matchedSpans } }];
    }
    return [];
  });
  return { verses: matched.map(({ verse }) => verse), similarity: matched[0]?.similarity ?? null };
}

/**
 * Returns whether each book passes the filters.
 * The index is the book's position, which starts at 1.
 */
const selectedBooks = ({ books: codes, testament }: FullTextRequest): boolean[] => [
  false,
  ...books.map(
    (book) => (codes === null || codes.has(book.code)) && (testament === null || book.testament === testament),
  ),
];

/**
 * Returns the position of a verse's book, from 1, which is the first part of the verse's ordinal.
 */
const bookPosition = (ordinal: number): number => Math.floor(ordinal / 1_000_000);
