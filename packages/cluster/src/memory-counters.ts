import { LRUCache } from 'lru-cache';
import type { Counts, Entry } from './counter-store';

export interface MemoryCounts extends Counts {
  take(entries: readonly Entry[]): readonly number[];
  /** Learns what another store has counted, so as to go on from there. */
  note(entry: Entry, used: number): void;
}

/** Changed in place, which takes less than putting another one in. */
interface Count {
  used: number;
}

/**
 * Counts in this process. Each allowance has room for its own `mostBuckets`, so that a flood of addresses cannot make the counts of keys
 * forgotten; the counts that were not touched for longest go first.
 */
export function createMemoryCounts({ mostBuckets = 50_000 }: { mostBuckets?: number } = {}): MemoryCounts {
  const byAllowance = new Map<string, LRUCache<string, Count>>();

  const bucketsOf = (allowance: string): LRUCache<string, Count> => {
    const known = byAllowance.get(allowance);
    if (known) return known;
    const made = new LRUCache<string, Count>({ max: mostBuckets });
    byAllowance.set(allowance, made);
    return made;
  };

  return {
    take(entries) {
      const taken: number[] = [];
      for (const { allowance, bucket, most } of entries) {
        const buckets = bucketsOf(allowance);
        const known = buckets.get(bucket);
        const count = known ?? { used: 0 };
        if (count.used >= most) {
          taken.push(most + 1);
          break;
        }
        count.used += 1;
        if (!known) buckets.set(bucket, count);
        taken.push(count.used);
      }
      return taken;
    },
    giveBack({ allowance, bucket }) {
      const count = bucketsOf(allowance).get(bucket);
      if (count && count.used > 0) count.used -= 1;
    },
    lastKnown: ({ allowance, bucket }) => bucketsOf(allowance).get(bucket)?.used ?? 0,
    note({ allowance, bucket }, used) {
      bucketsOf(allowance).set(bucket, { used });
    },
    isOut: null,
    close: async () => byAllowance.clear(),
  };
}
