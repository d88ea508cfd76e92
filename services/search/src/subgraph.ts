import { join } from 'node:path';
import { warmReferenceParser } from '@lectern/canon';
import { openChecksummedFile } from '@lectern/data-files';
import type { Subgraph, WorkScheduler } from '@lectern/subgraph';
import { createSubgraph } from '@lectern/subgraph';
import type { Metrics } from '@lectern/telemetry';
import { silentMetrics } from '@lectern/telemetry';
import { createFullTextIndex } from './full-text/full-text-index';
import { createFullTextSearch } from './full-text/full-text-search';
import type { RequestContext } from './request-context';
import { createRequestContext } from './request-context';
import { createResolvers } from './resolvers';
import { searchFileKind } from './search-file';
import { createSearchMetrics } from './search-metrics';
import type { SemanticIndexOptions } from './semantic/semantic-index';
import { openSemanticIndex } from './semantic/semantic-index';
import { createSemanticSearch } from './semantic/semantic-search';
import { createSearchStore } from './store';

export interface SearchOptions {
  /** The path of search.sqlite. */
  searchFile: string;
  /** The options that `createSemanticOptions` reads from the settings. Null disables semantic search. */
  semantic: SemanticIndexOptions | null;
  /** The registry of metrics. By default the subgraph counts nothing. */
  metrics?: Metrics;
  /**
   * Loads the reference parser at once, which takes half a second.
   * If false, the first use loads it. True by default.
   */
  preloadParser?: boolean;
  /** The scheduler of this process. By default the subgraph creates its own. */
  scheduler?: WorkScheduler;
  /** Called with each SQL statement that runs. */
  onStatement?: (statement: string) => void;
}

export interface SearchSubgraph extends Subgraph<RequestContext> {
  /** Closes the subgraph. Resolves when the files are closed and the threads of the model have ended. */
  close(): Promise<void>;
}

/**
 * Assembles the search subgraph. Rejects with an error of one line if a data file cannot be read.
 */
export async function createSearchSubgraph({
  searchFile,
  semantic: semanticOptions,
  metrics: registry = silentMetrics,
  preloadParser = true,
  scheduler,
  onStatement,
}: SearchOptions): Promise<SearchSubgraph> {
  const { db, manifest } = await openOrElse(
    () => openChecksummedFile(searchFile, searchFileKind, { ...(onStatement && { onStatement }) }),
    () => semanticOptions?.embedder.close(),
  );
  const datasetVersion = manifest.get('corpusDigest') ?? '';
  const metrics = createSearchMetrics(registry);
  const semanticIndex = await openOrElse(
    () => semanticOptions && openSemanticIndex({ ...semanticOptions, metrics }, datasetVersion),
    () => db.close(),
  );
  // The argument `books` uses the reference parser.
  if (preloadParser) warmReferenceParser();
  const store = createSearchStore(db);
  const semanticSearch = createSemanticSearch(semanticIndex, metrics);
  const close = async (): Promise<void> => {
    await semanticIndex?.close();
    db.close();
  };
  const subgraph = createSubgraph({
    name: 'search',
    schemaFile: join(__dirname, '..', 'schema.graphql'),
    datasetVersion,
    unavailableFields: () => (semanticSearch.isAvailable() ? [] : ['semanticSearch']),
    resolvers: createResolvers({
      store,
      fullTextSearch: createFullTextSearch(store, createFullTextIndex(db, store.translations())),
      semanticSearch,
    }),
    createContext: (work) => createRequestContext(store, semanticSearch, work),
    scheduler,
    close,
  });
  return { ...subgraph, close };
}

/** Opens a resource. If `open` fails, calls `closeOthers` to close the resources that are already open. */
async function openOrElse<T>(open: () => Promise<T> | T, closeOthers: () => unknown): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await closeOthers();
    throw error;
  }
}
