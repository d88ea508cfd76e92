import { join } from 'node:path';
import { createConcordanceSubgraph } from '@lectern/concordance';
import { defaultTranslationsMemoryBytes } from '@lectern/data-files';
import type { Gateway, GatewayParts } from '@lectern/gateway';
import { startGateway, transportWithoutReplicas } from '@lectern/gateway';
import { createSearchSubgraph, type SearchOptions } from '@lectern/search';
import { createStudySubgraph } from '@lectern/study';
import type { Execute, Subgraph, WorkContext, WorkScheduler } from '@lectern/subgraph';
import {
  createMeasuredTranslationFileCache,
  createWorkScheduler,
  executeInProcess,
  observeUnavailableTranslations,
  unavailableParts,
} from '@lectern/subgraph';
import { type Metrics, silentMetrics } from '@lectern/telemetry';
import { createTextSubgraph } from '@lectern/text';

export interface StandaloneOptions
  extends Omit<
    GatewayParts,
    | 'supergraph'
    | 'supergraphHeaders'
    | 'supergraphCopyFolder'
    | 'supergraphPollMs'
    | 'openSubgraphs'
    | 'offlineFiles'
    | 'offlineCache'
  > {
  /** The file of the supergraph. By default the file of this version of the code. */
  supergraph?: string;
  /** The path of a data folder that `buildData` has filled. */
  dataDir: string;
  /** The options of semantic search. Null disables semantic search. */
  semantic: SearchOptions['semantic'];
  /**
   * How long one request may compute in a subgraph, in milliseconds: the setting REQUEST_CPU_MS.
   */
  requestCpuMs?: number | undefined;
  /** The memory of the open translations, in bytes: the setting TRANSLATIONS_MEMORY_BYTES. */
  translationsMemoryBytes?: number | undefined;
  /** The URL below which clients download offline packages: the setting OFFLINE_BASE_URL. */
  offlineBaseUrl?: string;
  /** Whether the reference parser is loaded before listening. True by default. */
  preloadParser?: boolean;
}

const supergraphFile = join(__dirname, '..', '..', '..', 'supergraph.graphql');

/**
 * Starts the whole graph in this process: the gateway listens for HTTP and calls the subgraphs as
 * functions.
 */
export async function startStandalone(options: StandaloneOptions): Promise<Gateway> {
  const { supergraph = supergraphFile, requestCpuMs } = options;
  const metrics = options.telemetry?.metrics ?? silentMetrics;
  // The gateway and the subgraphs share the thread, so they share its scheduler.
  const scheduler = createWorkScheduler({ ...(requestCpuMs !== undefined && { requestCpuMs }) });
  const { subgraphs, executeByName, offlineFiles } = await createSubgraphs(options, { scheduler, metrics });
  observeUnavailableTranslations(metrics, subgraphs);
  const transport = transportInProcess(subgraphs, executeByName);
  const closeSubgraphs = () => Promise.all(subgraphs.map((subgraph) => subgraph.close()));
  const gateway = await startGateway({
    ...options,
    ...(offlineFiles && { offlineFiles }),
    scheduler,
    supergraph,
    // The file belongs to this version of the code and does not change while the process runs.
    supergraphPollMs: 0,
    openSubgraphs: () => transport,
  }).catch(async (error: unknown) => {
    // The embedding model may still be loading. Closing the subgraphs waits for the model: node
    // would abort a process that exits meanwhile.
    await closeSubgraphs();
    throw error;
  });
  return {
    ...gateway,
    close: async (options) => {
      await gateway.close(options);
      await closeSubgraphs();
    },
  };
}

/** Creates the subgraphs, and a function for each that executes operations in this process. */
async function createSubgraphs(
  {
    dataDir,
    semantic,
    translationsMemoryBytes = defaultTranslationsMemoryBytes,
    preloadParser = true,
    offlineBaseUrl,
    log,
    executionStrategy,
    operationCacheBytes,
  }: StandaloneOptions,
  { scheduler, metrics }: { scheduler: WorkScheduler; metrics: Metrics },
) {
  const subgraphs: Subgraph[] = [];
  const executeByName = new Map<string, Execute>();
  const executeOptions = {
    compiled: executionStrategy === 'auto',
    // The caches of the four subgraphs together may take as much memory as the operation cache of
    // the gateway.
    operationCacheBytes: operationCacheBytes === undefined ? undefined : Math.ceil(operationCacheBytes / 4),
  };
  const add = <Context extends WorkContext>(subgraph: Subgraph<Context>) => {
    subgraphs.push(subgraph);
    executeByName.set(subgraph.name, executeInProcess(subgraph, log, executeOptions));
  };
  const memory = createMeasuredTranslationFileCache(translationsMemoryBytes, metrics);
  const common = { dataDir, scheduler, memory, log };
  const offline = offlineBaseUrl === undefined ? {} : { offlineBaseUrl };
  const text = createTextSubgraph({ ...common, ...offline, preloadParser });
  add(text);
  add(await createSearchSubgraph({ ...common, semantic, preloadParser, metrics }));
  add(createConcordanceSubgraph(common));
  add(createStudySubgraph(common));
  return { subgraphs, executeByName, offlineFiles: text.files?.handle };
}

/**
 * Returns the transport of the gateway. The subgraphs run in this process, so they have no replicas
 * and no circuit breakers. While `npm run corpus` changes translations, they may serve different
 * texts for a moment.
 */
function transportInProcess(
  subgraphs: readonly Subgraph[],
  executeByName: ReadonlyMap<string, Execute>,
): ReturnType<GatewayParts['openSubgraphs']> {
  const dataset = joinDatasets(subgraphs);
  return {
    ...transportWithoutReplicas,
    subgraph(name) {
      const execute = executeByName.get(name);
      if (!execute)
        throw new Error(
          `supergraph.graphql names a subgraph that this process does not have: ${name}. Run \`npm run compose\`.`,
        );
      return execute;
    },
    versionSkew: dataset.versionSkew,
    health: () => ({ isTokenRejected: false, degraded: subgraphs.flatMap(unavailableParts), notInSubgraphUrls: [] }),
    datasetGeneration: dataset.generation,
  };
}

/**
 * Joins the datasets of the subgraphs, which change when translations are added, replaced or
 * removed. A subgraph without a dataset is left out.
 */
function joinDatasets(subgraphs: readonly Subgraph[]) {
  let generation = 0;
  const datasets = subgraphs.flatMap(({ name, dataset }) => (dataset === null ? [] : [{ name, dataset }]));
  for (const { dataset } of datasets) dataset.onChange(() => (generation += 1));
  const versions = () => datasets.map(({ name, dataset }) => ({ name, version: dataset.datasetVersion() }));
  const isSkewed = () => new Set(versions().map(({ version }) => version)).size > 1;
  return {
    /** Returns a number that increases whenever a dataset changes. */
    generation: (): number => generation,
    /**
     * Returns the start of each subgraph's dataset version. Null if all subgraphs have the same.
     */
    versionSkew: () =>
      isSkewed() ? Object.fromEntries(versions().map(({ name, version }) => [name, [version.slice(0, 12)]])) : null,
  };
}
