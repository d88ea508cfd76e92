import { join } from 'node:path';
import { findNamedPassages, warmReferenceParser } from '@lectern/canon';
import { type Logger, silentLogger } from '@lectern/serving';
import type { Subgraph, SubgraphView, WorkScheduler } from '@lectern/subgraph';
import { createSubgraph, createWorkScheduler } from '@lectern/subgraph';
import { type Metrics, silentMetrics } from '@lectern/telemetry';
import { createRequestContext, type RequestContext } from './context';
import { createFullTextSearch } from './full-text/search';
import { createCrossTranslationSearch } from './full-text/verse-search';
import { createNeeds } from './needs';
import { createResolvers } from './resolvers';
import { createSemanticMetrics } from './semantic/metrics';
import { createSemanticSearch } from './semantic/search';
import { openSemanticIndex, type SemanticIndexOptions } from './semantic/semantic-index';
import { createSearchStore, openSearchFiles, type SearchFilesOptions } from './store';

export interface SearchOptions extends Omit<SearchFilesOptions, 'report'> {
  /** The options of semantic search, from `createSemanticOptions`. Null if it is disabled. */
  semantic: SemanticIndexOptions | null;
  metrics?: Metrics;
  /** Whether to load the reference parser and the table of named passages at the start. Default: true. */
  preloadParser?: boolean;
  scheduler?: WorkScheduler;
  log?: Logger;
}

/** Loads the model, the vectors and the indexes of the default translations. */
const warmUpQueries = [
  '{ searchVerses(query: "love your enemies", mode: BEST, first: 1) { totalCount } }',
  '{ semanticSearch(query: "amor al enemigo", limit: 1) { similarity } }',
];

/** Rejects with an error of one line if the catalogue or a file of semantic search cannot be read. */
export async function createSearchSubgraph({
  semantic: semanticOptions,
  metrics: registry = silentMetrics,
  preloadParser = true,
  scheduler = createWorkScheduler(),
  log = silentLogger,
  ...options
}: SearchOptions): Promise<Subgraph<RequestContext>> {
  const files = await openOrElse(
    () => openSearchFiles({ ...options, report: (line) => log.error(line) }),
    () => semanticOptions?.embedder.close(),
  );
  const metrics = createSemanticMetrics(registry);
  const needs = createNeeds();
  const sharedWork = scheduler.createUnlimitedBudget();
  const semanticIndex = await openOrElse(
    () => semanticOptions && openSemanticIndex({ ...semanticOptions, metrics, needs, sharedWork }, files),
    () => files.close(),
  );
  if (semanticIndex) files.onChange(semanticIndex.refresh);
  if (preloadParser) {
    warmReferenceParser();
    // Loads the table of named passages, which takes about 30 ms.
    findNamedPassages('the golden rule');
  }
  const withRights = (granted: ReadonlySet<string>): SubgraphView<RequestContext> => {
    const readable = files.withRights(granted);
    const store = createSearchStore(readable);
    const fullTextSearch = createFullTextSearch(store, createCrossTranslationSearch(readable, sharedWork));
    const semanticSearch = createSemanticSearch(semanticIndex, readable, metrics);
    return {
      resolvers: createResolvers(store, fullTextSearch, semanticSearch, needs),
      createContext: (work) => createRequestContext(store, semanticSearch, work),
    };
  };
  return createSubgraph({
    name: 'search',
    schemaFile: join(__dirname, '..', 'schema.graphql'),
    dataset: files,
    unavailableFields: () => semanticIndex?.unavailableParts() ?? [],
    warmUpQueries,
    ...withRights(new Set()),
    withRights,
    scheduler,
    async close() {
      await semanticIndex?.close();
      files.close();
    },
  });
}

/** Runs `open`. If it fails, calls `closeOthers`, which closes what is already open. */
async function openOrElse<T>(open: () => Promise<T> | T, closeOthers: () => unknown): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await closeOthers();
    throw error;
  }
}
