import { isPromise } from 'node:util/types';

/** A value, or a promise of the value. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Calls `next` with the value. If the value is not a promise, calls `next` at once and returns the
 * result of `next` as it is. Many steps of a request are synchronous most of the time, and a
 * promise for each would slow the request down.
 */
export const thenMaybe = <T, Result>(value: Awaitable<T>, next: (value: T) => Awaitable<Result>): Awaitable<Result> =>
  isPromise(value) ? value.then(next) : next(value);
