import { LRUCache } from 'lru-cache';

/** In bytes of memory. A syntax tree without locations takes 40 to 70, and what is derived from it the rest. */
export const bytesPerCharacter = 80;

export const bytesPerField = 1_700;

const bytesPerEntry = 8_000;

/** Returns the estimated memory of an entry that holds the syntax tree of its document. */
export const bytesOfDocument = (query: string): number => bytesPerEntry + query.length * bytesPerCharacter;

/** Adds bytes to the size of a cached entry. Called when the entry starts to hold more data. */
export type Grow = (bytes: number) => void;

/** An LRU cache by document, with sizes in bytes. An entry that grows may evict others, or itself above `maxBytes`. */
export function createOperationCache<Entry>({
  maxBytes,
  sizeOf = bytesOfDocument,
  onLookup,
}: {
  maxBytes: number;
  sizeOf?: (key: string, entry: Entry) => number;
  onLookup?: (result: 'hit' | 'miss') => void;
}) {
  type Slot = { bytes: number; readonly entry: Entry };
  const slots = new LRUCache<string, Slot>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });

  return {
    get(key: string): Entry | undefined {
      const slot = slots.get(key);
      onLookup?.(slot ? 'hit' : 'miss');
      return slot?.entry;
    },
    /** Returns whether the cache has an entry. Does not change which entry is least recently used. */
    has: (key: string): boolean => slots.has(key),
    add(key: string, create: (grow: Grow) => Entry): Entry {
      let bytes = 0;
      let slot: Slot | null = null;
      const entry = create((more) => {
        bytes += more;
        // The entry was evicted, but a request may still use it. Its growth no longer counts.
        if (slot === null || slots.peek(key) !== slot) return;
        slot.bytes = bytes;
        // LRUCache would keep the old size if the same value were set again without a deletion.
        slots.delete(key);
        slots.set(key, slot);
      });
      bytes += sizeOf(key, entry);
      slot = { bytes, entry };
      slots.set(key, slot);
      return entry;
    },
    bytes: (): number => slots.calculatedSize,
  };
}
