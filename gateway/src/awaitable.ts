import { isPromise } from 'node:util/types';

/** A value, or a promise of the value. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Calls `next` at once if the value is not a promise, and returns its result without a promise.
 * Many steps of a request are synchronous most of the time, and a promise for each would slow the
 * request down.
 */
export const thenMaybe = <T, Result>(value: Awaitable<T>, next: (value: T) => Awaitable<Result>): Awaitable<Result> =>
  isPromise(value) ? value.then(next) : next(value);
