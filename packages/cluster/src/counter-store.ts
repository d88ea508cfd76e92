/** An entry for one count to increase: the requests of one subject within a window of a limit. */
export interface CounterEntry {
  /**
   * The bucket's name, made of the limit, the window and the subject. Entries with the same bucket
   * share one count.
   */
  readonly bucket: string;
  /** The name of the limit. */
  readonly limit: string;
  /** The maximum number of requests in the window, 0 or more. */
  readonly max: number;
  /** The seconds until the window ends, rounded up. Afterwards the count may be deleted. */
  readonly secondsLeft: number;
}

/** A store that counts requests: in memory, in the primary process or in Redis. */
export interface CounterStore {
  /**
   * Adds one to each entry's count in order, and returns the new counts. Stops at the first entry
   * that has reached its maximum. The item of this entry is `max + 1`, and the later entries are
   * neither counted nor returned.
   */
  consume(entries: readonly CounterEntry[]): readonly number[] | Promise<readonly number[]>;
  /** Subtracts one from the count. */
  refund(entry: CounterEntry): void;
  /** Returns the count that this process last knew, without a request to a shared store. */
  lastKnown(entry: CounterEntry): number;
  /**
   * Returns whether the shared store is bypassed because it does not respond. Null if no store is
   * shared.
   */
  readonly isUnavailable: (() => boolean) | null;
  close(): Promise<void>;
}
