import type { Counts, Line } from '@lectern/cluster';
import { createMemoryCounts, createPrimaryCounts } from '@lectern/cluster';
import type { Logger } from '@lectern/serving';
import type { Cluster, Redis } from 'ioredis';
import { createRedisCounts } from './redis-counters';

/** In Redis where there is one, which is connected here and closed with the counts; else in the primary of a worker, else in this process. */
export function openCounts({
  redis,
  line,
  log,
}: {
  redis: Redis | Cluster | null;
  line: Line | null;
  log: Logger;
}): Counts {
  const memory = createMemoryCounts();
  if (redis) return createRedisCounts({ redis, memory, log });
  return line ? createPrimaryCounts({ line, memory, log }) : memory;
}
