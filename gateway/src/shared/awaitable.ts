import { isPromise } from 'node:util/types';

/** A value, or a promise of the value. */
export type Awaitable<T> = T | Promise<T>;

/** Calls `next` with the value, at once if the value is not a promise. Most steps of a request need no promise. */
export const thenMaybe = <T, Result>(value: Awaitable<T>, next: (value: T) => Awaitable<Result>): Awaitable<Result> =>
  isPromise(value) ? value.then(next) : next(value);
