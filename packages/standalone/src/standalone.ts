import { join } from 'node:path';
import { createConcordanceSubgraph } from '@lectern/concordance';
import { createOfflineRoute, defaultDownloadsPerMinute } from '@lectern/corpus';
import { defaultTranslationsMemoryBytes } from '@lectern/data-files';
import { type GatewayParts, startGateway, transportWithoutReplicas } from '@lectern/gateway';
import { createOriginalsSubgraph } from '@lectern/originals';
import { createSearchSubgraph, type SearchOptions } from '@lectern/search';
import type { Listening } from '@lectern/serving';
import { createStudySubgraph } from '@lectern/study';
import type { Execute, Subgraph, WorkScheduler } from '@lectern/subgraph';
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
  /** Resolves when all data is built. Until then only the text subgraph is open. If absent, all data is there. */
  unfinished?: Promise<SearchOptions['semantic']> | undefined;
  requestCpuMs?: number;
  translationsMemoryBytes?: number;
  offlineBaseUrl?: string;
  offlinePerMinute?: number;
  /** Whether the reference parser is loaded before the server listens. Default: true. */
  preloadParser?: boolean;
}

export interface Standalone extends Listening {
  /** Resolves when all subgraphs are open. */
  complete: Promise<void>;
}

const supergraphFile = join(__dirname, '..', '..', '..', 'supergraph.graphql');

/** Starts the gateway and all subgraphs in this process. The gateway calls the subgraphs as functions. */
export async function startStandalone(options: StandaloneOptions): Promise<Standalone> {
  const { supergraph = supergraphFile, requestCpuMs } = options;
  const metrics = options.telemetry?.metrics ?? silentMetrics;
  // The gateway and the subgraphs run in the same thread, so they share one scheduler.
  const scheduler = createWorkScheduler({ requestCpuMs });
  const subgraphs = createSubgraphs(options, { scheduler, metrics });
  const others = subgraphs.openOthers();
  if (!options.unfinished) await others;
  observeUnavailableTranslations(metrics, subgraphs.opened);
  const transport = transportInProcess(subgraphs, options);
  const closeSubgraphs = () => Promise.all(subgraphs.opened.map((subgraph) => subgraph.close()));
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
    // Node.js would abort a process that exits while the embedding model is loading.
    await closeSubgraphs();
    throw error;
  });
  return {
    ...gateway,
    complete: others,
    close: async (options) => {
      await gateway.close(options);
      await closeSubgraphs();
    },
  };
}

/** The subgraphs whose data is built after the texts. */
const laterSubgraphs = ['search', 'concordance', 'study', 'originals'];

/** Opens the text subgraph. `openOthers` adds the others to `opened`. */
function createSubgraphs(
  options: StandaloneOptions,
  { scheduler, metrics }: { scheduler: WorkScheduler; metrics: Metrics },
) {
  const { dataDir, semantic, unfinished, preloadParser = true, offlineBaseUrl, log } = options;
  const maxBytes = options.translationsMemoryBytes ?? defaultTranslationsMemoryBytes;
  const memory = createMeasuredTranslationFileCache(maxBytes, metrics);
  const common = { dataDir, scheduler, memory, log };
  const opened: Subgraph[] = [createTextSubgraph({ ...common, offlineBaseUrl, preloadParser })];
  return {
    opened: opened as readonly Subgraph[],
    async openOthers(): Promise<void> {
      const searchOptions = { ...common, semantic: (await unfinished) ?? semantic, preloadParser, metrics };
      opened.push(await createSearchSubgraph(searchOptions));
      opened.push(createConcordanceSubgraph(common), createStudySubgraph(common), createOriginalsSubgraph(common));
    },
  };
}

/** Creates the gateway's transport to subgraphs that run in this process, without replicas. */
function transportInProcess(
  { opened }: Pick<ReturnType<typeof createSubgraphs>, 'opened'>,
  { log, executionStrategy, operationCacheBytes }: StandaloneOptions,
): ReturnType<GatewayParts['openSubgraphs']> {
  const executeOptions = {
    compiled: executionStrategy === 'auto',
    // The operation caches of all subgraphs together may take as much memory as that of the gateway.
    operationCacheBytes: operationCacheBytes && Math.ceil(operationCacheBytes / (1 + laterSubgraphs.length)),
  };
  const executeByName = new Map<string, Execute>();
  let datasetGeneration = 0;
  const find = (name: string): Execute | undefined => {
    const known = executeByName.get(name);
    const subgraph = known ? undefined : opened.find((each) => each.name === name);
    if (!subgraph) return known;
    const execute = executeInProcess(subgraph, log, executeOptions);
    executeByName.set(name, execute);
    subgraph.dataset?.onChange(() => (datasetGeneration += 1));
    return execute;
  };
  const isBuilding = (name: string): boolean => !opened.some((each) => each.name === name);
  return {
    ...transportWithoutReplicas,
    subgraph(name) {
      const execute = find(name);
      if (execute) return execute;
      if (!laterSubgraphs.includes(name))
        throw new Error(
          `supergraph.graphql names a subgraph that this process does not have: ${name}. Run \`npm run compose\`.`,
        );
      return (request, about) => {
        const later = find(name);
        if (!later) throw new Error('its data is being built');
        return later(request, about);
      };
    },
    // Reports the dataset versions if they differ, which they do while `npm run corpus` changes translations.
    versionSkew() {
      const versions = opened.flatMap(({ name, dataset }) =>
        dataset === null ? [] : [{ name, version: dataset.datasetVersion() }],
      );
      if (new Set(versions.map(({ version }) => version)).size <= 1) return null;
      return Object.fromEntries(versions.map(({ name, version }) => [name, [version.slice(0, 12)]]));
    },
    health: () => ({
      isTokenRejected: false,
      degraded: [
        ...laterSubgraphs.filter(isBuilding).map((subgraph) => ({ subgraph, reason: 'its data is being built' })),
        ...opened.flatMap(unavailableParts),
      ],
      notInSubgraphUrls: [],
    }),
    datasetGeneration: () => datasetGeneration,
  };
}
