import { errors } from '@lectern/errors';
import { errorMessage } from '@lectern/serving';
import type { GatewayMetrics } from '../metrics';
import { openManifestSource } from '../shared/text-sources';
import type { GraphqlParams } from '../validation/validator';
import { createPersistedQueries, type PersistedQueries, type PersistedQueriesSettings } from './persisted';
import { openTrustedDocuments, type TrustedDocuments, type TrustedDocumentsOptions } from './trusted';

/** A request that identifies its document by an id. The request may contain the query too. */
interface IdentifiedParams extends Omit<GraphqlParams, 'query'> {
  readonly query: string | null;
  /** The id of a trusted document, or the SHA-256 hash of a query. */
  readonly documentId: string;
  /** Whether the id is the hash in `extensions.persistedQuery.sha256Hash` (automatic persisted queries). */
  readonly isPersistedQuery: boolean;
}

/** The parameters of a request. Most requests have a query and no id of a document. */
export type RequestParams = (GraphqlParams & { readonly documentId: null }) | IdentifiedParams;

export interface DocumentCaller {
  readonly keyId: string;
  readonly trustedDocumentsOnly: boolean;
}

/** Finds the document of a request: its query, a trusted document, or a persisted query of the API key. */
function createResolveDocument(
  persistedQueries: PersistedQueries,
  trustedDocuments: TrustedDocuments | null,
  trustedDocumentsOnly: boolean,
) {
  const findTrusted = ({ query, documentId }: RequestParams): string | null => {
    if (query === null) return documentId === null ? null : (trustedDocuments?.find(documentId) ?? null);
    return trustedDocuments?.has(query) ? query : null;
  };

  return {
    /** Throws `queryNotInSafelist`, `unknownDocumentId` and the errors of `PersistedQueries.resolve`. */
    resolve(caller: DocumentCaller, params: RequestParams): GraphqlParams {
      const isRestricted = trustedDocumentsOnly || caller.trustedDocumentsOnly;
      if (!isRestricted && params.documentId === null) return params;
      const { documentId, variables, operationName } = params;
      const trusted = findTrusted(params);
      if (trusted !== null) return { query: trusted, variables, operationName };
      if (isRestricted) throw errors.queryNotInSafelist();
      if (documentId === null) return params;
      const query = params.isPersistedQuery
        ? persistedQueries.resolve(caller.keyId, documentId, params.query)
        : persistedQueries.find(caller.keyId, documentId);
      if (query === null) throw errors.unknownDocumentId();
      return { query, variables, operationName };
    },
    /** Stores an executed query if the client sent its hash, unless it is a trusted document. */
    register({ keyId }: DocumentCaller, params: RequestParams): void {
      if (params.documentId === null || params.query === null || trustedDocuments?.has(params.query)) return;
      persistedQueries.register(keyId, params.documentId, params.query);
    },
  };
}

export type Documents = ReturnType<typeof createResolveDocument>;

export interface TrustedDocumentsSettings {
  /** The path of the manifest, or a URL that begins with http. Empty for no trusted documents. */
  location: string;
  /** The interval at which the manifest is read again, in milliseconds. 0 means never. */
  pollMs: number;
  isOnly: boolean;
}

interface DocumentsParts extends Pick<TrustedDocumentsOptions, 'withGraph' | 'log'> {
  persistedQueries: PersistedQueriesSettings;
  trustedDocuments: TrustedDocumentsSettings;
  metrics: GatewayMetrics;
}

/** Opens the persisted queries of clients and the operator's trusted documents. Rejects if the manifest is invalid. */
export async function openDocuments({ persistedQueries, metrics, withGraph, log, ...parts }: DocumentsParts) {
  const { location, pollMs, isOnly } = parts.trustedDocuments;
  const openTrusted = async () =>
    openTrustedDocuments({ source: openManifestSource(location), pollMs, withGraph, log });
  const rejectWithSetting = (error: unknown): never => {
    throw new Error(`TRUSTED_DOCUMENTS: ${errorMessage(error)}`, { cause: error });
  };
  const trustedDocuments = location === '' ? null : await openTrusted().catch(rejectWithSetting);
  const queries = createPersistedQueries(persistedQueries, metrics);
  return { documents: createResolveDocument(queries, trustedDocuments, isOnly), trustedDocuments };
}
