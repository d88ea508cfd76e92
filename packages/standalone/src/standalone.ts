import { join } from 'node:path';
import { createConcordanceSubgraph } from '@lectern/concordance';
import { createOfflineRoute, defaultDownloadsPerMinute } from '@lectern/corpus';
import { defaultTranslationsMemoryBytes } from '@lectern/data-files';
import { type GatewayParts, startGateway, transportWithoutReplicas } from '@lectern/gateway';
import { createOriginalsSubgraph } from '@lectern/originals';
import { createSearchSubgraph, type SearchOptions } from '@lectern/search';
import type { Listening } from '@lectern/serving';
import { createStudySubgraph } from '@lectern/study';
import type { Subgraph, WorkScheduler } from '@lectern/subgraph';
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
  extends Omit<GatewayParts, `supergraph${string}` | 'openSubgraphs' | `offline${string}`> {
  /** The file of the supergraph. By default the file of this version of the code. */
  supergraph?: string;
  /** The path of a data folder that `buildData` has filled. */
  dataDir: string;
  /** The options of semantic search. Null disables semantic search. */
  semantic: SearchOptions['semantic'];
  /** The value of the setting REQUEST_CPU_MS. */
  requestCpuMs?: number;
  /** The value of the setting TRANSLATIONS_MEMORY_BYTES. */
  translationsMemoryBytes?: number;
  /** The value of the setting OFFLINE_BASE_URL. */
  offlineBaseUrl?: string;
  /** The value of the setting OFFLINE_RATE_PER_MINUTE. */
  offlinePerMinute?: number;
  /** Whether the reference parser is loaded before the server listens. Default: true. */
  preloadParser?: boolean;
}

const supergraphFile = join(__dirname, '..', '..', '..', 'supergraph.graphql');

/** Starts the gateway and all subgraphs in this process. The gateway calls the subgraphs as functions. */
export async function startStandalone(options: StandaloneOptions): Promise<Listening> {
  const { supergraph = supergraphFile, requestCpuMs } = options;
  const metrics = options.telemetry?.metrics ?? silentMetrics;
  // The gateway and the subgraphs run in the same thread, so they share one scheduler.
  const scheduler = createWorkScheduler({ requestCpuMs });
  const subgraphs = await createSubgraphs(options, { scheduler, metrics });
  observeUnavailableTranslations(metrics, subgraphs);
  const transport = transportInProcess(subgraphs, options);
  const closeSubgraphs = () => Promise.all(subgraphs.map((subgraph) => subgraph.close()));
  const gateway = await startGateway({
    ...options,
    offline: {
      maxPerMinute: options.offlinePerMinute ?? defaultDownloadsPerMinute,
      openRoute: (consumeRateLimit) => createOfflineRoute(options.dataDir, consumeRateLimit),
    },
    scheduler,
    supergraph,
    // The file belongs to this version of the code and does not change while the process runs.
    supergraphPollMs: 0,
    openSubgraphs: () => transport,
  }).catch(async (error: unknown) => {
    // The subgraphs are closed here, because Node.js would abort a process that exits while the embedding model is
    // loading.
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

async function createSubgraphs(
  options: StandaloneOptions,
  { scheduler, metrics }: { scheduler: WorkScheduler; metrics: Metrics },
): Promise<Subgraph[]> {
  const { dataDir, semantic, preloadParser = true, offlineBaseUrl, log } = options;
  const maxBytes = options.translationsMemoryBytes ?? defaultTranslationsMemoryBytes;
  const memory = createMeasuredTranslationFileCache(maxBytes, metrics);
  const common = { dataDir, scheduler, memory, log };
  return [
    createTextSubgraph({ ...common, offlineBaseUrl, preloadParser }),
    await createSearchSubgraph({ ...common, semantic, preloadParser, metrics }),
    createConcordanceSubgraph(common),
    createStudySubgraph(common),
    createOriginalsSubgraph(common),
  ];
}

/** Creates the gateway's transport to subgraphs that run in this process, without replicas. */
function transportInProcess(
  subgraphs: readonly Subgraph[],
  { log, executionStrategy, operationCacheBytes }: StandaloneOptions,
): ReturnType<GatewayParts['openSubgraphs']> {
  const executeOptions = {
    compiled: executionStrategy === 'auto',
    // The operation caches of all subgraphs together may take as much memory as that of the gateway.
    operationCacheBytes: operationCacheBytes && Math.ceil(operationCacheBytes / subgraphs.length),
  };
  const executeByName = new Map(
    subgraphs.map((subgraph) => [subgraph.name, executeInProcess(subgraph, log, executeOptions)]),
  );
  const datasets = subgraphs.flatMap(({ name, dataset }) => (dataset === null ? [] : [{ name, dataset }]));
  let datasetGeneration = 0;
  for (const { dataset } of datasets) dataset.onChange(() => (datasetGeneration += 1));
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
    // Reports the dataset versions if they differ, which they do while `npm run corpus` changes translations.
    versionSkew() {
      const versions = datasets.map(({ name, dataset }) => ({ name, version: dataset.datasetVersion() }));
      if (new Set(versions.map(({ version }) => version)).size <= 1) return null;
      return Object.fromEntries(versions.map(({ name, version }) => [name, [version.slice(0, 12)]]));
    },
    health: () => ({ isTokenRejected: false, degraded: subgraphs.flatMap(unavailableParts), notInSubgraphUrls: [] }),
    datasetGeneration: () => datasetGeneration,
  };
}
