import type { CounterEntry, CounterStore, MemoryCounterStore } from '@lectern/cluster';
import type { Logger } from '@lectern/serving';
import type { Redis } from 'ioredis';
import { Cluster } from 'ioredis';
import { withTimeout } from '../in-time';
import { redisDeadlineMs } from '../redis-client';
import { createUnsyncedCounts } from './unsynced-counts';

/**
 * What `CounterStore.take` promises, in one step that no other gateway can come between. KEYS: buckets; ARGV, for each: max, seconds, what was known of it before
 * Redis may have lost it, and what was counted without Redis.
 */
const takeScript = `
local taken = {}
for i, bucket in ipairs(KEYS) do
  local max, seconds, known, alone = tonumber(ARGV[4 * i - 3]), ARGV[4 * i - 2], tonumber(ARGV[4 * i - 1]), tonumber(ARGV[4 * i])
  local stored = tonumber(redis.call('GET', bucket) or '0')
  local used = math.max(0, math.max(stored, known) + alone)
  local allowed = used < max
  if allowed then used = used + 1 end
  if used ~= stored then redis.call('SET', bucket, used, 'EX', seconds) end
  taken[i] = allowed and used or max + 1
  if not allowed then break end
end
return taken`;

/** One less, of a count that is still there. */
const giveBackScript = `
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
if used > 0 then redis.call('DECR', KEYS[1]) end
return 0`;

const probeEveryMs = 500;

export interface RedisCounterStoreOptions {
  redis: Redis | Cluster;
  /** What counts while Redis does not answer. It is kept at what Redis last said, and goes on from there; Redis is told afterwards. */
  memory: MemoryCounterStore;
  log: Logger;
}

/** CounterStore that several gateways share. Redis refused costs nothing, and hung one deadline: from then on memory counts until Redis answers a probe. */
export function createRedisCounterStore({ redis, memory, log }: RedisCounterStoreOptions): CounterStore {
  let open = false;
  let closed = false;
  let probe: NodeJS.Timeout | undefined;
  // ioredis tells of every attempt to connect; what is worth telling is said once, below.
  redis.on('error', () => {});
  const owed = createUnsyncedCounts({ memory });
  redis.on('ready', () => owed.connected());
  const connected = redis.connect().catch(() => {});

  const lose = (error: unknown): void => {
    if (open || closed) return;
    open = true;
    log.warn(
      { reason: error instanceof Error ? error.message : String(error) },
      'Redis does not answer: limits are counted in memory until it does',
    );
    const ask = async () => {
      const answers = await redis.ping().then(
        () => true,
        () => false,
      );
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

  // Over the client's own deadline, for that of a cluster has none for finding its nodes.
  const within = <T>(answer: Promise<T>): Promise<T> => withTimeout(answer, redisDeadlineMs);

  const run = async (entries: readonly CounterEntry[]): Promise<number[]> => {
    const debts = entries.map((entry) => ({ entry, debt: owed.settle(entry) }));
    const values = debts.flatMap(({ entry: { max, secondsLeft }, debt: { known, alone } }) => [
      max,
      secondsLeft,
      known,
      alone,
    ]);
    let told = 0;
    try {
      const taken = (await redis.eval(
        takeScript,
        entries.length,
        ...entries.map(({ bucket }) => bucket),
        ...values,
      )) as number[];
      told = taken.length;
      return taken;
    } finally {
      for (const { entry, debt } of debts.slice(told)) owed.untold(entry, debt);
    }
  };

  /** The buckets of a cluster lie on several nodes, and a script runs on one: each is asked by itself, in order. */
  const runOneByOne = async (entries: readonly CounterEntry[]): Promise<number[]> => {
    const taken: number[] = [];
    for (const entry of entries) {
      const [used = 0] = await run([entry]);
      taken.push(used);
      if (used > entry.max) break;
    }
    return taken;
  };

  return {
    async consume(entries) {
      if (open) return owed.takeAlone(entries);
      try {
        // At the start only, and bounded: without it the first requests would be counted in memory for no reason.
        if (redis.status !== 'ready') await within(connected);
        const taken = await within(redis instanceof Cluster ? runOneByOne(entries) : run(entries));
        for (const [index, used] of taken.entries()) {
          const entry = entries[index];
          if (entry) memory.note(entry, Math.min(used, entry.max));
        }
        return taken;
      } catch (error) {
        // It may have counted and only not said so in time: twice counted is the lesser evil.
        lose(error);
        return owed.takeAlone(entries);
      }
    },
    refund(entry) {
      if (open) return owed.giveBackAlone(entry);
      memory.refund(entry);
      redis.eval(giveBackScript, 1, entry.bucket).catch(lose);
    },
    lastKnown: (entry) => memory.lastKnown(entry),
    isUnavailable: () => open,
    async close() {
      closed = true;
      clearTimeout(probe);
      redis.disconnect();
    },
  };
}
