import { isPromise } from 'node:util/types';

/** A value, or a promise of the value. */
export type Awaitable<T> = T | Promise<T>;

/** Calls `next` at once if the value is no promise: most steps of a request need none. */
export const thenMaybe = <T, Result>(value: Awaitable<T>, next: (value: T) => Awaitable<Result>): Awaitable<Result> =>
  isPromise(value) ? value.then(next) : next(value);
