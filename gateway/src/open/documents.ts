import type { CounterStore } from '@lectern/cluster';
import type { Environment } from '@lectern/keys';
import type { Logger } from '@lectern/serving';
import { errorMessage } from '@lectern/serving';
import type { PersistedQueries, PersistedQueriesSettings } from '../documents/persisted';
import { createPersistedQueries, createRedisPersistedQueries, maxKeyBytesOf } from '../documents/persisted';
import type { Documents } from '../documents/resolve';
import { createResolveDocument } from '../documents/resolve';
import type { TrustedDocuments } from '../documents/trusted';
import { openTrustedDocuments } from '../documents/trusted';
import type { Graph } from '../graph';
import type { GatewayMetrics } from '../metrics';
import type { RedisClient } from '../shared/redis';
import { openManifestSource } from '../shared/sources';

export interface TrustedDocumentsSettings {
  /** The path of the manifest, or a URL that begins with http. Empty for no trusted documents. */
  location: string;
  /** The interval at which the manifest is read again, in milliseconds. 0 means never. */
  pollMs: number;
  /** Whether all keys may send trusted documents only. */
  isOnly: boolean;
}

interface DocumentsParts {
  persistedQueries: PersistedQueriesSettings;
  trustedDocuments: TrustedDocumentsSettings;
  environment: Environment;
  redis: RedisClient | null;
  counters: CounterStore;
  supergraph: { acquire(): { readonly graph: Graph }; release(lease: { readonly graph: Graph }): void };
  metrics: GatewayMetrics;
  log: Logger;
}

/**
 * Opens the persisted queries (which clients have sent before) and the trusted documents (which the
 * operator has published). Requests may name both by an id. Rejects with the reason if the manifest
 * of trusted documents is invalid.
 */
export async function openDocuments(
  parts: DocumentsParts,
): Promise<{ documents: Documents; trustedDocuments: TrustedDocuments | null }> {
  const { location, pollMs, isOnly } = parts.trustedDocuments;
  const { supergraph, log } = parts;
  const openTrusted = async (): Promise<TrustedDocuments> =>
    openTrustedDocuments({
      source: openManifestSource(location),
      pollMs,
      async withGraph(use) {
        const lease = supergraph.acquire();
        return use(lease.graph).finally(() => supergraph.release(lease));
      },
      log,
    });
  const trustedDocuments =
    location === ''
      ? null
      : await openTrusted().catch((error: unknown) => {
          throw new Error(`TRUSTED_DOCUMENTS: ${errorMessage(error)}`, { cause: error });
        });
  const documents = createResolveDocument({
    persistedQueries: openPersistedQueries(parts),
    trustedDocuments,
    trustedDocumentsOnly: isOnly,
  });
  return { documents, trustedDocuments };
}

/** Opens the persisted queries: in this process, and in Redis if REDIS_URL is set. */
function openPersistedQueries({
  persistedQueries: settings,
  environment,
  redis,
  counters,
  metrics,
  log,
}: DocumentsParts): PersistedQueries {
  const isUnavailable = counters.isUnavailable ?? (() => false);
  const maxKeyBytes = maxKeyBytesOf(settings);
  const { maxSeconds } = settings;
  return createPersistedQueries({
    settings,
    redis: redis && createRedisPersistedQueries({ redis, isUnavailable, environment, maxKeyBytes, maxSeconds, log }),
    metrics,
  });
}
