import type { Logger } from '@lectern/serving';
import type { Counts } from './counts';
import { createMemoryCounts } from './memory-counts';
import { createRedisClient, parseRedisUrl } from './redis-client';
import { createRedisCounts } from './redis-counts';

/** In Redis where there is a URL, else in this process. */
export function openCounts({ redisUrl, log }: { redisUrl: string; log: Logger }): Counts {
  const memory = createMemoryCounts();
  return redisUrl === '' ? memory : createRedisCounts({ redis: createRedisClient(parseRedisUrl(redisUrl)), memory, log });
}
