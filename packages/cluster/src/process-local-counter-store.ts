import { LRUCache } from 'lru-cache';
import type { CounterIncrement, CounterStore } from './counter-store-types';

export interface MemoryCounterStore extends CounterStore {
  consume(increments: readonly CounterIncrement[]): readonly number[];
  /**
   * Sets a count to the number that Redis or the primary reported. If Redis or the primary fails
   * later, this store continues from the number.
   */
  overwrite(increment: CounterIncrement, used: number): void;
}

/**
 * An object that is changed in place, because replacing the entry of the LRU cache would cost more.
 */
interface Count {
  used: number;
}

/**
 * Creates a counter store in the memory of this process. Each rate limit has a separate LRU cache
 * of `maxBuckets` counts, so requests from very many addresses do not evict the counts of API keys.
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
