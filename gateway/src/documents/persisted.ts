import { errors } from '@lectern/errors';
import { LRUCache } from 'lru-cache';
import type { GatewayMetrics } from '../metrics';
import { isQueryHash } from './manifest';

export interface PersistedQueriesSettings {
  /** The memory for persisted queries, in bytes. 0 turns persisted queries off. */
  maxBytes: number;
  /** The maximum number of seconds for which a persisted query is kept. 0 turns persisted queries off. */
  maxSeconds: number;
}

/** An estimate of the bytes of an entry in addition to its query. */
const bytesPerEntry = 500;

/** The share of `maxBytes` that the queries of one API key may take. */
const maxKeyShare = 1 / 16;

/**
 * Stores the persisted queries of each key. A key that exceeds its memory evicts its own. If all keys together exceed
 * theirs, the largest key loses queries, so no key loses its equal share to others.
 */
export function createPersistedQueryMemory({ maxBytes, maxSeconds }: PersistedQueriesSettings) {
  const queriesByKey = new Map<string, LRUCache<string, string>>();
  let bytes = 0;

  const createQueries = (): LRUCache<string, string> =>
    new LRUCache({
      maxSize: Math.ceil(maxBytes * maxKeyShare),
      sizeCalculation: (query) => 2 * query.length + bytesPerEntry,
      ttl: maxSeconds * 1_000,
    });

  /** Calls `by` with the queries of an API key. Returns the growth of these queries in bytes. */
  const change = (keyId: string, by: (queries: LRUCache<string, string>) => unknown): number => {
    const queries = queriesByKey.get(keyId) ?? createQueries();
    const before = queries.calculatedSize;
    by(queries);
    if (queries.size === 0) queriesByKey.delete(keyId);
    else queriesByKey.set(keyId, queries);
    return queries.calculatedSize - before;
  };

  const largestKey = (): string =>
    [...queriesByKey].reduce((a, b) => (b[1].calculatedSize > a[1].calculatedSize ? b : a))[0];

  return {
    get(keyId: string, hash: string): string | null {
      if (!queriesByKey.has(keyId)) return null;
      let query: string | null = null;
      // Reading an expired query removes the query, so `bytes` may shrink here.
      bytes += change(keyId, (queries) => (query = queries.get(hash) ?? null));
      return query;
    },
    /** Stores a query. A query that is larger than the memory of its key is not stored. */
    set(keyId: string, hash: string, query: string): void {
      bytes += change(keyId, (queries) => queries.set(hash, query));
      while (bytes > maxBytes) bytes += change(largestKey(), (queries) => queries.pop());
    },
  };
}

/** Implements Apollo's automatic persisted queries. The queries of each API key are stored separately. */
export function createPersistedQueries(
  settings: PersistedQueriesSettings,
  metrics: Pick<GatewayMetrics, 'persistedQuery'>,
) {
  const isOff = settings.maxBytes === 0 || settings.maxSeconds === 0;
  const memory = createPersistedQueryMemory(settings);
  const find = (keyId: string, hash: string): string | null => {
    if (isOff || !isQueryHash(hash)) return null;
    const found = memory.get(keyId, hash);
    metrics.persistedQuery(found === null ? 'miss' : 'hit');
    return found;
  };
  return {
    find,
    /** Throws `persistedQueryNotSupported`, `persistedQueryNotFound` or `invalidBody`. */
    resolve(keyId: string, hash: string, query: string | null): string {
      if (isOff) throw errors.persistedQueryNotSupported();
      if (!isQueryHash(hash))
        throw errors.invalidBody(
          'The member "extensions.persistedQuery.sha256Hash" must be the SHA-256 hash of the query: 64 hexadecimal digits in lower case.',
        );
      if (query !== null) return query;
      const found = find(keyId, hash);
      if (found === null) throw errors.persistedQueryNotFound();
      return found;
    },
    /** Stores the query of a request that was executed, under the hash that the client sent. */
    register(keyId: string, hash: string, query: string): void {
      if (isOff || memory.get(keyId, hash) !== null) return;
      metrics.persistedQuery('registered');
      memory.set(keyId, hash, query);
    },
  };
}

export type PersistedQueries = ReturnType<typeof createPersistedQueries>;
