/**
 * An increment of one count: how many requests an address or an API key has sent in one time window
 * of one rate limit.
 */
export interface CounterIncrement {
  /**
   * The name of the count, made of the limit, the start of the window, and the address or key.
   * Increments with the same bucket share one count.
   */
  readonly bucket: string;
  /** The name of the rate limit, such as `address`. */
  readonly limit: string;
  /** The maximum number of requests in the window, 0 or more. */
  readonly max: number;
  /** The number to add, 1 by default. The amount 0 reads the count and changes nothing. */
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
  /** Returns the count that this process last knew, without a request to Redis or the primary. */
  lastKnown(increment: CounterIncrement): number;
  /**
   * Returns whether the counts are kept in memory because Redis does not respond. Null if this
   * store does not use Redis.
   */
  readonly isUnavailable: (() => boolean) | null;
  close(): Promise<void>;
}
