import type { Book, BookCode, TestamentCode, TranslationShape } from '@lectern/canon';
import { books } from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { IndexedTranslation, SearchFiles } from '../search-files';
import type { TextSpan } from './matched-spans';
import type { SearchOrder } from './page-collector';
import { createPageCollector } from './page-collector';
import type { ParsedQuery } from './parse-query';
import { createTranslationShape } from './query-reference';
import { maxScore } from './score-verses';
import type { Hit } from './search-cursor';
import type { TranslationIndex } from './translation-index';

export interface FullTextRequest {
  query: ParsedQuery;
  /** The ordinals of verses that come before all others: those that the query names by their reference. */
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

export interface FullTextPage {
  /** The number of hits that pass the filters. */
  total: number;
  /** The number of hits in each book, in canonical order, without books that have no hit. */
  byBook: { book: Book; count: number }[];
  hits: Hit[];
  hasNextPage: boolean;
  /** Whether hits that pass the filters come before this page. */
  hasPreviousPage: boolean;
  /** True if no verse of the translation holds all words of the query, even without the filters. */
  lacksFullHits: boolean;
  /** The words, as written, that the hits need not contain. Null if every hit contains all words. */
  leftOut: readonly string[] | null;
  /** Returns the spans in the text of a hit that match the query. */
  matchedSpans(text: string): TextSpan[];
}

/** The number of hits that are collected in less than a millisecond. */
const hitsPerStep = 2_048;

/** Creates the full-text index of all translations. The file of a translation is opened when it is first searched. */
export function createFullTextIndex(files: SearchFiles) {
  const indexOf = ({ identifier }: IndexedTranslation): TranslationIndex => {
    const content = files.use(identifier);
    if (!content) throw errors.translationNotFound(identifier);
    return content.index;
  };

  return {
    /** Searches a translation. Yields between short steps. */
    *page(translation: IndexedTranslation, request: FullTextRequest): Generator<void, FullTextPage> {
      const { ordinals, find } = indexOf(translation);
      const { hits, leftOut, matchedSpans } = yield* find(request.query);
      const collector = createPageCollector(request);
      const counts = new Uint32Array(books.length + 1);
      const isSelected = selectedBooks(request);
      let total = 0;
      const add = (score: number, ordinal: number): void => {
        const position = bookPosition(ordinal);
        if (!isSelected[position]) return;
        total += 1;
        counts[position] = (counts[position] ?? 0) + 1;
        collector.add(score, ordinal);
      };
      const named = new Set(request.named);
      for (const ordinal of named) add(maxScore, ordinal);
      for (const [index, verse] of hits.verses.entries()) {
        if (index % hitsPerStep === 0) yield;
        const ordinal = ordinals[verse] ?? 0;
        if (!named.has(ordinal)) add(hits.scores[index] ?? 0, ordinal);
      }
      return {
        total,
        byBook: books.map((book) => ({ book, count: counts[book.position] ?? 0 })).filter(({ count }) => count > 0),
        ...collector.page(),
        lacksFullHits: named.size === 0 && (hits.verses.length === 0 || leftOut !== null),
        leftOut,
        matchedSpans,
      };
    },

    /** Describes the books, chapters and verses of a translation. */
    shape: (translation: IndexedTranslation, bookName: (book: BookCode) => string): TranslationShape =>
      createTranslationShape(indexOf(translation).ordinals, translation.language, bookName),

    suggestion: (translation: IndexedTranslation, query: string): Generator<void, string | null> =>
      indexOf(translation).suggestion(query),
  };
}

export type FullTextIndex = ReturnType<typeof createFullTextIndex>;

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

/** Returns the position of the book that `verseOrdinal` has put into an ordinal. */
const bookPosition = (ordinal: number): number => Math.floor(ordinal / 1_000_000);
