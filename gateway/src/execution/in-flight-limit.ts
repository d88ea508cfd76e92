import { isPromise } from 'node:util/types';
import { errors } from '@lectern/errors';
import type { Awaitable } from '../shared/awaitable';

interface WaitingOperation {
  readonly cost: number;
  readonly start: () => void;
}

interface KeyState {
  costInFlight: number;
  readonly waiting: WaitingOperation[];
}

/**
 * Limits the total cost of the operations that each API key has in flight in this process. Further operations of the
 * key wait in order, for at most `maxWaitMs`. So a client gets no more computing time by opening more connections.
 */
export function createInFlightCostLimiter({ maxCost, maxWaitMs }: { maxCost: number; maxWaitMs: number }) {
  const keys = new Map<string, KeyState>();

  const startWaiting = (key: string, state: KeyState): void => {
    for (let next = state.waiting[0]; next && fits(state, next.cost); next = state.waiting[0]) {
      state.waiting.shift();
      next.start();
    }
    if (state.costInFlight === 0 && state.waiting.length === 0) keys.delete(key);
  };

  /**
   * Returns whether an operation may start. An operation above the maximum cost may start if no other operation of its
   * key is in flight.
   */
  const fits = (state: KeyState, cost: number): boolean =>
    state.costInFlight === 0 || state.costInFlight + cost <= maxCost;

  const start = <Result>(key: string, cost: number, work: () => Awaitable<Result>) => {
    const result = work();
    if (!isPromise(result)) return result;
    const state = keys.get(key) ?? { costInFlight: 0, waiting: [] };
    keys.set(key, state);
    state.costInFlight += cost;
    return result.finally(() => {
      state.costInFlight -= cost;
      startWaiting(key, state);
    });
  };

  const waitAndStart = <Result>(key: string, state: KeyState, cost: number, work: () => Awaitable<Result>) =>
    new Promise<Result>((resolve, reject) => {
      const operation: WaitingOperation = {
        cost,
        start() {
          clearTimeout(timeout);
          resolve(start(key, cost, async () => await work()));
        },
      };
      const timeout = setTimeout(() => {
        state.waiting.splice(state.waiting.indexOf(operation), 1);
        reject(errors.tooManyInFlight());
        startWaiting(key, state);
      }, maxWaitMs).unref();
      state.waiting.push(operation);
    });

  return {
    /**
     * Runs `work` as soon as its cost fits within the limit of the key. Rejects with `tooManyInFlight` after
     * `maxWaitMs`.
     */
    run<Result>(key: string, cost: number, work: () => Awaitable<Result>): Awaitable<Result> {
      const state = keys.get(key);
      return !state || (state.waiting.length === 0 && fits(state, cost))
        ? start(key, cost, work)
        : waitAndStart(key, state, cost, work);
    },
  };
}
