import { join } from 'node:path';
import { warmReferenceParser } from '@lectern/canon';
import { createSubgraph } from '@lectern/subgraph';
import type { Subgraph } from '@lectern/subgraph';
import { createFullText } from './full-text/full-text';
import { openIndexFile } from './index-file';
import { createRequestContext } from './request-context';
import type { RequestContext } from './request-context';
import { createResolvers } from './resolvers';
import { createSearches } from './searches';
import { createSearchStore } from './store';

export interface SearchOptions {
  /** The path of search.sqlite. */
  searchFile: string;
  /** Called with each SQL statement that runs. */
  onStatement?: (statement: string) => void;
}

const room = join(__dirname, '..');

/** The search subgraph: full-text search. Throws one clear line when its index cannot be read. */
export function createSearchSubgraph({ searchFile, onStatement }: SearchOptions): Subgraph<RequestContext> {
  const db = openIndexFile(searchFile, { ...(onStatement && { onStatement }) });
  // It reads the names in `books`: half a second once, here, rather than in the first request that needs it.
  warmReferenceParser();
  const store = createSearchStore(db);
  return createSubgraph({
    name: 'search',
    schemaFile: join(room, 'schema.graphql'),
    resolvers: createResolvers({ store, searches: createSearches(store, createFullText(db, store.editions())) }),
    createContext: () => createRequestContext(store),
    close: () => db.close(),
  });
}
