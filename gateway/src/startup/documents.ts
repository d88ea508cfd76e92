import { errorMessage, type Logger } from '@lectern/serving';
import { createPersistedQueries, type PersistedQueriesSettings } from '../documents/persisted';
import { createResolveDocument } from '../documents/resolve';
import { openTrustedDocuments } from '../documents/trusted';
import type { Graph } from '../graph';
import type { GatewayMetrics } from '../metrics';
import { openManifestSource } from '../shared/text-sources';

export interface TrustedDocumentsSettings {
  /** The path of the manifest, or a URL that begins with http. Empty for no trusted documents. */
  location: string;
  /** The interval at which the manifest is read again, in milliseconds. 0 means never. */
  pollMs: number;
  /** Whether keys may send trusted documents only. */
  isOnly: boolean;
}

interface DocumentsParts {
  persistedQueries: PersistedQueriesSettings;
  trustedDocuments: TrustedDocumentsSettings;
  supergraph: { acquire(): { readonly graph: Graph }; release(lease: { readonly graph: Graph }): void };
  metrics: GatewayMetrics;
  log: Logger;
}

/**
 * Opens the persisted queries (which clients have sent before) and the trusted documents (which the
 * operator has published). Rejects with the reason if the manifest of trusted documents is invalid.
 */
export async function openDocuments({ persistedQueries, supergraph, metrics, log, ...parts }: DocumentsParts) {
  const { location, pollMs, isOnly } = parts.trustedDocuments;
  const openTrusted = async () =>
    openTrustedDocuments({
      source: openManifestSource(location),
      pollMs,
      async withGraph(use) {
        const lease = supergraph.acquire();
        return use(lease.graph).finally(() => supergraph.release(lease));
      },
      log,
    });
  const rejectWithSetting = (error: unknown): never => {
    throw new Error(`TRUSTED_DOCUMENTS: ${errorMessage(error)}`, { cause: error });
  };
  const trustedDocuments = location === '' ? null : await openTrusted().catch(rejectWithSetting);
  const documents = createResolveDocument({
    persistedQueries: createPersistedQueries(persistedQueries, metrics),
    trustedDocuments,
    trustedDocumentsOnly: isOnly,
  });
  return { documents, trustedDocuments };
}
