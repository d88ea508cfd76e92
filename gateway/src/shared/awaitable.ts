import { isPromise } from 'node:util/types';

/** A value, or a promise of the value. */
export type Awaitable<T> = T | Promise<T>;

/** Calls `next` with the value, at once if the value is not a promise. Most steps of a request need no promise. */
export const thenMaybe = <T, Result>(value: Awaitable<T>, next: (value: T) => Awaitable<Result>): Awaitable<Result> =>
  isPromise(value) ? value.then(next) : next(value);

/**
 * Calls `start`, and then `succeed` with its value or `fail` with its error. Does all this at once if `start` returns a
 * value that is not a promise, or throws.
 */
export function settleMaybe<T, Result>(
  start: () => Awaitable<T>,
  succeed: (value: T) => Awaitable<Result>,
  fail: (error: unknown) => Awaitable<Result>,
): Awaitable<Result> {
  let value: Awaitable<T>;
  try {
    value = start();
  } catch (error) {
    return fail(error);
  }
  return isPromise(value) ? value.then(succeed, fail) : succeed(value);
}
