import type { CounterStore, IpcChannel } from '@lectern/cluster';
import { createMemoryCounterStore, createPrimaryCounterStore } from '@lectern/cluster';
import type { Logger } from '@lectern/serving';
import type { RedisClient } from '../redis-client';
import { createRedisCounterStore } from './redis-counter-store';

/**
 * Opens the counter store: in Redis if REDIS_URL is set, otherwise in the primary process if this
 * process is a worker, otherwise in this process. Closing the store closes the connection to Redis.
 */
export function openCounterStore({
  redis,
  redisTimeoutMs,
  channel,
  log,
}: {
  redis: RedisClient | null;
  redisTimeoutMs: number;
  channel: IpcChannel | null;
  log: Logger;
}): CounterStore {
  const memory = createMemoryCounterStore();
  if (redis) return createRedisCounterStore({ redis, memory, timeoutMs: redisTimeoutMs, log });
  return channel ? createPrimaryCounterStore({ channel, memory, log }) : memory;
}
