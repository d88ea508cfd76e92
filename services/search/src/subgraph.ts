import { join } from 'node:path';
import { warmReferenceParser } from '@lectern/canon';
import type { Subgraph } from '@lectern/subgraph';
import { createSubgraph } from '@lectern/subgraph';
import type { Metrics } from '@lectern/telemetry';
import { silentMetrics } from '@lectern/telemetry';
import { createFullTextIndex } from './full-text/full-text-index';
import { createFullTextSearch } from './full-text/full-text-search';
import { createSearchMetrics } from './metrics';
import type { RequestContext } from './request-context';
import { createRequestContext } from './request-context';
import { createResolvers } from './resolvers';
import { openIndexFile } from './search-file';
import type { SemanticIndexOptions } from './semantic/semantic-index';
import { openSemanticIndex } from './semantic/semantic-index';
import { createSemanticSearch } from './semantic/semantic-search';
import { corpusDigestOf, createSearchStore } from './store';

export interface SearchOptions {
  /** The path of search.sqlite. */
  searchFile: string;
  /** What finds verses by meaning, as `chooseSemantic` reads it from the settings; null for a deployment without. */
  semantic: SemanticIndexOptions | null;
  /** Where there is none, nothing is counted. */
  metrics?: Metrics;
  /** Called with each SQL statement that runs. */
  onStatement?: (statement: string) => void;
}

export interface SearchSubgraph extends Subgraph<RequestContext> {
  /** Resolves when the files are closed and the model's threads have ended. */
  close(): Promise<void>;
}

const room = join(__dirname, '..');

/** The search subgraph: by words and by meaning. Throws one clear line when a file of it cannot be read. */
export async function createSearchSubgraph({
  searchFile,
  semantic: wanted,
  metrics = silentMetrics,
  onStatement,
}: SearchOptions): Promise<SearchSubgraph> {
  const db = await openOrClose(
    () => openIndexFile(searchFile, { ...(onStatement && { onStatement }) }),
    () => wanted?.embedder.close(),
  );
  const observations = createSearchMetrics(metrics);
  const semantic = await openOrClose(
    () => wanted && openSemanticIndex({ ...wanted, observations }, corpusDigestOf(db)),
    () => db.close(),
  );
  // It reads the names in `books`: half a second once, here, rather than in the first request that needs it.
  warmReferenceParser();
  const store = createSearchStore(db);
  const semanticSearches = createSemanticSearch(semantic, observations);
  const close = async (): Promise<void> => {
    await semantic?.close();
    db.close();
  };
  const subgraph = createSubgraph({
    name: 'search',
    schemaFile: join(room, 'schema.graphql'),
    datasetVersion: corpusDigestOf(db),
    resolvers: createResolvers({
      store,
      searches: createFullTextSearch(store, createFullTextIndex(db, store.editions())),
      semantic: semanticSearches,
    }),
    createContext: () => createRequestContext(store, semanticSearches),
    close,
  });
  return { ...subgraph, close };
}

/** What was opened before is closed when the next cannot be. */
async function openOrClose<T>(open: () => Promise<T> | T, close: () => unknown): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await close();
    throw error;
  }
}
