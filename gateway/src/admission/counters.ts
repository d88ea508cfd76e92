import { createOutageReporter, errorMessage, type Logger, withTimeout } from '@lectern/serving';
import { Cluster } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { OpenedRedis } from '../shared/redis';

/** An increment of one count: the requests of an address or a key in one window of a rate limit. */
export interface CounterIncrement {
  /** The name of the count: the limit, the start of the window, and the address or key. */
  readonly bucket: string;
  readonly limit: string;
  /** The maximum number of requests in the window, 0 or more. */
  readonly max: number;
  /** The number to add, 1 by default. The amount 0 reads the count and changes nothing. */
  readonly amount?: number;
  /** The seconds until the time window ends, rounded up. Afterwards the count may be deleted. */
  readonly secondsLeft: number;
}

export interface CounterStore {
  /**
   * Adds the amounts in order, and returns the new counts. The result of the first count at its maximum is `max + 1`,
   * and later increments are neither counted nor returned. The amount 0 only reads a count, and never stops the call.
   */
  consume(increments: readonly CounterIncrement[]): readonly number[] | Promise<readonly number[]>;
  refund(increment: CounterIncrement): void;
  /** Returns the last count that this process has read, without a request to Redis. */
  lastKnown(increment: CounterIncrement): number;
  /** Returns why this process counts in memory, or null. The property is null if the gateway uses no Redis. */
  readonly problem: (() => string | null) | null;
  close(): Promise<void>;
}

export interface MemoryCounterStore extends CounterStore {
  consume(increments: readonly CounterIncrement[]): readonly number[];
  /** Sets a count to the number that Redis has reported, from which counting continues if Redis fails. */
  overwrite(increment: CounterIncrement, used: number): void;
}

const maxCountsPerLimit = 50_000;

/** Counts in memory. Each limit has an LRU cache, so that many addresses do not evict the counts of API keys. */
export function createMemoryCounterStore(): MemoryCounterStore {
  // A count is an object that is changed in place, because replacing an entry of the LRU cache would cost more.
  const countsByLimit = new Map<string, LRUCache<string, { used: number }>>();

  const countsOf = (limit: string) => {
    let counts = countsByLimit.get(limit);
    if (!counts) countsByLimit.set(limit, (counts = new LRUCache({ max: maxCountsPerLimit })));
    return counts;
  };

  return {
    consume(increments) {
      const results: number[] = [];
      for (const { limit, bucket, max, amount = 1 } of increments) {
        const counts = countsOf(limit);
        const existing = counts.get(bucket);
        const count = existing ?? { used: 0 };
        if (count.used >= max && amount > 0) {
          results.push(max + 1);
          break;
        }
        count.used += amount;
        if (!existing && amount > 0) counts.set(bucket, count);
        results.push(count.used);
      }
      return results;
    },
    refund({ limit, bucket }) {
      const count = countsOf(limit).get(bucket);
      if (count && count.used > 0) count.used -= 1;
    },
    lastKnown: ({ limit, bucket }) => countsOf(limit).get(bucket)?.used ?? 0,
    overwrite: ({ limit, bucket }, used) => void countsOf(limit).set(bucket, { used }),
    problem: null,
    close: async () => countsByLimit.clear(),
  };
}

/**
 * `CounterStore.consume` in one atomic step. KEYS are buckets, and ARGV has for each its maximum, seconds and amount.
 */
const consumeScript = `
local counts = {}
for i, bucket in ipairs(KEYS) do
  local max, seconds, amount = tonumber(ARGV[3 * i - 2]), ARGV[3 * i - 1], tonumber(ARGV[3 * i])
  local used = tonumber(redis.call('GET', bucket) or '0')
  if amount > 0 and used >= max then
    counts[i] = max + 1
    break
  end
  if amount > 0 then redis.call('SET', bucket, used + amount, 'EX', seconds) end
  counts[i] = used + amount
end
return counts`;

/** Subtracts one from a count, unless the count is 0 or has expired. */
const refundScript = `
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
if used > 0 then redis.call('DECR', KEYS[1]) end
return 0`;

/** Tests whether Redis can write: a Redis that is read-only, out of memory or denies scripts responds to PING too. */
const probeScript = `return redis.call('SET', KEYS[1], '0', 'EX', 1, 'NX')`;

const probeEveryMs = 500;

/**
 * Counts in Redis, and connects and closes its client. If Redis does not count within `timeoutMs`, counts in memory,
 * from the counts that Redis reported last, until a probe succeeds. Redis does not learn what was counted meanwhile.
 */
export function createRedisCounterStore(
  { client: redis, location }: OpenedRedis,
  timeoutMs: number,
  log: Logger,
): CounterStore {
  const memory = createMemoryCounterStore();
  let closed = false;
  let probe: NodeJS.Timeout | undefined;
  const outage = createOutageReporter(log, {
    began: 'Redis is unavailable: each gateway process counts limits in its own memory',
    ended: 'Redis is available again: limits are shared again',
  });
  // ioredis emits an error for each failed attempt to connect. The reporter logs an outage once.
  redis.on('error', () => {});
  let isConnecting = true;
  const connected = redis
    .connect()
    .catch(() => {})
    .finally(() => {
      isConnecting = false;
    });

  const sendProbe = async (bucket: string): Promise<void> => {
    const isAccepted = await redis.eval(probeScript, 1, bucket).then(
      () => true,
      () => false,
    );
    if (closed) return;
    if (isAccepted) outage.end();
    else scheduleProbe(bucket);
  };
  const scheduleProbe = (bucket: string): void => {
    probe = setTimeout(() => void sendProbe(bucket), probeEveryMs);
  };
  // Probes write to the bucket whose count failed, because only the Redis cluster node of this bucket may be down.
  const onFailure = (error: unknown, { bucket }: CounterIncrement): void => {
    if (outage.isOngoing() || closed) return;
    outage.begin(describeFailure(error, location, timeoutMs));
    scheduleProbe(bucket);
  };

  const runScript = (increments: readonly CounterIncrement[]): Promise<number[]> => {
    const values = increments.flatMap(({ max, secondsLeft, amount = 1 }) => [max, secondsLeft, amount]);
    const buckets = increments.map(({ bucket }) => bucket);
    return redis.eval(consumeScript, buckets.length, ...buckets, ...values) as Promise<number[]>;
  };

  /** Runs one script for each bucket, because the buckets may be on different nodes of a cluster. */
  const runScriptsInOrder = async (increments: readonly CounterIncrement[]): Promise<number[]> => {
    const counts: number[] = [];
    for (const increment of increments) {
      const [used = 0] = await runScript([increment]);
      counts.push(used);
      if (used > increment.max) break;
    }
    return counts;
  };

  const consumeInRedis = async (increments: readonly CounterIncrement[]): Promise<number[]> => {
    // Waits for the first connection to Redis. Otherwise the first requests would be counted in memory only.
    if (redis.status !== 'ready') await connected;
    return redis instanceof Cluster ? runScriptsInOrder(increments) : runScript(increments);
  };

  return {
    async consume(increments) {
      if (outage.isOngoing()) return memory.consume(increments);
      try {
        // The client's own timeout does not bound how long it looks for the nodes of a cluster.
        const counts = await withTimeout(consumeInRedis(increments), timeoutMs);
        for (const [index, used] of counts.entries()) {
          const increment = increments[index];
          if (increment) memory.overwrite(increment, Math.min(used, increment.max));
        }
        return counts;
      } catch (error) {
        // If Redis counts a request but responds after the deadline, the request is counted in both.
        const [increment] = increments;
        if (increment) onFailure(error, increment);
        return memory.consume(increments);
      }
    },
    refund(increment) {
      memory.refund(increment);
      if (outage.isOngoing()) return;
      redis.eval(refundScript, 1, increment.bucket).catch((error: unknown) => onFailure(error, increment));
    },
    lastKnown: memory.lastKnown,
    problem() {
      const isDisconnected = !isConnecting && redis.status !== 'ready';
      return outage.reason() ?? (isDisconnected ? describeFailure('Connection is closed', location, timeoutMs) : null);
    },
    async close() {
      closed = true;
      clearTimeout(probe);
      redis.disconnect();
    },
  };
}

/** Pairs of a pattern of error messages, from Redis or its client, and the explanation for operators. */
const failures: readonly (readonly [RegExp, (timeoutMs: number) => string])[] = [
  [/READONLY/, () => 'is read-only: REDIS_URL must name the master'],
  [/OOM /, () => 'is out of memory: raise its maxmemory'],
  [/NOAUTH|WRONGPASS|NOPERM/, () => 'rejects the user or the password of REDIS_URL'],
  [/no response within|timed ?out/i, (timeoutMs) => `does not respond within ${timeoutMs} ms`],
  [
    /isn't writeable|connection|max retries|ECONN|EPIPE|ENOTFOUND|EHOSTUNREACH|refresh slots|sentinels are unreachable/i,
    () => 'does not accept connections',
  ],
];

/** Returns a message for operators: why Redis did not count, and what to do. */
function describeFailure(error: unknown, location: string, timeoutMs: number): string {
  const message = errorMessage(error);
  const [, describe] = failures.find(([pattern]) => pattern.test(message)) ?? [];
  return `Redis at ${location} ${describe?.(timeoutMs) ?? `rejects commands: ${message}`}`;
}
