export interface RetryBudgetOptions {
  /** What is there at first, and the most that is saved up. */
  most: number;
  /** What each answer adds. */
  perAnswer: number;
}

/**
 * How often a subgraph may be asked a second time. When everything is slow or failing, asking twice doubles the trouble: so second questions are
 * paid for by answers, and a burst of them from what was saved.
 */
export function createRetryBudget({ most, perAnswer }: RetryBudgetOptions) {
  let left = most;
  return {
    earn(): void {
      left = Math.min(most, left + perAnswer);
    },
    /** Whether one more is allowed; it is counted when it is. */
    spend(): boolean {
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}

export type RetryBudget = ReturnType<typeof createRetryBudget>;
