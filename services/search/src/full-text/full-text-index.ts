import type { Book, BookCode, TestamentCode } from '@lectern/canon';
import { books } from '@lectern/canon';
import type { Database } from 'better-sqlite3';
import type { IndexedTranslation } from '../store';
import type { Position } from './cursor';
import type { TextSpan } from './matched-spans';
import type { SearchOrder } from './page-collector';
import { createPageCollector } from './page-collector';
import type { ParsedQuery } from './parse-query';
import type { TranslationIndex } from './translation-index';
import { createTranslationIndex } from './translation-index';

export interface FullTextRequest {
  query: ParsedQuery;
  /** Null for all. */
  books: ReadonlySet<BookCode> | null;
  /** Null for both. */
  testament: TestamentCode | null;
  order: SearchOrder;
  first: number;
  /** Null for the first page. */
  after: Position | null;
}

export interface FullTextPage {
  total: number;
  /** In canonical order, books without a hit left out. */
  byBook: { book: Book; count: number }[];
  hits: Position[];
  hasNextPage: boolean;
  /** Whether no verse of the whole edition answers, whatever the filters. */
  nothingFits: boolean;
  spans(text: string): TextSpan[];
}

/** Full-text search in every edition of the index. */
export function createFullTextIndex(db: Database, editions: readonly IndexedTranslation[]) {
  const texts = new Map(editions.map((edition) => [edition.identifier, createTranslationIndex(db, edition)]));
  const textOf = (edition: IndexedTranslation): TranslationIndex => {
    const text = texts.get(edition.identifier);
    if (!text) throw new Error(`the index holds no words of ${edition.identifier}`);
    return text;
  };

  return {
    page(edition: IndexedTranslation, request: FullTextRequest): FullTextPage {
      const { ordinals, find } = textOf(edition);
      const { hits, spans } = find(request.query);
      const collector = createPageCollector(request);
      const counts = new Uint32Array(books.length + 1);
      const isAsked = askedBooks(request);
      let total = 0;
      for (const [index, verse] of hits.verses.entries()) {
        const ordinal = ordinals[verse] ?? 0;
        const position = bookPosition(ordinal);
        if (!isAsked[position]) continue;
        total += 1;
        counts[position] = (counts[position] ?? 0) + 1;
        collector.add(hits.scores[index] ?? 0, ordinal);
      }
      return {
        total,
        byBook: books.map((book) => ({ book, count: counts[book.position] ?? 0 })).filter(({ count }) => count > 0),
        ...collector.page(),
        nothingFits: hits.verses.length === 0,
        spans,
      };
    },

    suggestion: (edition: IndexedTranslation, query: string): string | null => textOf(edition).suggestion(query),
  };
}

export type FullTextIndex = ReturnType<typeof createFullTextIndex>;

/** By a book's position whether its verses are asked for. */
const askedBooks = ({ books: asked, testament }: FullTextRequest): boolean[] => [
  false,
  ...books.map(
    (book) => (asked === null || asked.has(book.code)) && (testament === null || book.testament === testament),
  ),
];

/** As `verseOrdinal` writes it. */
const bookPosition = (ordinal: number): number => Math.floor(ordinal / 1_000_000);
