import type { CounterEntry, MemoryCounterStore } from '@lectern/cluster';
import { LRUCache } from 'lru-cache';

/** What a shared store may not know of a bucket. */
export interface Owed {
  /** What it had said itself, where it may have forgotten since; else 0. */
  readonly known: number;
  /** What was counted without it. Below 0 where more was given back. */
  readonly alone: number;
}

interface Standing {
  /** The connection over which the store was last told. */
  readonly connection: number;
  readonly alone: number;
}

/**
 * What this process counted while a shared store was away, and what the store may have lost when it is back. Both are told with the next request of
 * the same asker, so that an outage does not give a day's quota anew. Where the store lost nothing the sum is exact; where it lost all, what others had counted
 * after this process last heard of it may be missing until they tell it.
 */
export function createUnsyncedCounts({
  memory,
  mostBuckets = 100_000,
}: {
  memory: MemoryCounterStore;
  mostBuckets?: number;
}) {
  const standings = new LRUCache<string, Standing>({ max: mostBuckets });
  let connection = 0;

  const add = (bucket: string, more: number): void => {
    const { connection: told = connection, alone = 0 } = standings.get(bucket) ?? {};
    standings.set(bucket, { connection: told, alone: alone + more });
  };

  return {
    /** The store is reached anew, and may be another or have lost what it held. */
    connected(): void {
      connection += 1;
    },
    takeAlone(entries: readonly CounterEntry[]): readonly number[] {
      const taken = memory.consume(entries);
      for (const [index, used] of taken.entries()) {
        const entry = entries[index];
        if (entry && used <= entry.max) add(entry.bucket, 1);
      }
      return taken;
    },
    giveBackAlone(entry: CounterEntry): void {
      memory.refund(entry);
      add(entry.bucket, -1);
    },
    /** What is to be told with the next count; it is not owed any more unless `untold` takes it back. */
    settle(entry: CounterEntry): Owed {
      const { connection: told = connection, alone = 0 } = standings.get(entry.bucket) ?? {};
      standings.set(entry.bucket, { connection, alone: 0 });
      return { known: told === connection ? 0 : memory.lastKnown(entry) - alone, alone };
    },
    untold({ bucket }: CounterEntry, { known, alone }: Owed): void {
      const now = standings.get(bucket);
      standings.set(bucket, {
        connection: known > 0 ? connection - 1 : (now?.connection ?? connection),
        alone: alone + (now?.alone ?? 0),
      });
    },
  };
}
