import { type BookCode, books, type TestamentCode, type TranslationShape } from '@lectern/canon';
import { noSimilarVerses, type SimilarVerses } from '@lectern/embeddings';
import { errors } from '@lectern/errors';
import { type IndexedTranslation, readIndexInSteps, type SearchFiles } from '../store';
import type { Found, MergedHits, Searched, VerseKeys } from './merge-hits';
import { createVerseKeys, hitsPerStep, mergeHits, ownKeys, versesOfKey } from './merge-hits';
import { bestByScore, createPageCollector, type Hit, type SearchOrder } from './page';
import type { ParsedQuery } from './query';
import { createTranslationShape } from './query-reference';
import { rankByMeaning, rankHybrid } from './rank-by-meaning';
import type { TranslationIndex } from './translation-index';

/** How verses are found and ranked: by their words, by their meaning, or by both. */
export type SearchMode = 'WORDS' | 'MEANING' | 'HYBRID';

/** The maximum number of verses that a search in the mode MEANING or HYBRID finds. */
export const maxRankedVerses = 500;

export interface FullTextRequest {
  query: ParsedQuery;
  mode: SearchMode;
  /** The verses of each translation that are nearest in meaning. Empty in the mode WORDS. */
  nearest: readonly SimilarVerses[];
  /**
   * The verses of the references in the query, as ordinals in the first translation. In the order
   * RELEVANCE, these verses come before all other hits.
   */
  named: readonly number[];
  /** Null means all books. */
  books: ReadonlySet<BookCode> | null;
  /** Null means both testaments. */
  testament: TestamentCode | null;
  order: SearchOrder;
  first: number;
  /** The last hit of the page before; null for the first page. */
  after: Hit | null;
}

/**
 * Creates the search in one or several translations. The file of a translation is opened when the
 * translation is first searched. Generators yield between short steps.
 */
export function createCrossTranslationSearch(files: SearchFiles) {
  const keysOfTranslations = new WeakMap<IndexedTranslation, VerseKeys>();
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
    /** Searches translations. A verse that matches in several translations is one hit. */
    *page(translations: readonly IndexedTranslation[], request: FullTextRequest) {
      const searched: Searched[] = [];
      for (const translation of translations) {
        const index = yield* indexOf(translation);
        yield;
        searched.push({ translation, index, keys: translations.length > 1 ? keysOf(translation, index) : ownKeys });
      }
      const { found, hasFullHits } = yield* findByMode(searched, request);
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
      return {
        ...page,
        /** The number of hits that pass the filters, over all pages. */
        total,
        /** In canonical order, without books that have no hit. */
        byBook: books.map((book) => ({ book, count: counts[book.position] ?? 0 })).filter(({ count }) => count > 0),
        hits: hits.map((hit) => ({ ...hit, ...versesOfKey(hit.ordinal, found, named.has(hit.ordinal)) })),
        /**
         * Whether the search looked for words and no verse contains all of them, even without the
         * filters. False if the query has a reference to an existing verse.
         */
        lacksFullHits: request.mode !== 'MEANING' && named.size === 0 && !hasFullHits,
        /** The words of the query that the search left out (see `FullTextResult`). */
        leftOut: bestOf(found)?.leftOut ?? null,
      };
    },

    /** Returns the translation in the form that the reference parser takes. */
    *shape(translation: IndexedTranslation, bookName: (book: BookCode) => string): Generator<void, TranslationShape> {
      const { ordinals } = yield* indexOf(translation);
      return createTranslationShape(ordinals, translation.language, bookName);
    },

    /** Finds a similar query for which the search finds verses, or null. */
    *suggestion(translation: IndexedTranslation, query: string): Generator<void, string | null> {
      const index = yield* indexOf(translation);
      return yield* index.suggestion(query);
    },
  };
}

export type CrossTranslationSearch = ReturnType<typeof createCrossTranslationSearch>;

/** `hasFullHits`: the search looked for words, and a verse contains all of them. */
interface FoundInAll {
  readonly found: Found[];
  readonly hasFullHits: boolean;
}

function* findByMode(
  searched: readonly Searched[],
  { mode, query, nearest }: FullTextRequest,
): Generator<void, FoundInAll> {
  const byWords = mode === 'MEANING' ? null : yield* findInAll(searched, query);
  if (byWords && mode === 'WORDS') return byWords;
  const ranked: Found[] = [];
  for (const [at, each] of searched.entries()) {
    const verses = nearest[at] ?? noSimilarVerses;
    const words = byWords?.found[at]?.result;
    const result = words
      ? yield* rankHybrid(each.index, query, { words, nearest: verses, limit: maxRankedVerses })
      : yield* rankByMeaning(each.index, query, verses);
    ranked.push({ ...each, result });
  }
  return { found: ranked, hasFullHits: byWords?.hasFullHits ?? false };
}

/** If no verse contains all words of the query, finds verses that may lack some of the words. */
function* findInAll(searched: readonly Searched[], query: ParsedQuery): Generator<void, FoundInAll> {
  const full: Found[] = [];
  for (const each of searched) full.push({ ...each, result: yield* each.index.findFull(query) });
  if (full.some(({ result }) => result.hits.verses.length > 0)) return { found: full, hasFullHits: true };
  const relaxed: Found[] = [];
  for (const each of searched) relaxed.push({ ...each, result: yield* each.index.findRelaxed(query) });
  return { found: relaxed, hasFullHits: false };
}

/** Returns the `maxRankedVerses` hits with the best scores that pass the filters. */
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

/** Returns the result of the translation that has the hit with the best score. */
function bestOf(found: readonly Found[]): Found['result'] | undefined {
  const bestScore = ({ result }: Found): number =>
    result.hits.scores.reduce((best, score) => Math.max(best, score), -1);
  return found.length === 1 ? found[0]?.result : [...found].sort((a, b) => bestScore(b) - bestScore(a))[0]?.result;
}

/** Returns whether each book passes the filters, by the book's position, which starts at 1. */
const selectedBooks = ({ books: codes, testament }: FullTextRequest): boolean[] => [
  false,
  ...books.map(
    (book) => (codes === null || codes.has(book.code)) && (testament === null || book.testament === testament),
  ),
];

const bookPosition = (ordinal: number): number => Math.floor(ordinal / 1_000_000);
