import type { Line, Logger } from '@lectern/serving';
import type { Cluster, Redis } from 'ioredis';
import type { Counts } from './counts';
import { createMemoryCounts } from './memory-counts';
import { createPrimaryCounts } from './primary-counts';
import { createRedisCounts } from './redis-counts';

/** In Redis where there is one, which is connected here and closed with the counts; else in the primary of a worker, else in this process. */
export function openCounts({ redis, line, log }: { redis: Redis | Cluster | null; line: Line | null; log: Logger }): Counts {
  const memory = createMemoryCounts();
  if (redis) return createRedisCounts({ redis, memory, log });
  return line ? createPrimaryCounts({ line, memory, log }) : memory;
}
