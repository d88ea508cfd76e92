import type { ServerResponse } from 'node:http';
import { createSendOfflinePackage, type Logger, parseOfflinePackagePath } from '@lectern/serving';
import type { ConsumeRateLimit, Route } from '@lectern/site';
import type { ReplicaState } from '../metrics';
import { createDownloadedPackages } from '../transport/package-cache';
import { createUpstreamFiles } from '../transport/upstream-files';

/** Responds to a request for an offline package. */
export type HandleFile = Route['handle'];

/** The folder of downloaded packages, and their maximum total size in bytes. With 0, no package is stored. */
export interface OfflineCacheSettings {
  folder: string;
  maxBytes: number;
}

interface OfflineParts {
  consumeRateLimit: ConsumeRateLimit;
  replicas: () => readonly ReplicaState[];
  cache: OfflineCacheSettings;
  log: Logger;
}

const offlineSubgraph = 'text';

/**
 * Opens the route of offline packages: translations as SQLite files for apps. `handle` responds to requests if this
 * process has the packages. If `handle` is null, the gateway fetches packages from the replicas of the text subgraph:
 * from those whose circuit is not open, or from all if every circuit is open.
 */
export function openOfflinePackageRoute(
  handle: HandleFile | null,
  { consumeRateLimit, replicas, cache, log }: OfflineParts,
): { route: Route; close(): Promise<void> } {
  if (handle) return { route: createOfflinePackageRoute(handle, consumeRateLimit), close: async () => undefined };
  const upstream = createUpstreamFiles(() => {
    const own = replicas().filter(({ subgraph }) => subgraph === offlineSubgraph);
    const available = own.filter(({ isCircuitOpen }) => !isCircuitOpen);
    return (available.length > 0 ? available : own).map(({ url }) => url);
  }, log);
  const send = createSendOfflinePackage();
  const packages = cache.maxBytes === 0 ? null : createDownloadedPackages({ ...cache, upstream, log });
  const prepared = packages?.prepare();
  const handleUpstream: HandleFile = (request, response, path) =>
    send(request, response, async () => {
      const parsed = parseOfflinePackagePath(path);
      if (!parsed) return 'not-found';
      await prepared;
      const opened = (await packages?.open(path, parsed)) ?? 'not-kept';
      if (opened !== 'not-kept') return opened;
      return (await upstream.forward(request, response, path)) ? 'sent' : 'unavailable';
    });
  return { route: createOfflinePackageRoute(handleUpstream, consumeRateLimit), close: upstream.close };
}

/** Creates the route for offline packages. Requests need no API key and are limited by the client's address. */
const createOfflinePackageRoute = (handle: HandleFile, consumeRateLimit: ConsumeRateLimit): Route => ({
  path: '/offline/',
  async handle(request, response, path) {
    if (request.method === 'GET' || request.method === 'HEAD') {
      const { allowed, retryAfterSeconds } = await consumeRateLimit(request);
      if (!allowed) return sendRateLimited(response, retryAfterSeconds);
    }
    return handle(request, response, path);
  },
});

function sendRateLimited(response: ServerResponse, seconds: number): void {
  const message = `Rate limit exceeded. Retry after ${seconds} seconds.\n`;
  response
    .writeHead(429, {
      'retry-after': String(seconds),
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(message),
      // Pages of every origin may download packages. They may read Retry-After too.
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Retry-After',
    })
    .end(response.req.method === 'HEAD' ? undefined : message);
}
