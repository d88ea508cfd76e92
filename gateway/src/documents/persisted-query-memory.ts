import { LRUCache } from 'lru-cache';

export interface PersistedQueryMemoryOptions {
  /** The memory for the queries of all API keys, in bytes. */
  maxBytes: number;
  /** The memory for the queries of one API key, in bytes. */
  maxKeyBytes: number;
  /** The time for which a query is stored. */
  maxSeconds: number;
}

/** The estimated bytes of an entry in addition to its query, for example for the hash. */
const bytesPerEntry = 500;

/**
 * Stores the persisted queries of each API key in this process. A key that exceeds its memory
 * evicts its own queries. If all keys together exceed the memory, the key that takes the most
 * memory loses queries. So other keys never evict the queries of a key that takes less than its
 * equal share of the memory.
 */
export function createPersistedQueryMemory({ maxBytes, maxKeyBytes, maxSeconds }: PersistedQueryMemoryOptions) {
  const queriesByKey = new Map<string, LRUCache<string, string>>();
  let bytes = 0;

  const openQueries = (keyId: string): LRUCache<string, string> => {
    const known = queriesByKey.get(keyId);
    if (known) return known;
    const queries = new LRUCache<string, string>({
      maxSize: maxKeyBytes,
      sizeCalculation: (query) => 2 * query.length + bytesPerEntry,
      ttl: maxSeconds * 1_000,
    });
    queriesByKey.set(keyId, queries);
    return queries;
  };

  /** Changes the queries of an API key with `by`. Returns by how many bytes the queries grow. */
  const change = (keyId: string, by: (queries: LRUCache<string, string>) => unknown): number => {
    const queries = openQueries(keyId);
    const before = queries.calculatedSize;
    by(queries);
    if (queries.size === 0) queriesByKey.delete(keyId);
    return queries.calculatedSize - before;
  };

  const largestKey = (): string =>
    [...queriesByKey].reduce((a, b) => (b[1].calculatedSize > a[1].calculatedSize ? b : a))[0];

  return {
    get(keyId: string, hash: string): string | null {
      if (!queriesByKey.has(keyId)) return null;
      let query: string | null = null;
      // Reading a query after its lifetime removes the query, so the bytes may change.
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
