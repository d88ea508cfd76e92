import { LRUCache } from 'lru-cache';
import type { Selection } from './selection';

/** A compiled field takes 1.7 kB, so some 50 MB. Not by the length of documents: fragments unfold to fields, and conditions make several selections of one document. */
const mostFields = 30_000;

interface Kept {
  readonly selection: Selection;
  readonly fields: number;
}

/** What was compiled of the operations of a schema, within a bound. What is forgotten is compiled anew. */
export function createSelectionsKept({ most = mostFields }: { most?: number } = {}) {
  // By an object that the operation holds on to.
  const kept = new LRUCache<object, Kept>({ maxSize: most, sizeCalculation: ({ fields }) => fields + 1 });
  return {
    get: (key: object): Selection | undefined => kept.get(key)?.selection,
    keep: (key: object, selection: Selection, fields: number): void => void kept.set(key, { selection, fields }),
    fields: (): number => kept.calculatedSize,
  };
}

export type SelectionsKept = ReturnType<typeof createSelectionsKept>;
