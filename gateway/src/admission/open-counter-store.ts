import type { CounterStore, IpcChannel } from '@lectern/cluster';
import { createMemoryCounterStore, createPrimaryCounterStore } from '@lectern/cluster';
import type { Logger } from '@lectern/serving';
import type { Cluster, Redis } from 'ioredis';
import { createRedisCounterStore } from './redis-counter-store';

/** In Redis where there is one, which is connected here and closed with the counts; else in the primary of a worker, else in this process. */
export function openCounts({
  redis,
  channel,
  log,
}: {
  redis: Redis | Cluster | null;
  channel: IpcChannel | null;
  log: Logger;
}): CounterStore {
  const memory = createMemoryCounterStore();
  if (redis) return createRedisCounterStore({ redis, memory, log });
  return channel ? createPrimaryCounterStore({ channel, memory, log }) : memory;
}
