import type { Book, BookCode, TestamentCode } from '@lectern/canon';
import { books } from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { IndexedTranslation, SearchFiles } from '../search-files';
import type { TextSpan } from './matched-spans';
import type { SearchOrder } from './page-collector';
import { createPageCollector } from './page-collector';
import type { ParsedQuery } from './parse-query';
import type { Hit } from './search-cursor';
import type { TranslationIndex } from './translation-index';

export interface FullTextRequest {
  query: ParsedQuery;
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
  /** True if the translation has no hit even without the filters. */
  hasNoHits: boolean;
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
      const { hits, matchedSpans } = yield* find(request.query);
      const collector = createPageCollector(request);
      const counts = new Uint32Array(books.length + 1);
      const isSelected = selectedBooks(request);
      let total = 0;
      for (const [index, verse] of hits.verses.entries()) {
        if (index % hitsPerStep === 0) yield;
        const ordinal = ordinals[verse] ?? 0;
        const position = bookPosition(ordinal);
        if (!isSelected[position]) continue;
        total += 1;
        counts[position] = (counts[position] ?? 0) + 1;
        collector.add(hits.scores[index] ?? 0, ordinal);
      }
      return {
        total,
        byBook: books.map((book) => ({ book, count: counts[book.position] ?? 0 })).filter(({ count }) => count > 0),
        ...collector.page(),
        hasNoHits: hits.verses.length === 0,
        matchedSpans,
      };
    },

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
