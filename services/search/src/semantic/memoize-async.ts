import { LRUCache } from 'lru-cache';

/** What `load` gives for a key: equal keys asked at the same time are loaded once, and the last `most` stay at hand. A failure is not kept. `onLook` is told of every key. */
export function memoizeAsync<Value>(
  most: number,
  load: (key: string) => Promise<Value>,
  onLook: (result: 'hit' | 'miss') => void = () => {},
) {
  const kept = new LRUCache<string, Promise<Value>>({ max: most });
  return (key: string): Promise<Value> => {
    const known = kept.get(key);
    onLook(known ? 'hit' : 'miss');
    if (known) return known;
    const value = load(key);
    kept.set(key, value);
    value.catch(() => {
      if (kept.peek(key) === value) kept.delete(key);
    });
    return value;
  };
}
