import { isPromise } from 'node:util/types';

/** A value, or the promise of one. */
export type Awaitable<T> = T | Promise<T>;

/** Goes on at once where the value is there already: a promise is a detour that is felt when a request has a dozen of them. */
export const thenMaybe = <T, Result>(value: Awaitable<T>, next: (value: T) => Awaitable<Result>): Awaitable<Result> =>
  isPromise(value) ? value.then(next) : next(value);
