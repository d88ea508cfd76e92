import { join } from 'node:path';
import { warmReferenceParser } from '@lectern/canon';
import type { TranslationFileCache } from '@lectern/data-files';
import { type Logger, silentLogger } from '@lectern/serving';
import { createSubgraph, createWorkScheduler, type Subgraph, type WorkScheduler } from '@lectern/subgraph';
import { type Metrics, silentMetrics } from '@lectern/telemetry';
import { createRequestContext, type RequestContext } from './context';
import { createFullTextSearch } from './full-text/search';
import { createCrossTranslationSearch } from './full-text/translations';
import { createResolvers } from './resolvers';
import { createSemanticMetrics } from './semantic/metrics';
import { openSemanticIndex, type SemanticIndexOptions } from './semantic/nearest';
import { createSemanticHints, createSemanticSearch } from './semantic/search';
import { createSearchStore, openSearchFiles } from './store';

export interface SearchOptions {
  /** The data folder: the files of the translations, and the verse vectors. */
  dataDir: string;
  /**
   * The options that `createSemanticOptions` reads from the settings. Null disables semantic
   * search.
   */
  semantic: SemanticIndexOptions | null;
  /** The registry of Prometheus metrics. By default the subgraph counts nothing. */
  metrics?: Metrics;
  /**
   * Whether to load the parser of references (`John 3:16`) at the start, which takes half a second.
   * If false, the first use loads the parser. True by default.
   */
  preloadParser?: boolean;
  /**
   * Divides the computing time of this process among requests. By default the subgraph creates its
   * own scheduler.
   */
  scheduler?: WorkScheduler;
  /**
   * The open translation files of this process, within one memory limit. By default the subgraph
   * creates its own cache.
   */
  memory?: TranslationFileCache | undefined;
  log?: Logger;
  /** Called with each SQL statement that runs, so that tests can count the statements. */
  onStatement?: (statement: string) => void;
}

export interface SearchSubgraph extends Subgraph<RequestContext> {
  /**
   * Closes the subgraph. Resolves when the files are closed and the threads of the model have
   * ended.
   */
  close(): Promise<void>;
}

/**
 * Assembles the search subgraph. Rejects with an error of one line if the catalogue of translations
 * or a file of semantic search cannot be read.
 */
export async function createSearchSubgraph({
  dataDir,
  semantic: semanticOptions,
  metrics: registry = silentMetrics,
  preloadParser = true,
  scheduler = createWorkScheduler(),
  memory,
  log = silentLogger,
  onStatement,
}: SearchOptions): Promise<SearchSubgraph> {
  const files = await openOrElse(
    () => openSearchFiles({ dataDir, memory, report: (line) => log.error(line), onStatement }),
    () => semanticOptions?.embedder.close(),
  );
  const metrics = createSemanticMetrics(registry);
  const semanticIndex = await openOrElse(
    () =>
      semanticOptions &&
      openSemanticIndex({ ...semanticOptions, metrics, sharedWork: scheduler.createUnlimitedBudget() }, files),
    () => files.close(),
  );
  if (semanticIndex) files.onChange(semanticIndex.refresh);
  // So the first request with the argument `books`, or with a Bible reference as its search query,
  // does not wait until the parser of references is loaded.
  if (preloadParser) warmReferenceParser();
  const store = createSearchStore(files);
  const semanticSearch = createSemanticSearch(semanticIndex, metrics);
  const close = async (): Promise<void> => {
    await semanticIndex?.close();
    files.close();
  };
  const subgraph = createSubgraph({
    name: 'search',
    schemaFile: join(__dirname, '..', 'schema.graphql'),
    dataset: files,
    unavailableFields: semanticSearch.unavailableParts,
    resolvers: createResolvers({
      store,
      fullTextSearch: createFullTextSearch(store, createCrossTranslationSearch(files)),
      semanticSearch,
      semanticHints: createSemanticHints(semanticSearch),
    }),
    createContext: (work) => createRequestContext(store, semanticSearch, work),
    scheduler,
    close,
  });
  return { ...subgraph, close };
}

/**
 * Opens a resource. If `open` fails, calls `closeOthers` to close the resources that are already
 * open.
 */
async function openOrElse<T>(open: () => Promise<T> | T, closeOthers: () => unknown): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await closeOthers();
    throw error;
  }
}
