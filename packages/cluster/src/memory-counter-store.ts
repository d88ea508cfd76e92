import { LRUCache } from 'lru-cache';
import type { CounterIncrement, CounterStore } from './counter-store';

export interface MemoryCounterStore extends CounterStore {
  consume(increments: readonly CounterIncrement[]): readonly number[];
  /**
   * Sets a count to what a shared store reported, so that the local fallback continues from there.
   */
  overwrite(increment: CounterIncrement, used: number): void;
}

/** A count, which is changed in place. Replacing the cache's entry would cost more. */
interface Count {
  used: number;
}

/**
 * Creates a counter store in this process. Each limit has an LRU cache of `maxBuckets` counts of
 * its own, so a flood of addresses does not evict the counts of keys.
 */
export function createMemoryCounterStore({ maxBuckets = 50_000 }: { maxBuckets?: number } = {}): MemoryCounterStore {
  const countsByLimit = new Map<string, LRUCache<string, Count>>();

  const countsOf = (limit: string): LRUCache<string, Count> => {
    const existing = countsByLimit.get(limit);
    if (existing) return existing;
    const counts = new LRUCache<string, Count>({ max: maxBuckets });
    countsByLimit.set(limit, counts);
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
    overwrite({ limit, bucket }, used) {
      countsOf(limit).set(bucket, { used });
    },
    isUnavailable: null,
    close: async () => countsByLimit.clear(),
  };
}
