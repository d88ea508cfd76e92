import { isPromise } from 'node:util/types';
import type { Awaitable } from '../awaitable';

interface KeyState {
  /** The cost of the operations in flight. */
  cost: number;
  readonly waiting: { readonly cost: number; readonly start: () => void }[];
}

/**
 * Bounds the cost of the operations that each key has in flight in this process. Further operations of the key wait,
 * in their order. So one key with many connections takes no more computing time than with a few.
 */
export function createKeyConcurrency(maxCost: number) {
  const keys = new Map<string, KeyState>();

  const finish = (key: string, state: KeyState, cost: number): void => {
    state.cost -= cost;
    for (let next = state.waiting[0]; next && fits(state, next.cost); next = state.waiting[0]) {
      state.waiting.shift();
      next.start();
    }
    if (state.cost === 0 && state.waiting.length === 0) keys.delete(key);
  };

  /** An operation whose cost exceeds the maximum runs alone. */
  const fits = (state: KeyState, cost: number): boolean => state.cost === 0 || state.cost + cost <= maxCost;

  const start = <Result>(key: string, cost: number, work: () => Awaitable<Result>) => {
    const result = work();
    if (!isPromise(result)) return result;
    const state = keys.get(key) ?? { cost: 0, waiting: [] };
    keys.set(key, state);
    state.cost += cost;
    return result.finally(() => finish(key, state, cost));
  };

  return {
    /** Runs the work of a key now, or when the key's operations in flight leave room for its cost. */
    run<Result>(key: string, cost: number, work: () => Awaitable<Result>): Awaitable<Result> {
      const state = keys.get(key);
      if (!state || (state.waiting.length === 0 && fits(state, cost))) return start(key, cost, work);
      return new Promise((resolve) => {
        state.waiting.push({ cost, start: () => resolve(start(key, cost, async () => await work())) });
      });
    },
  };
}
