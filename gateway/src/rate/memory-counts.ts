import { LRUCache } from 'lru-cache';
import type { Counts, Entry } from './counts';

export interface MemoryCounts extends Counts {
  take(entries: readonly Entry[]): readonly number[];
  /** Learns what another store has counted, so as to go on from there. */
  note(entry: Entry, used: number): void;
}

/**
 * Counts in this process. Each allowance has room for its own `mostBuckets`, so that a flood of addresses cannot make the counts of keys
 * forgotten; the counts that were not touched for longest go first.
 */
export function createMemoryCounts({ mostBuckets = 50_000 }: { mostBuckets?: number } = {}): MemoryCounts {
  const byAllowance = new Map<string, LRUCache<string, number>>();

  const bucketsOf = (allowance: string): LRUCache<string, number> => {
    const known = byAllowance.get(allowance);
    if (known) return known;
    const made = new LRUCache<string, number>({ max: mostBuckets });
    byAllowance.set(allowance, made);
    return made;
  };

  return {
    take(entries) {
      const taken: number[] = [];
      for (const { allowance, bucket, most } of entries) {
        const buckets = bucketsOf(allowance);
        const used = buckets.get(bucket) ?? 0;
        if (used >= most) {
          taken.push(most + 1);
          break;
        }
        buckets.set(bucket, used + 1);
        taken.push(used + 1);
      }
      return taken;
    },
    giveBack({ allowance, bucket }) {
      const buckets = bucketsOf(allowance);
      const used = buckets.get(bucket) ?? 0;
      if (used > 0) buckets.set(bucket, used - 1);
    },
    lastKnown: ({ allowance, bucket }) => bucketsOf(allowance).get(bucket) ?? 0,
    note({ allowance, bucket }, used) {
      bucketsOf(allowance).set(bucket, used);
    },
    isOut: null,
    close: async () => byAllowance.clear(),
  };
}
