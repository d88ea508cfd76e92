import { LRUCache } from 'lru-cache';

/**
 * Returns a function that calls `load` and caches at most `maxEntries` results (LRU). Concurrent
 * calls with the same key share one load. A rejected load is not cached. For each call, `onLookup`
 * receives `hit` if the result is cached or its load is in flight, else `miss`.
 */
export function memoizeAsync<Value>(
  maxEntries: number,
  load: (key: string) => Promise<Value>,
  onLookup: (result: 'hit' | 'miss') => void = () => {},
) {
  const cache = new LRUCache<string, Promise<Value>>({ max: maxEntries });
  return (key: string): Promise<Value> => {
    const cached = cache.get(key);
    onLookup(cached ? 'hit' : 'miss');
    if (cached) return cached;
    const value = load(key);
    cache.set(key, value);
    value.catch(() => {
      if (cache.peek(key) === value) cache.delete(key);
    });
    return value;
  };
}
