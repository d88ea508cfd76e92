import type { CounterIncrement, CounterStore, IpcChannel, MemoryCounterStore } from '@lectern/cluster';
import { createMemoryCounterStore, createPrimaryCounterStore } from '@lectern/cluster';
import { createOutageReporter, errorMessage, type Logger, withTimeout } from '@lectern/serving';
import { Cluster } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { OpenedRedis } from '../shared/redis';

/** Requests of one bucket (an address or a key in one time window) that Redis may not have counted. */
interface UnsyncedCount {
  /** The last count that Redis reported for the bucket, if Redis may have lost it since then. Otherwise 0. */
  readonly lastReported: number;
  /** Requests counted in memory while Redis did not respond. Negative if more were refunded than counted. */
  readonly local: number;
}

interface BucketState {
  /** The sequence number of the connection on which Redis last received the bucket's count. */
  readonly connection: number;
  readonly local: number;
}

const maxUnsyncedBuckets = 100_000;

/**
 * Holds the counts that Redis lacks: requests counted in memory during an outage, and counts that Redis may have lost.
 * The next request of the same address or key sends these counts to Redis, so an outage does not reset the limit of a
 * day. The sum is exact if Redis has lost nothing. If Redis has lost everything, the counts of another gateway are
 * missing until that gateway sends them.
 */
function createUnsyncedCounts(memory: MemoryCounterStore) {
  const states = new LRUCache<string, BucketState>({ max: maxUnsyncedBuckets });
  let connection = 0;

  const stateOf = (bucket: string): BucketState => states.get(bucket) ?? { connection, local: 0 };
  const addLocal = (bucket: string, count: number): void => {
    const state = stateOf(bucket);
    states.set(bucket, { ...state, local: state.local + count });
  };

  return {
    /** Must be called for each new connection: it may lead to another server, or to one that has lost its data. */
    onConnect(): void {
      connection += 1;
    },
    consumeLocally(increments: readonly CounterIncrement[]): readonly number[] {
      const counts = memory.consume(increments);
      for (const [index, used] of counts.entries()) {
        const increment = increments[index];
        if (increment && used <= increment.max) addLocal(increment.bucket, increment.amount ?? 1);
      }
      return counts;
    },
    refundLocally(increment: CounterIncrement): void {
      memory.refund(increment);
      addLocal(increment.bucket, -1);
    },
    /** Removes and returns the unsynced count of a bucket. If sending it to Redis fails, `requeue` adds it again. */
    flush(increment: CounterIncrement): UnsyncedCount {
      const { connection: syncedOn, local } = stateOf(increment.bucket);
      states.set(increment.bucket, { connection, local: 0 });
      return { lastReported: syncedOn === connection ? 0 : memory.lastKnown(increment) - local, local };
    },
    requeue({ bucket }: CounterIncrement, { lastReported, local }: UnsyncedCount): void {
      const current = stateOf(bucket);
      states.set(bucket, {
        connection: lastReported > 0 ? connection - 1 : current.connection,
        local: local + current.local,
      });
    },
  };
}

/**
 * The Redis script that implements `CounterStore.consume` in one atomic step.
 * KEYS: the buckets, which are the names of the counts. ARGV has five values for each bucket:
 * - the maximum,
 * - the seconds until the bucket expires,
 * - the count that Redis reported last, if Redis may have lost this count since then, otherwise 0,
 * - the requests that this gateway counted in memory while Redis did not respond,
 * - the amount to add.
 */
const consumeScript = `
local counts = {}
for i, bucket in ipairs(KEYS) do
  local max, seconds, lastReported = tonumber(ARGV[5 * i - 4]), ARGV[5 * i - 3], tonumber(ARGV[5 * i - 2])
  local unsynced, amount = tonumber(ARGV[5 * i - 1]), tonumber(ARGV[5 * i])
  local stored = tonumber(redis.call('GET', bucket) or '0')
  local used = math.max(0, math.max(stored, lastReported) + unsynced)
  local allowed = used < max or amount == 0
  if allowed then used = used + amount end
  if used ~= stored then redis.call('SET', bucket, used, 'EX', seconds) end
  counts[i] = allowed and used or max + 1
  if not allowed then break end
end
return counts`;

/** Subtracts one from a count, unless the count is 0 or has expired. */
const refundScript = `
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
if used > 0 then redis.call('DECR', KEYS[1]) end
return 0`;

/**
 * Tests whether Redis can write. PING does not suffice, because Redis responds to PING even if it is read-only, out
 * of memory or denies scripts.
 */
const probeScript = `return redis.call('SET', KEYS[1], '0', 'EX', 1, 'NX')`;

const probeEveryMs = 500;

/**
 * Creates a counter store in Redis, which connects and closes the client. If Redis fails or does not respond within
 * `timeoutMs`, counts in memory until a probe of Redis succeeds. `memory` also holds the counts that Redis reported last.
 */
function createRedisCounterStore(
  { client: redis, location }: OpenedRedis,
  memory: MemoryCounterStore,
  timeoutMs: number,
  log: Logger,
): CounterStore {
  let closed = false;
  let probe: NodeJS.Timeout | undefined;
  const outage = createOutageReporter(log, {
    began: 'Redis is unavailable: each gateway counts limits in its own memory',
    ended: 'Redis is available again: limits are shared again',
  });
  // ioredis emits an error for each failed attempt to connect. These errors are ignored, because the reporter of
  // outages logs an outage once.
  redis.on('error', () => {});
  const unsynced = createUnsyncedCounts(memory);
  redis.on('ready', unsynced.onConnect);
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

  // The Redis client's own timeout is not enough: it does not bound how long the client looks for the nodes of a Redis
  // cluster.
  const withDeadline = <T>(promise: Promise<T>): Promise<T> => withTimeout(promise, timeoutMs);

  const runScript = async (increments: readonly CounterIncrement[]): Promise<number[]> => {
    const buckets = increments.map(({ bucket }) => bucket);
    const flushed = increments.map(unsynced.flush);
    const values = increments.flatMap(({ max, secondsLeft, amount = 1 }, index) => [
      max,
      secondsLeft,
      flushed[index]?.lastReported ?? 0,
      flushed[index]?.local ?? 0,
      amount,
    ]);
    let received = 0;
    try {
      const counts = (await redis.eval(consumeScript, buckets.length, ...buckets, ...values)) as number[];
      received = counts.length;
      return counts;
    } finally {
      for (const [index, increment] of increments.entries()) {
        const count = flushed[index];
        if (index >= received && count) unsynced.requeue(increment, count);
      }
    }
  };

  /**
   * Runs one script for each bucket, because the buckets may be on different nodes of a Redis cluster, and a script
   * runs on one node.
   */
  const runScriptsInOrder = async (increments: readonly CounterIncrement[]): Promise<number[]> => {
    const counts: number[] = [];
    for (const increment of increments) {
      const [used = 0] = await runScript([increment]);
      counts.push(used);
      if (used > increment.max) break;
    }
    return counts;
  };

  return {
    async consume(increments) {
      if (outage.isOngoing()) return unsynced.consumeLocally(increments);
      try {
        // Waits for the first connection to Redis. Otherwise the first requests would be counted in memory only.
        if (redis.status !== 'ready') await withDeadline(connected);
        const run = redis instanceof Cluster ? runScriptsInOrder : runScript;
        const counts = await withDeadline(run(increments));
        for (const [index, used] of counts.entries()) {
          const increment = increments[index];
          if (increment) memory.overwrite(increment, Math.min(used, increment.max));
        }
        return counts;
      } catch (error) {
        // If Redis counts a request but responds after the deadline, the request is counted a second time in memory.
        const [increment] = increments;
        if (increment) onFailure(error, increment);
        return unsynced.consumeLocally(increments);
      }
    },
    refund(increment) {
      if (outage.isOngoing()) return unsynced.refundLocally(increment);
      memory.refund(increment);
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
    /isn't writeable|connection|ECONN|EPIPE|ENOTFOUND|EHOSTUNREACH|refresh slots|sentinels are unreachable/i,
    () => 'does not accept connections',
  ],
];

/** Returns a message for operators: why Redis did not count, and what to do. */
function describeFailure(error: unknown, location: string, timeoutMs: number): string {
  const message = errorMessage(error);
  const [, describe] = failures.find(([pattern]) => pattern.test(message)) ?? [];
  return `Redis at ${location} ${describe?.(timeoutMs) ?? `rejects commands: ${message}`}`;
}

interface CounterStoreOptions {
  /** Null if the gateway uses no Redis. */
  redis: OpenedRedis | null;
  /** How long Redis may take to respond, in milliseconds. */
  redisTimeoutMs: number;
  channel: IpcChannel | null;
  log: Logger;
}

/**
 * Opens the counter store: in Redis if there is a client, otherwise in the primary process if this
 * process is a worker, otherwise in this process. Closing the store closes the connection to Redis.
 */
export function openCounterStore({ redis, redisTimeoutMs, channel, log }: CounterStoreOptions): CounterStore {
  const memory = createMemoryCounterStore();
  if (redis) return createRedisCounterStore(redis, memory, redisTimeoutMs, log);
  return channel ? createPrimaryCounterStore(channel, memory, log) : memory;
}
