import type { CounterIncrement, MemoryCounterStore } from '@lectern/cluster';
import { LRUCache } from 'lru-cache';

/**
 * The requests of one bucket (an address or a key in one window) that Redis may not have counted.
 */
export interface UnsyncedCount {
  /** The last count that Redis reported. 0 unless Redis may have lost this count since then. */
  readonly lastReported: number;
  /**
   * The number of requests that were counted in memory while Redis did not respond. Negative if
   * more requests were refunded than counted.
   */
  readonly local: number;
}

interface BucketState {
  /** The number of the connection on which Redis last received the bucket's count. */
  readonly connection: number;
  readonly local: number;
}

/**
 * Holds the counts that Redis lacks: the requests that this gateway counted in memory during an
 * outage, and counts that Redis may have lost. The next request of the same address or key sends
 * these counts to Redis, so an outage does not renew a day's quota. If Redis lost nothing, the sum
 * is exact. If Redis lost everything, the counts of another gateway are missing until that gateway
 * sends them.
 */
export function createUnsyncedCounts({
  memory,
  maxBuckets = 100_000,
}: {
  memory: MemoryCounterStore;
  maxBuckets?: number;
}) {
  const states = new LRUCache<string, BucketState>({ max: maxBuckets });
  let connection = 0;

  const addLocal = (bucket: string, count: number): void => {
    const { connection: syncedOn = connection, local = 0 } = states.get(bucket) ?? {};
    states.set(bucket, { connection: syncedOn, local: local + count });
  };

  return {
    /**
     * Called for each new connection to Redis. The connected server may be another server, or may
     * have lost its data.
     */
    onConnect(): void {
      connection += 1;
    },
    /** Counts in memory while Redis is unavailable. */
    consumeLocally(increments: readonly CounterIncrement[]): readonly number[] {
      const counts = memory.consume(increments);
      for (const [index, used] of counts.entries()) {
        const increment = increments[index];
        if (increment && used <= increment.max) addLocal(increment.bucket, increment.amount ?? 1);
      }
      return counts;
    },
    /** Refunds in memory while Redis is unavailable. */
    refundLocally(increment: CounterIncrement): void {
      memory.refund(increment);
      addLocal(increment.bucket, -1);
    },
    /**
     * Removes and returns the unsynced count of a bucket, which the caller sends to Redis. If
     * sending fails, `requeue` adds the count again.
     */
    flush(increment: CounterIncrement): UnsyncedCount {
      const { connection: syncedOn = connection, local = 0 } = states.get(increment.bucket) ?? {};
      states.set(increment.bucket, { connection, local: 0 });
      return { lastReported: syncedOn === connection ? 0 : memory.lastKnown(increment) - local, local };
    },
    requeue({ bucket }: CounterIncrement, { lastReported, local }: UnsyncedCount): void {
      const current = states.get(bucket);
      states.set(bucket, {
        connection: lastReported > 0 ? connection - 1 : (current?.connection ?? connection),
        local: local + (current?.local ?? 0),
      });
    },
  };
}
