import { errors } from '@lectern/errors';
import type { SearchOrder } from './full-text/page';

export type Testament = 'OLD' | 'NEW';

/** The arguments of a full-text search. Null means that the client left the argument out. */
export interface SearchArguments {
  query: string;
  /** The books to search: codes or names, separated by commas. */
  books: string | null;
  testament: Testament | null;
  order: SearchOrder | null;
  /** The cursor of the hit before the page. Null for the first page. */
  after: string | null;
}

const maxQueryLength = 200;

/**
 * Validates a query. Throws `tooLong` or `blank`. Full-text and semantic search share these rules.
 */
export function validateQuery(query: string): void {
  if (query.length > maxQueryLength) throw errors.tooLong('query', maxQueryLength);
  if (query.trim() === '') throw errors.blank('query');
}

export const clamp = (count: number, min: number, max: number): number => Math.min(Math.max(count, min), max);
