import { Cluster } from 'ioredis';
import type { Redis } from 'ioredis';
import type { Logger } from '@lectern/serving';
import type { Counts, Entry } from './counts';
import type { MemoryCounts } from './memory-counts';
import { redisDeadlineMs } from './redis-client';

/** What `Counts.take` promises, in one step that no other gateway can come between. KEYS: buckets; ARGV: most and seconds of each. */
const takeScript = `
local taken = {}
for i, bucket in ipairs(KEYS) do
  local most = tonumber(ARGV[2 * i - 1])
  local used = tonumber(redis.call('GET', bucket) or '0')
  if used >= most then
    taken[i] = most + 1
    break
  end
  used = redis.call('INCR', bucket)
  if used == 1 then redis.call('EXPIRE', bucket, ARGV[2 * i]) end
  taken[i] = used
end
return taken`;

/** One less, of a count that is still there. */
const giveBackScript = `
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
if used > 0 then redis.call('DECR', KEYS[1]) end
return 0`;

const probeEveryMs = 500;

export interface RedisCountsOptions {
  redis: Redis | Cluster;
  /** What counts while Redis does not answer. It is kept at what Redis last said, and goes on from there. */
  memory: MemoryCounts;
  log: Logger;
}

/** Counts that several gateways share. Redis refused costs nothing, and hung one deadline: from then on memory counts until Redis answers a probe. */
export function createRedisCounts({ redis, memory, log }: RedisCountsOptions): Counts {
  let open = false;
  let closed = false;
  let probe: NodeJS.Timeout | undefined;
  // ioredis tells of every attempt to connect; what is worth telling is said once, below.
  redis.on('error', () => {});
  const connected = redis.connect().catch(() => {});

  const lose = (error: unknown): void => {
    if (open || closed) return;
    open = true;
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'Redis does not answer: limits are counted in memory until it does');
    const ask = async () => {
      const answers = await redis.ping().then(() => true, () => false);
      if (closed) return;
      if (!answers) {
        probe = setTimeout(() => void ask(), probeEveryMs);
        return;
      }
      open = false;
      log.info('Redis answers again: limits are shared again');
    };
    probe = setTimeout(() => void ask(), probeEveryMs);
  };

  const within = <T>(answer: Promise<T>): Promise<T> => {
    // Over its own deadline, for the client of a cluster has none for finding its nodes.
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${redisDeadlineMs} ms`)), redisDeadlineMs);
    });
    return Promise.race([answer, late]).finally(() => clearTimeout(timer));
  };

  const run = async (entries: readonly Entry[]): Promise<number[]> => {
    const values = entries.flatMap(({ most, secondsLeft }) => [most, secondsLeft]);
    return await redis.eval(takeScript, entries.length, ...entries.map(({ bucket }) => bucket), ...values) as number[];
  };

  /** The buckets of a cluster lie on several nodes, and a script runs on one: each is asked by itself, in order. */
  const runOneByOne = async (entries: readonly Entry[]): Promise<number[]> => {
    const taken: number[] = [];
    for (const entry of entries) {
      const [used = 0] = await run([entry]);
      taken.push(used);
      if (used > entry.most) break;
    }
    return taken;
  };

  return {
    async take(entries) {
      if (open) return memory.take(entries);
      try {
        // At the start only, and bounded: without it the first requests would be counted in memory for no reason.
        if (redis.status !== 'ready') await within(connected);
        const taken = await within(redis instanceof Cluster ? runOneByOne(entries) : run(entries));
        for (const [index, used] of taken.entries()) {
          const entry = entries[index];
          if (entry) memory.note(entry, Math.min(used, entry.most));
        }
        return taken;
      } catch (error) {
        lose(error);
        return memory.take(entries);
      }
    },
    giveBack(entry) {
      memory.giveBack(entry);
      if (!open) redis.eval(giveBackScript, 1, entry.bucket).catch(lose);
    },
    lastKnown: (entry) => memory.lastKnown(entry),
    isOut: () => open,
    async close() {
      closed = true;
      clearTimeout(probe);
      redis.disconnect();
    },
  };
}
