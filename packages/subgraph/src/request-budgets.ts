import { errors } from '@lectern/errors';

/** The maximum number of verses that one request may hold: a Gospel or two, not a translation. */
export const maxVersesPerRequest = 5_000;

/** Counts the verses that one request holds over all its fields. Create one for each request. */
export function createVerseBudget(max: number = maxVersesPerRequest) {
  let held = 0;
  return {
    /** Adds `count` verses. Throws `verseBudgetSpent` and adds nothing if they do not fit. */
    hold(count: number): void {
      if (held + count > max) throw errors.verseBudgetSpent(max);
      held += count;
    },
  };
}

/** Counts the field values that one request returns. Create one for each request. */
export function createValueBudget(max: number) {
  let returned = 0;
  return {
    /**
     * Adds `count` values. Throws `valueBudgetSpent` if the sum exceeds the maximum, and on every
     * later call.
     */
    consume(count: number): void {
      returned += count;
      if (returned > max) throw errors.valueBudgetSpent(max);
    },
  };
}
