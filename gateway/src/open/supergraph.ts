import type { Logger, WorkScheduler } from '@lectern/serving';
import { createWorkScheduler } from '@lectern/serving';
import type { OnEmbeddingCalls } from '../execution/subgraph';
import type { GraphOptions, ResponseCacheSettings, Subgraphs } from '../graph';
import { createGraph, graphWithoutSupergraph } from '../graph';
import type { GatewayMetrics } from '../metrics';
import { isHttpLocation, openSupergraphSource } from '../shared/sources';
import { createLiveSupergraph, openSupergraphCopy } from '../supergraph/live';
import type { QueryLimits } from '../validation/measure';

/** The options of a gateway that concern the supergraph. */
export interface SupergraphSettings {
  /** The path of the supergraph file, or a URL that begins with http. */
  supergraph: string;
  /** The headers of requests to that URL, by name. None by default. */
  supergraphHeaders?: Readonly<Record<string, string>>;
  /** The folder of the copy of a supergraph at a URL. Without it no copy is kept. */
  supergraphCopyFolder?: string;
  /** The interval at which the supergraph is read again, in milliseconds. 0 means never. */
  supergraphPollMs: number;
  /** Opens the connections to the subgraphs. Called for each supergraph. */
  openSubgraphs: () => Subgraphs;
  limits: QueryLimits;
  executionStrategy: GraphOptions['executionStrategy'];
  /** The memory of the operation cache, in bytes. */
  operationCacheBytes?: number;
  responseCache: ResponseCacheSettings;
  /** The secret that signs forms. All gateways have the same secret. */
  formSecret: string;
  /**
   * Divides the computing time of this process among requests. By default the gateway creates its
   * own scheduler.
   */
  scheduler?: WorkScheduler | undefined;
  log: Logger;
}

interface SupergraphParts {
  gatewayMetrics: GatewayMetrics;
  onEmbeddingCalls: OnEmbeddingCalls;
  /**
   * Called when a new supergraph is served, but not for the supergraph with which the gateway
   * starts.
   */
  onServed: () => void;
}

/** Opens the supergraph, and watches its source for a new one. */
export function openSupergraph(
  {
    supergraph,
    supergraphHeaders,
    supergraphCopyFolder,
    supergraphPollMs,
    openSubgraphs,
    limits,
    executionStrategy,
    operationCacheBytes,
    responseCache,
    scheduler = createWorkScheduler(),
    log,
  }: SupergraphSettings,
  { gatewayMetrics, onEmbeddingCalls, onServed }: SupergraphParts,
) {
  return createLiveSupergraph({
    source: openSupergraphSource(supergraph, supergraphHeaders),
    copy:
      supergraphCopyFolder !== undefined && isHttpLocation(supergraph)
        ? openSupergraphCopy(supergraphCopyFolder, supergraph, log)
        : null,
    placeholder: graphWithoutSupergraph,
    open: (supergraphSdl) =>
      createGraph({
        supergraphSdl,
        subgraphs: openSubgraphs(),
        limits,
        executionStrategy,
        ...(operationCacheBytes !== undefined && { operationCacheBytes }),
        responseCache,
        scheduler,
        metrics: gatewayMetrics,
        onEmbeddingCalls,
        log,
      }),
    pollMs: supergraphPollMs,
    onSwap(outcome) {
      gatewayMetrics.supergraphSwap(outcome);
      if (outcome === 'served') onServed();
    },
    log,
  });
}
