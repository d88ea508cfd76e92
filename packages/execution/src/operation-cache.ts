import { LRUCache } from 'lru-cache';

/**
 * Bytes of memory per character of a document. Measured: a syntax tree without locations takes 40
 * to 70 bytes per character. The rest is for what else is derived from the document.
 */
export const bytesPerCharacter = 80;

/** Bytes of memory per compiled field. Measured. */
export const bytesPerField = 1_700;

/** Bytes that an entry takes beside its document. */
const bytesPerEntry = 8_000;

/** Adds to the size of a cached entry, in bytes, when the entry starts to hold more than before. */
export type Grow = (bytes: number) => void;

export interface OperationCacheOptions {
  maxBytes: number;
  onLookup?: (result: 'hit' | 'miss') => void;
}

interface Slot<Entry> {
  bytes: number;
  readonly entry: Entry;
}

/**
 * One LRU cache for all that is known of operations. The key of an entry contains the document's
 * text. The sizes are estimates of memory. An entry that grows may evict other entries, and itself
 * if it outgrows the cache.
 */
export function createOperationCache<Entry>({ maxBytes, onLookup = () => {} }: OperationCacheOptions) {
  const slots = new LRUCache<string, Slot<Entry>>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });

  return {
    get(key: string): Entry | undefined {
      const slot = slots.get(key);
      onLookup(slot ? 'hit' : 'miss');
      return slot?.entry;
    },
    /** Creates an entry that is not in the cache. */
    add(key: string, create: (grow: Grow) => Entry): Entry {
      let bytes = bytesPerEntry + key.length * bytesPerCharacter;
      let slot: Slot<Entry> | null = null;
      const entry = create((more) => {
        bytes += more;
        // An evicted entry may still be in use by a request.
        if (slot === null || slots.peek(key) !== slot) return;
        slot.bytes = bytes;
        // LRUCache keeps the old size if the same value is set again.
        slots.delete(key);
        slots.set(key, slot);
      });
      slot = { bytes, entry };
      slots.set(key, slot);
      return entry;
    },
    /** The estimated memory of all entries. */
    bytes: (): number => slots.calculatedSize,
  };
}
