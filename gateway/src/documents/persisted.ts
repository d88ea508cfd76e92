import { errors } from '@lectern/errors';
import type { Environment } from '@lectern/keys';
import type { Logger } from '@lectern/serving';
import { createOutageReporter } from '@lectern/serving';
import { LRUCache } from 'lru-cache';
import type { GatewayMetrics } from '../metrics';
import type { Awaitable } from '../shared/awaitable';
import { thenMaybe } from '../shared/awaitable';
import type { RedisClient } from '../shared/redis';
import { createRedisLookups } from '../shared/redis';
import { hashQuery, isQueryHash } from './manifest';

interface PersistedQueryMemoryOptions {
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

/**
 * The deadline of a lookup, in milliseconds. A client whose query is missing sends the query again,
 * which takes about as long.
 */
const deadlineMs = 100;

/**
 * The estimated bytes of an entry in addition to the query: the hash, the id of the API key, and
 * what Redis stores about each entry.
 */
const bytesPerRedisEntry = 250;

/**
 * The Redis script that stores a query, unless the query is stored already or would exceed the
 * bytes of its API key.
 * KEYS: the entry and the counter of the API key's bytes. ARGV: the query, the bytes of the entry,
 * the maximum bytes of an API key, and the seconds until entries and counters expire.
 */
const storeScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local used = tonumber(redis.call('GET', KEYS[2]) or '0')
local bytes = tonumber(ARGV[2])
if used + bytes > tonumber(ARGV[3]) then return 0 end
if used == 0 then redis.call('SET', KEYS[2], bytes, 'EX', ARGV[4]) else redis.call('INCRBY', KEYS[2], bytes) end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[4])
return 1`;

interface RedisPersistedQueriesOptions {
  /** The client of the rate limiter, which connects and closes it. */
  redis: RedisClient;
  /** Whether the rate limiter has found Redis unavailable. */
  isUnavailable: () => boolean;
  environment: Environment;
  /**
   * The bytes that one API key may store within `maxSeconds`. Beyond them, each gateway stores the
   * queries of the key in its own memory only.
   */
  maxKeyBytes: number;
  maxSeconds: number;
  log: Logger;
}

/** Stores persisted queries in Redis, for all gateways of a deployment. */
export function createRedisPersistedQueries({
  redis,
  isUnavailable,
  environment,
  maxKeyBytes,
  maxSeconds,
  log,
}: RedisPersistedQueriesOptions) {
  const lookups = createRedisLookups({
    redis,
    isUnavailable,
    deadlineMs,
    messages: {
      began: 'persisted queries are not read from Redis: Redis is slow',
      ended: 'persisted queries are read from Redis again',
    },
    log,
  });
  const writes = createOutageReporter(log, {
    began: 'Redis rejects persisted queries: each gateway stores its own',
    ended: 'Redis accepts persisted queries again',
  });
  // The names contain the environment, because gateways of `test` and `live` may share Redis. The
  // braces put the entries and the counter of an API key on one node of a cluster.
  const entryOf = (keyId: string, hash: string): string => `lectern:persisted-query:${environment}:{${keyId}}:${hash}`;

  return {
    /** Resolves to null if Redis does not have the query, fails or is late. Never rejects. */
    async get(keyId: string, hash: string): Promise<string | null> {
      if (!lookups.isAvailable()) return null;
      try {
        const query = await lookups.run(() => redis.get(entryOf(keyId, hash)));
        // Other programs may write to Redis too, so the query must have the requested hash.
        return query !== null && hashQuery(query) === hash ? query : null;
      } catch {
        return null;
      }
    },
    /** Stores a query in the background. Does nothing while Redis is unavailable or slow. */
    set(keyId: string, hash: string, query: string): void {
      if (!lookups.isReady() || lookups.isSlow()) return;
      const keys = [entryOf(keyId, hash), `lectern:persisted-query-bytes:${environment}:{${keyId}}`];
      const bytes = Buffer.byteLength(query) + bytesPerRedisEntry;
      redis
        .eval(storeScript, keys.length, ...keys, query, bytes, maxKeyBytes, maxSeconds)
        .then(writes.end, (error: unknown) => {
          // The rate limiter reports a lost connection, so only other failures are reported here.
          if (lookups.isReady()) writes.begin(error);
        });
    },
  };
}

type RedisPersistedQueries = ReturnType<typeof createRedisPersistedQueries>;

export interface PersistedQueriesSettings {
  /** The memory for persisted queries, in bytes. 0 turns persisted queries off. */
  maxBytes: number;
  /** The time for which a query is stored. 0 turns persisted queries off. */
  maxSeconds: number;
}

/** The share of the memory that one API key may take. */
const maxKeyShare = 1 / 16;

export const maxKeyBytesOf = ({ maxBytes }: PersistedQueriesSettings): number => Math.ceil(maxBytes * maxKeyShare);

/**
 * Automatic persisted queries as Apollo defines them. A client sends the hash of a query. If the
 * gateway does not know the hash, the client sends hash and query. The queries of each API key are
 * stored separately.
 */
export function createPersistedQueries({
  settings,
  redis,
  metrics,
}: {
  settings: PersistedQueriesSettings;
  /** The store that gateways share. Null without Redis. */
  redis: RedisPersistedQueries | null;
  metrics: Pick<GatewayMetrics, 'persistedQuery'>;
}) {
  const isOff = settings.maxBytes === 0 || settings.maxSeconds === 0;
  const memory = createPersistedQueryMemory({ ...settings, maxKeyBytes: maxKeyBytesOf(settings) });

  const find = (keyId: string, hash: string): Awaitable<string | null> => {
    const known = memory.get(keyId, hash);
    if (known !== null || !redis) return known;
    return redis.get(keyId, hash).then((query) => {
      if (query !== null) memory.set(keyId, hash, query);
      return query;
    });
  };

  return {
    /**
     * Returns the query of this hash: the query that the client sent, or else the stored query.
     * Throws `persistedQueryNotSupported`, `persistedQueryNotFound` or `invalidBody`.
     */
    resolve(keyId: string, hash: string, query: string | null): Awaitable<string> {
      if (isOff) throw errors.persistedQueryNotSupported();
      if (!isQueryHash(hash))
        throw errors.invalidBody(
          'The member "extensions.persistedQuery.sha256Hash" must be the SHA-256 hash of the query: 64 hexadecimal digits in lower case.',
        );
      if (query !== null) return query;
      return thenMaybe(find(keyId, hash), (found) => {
        metrics.persistedQuery(found === null ? 'miss' : 'hit');
        if (found === null) throw errors.persistedQueryNotFound();
        return found;
      });
    },
    /** Stores the query of a request that was executed, under the hash that the client sent. */
    register(keyId: string, hash: string, query: string): void {
      if (isOff || memory.get(keyId, hash) !== null) return;
      metrics.persistedQuery('registered');
      memory.set(keyId, hash, query);
      redis?.set(keyId, hash, query);
    },
  };
}

export type PersistedQueries = ReturnType<typeof createPersistedQueries>;
