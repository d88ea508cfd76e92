/** One count to add to: who asks, under which limit, in which window. */
export interface CounterEntry {
  /** Allowance, window and asker: two entries of one bucket are one count. */
  readonly bucket: string;
  /** The limit's name, of which there are few. */
  readonly limit: string;
  /** Whole numbers from 0 on. */
  readonly max: number;
  /** Until the window ends, rounded up; the count may be forgotten afterwards. */
  readonly secondsLeft: number;
}

/**
 * Where requests are counted. Each entry has one added, in order, up to the first that has no more to give: that one is answered with
 * `most + 1`, and those after it are neither counted nor answered.
 */
export interface CounterStore {
  consume(entries: readonly CounterEntry[]): readonly number[] | Promise<readonly number[]>;
  refund(entry: CounterEntry): void;
  /** What this process last knew of a bucket, without asking anybody. */
  lastKnown(entry: CounterEntry): number;
  /** Whether the store that is shared is left alone because it does not answer; null where none is shared. */
  readonly isUnavailable: (() => boolean) | null;
  close(): Promise<void>;
}
