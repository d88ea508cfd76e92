import type { Logger } from '@lectern/serving';
import { createOutageReporter } from '@lectern/serving';
import type { Cluster, Redis } from 'ioredis';
import { createRedisLookups } from '../redis-lookups-with-deadline';
import { createEntrySigner } from './entry-signer';

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

export interface CachedResponse {
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
