export interface RetryBudgetOptions {
  /** The initial and maximum number of retries in the budget. */
  max: number;
  /** The fraction of a retry that each response adds to the budget. */
  perResponse: number;
}

/**
 * Bounds the retries to a subgraph by the number of its responses.
 * Without a bound, retries would double the load of a subgraph that is slow or failing.
 */
export function createRetryBudget({ max, perResponse }: RetryBudgetOptions) {
  let available = max;
  return {
    /** Adds the share of one response to the budget. */
    add(): void {
      available = Math.min(max, available + perResponse);
    },
    /** Takes one retry from the budget. Returns false if none is available. */
    spend(): boolean {
      if (available < 1) return false;
      available -= 1;
      return true;
    },
  };
}

export type RetryBudget = ReturnType<typeof createRetryBudget>;
