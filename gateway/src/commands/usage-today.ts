import type { Environment, KeyRecord, UsageByKey } from '@lectern/keys';
import { readSettings, silentLogger } from '@lectern/serving';
import { createRedisCounterStore } from '../admission/counters';
import { createRateLimits } from '../admission/limits';
import { createRateLimiter } from '../admission/rate-limiter';
import { settings } from '../config';
import { openRedis } from '../shared/redis';

/** In milliseconds. It may be long, because only the user of `npm run keys` waits. */
const redisTimeoutMs = 2_000;

const maxKeysAtOnce = 100;

// Limits of 0 suffice, because this command only reads counts, which do not depend on the limits.
const limits = createRateLimits({ perMinute: 0, keyPerMinute: 0, perDay: 0, keyRequestsPerHour: 0 });

/**
 * Reads what all keys have used in the current UTC day. Without Redis, each gateway counts by itself (`not-shared`).
 */
export async function readUsageToday(
  keys: readonly KeyRecord[],
  { env, now }: { env: NodeJS.ProcessEnv; now: () => number },
): Promise<UsageByKey> {
  const { REDIS_URL: url } = readSettings(env, { REDIS_URL: settings.REDIS_URL });
  const redis = openRedis(url, redisTimeoutMs);
  if (!redis) return { kind: 'not-shared' };
  const counters = createRedisCounterStore(redis, redisTimeoutMs, silentLogger);
  const usage = new Map<string, { requests: number; embeddingCalls: number }>();
  const readCounts = async (environment: Environment): Promise<void> => {
    const rateLimiter = createRateLimiter({ counters, environment, now });
    const own = keys.filter((key) => key.environment === environment);
    for (let start = 0; start < own.length; start += maxKeysAtOnce) {
      const some = own.slice(start, start + maxKeysAtOnce);
      const counts = await rateLimiter.used(
        some.flatMap(({ id }) => [
          { limit: limits.key, subject: id },
          { limit: limits.embeddingCalls, subject: id },
        ]),
      );
      for (const [index, { id }] of some.entries())
        usage.set(id, { requests: counts[2 * index] ?? 0, embeddingCalls: counts[2 * index + 1] ?? 0 });
    }
  };
  try {
    for (const environment of ['live', 'test'] as const) await readCounts(environment);
    return counters.problem?.() ? { kind: 'unavailable' } : { kind: 'known', usage };
  } finally {
    await counters.close();
  }
}
