import { LRUCache } from 'lru-cache';

/**
 * A compiled field takes 1.7 kB, so some 50 MB. Not by the length of documents alone: fragments unfold to fields, and conditions make several variants of one document. But
 * what is compiled holds on to its document, of which few fields may be left, so that counts as well, as so many fields.
 */
const mostFields = 30_000;

/** What was compiled of the operations of a schema, within a bound. What is forgotten is compiled anew. */
export function createCompiledKept<Compiled>({ most = mostFields }: { most?: number } = {}) {
  // By an object that the operation holds on to.
  const kept = new LRUCache<object, { compiled: Compiled; fields: number }>({
    maxSize: most,
    sizeCalculation: ({ fields }) => fields + 1,
  });
  return {
    get: (key: object): Compiled | undefined => kept.get(key)?.compiled,
    keep: (key: object, compiled: Compiled, fields: number): void => void kept.set(key, { compiled, fields }),
    fields: (): number => kept.calculatedSize,
  };
}

export interface CompiledKept<Compiled> {
  get(key: object): Compiled | undefined;
  keep(key: object, compiled: Compiled, fields: number): void;
}
