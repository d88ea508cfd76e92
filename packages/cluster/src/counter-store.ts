/** One count to increase: a subject's requests within a window of a limit. */
export interface CounterEntry {
  /** Names the limit, the window and the subject. Entries with the same bucket share one count. */
  readonly bucket: string;
  /** The limit's name. There are few limits. */
  readonly limit: string;
  /** The most requests in the window; 0 or more. */
  readonly max: number;
  /** Until the window ends, rounded up. The count may be forgotten afterwards. */
  readonly secondsLeft: number;
}

/** Where requests are counted: in memory, in the primary process or in Redis. */
export interface CounterStore {
  /**
   * Adds one to each entry's count in order, and returns the new counts.
   * Stops at the first entry that has reached its maximum: its item is `max + 1`,
   * and the entries after it are neither counted nor returned.
   */
  consume(entries: readonly CounterEntry[]): readonly number[] | Promise<readonly number[]>;
  /** Takes one off the count. */
  refund(entry: CounterEntry): void;
  /** The count that this process last knew, without a request to a shared store. */
  lastKnown(entry: CounterEntry): number;
  /**
   * Whether the shared store is bypassed because it does not respond. Null if no store is shared.
   */
  readonly isUnavailable: (() => boolean) | null;
  close(): Promise<void>;
}
