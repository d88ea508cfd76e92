import { bytesPerCharacter, createOperationCache } from './cache';

interface Entry {
  readonly key: string;
  readonly grow: (bytes: number) => void;
}

function createCache(maxBytes: number) {
  const lookups: string[] = [];
  const cache = createOperationCache<Entry>({ maxBytes, onLookup: (result) => lookups.push(result) });
  const open = (key: string): Entry => cache.get(key) ?? cache.add(key, (grow) => ({ key, grow }));
  return { open, bytes: cache.bytes, lookups };
}

test('the operation cache returns the same entry for the same key, and reports first a miss, then a hit', () => {
  const { open, lookups } = createCache(100_000);
  const entry = open('{ a }');
  expect(open('{ a }')).toBe(entry);
  expect(lookups).toEqual(['miss', 'hit']);
});

test('the operation cache counts the length of the key of an entry plus the bytes by which the entry grew', () => {
  const { open, bytes } = createCache(1_000_000);
  open('a');
  const small = bytes();
  open('a'.repeat(1_001));
  expect(bytes()).toBe(2 * small + 1_000 * bytesPerCharacter);
  open('a').grow(5_000);
  open('a').grow(2_000);
  expect(bytes()).toBe(2 * small + 1_000 * bytesPerCharacter + 7_000);
});

test('an entry that grows in a full operation cache evicts the least recently used entry, but not itself', () => {
  const { open, bytes } = createCache(100_000);
  const [first, second] = [open('first'), open('second')];
  second.grow(90_000);
  expect(bytes()).toBeLessThanOrEqual(100_000);
  expect(open('second')).toBe(second);
  expect(open('first')).not.toBe(first);
});

test('the operation cache evicts an entry that becomes larger than the whole cache', () => {
  const { open, bytes } = createCache(100_000);
  const entry = open('large');
  entry.grow(200_000);
  expect(bytes()).toBe(0);
  expect(() => entry.grow(1)).not.toThrow();
  expect(bytes()).toBe(0);
  expect(open('large')).not.toBe(entry);
});
