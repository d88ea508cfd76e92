import { LRUCache } from 'lru-cache';
import type { CounterEntry, CounterStore } from './counter-store';

export interface MemoryCounterStore extends CounterStore {
  consume(entries: readonly CounterEntry[]): readonly number[];
  /** Learns what another store has counted, so as to go on from there. */
  note(entry: CounterEntry, used: number): void;
}

/** Changed in place, which takes less than putting another one in. */
interface Count {
  used: number;
}

/**
 * Counts in this process. Each limit has room for its own `mostBuckets`, so that a flood of addresses cannot make the counts of keys
 * forgotten; the counts that were not touched for longest go first.
 */
export function createMemoryCounterStore({ mostBuckets = 50_000 }: { mostBuckets?: number } = {}): MemoryCounterStore {
  const byAllowance = new Map<string, LRUCache<string, Count>>();

  const bucketsOf = (limit: string): LRUCache<string, Count> => {
    const known = byAllowance.get(limit);
    if (known) return known;
    const made = new LRUCache<string, Count>({ max: mostBuckets });
    byAllowance.set(limit, made);
    return made;
  };

  return {
    consume(entries) {
      const taken: number[] = [];
      for (const { limit, bucket, max } of entries) {
        const buckets = bucketsOf(limit);
        const known = buckets.get(bucket);
        const count = known ?? { used: 0 };
        if (count.used >= max) {
          taken.push(max + 1);
          break;
        }
        count.used += 1;
        if (!known) buckets.set(bucket, count);
        taken.push(count.used);
      }
      return taken;
    },
    refund({ limit, bucket }) {
      const count = bucketsOf(limit).get(bucket);
      if (count && count.used > 0) count.used -= 1;
    },
    lastKnown: ({ limit, bucket }) => bucketsOf(limit).get(bucket)?.used ?? 0,
    note({ limit, bucket }, used) {
      bucketsOf(limit).set(bucket, { used });
    },
    isUnavailable: null,
    close: async () => byAllowance.clear(),
  };
}
