import { isPromise } from 'node:util/types';

export type Awaitable<T> = T | Promise<T>;

/** Calls `next` with the value, at once if the value is not a promise. Most steps of a request need no promise. */
export const thenMaybe = <T, Result>(value: Awaitable<T>, next: (value: T) => Awaitable<Result>): Awaitable<Result> =>
  isPromise(value) ? value.then(next) : next(value);

/** Calls `succeed` with the value of `start`, or `fail` with its error: at once, unless `start` returns a promise. */
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
