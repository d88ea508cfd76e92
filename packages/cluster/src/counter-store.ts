/** Says which count to increase: that of one subject, in one window of one limit. */
export interface CounterIncrement {
  /**
   * The bucket's name, made of the limit, the window and the subject. Increments with the same
   * bucket share one count.
   */
  readonly bucket: string;
  /** The name of the limit. */
  readonly limit: string;
  /** The maximum number of requests in the window, 0 or more. */
  readonly max: number;
  /** The number to add, 1 by default. 0 reads the count and changes nothing. */
  readonly amount?: number;
  /** The seconds until the window ends, rounded up. Afterwards the count may be deleted. */
  readonly secondsLeft: number;
}

/** A store that counts requests: in memory, in the primary process or in Redis. */
export interface CounterStore {
  /**
   * Adds the amount to each count in order, and returns the new counts. Stops at the first count
   * that has already reached its maximum: the result for this count is `max + 1`, and later
   * increments are neither counted nor returned. An increment with the amount 0 never stops.
   */
  consume(increments: readonly CounterIncrement[]): readonly number[] | Promise<readonly number[]>;
  /** Subtracts one from the count. */
  refund(increment: CounterIncrement): void;
  /** Returns the count that this process last knew, without a request to a shared store. */
  lastKnown(increment: CounterIncrement): number;
  /**
   * Returns whether the shared store is bypassed because it does not respond. Null if no store is
   * shared.
   */
  readonly isUnavailable: (() => boolean) | null;
  close(): Promise<void>;
}
