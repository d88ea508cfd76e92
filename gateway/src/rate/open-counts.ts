import type { Line, Logger } from '@lectern/serving';
import type { Counts } from './counts';
import { createMemoryCounts } from './memory-counts';
import { createPrimaryCounts } from './primary-counts';
import { createRedisClient, parseRedisUrl } from './redis-client';
import { createRedisCounts } from './redis-counts';

/** In Redis where there is a URL, else in the primary of a worker, else in this process. */
export function openCounts({ redisUrl, line, log }: { redisUrl: string; line: Line | null; log: Logger }): Counts {
  const memory = createMemoryCounts();
  if (redisUrl !== '') return createRedisCounts({ redis: createRedisClient(parseRedisUrl(redisUrl)), memory, log });
  return line ? createPrimaryCounts({ line, memory, log }) : memory;
}
