import type { Environment } from '@lectern/keys';
import type { Logger } from '@lectern/serving';
import { createOutageReporter } from '@lectern/serving';
import type { RedisClient } from '../redis-client';
import { createRedisLookups } from '../redis-lookups-with-deadline';
import { hashQuery } from './query-hash';

/**
 * The deadline of a lookup, in milliseconds. A client whose query is missing sends the query again,
 * which takes about as long.
 */
const deadlineMs = 100;

/**
 * The estimated bytes of an entry in addition to the query: the hash, the id of the API key, and
 * what Redis stores about each entry.
 */
const bytesPerEntry = 250;

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

export interface RedisPersistedQueriesOptions {
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
      const bytes = Buffer.byteLength(query) + bytesPerEntry;
      redis
        .eval(storeScript, keys.length, ...keys, query, bytes, maxKeyBytes, maxSeconds)
        .then(writes.end, (error: unknown) => {
          // The rate limiter reports a lost connection, so only other failures are reported here.
          if (lookups.isReady()) writes.begin(error);
        });
    },
  };
}

export type RedisPersistedQueries = ReturnType<typeof createRedisPersistedQueries>;
