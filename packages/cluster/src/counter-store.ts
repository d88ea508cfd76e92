/** One count to add to: who asks, under which allowance, in which window. */
export interface Entry {
  /** Allowance, window and asker: two entries of one bucket are one count. */
  readonly bucket: string;
  /** The allowance's name, of which there are few. */
  readonly allowance: string;
  /** Whole numbers from 0 on. */
  readonly most: number;
  /** Until the window ends, rounded up; the count may be forgotten afterwards. */
  readonly secondsLeft: number;
}

/**
 * Where requests are counted. Each entry has one added, in order, up to the first that has no more to give: that one is answered with
 * `most + 1`, and those after it are neither counted nor answered.
 */
export interface Counts {
  take(entries: readonly Entry[]): readonly number[] | Promise<readonly number[]>;
  giveBack(entry: Entry): void;
  /** What this process last knew of a bucket, without asking anybody. */
  lastKnown(entry: Entry): number;
  /** Whether the store that is shared is left alone because it does not answer; null where none is shared. */
  readonly isOut: (() => boolean) | null;
  close(): Promise<void>;
}
