import { errors } from '@lectern/errors';

const longestQuery = 200;

/** What every kind of search demands of a query. */
export function validateQuery(query: string): void {
  if (query.length > longestQuery) throw errors.tooLong('query', longestQuery);
  if (query.trim() === '') throw errors.blank('query');
}
