export interface RetryBudgetOptions {
  /** The initial number of retries, and the most that can be saved up. */
  max: number;
  /** How much of a retry each response adds. */
  perResponse: number;
}

/**
 * Bounds the retries to a subgraph by the number of its responses.
 * Without a bound, retries would double the load of a subgraph that is slow or failing.
 */
export function createRetryBudget({ max, perResponse }: RetryBudgetOptions) {
  let available = max;
  return {
    /** Called for each response. */
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
