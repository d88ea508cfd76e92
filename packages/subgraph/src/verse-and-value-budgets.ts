import { errors } from '@lectern/errors';

/**
 * The maximum number of verses that one request may hold: more than the four Gospels have together,
 * but only about a sixth of a whole Bible.
 */
export const maxVersesPerRequest = 5_000;

/**
 * Creates the budget for the verses that one request holds in all its fields. Create a new budget
 * for each request.
 */
export function createVerseBudget(max: number = maxVersesPerRequest) {
  let held = 0;
  return {
    /** Adds `count` verses. Throws `verseBudgetSpent` and adds nothing if the verses do not fit. */
    hold(count: number): void {
      if (held + count > max) throw errors.verseBudgetSpent(max);
      held += count;
    },
  };
}

/**
 * Creates the budget for the field values that one request returns. Create a new budget for each
 * request.
 */
export function createValueBudget(max: number) {
  let returned = 0;
  /** The error is created once, because thousands of fields may fail with it. */
  let spent: Error | null = null;
  return {
    /**
     * Adds `count` values. Throws `valueBudgetSpent` if the sum exceeds the maximum, and on every
     * later call.
     */
    consume(count: number): void {
      returned += count;
      if (returned > max) throw (spent ??= errors.valueBudgetSpent(max));
    },
  };
}
