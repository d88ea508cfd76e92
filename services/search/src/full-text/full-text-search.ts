import type { TestamentCode } from '@lectern/canon';
import { errors } from '@lectern/errors';
import { validateQuery } from '../search-arguments';
import type { IndexedTranslation, SearchStore } from '../store';
import type { Position } from './cursor';
import { formatCursor, parseCursor } from './cursor';
import type { FullTextIndex, FullTextPage } from './full-text-index';
import type { SearchOrder } from './page-collector';
import { canonicalQuery, parseQuery } from './parse-query';

const defaultFirst = 25;
const mostAtOnce = 100;

export type Testament = 'OLD' | 'NEW';

/** What a client asks; null where it left the argument out. */
export interface SearchArguments {
  query: string;
  books: string | null;
  testament: Testament | null;
  order: SearchOrder | null;
  after: string | null;
}

/** One page of a search in one edition. */
export interface SearchPage extends Omit<FullTextPage, 'hits' | 'nothingFits'> {
  edition: IndexedTranslation;
  hits: readonly Position[];
  /** Where another page would go on after this hit. */
  cursorOf(hit: Position): string;
  /** A query near to this one that finds something; null when this one does, or when none is near. */
  suggestion(): string | null;
}

const testamentCodes: Readonly<Record<Testament, TestamentCode>> = { OLD: 'OT', NEW: 'NT' };

/** From what a client sends to a page of hits: checks, clamps and cursors. */
export function createFullTextSearch(store: SearchStore, fullText: FullTextIndex) {
  const page = (edition: IndexedTranslation, asked: SearchArguments, first: number): SearchPage => {
    validateQuery(asked.query);
    const query = parseQuery(asked.query);
    const books = store.books(edition, asked.books);
    const order = asked.order ?? 'RELEVANCE';
    const question = [
      edition.identifier,
      order,
      asked.testament ?? '',
      [...(books ?? [])].sort().join(','),
      canonicalQuery(query),
    ].join('\n');
    const after = asked.after === null || asked.after === '' ? null : parseCursor(asked.after, question);
    if (asked.after && !after) throw errors.invalidCursor();

    const testament = asked.testament && testamentCodes[asked.testament];
    const { hits, nothingFits, ...found } = fullText.page(edition, { query, books, testament, order, first, after });
    return {
      ...found,
      edition,
      hits,
      cursorOf: (position) => formatCursor(position, question),
      suggestion: () => (nothingFits ? fullText.suggestion(edition, asked.query) : null),
    };
  };

  return {
    /** The best verses alone: none for a limit of 0 or less. */
    top: (
      edition: IndexedTranslation,
      query: string,
      { limit, order }: { limit: number | null; order: SearchOrder | null },
    ): SearchPage =>
      page(edition, { query, order, books: null, testament: null, after: null }, clamp(limit ?? defaultFirst, 0)),

    /** At least one verse a page, so that whoever walks the pages gets on. */
    page: (edition: IndexedTranslation, asked: SearchArguments & { first: number | null }): SearchPage =>
      page(edition, asked, clamp(asked.first ?? defaultFirst, 1)),
  };
}

export type FullTextSearch = ReturnType<typeof createFullTextSearch>;

const clamp = (count: number, least: number): number => Math.min(Math.max(count, least), mostAtOnce);
