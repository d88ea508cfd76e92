import type { Logger, OutageMessages } from '@lectern/serving';
import { createOutageReporter, withTimeout } from '@lectern/serving';
import type { RedisClient } from './redis-client';

/**
 * The pause after a lookup that failed or missed its deadline, in milliseconds. After the pause one
 * lookup is tried. If that lookup fails or is late too, the next pause begins.
 */
const pauseMs = 1_000;

export interface RedisLookupsOptions {
  /** The client of the rate limiter, which connects and closes it. */
  redis: RedisClient;
  /** Whether the rate limiter has found Redis unavailable. */
  isUnavailable: () => boolean;
  /** The deadline of a lookup, in milliseconds. */
  deadlineMs: number;
  /**
   * The log messages when lookups begin to miss their deadline, and when they are in time again.
   */
  messages: OutageMessages;
  log: Logger;
  /** A monotonic clock, in milliseconds. */
  now?: () => number;
}

/**
 * Creates the functions for lookups in Redis. `run` gives each lookup a deadline. After a lookup
 * that was late or failed, `isAvailable` returns false for a second. Callers then skip the lookup,
 * so that a slow Redis hardly delays requests.
 */
export function createRedisLookups({
  redis,
  isUnavailable,
  deadlineMs,
  messages,
  log,
  now = () => performance.now(),
}: RedisLookupsOptions) {
  const outage = createOutageReporter(log, messages);
  let nextTrialAt = 0;

  /** Returns whether Redis is connected and was last found to be available. */
  const isReady = (): boolean => redis.status === 'ready' && !isUnavailable();

  return {
    isReady,
    /** Returns whether the last lookup failed or missed its deadline. */
    isSlow: (): boolean => outage.isOngoing(),
    /** Returns whether a lookup should be tried: Redis is connected, and no pause is running. */
    isAvailable: (): boolean => isReady() && (!outage.isOngoing() || now() >= nextTrialAt),
    /** Settles as the lookup does. Rejects if the lookup misses its deadline. */
    async run<T>(lookup: () => Promise<T>): Promise<T> {
      if (outage.isOngoing()) nextTrialAt = now() + pauseMs;
      try {
        const found = await withTimeout(lookup(), deadlineMs);
        outage.end();
        return found;
      } catch (error) {
        nextTrialAt = now() + pauseMs;
        outage.begin(error);
        throw error;
      }
    },
  };
}
