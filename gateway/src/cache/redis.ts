import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Logger } from '@lectern/serving';
import { createOutageReporter } from '@lectern/serving';
import type { Cluster, Redis } from 'ioredis';
import type { GatewayMetrics } from '../metrics';
import { createRedisLookups } from '../shared/redis';

const signatureBytes = 32;
/**
 * The version of the format of entries. The key of an entry depends on the version, so a gateway
 * never reads an entry of another format.
 */
const format = '1';

/**
 * Creates the functions that sign and verify cache entries, because other programs may write to
 * Redis too. Without the deployment's secret, a key does not reveal the request, and nobody can
 * forge an entry. A damaged entry, or an entry copied from another key, fails verification.
 */
function createEntrySigner(secret: string) {
  const signingKey = createHmac('sha256', secret).update('cached responses').digest();
  const signatureOf = (key: string, body: string | Buffer): Buffer =>
    createHmac('sha256', signingKey).update(`entry ${key}\n`).update(body).digest();

  return {
    keyFor: (parts: readonly (string | number)[]): string =>
      createHmac('sha256', signingKey)
        .update(`key ${JSON.stringify([format, ...parts])}`)
        .digest('base64url'),
    /** Returns the signature followed by the body. */
    sign: (key: string, body: string | Buffer): Buffer =>
      Buffer.concat([signatureOf(key, body), typeof body === 'string' ? Buffer.from(body) : body]),
    /** Returns the body, or null if the entry was not signed for this key with this secret. */
    verify(key: string, entry: Buffer): Buffer | null {
      if (entry.length < signatureBytes) return null;
      const body = entry.subarray(signatureBytes);
      return timingSafeEqual(entry.subarray(0, signatureBytes), signatureOf(key, body)) ? body : null;
    },
  };
}

const maxResponseBytes = 256_000;
/**
 * The maximum number of bytes in flight to Redis. Further responses are not written, because
 * commands of the rate limiter wait behind them on the same connection.
 */
const maxBytesInFlight = 2_000_000;

export interface RedisCacheOptions {
  /** The client of the rate limiter, which connects and closes it. */
  redis: Redis | Cluster;
  /** Whether the rate limiter has found Redis unavailable. */
  isUnavailable: () => boolean;
  /** The secret that signs the entries. All gateways of the deployment have the same secret. */
  secret: string;
  /** The time for which a response is cached, in seconds. */
  seconds: number;
  /** The deadline of a lookup, in milliseconds. By default 20, about as long as subgraphs take. */
  deadlineMs?: number;
  log: Logger;
  /** A monotonic clock, in milliseconds. */
  now?: () => number;
}

interface CachedResponse {
  readonly body: Buffer;
  /**
   * The remaining time to live, in milliseconds. A copy of the response in this process gets this
   * time, so copying never extends the time for which a response is cached.
   */
  readonly remainingMs: number;
}

/**
 * Caches responses as bytes in Redis, for all gateways of a deployment. If Redis fails or is slow,
 * a response takes at most `deadlineMs` longer.
 */
export function createRedisCache({
  redis,
  isUnavailable,
  secret,
  seconds,
  deadlineMs = 20,
  log,
  now = () => performance.now(),
}: RedisCacheOptions) {
  const signer = createEntrySigner(secret);
  const lookups = createRedisLookups({
    redis,
    isUnavailable,
    deadlineMs,
    messages: {
      began: 'cached responses are not read from Redis: Redis is slow',
      ended: 'cached responses are read from Redis again',
    },
    log,
    now,
  });
  const writes = createOutageReporter(log, {
    began: 'Redis rejects cached responses: each gateway caches its own',
    ended: 'Redis accepts cached responses again',
  });
  let bytesInFlight = 0;

  return {
    /**
     * Returns the key of an entry. The key depends on `seconds`, so a gateway never finds an entry
     * that was written with another time to live.
     */
    keyFor: (parts: readonly string[]): string => `lectern:response:${signer.keyFor([seconds, ...parts])}`,

    isAvailable: lookups.isAvailable,

    /**
     * Looks up a response. Resolves to null if there is no entry, or if the entry has no time left
     * to live. Rejects if Redis fails or misses the deadline, or if the signature is not valid.
     */
    async get(key: string): Promise<CachedResponse | null> {
      const startedAt = now();
      const replies = await lookups.run(() => redis.pipeline().getBuffer(key).pttl(key).exec());
      const [[error, stored] = [], [, timeToLive] = []] = replies ?? [];
      if (error) throw error;
      if (!Buffer.isBuffer(stored)) return null;
      const body = signer.verify(key, stored);
      if (!body) throw new Error('the cache entry has no valid signature');
      // The duration of the lookup is subtracted, because Redis may have read the time to live when
      // the lookup began. No gateway writes an entry without a time to live, so an entry without it
      // is ignored.
      const remainingMs = typeof timeToLive === 'number' ? timeToLive - Math.ceil(now() - startedAt) : 0;
      return remainingMs > 0 ? { body, remainingMs } : null;
    },

    /**
     * Writes a response in the background. Drops a response that is too large, or that would exceed
     * the bytes in flight, and every response while Redis is unavailable or slow.
     */
    set(key: string, body: string | Buffer): void {
      const bytes = Buffer.byteLength(body);
      if (bytes > maxResponseBytes || bytesInFlight + bytes > maxBytesInFlight) return;
      if (!lookups.isReady() || lookups.isSlow()) return;
      bytesInFlight += bytes;
      redis
        .set(key, signer.sign(key, body), 'EX', seconds)
        .then(writes.end, (error: unknown) => {
          // The rate limiter reports a lost connection, so only other failures are reported here.
          if (lookups.isReady()) writes.begin(error);
        })
        .finally(() => (bytesInFlight -= bytes));
    },
  };
}

export type RedisCache = ReturnType<typeof createRedisCache>;

/**
 * The dataset (the Bible texts) that a graph's subgraphs serve, as far as they have reported it.
 */
export interface ServedDataset {
  /**
   * Returns the dataset version (a digest) that all subgraphs report. Subgraphs whose responses
   * have never had a version are ignored. Returns null if the version of another subgraph is not
   * known yet, or if the versions differ.
   */
  datasetVersion(): string | null;
  /** Returns a number that changes whenever a subgraph reports another dataset than before. */
  datasetGeneration(): number;
}

interface SecondLevelCacheOptions {
  redisCache: Pick<RedisCache, 'isAvailable' | 'keyFor' | 'get' | 'set'>;
  supergraphSdl: string;
  dataset: ServedDataset;
  metrics: Pick<GatewayMetrics, 'sharedCacheLookup'>;
}

/** The entry of one request in the second-level cache. */
export interface SecondLevelEntry {
  /**
   * Resolves to the cached response. Resolves to null if there is no response, if the response
   * cannot be read in time, or if the dataset has changed meanwhile. Never rejects.
   */
  get(): Promise<CachedResponse | null>;
  set(body: string | Buffer): void;
}

/**
 * Returns the entry of a request. Returns null while Redis is unavailable or the dataset version is
 * unknown.
 */
export type SecondLevelCache = (request: string) => SecondLevelEntry | null;

/**
 * Shares the cached responses of one supergraph among gateways, in Redis. The key of an entry names
 * the supergraph, the dataset version and the request. If a subgraph reports another dataset during
 * the request, a response may be from either dataset. So a response from Redis is then not used,
 * and a new response is not written to Redis.
 */
export function createSecondLevelCache({
  redisCache,
  supergraphSdl,
  dataset,
  metrics,
}: SecondLevelCacheOptions): SecondLevelCache {
  const supergraphHash = createHash('sha256').update(supergraphSdl).digest('hex');

  return (request) => {
    const version = dataset.datasetVersion();
    if (version === null || !redisCache.isAvailable()) {
      metrics.sharedCacheLookup('skipped');
      return null;
    }
    const generation = dataset.datasetGeneration();
    const isSameDataset = (): boolean => dataset.datasetGeneration() === generation;
    const key = redisCache.keyFor([supergraphHash, version, request]);
    return {
      async get() {
        try {
          const cached = await redisCache.get(key);
          const usable = isSameDataset() ? cached : null;
          metrics.sharedCacheLookup(usable ? 'hit' : 'miss');
          return usable;
        } catch {
          metrics.sharedCacheLookup('failed');
          return null;
        }
      },
      set(body) {
        if (isSameDataset()) redisCache.set(key, body);
      },
    };
  };
}
