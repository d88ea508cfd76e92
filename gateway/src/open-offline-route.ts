import type { Logger } from '@lectern/serving';
import type { Route } from '@lectern/site';
import type { ReplicaState } from './gateway-metrics';
import { createOfflineRoute, type HandleFile, type OfflineRouteParts } from './http/offline-route';
import { createUpstreamFiles } from './transport/upstream-files';

export interface OfflineParts extends Pick<OfflineRouteParts, 'consumeRateLimit'> {
  /** Returns the replicas of all subgraphs. */
  replicas: () => readonly ReplicaState[];
  log: Logger;
}

/** The subgraph that has the files of offline packages. */
const offlineSubgraph = 'text';

/**
 * Opens the route of offline packages. If `handle` is null, the files are streamed from the text subgraph: first from
 * replicas whose circuit is closed.
 */
export function openOfflineRoute(
  handle: HandleFile | null,
  { replicas, consumeRateLimit, log }: OfflineParts,
): { route: Route; close: () => Promise<void> } {
  if (handle) return { route: createOfflineRoute({ handle, consumeRateLimit }), close: async () => undefined };
  const upstream = createUpstreamFiles({
    urls() {
      const own = replicas().filter(({ subgraph }) => subgraph === offlineSubgraph);
      const available = own.filter(({ isCircuitOpen }) => !isCircuitOpen);
      return (available.length > 0 ? available : own).map(({ url }) => url);
    },
    log,
  });
  return { route: createOfflineRoute({ handle: upstream.handle, consumeRateLimit }), close: upstream.close };
}
