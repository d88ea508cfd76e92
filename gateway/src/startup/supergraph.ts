import { createWorkScheduler, type Logger, silentLogger, type WorkScheduler } from '@lectern/serving';
import { createGraph, type GraphOptions, graphWithoutSupergraph, type Subgraphs } from '../graph';
import { openSupergraphSource } from '../shared/text-sources';
import { createLiveSupergraph, openSupergraphCopy } from '../supergraph/live';
import { isHttpLocation } from '../supergraph/settings';

export interface SupergraphSettings
  extends Pick<
    GraphOptions,
    'limits' | 'executionStrategy' | 'responseCache' | 'maxParallelNodes' | 'exposedErrors' | 'operationCacheBytes'
  > {
  /** The path of the supergraph file, or a URL that begins with http. */
  supergraph: string;
  /** The headers of requests to the URL of the supergraph, by name. None by default. */
  supergraphHeaders?: Readonly<Record<string, string>>;
  /** The folder in which a copy of a supergraph from a URL is stored. If absent, no copy is stored. */
  supergraphCopyFolder?: string;
  /** The interval at which the supergraph is read again, in milliseconds. 0 means never. */
  supergraphPollMs: number;
  /** Opens connections to subgraphs: for each supergraph, and to probe the new subgraphs of a rejected one. */
  openSubgraphs: (log: Logger) => Subgraphs;
  /** The secret that signs forms. All gateways must have the same secret, because any gateway may receive the form. */
  formSecret: string;
  /** Divides the computing time among requests. By default the gateway creates its own scheduler. */
  scheduler?: WorkScheduler;
  log: Logger;
}

interface SupergraphParts extends Pick<GraphOptions, 'metrics' | 'onEmbeddingCalls'> {
  /** Called when a newer supergraph is served, but not for the supergraph with which the gateway starts. */
  onServed: () => void;
}

/** Opens the supergraph, and watches its file or URL for a newer supergraph. */
export async function openSupergraph(
  settings: SupergraphSettings,
  { metrics, onEmbeddingCalls, onServed }: SupergraphParts,
) {
  const { supergraph, supergraphCopyFolder, scheduler = createWorkScheduler(), log } = settings;
  const live = await createLiveSupergraph({
    source: openSupergraphSource(supergraph, settings.supergraphHeaders),
    copy:
      supergraphCopyFolder !== undefined && isHttpLocation(supergraph)
        ? openSupergraphCopy(supergraphCopyFolder, supergraph, log)
        : null,
    placeholder: graphWithoutSupergraph,
    open: (supergraphSdl) =>
      createGraph({
        ...settings,
        supergraphSdl,
        subgraphs: settings.openSubgraphs(log),
        scheduler,
        metrics,
        onEmbeddingCalls,
      }),
    async isSubgraphAvailable(name, url) {
      const subgraphs = settings.openSubgraphs(silentLogger);
      subgraphs.subgraph(name, url);
      const isAvailable = await subgraphs.isAvailable(name);
      await subgraphs.close();
      return isAvailable;
    },
    pollMs: settings.supergraphPollMs,
    onSwap(outcome) {
      metrics.supergraphSwap(outcome);
      if (outcome === 'rejected') return;
      warnOfUrls();
      onServed();
    },
    log,
  });
  const warnOfUrls = (): void => {
    const { notInSubgraphUrls } = live.current().state().health;
    if (notInSubgraphUrls.length > 0)
      log.warn(
        { notInSubgraphUrls },
        'SUBGRAPH_URLS does not name these subgraphs, so the gateway uses their URLs in the supergraph',
      );
  };
  warnOfUrls();
  return live;
}
