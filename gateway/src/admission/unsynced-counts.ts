import type { CounterIncrement, MemoryCounterStore } from '@lectern/cluster';
import { LRUCache } from 'lru-cache';

/** The requests of one bucket that a shared store has not counted or may have lost. */
export interface UnsyncedCount {
  /**
   * The last count that the store reported. 0 unless the store may have lost this count since then.
   */
  readonly lastReported: number;
  /**
   * The number of requests counted without the store. Negative if more were refunded than counted.
   */
  readonly local: number;
}

interface BucketState {
  /** The connection on which the store last received the bucket's count. */
  readonly connection: number;
  readonly local: number;
}

/**
 * Holds the counts that a shared store missed during an outage, and the counts that the store may
 * have lost. The next request of the same subject flushes them, so an outage does not renew a day's
 * quota. If the store lost nothing, the sum is exact. If the store lost everything, counts of other
 * gateways are missing until they flush theirs.
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
     * Called for each new connection. The connected store may be another store, or may have lost
     * its data.
     */
    onConnect(): void {
      connection += 1;
    },
    /** Counts in memory while the store is unavailable. */
    consumeLocally(increments: readonly CounterIncrement[]): readonly number[] {
      const counts = memory.consume(increments);
      for (const [index, used] of counts.entries()) {
        const increment = increments[index];
        if (increment && used <= increment.max) addLocal(increment.bucket, increment.amount ?? 1);
      }
      return counts;
    },
    /** Refunds in memory while the store is unavailable. */
    refundLocally(increment: CounterIncrement): void {
      memory.refund(increment);
      addLocal(increment.bucket, -1);
    },
    /**
     * Removes and returns the unsynced count, to be sent to the store. If sending fails, `requeue`
     * adds the count again.
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
