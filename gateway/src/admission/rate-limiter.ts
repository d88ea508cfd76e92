import type { CounterEntry, CounterStore } from '@lectern/cluster';

/** So many in a window of UTC: all windows of one length begin together. */
export interface RateLimit {
  readonly name: string;
  /** 0 for no limit. */
  readonly max: number;
  readonly seconds: number;
}

export interface LimitedSubject {
  readonly limit: RateLimit;
  /** An address or the id of a key. */
  readonly subject: string;
  /** In place of the limit's own; null for that. */
  readonly max?: number | null;
}

export interface LimitState {
  readonly limit: RateLimit;
  readonly allowed: boolean;
  /** Infinity where there is no limit. */
  readonly max: number;
  readonly remaining: number;
  /** Until the window ends, rounded up: at least 1. */
  readonly secondsLeft: number;
  /** As if this had never been asked. Harmless when it was not counted. */
  refund(): LimitState;
}

/** In milliseconds since 1970. */
interface Window {
  /** What its buckets begin with. */
  readonly prefix: string;
  readonly begins: number;
  readonly ends: number;
}

/**
 * CounterStore who asks. Of several askers of one request each has one taken, in order, as long as those before it are allowed; only those
 * are answered. With a store in memory the answer is there at once, and no promise is made.
 */
export function createRateLimiter({ counters, now }: { counters: CounterStore; now: () => number }) {
  // By limit, of which there are few.
  const windows = new Map<RateLimit, Window>();

  const windowAt = (limit: RateLimit, time: number): Window => {
    const known = windows.get(limit);
    if (known && time >= known.begins && time < known.ends) return known;
    const milliseconds = limit.seconds * 1_000;
    const number = Math.floor(time / milliseconds);
    const window = {
      prefix: `lectern:${limit.name}:${number}:`,
      begins: number * milliseconds,
      ends: (number + 1) * milliseconds,
    };
    windows.set(limit, window);
    return window;
  };

  const entryOf = ({ limit, subject, max }: LimitedSubject): CounterEntry => {
    const time = now();
    const { prefix, ends } = windowAt(limit, time);
    return {
      bucket: prefix + subject,
      limit: limit.name,
      max: max ?? limit.max,
      secondsLeft: Math.max(1, Math.ceil((ends - time) / 1_000)),
    };
  };

  const takenOf = (limit: RateLimit, entry: CounterEntry, used: number): LimitState => ({
    limit,
    allowed: used <= entry.max,
    max: entry.max,
    remaining: Math.max(0, entry.max - used),
    secondsLeft: entry.secondsLeft,
    refund() {
      if (used > entry.max) return this;
      counters.refund(entry);
      return { ...this, remaining: Math.min(entry.max, entry.max - used + 1), refund: () => this };
    },
  });

  const answered = (
    askers: readonly LimitedSubject[],
    entries: readonly CounterEntry[],
    used: readonly number[],
  ): LimitStates => {
    const taken: LimitState[] = [];
    let next = 0;
    for (const asker of askers) {
      const entry = isLimited(asker) ? entries[next] : undefined;
      if (!entry) {
        taken.push(unlimited(asker.limit));
        continue;
      }
      const count = used[next];
      next += 1;
      if (count === undefined) break;
      taken.push(takenOf(asker.limit, entry, count));
    }
    const [first, ...rest] = taken;
    if (!first) throw new Error('the store has counted nothing');
    return [first, ...rest];
  };

  return {
    consume(askers: readonly LimitedSubject[]): LimitStates | Promise<LimitStates> {
      const entries = askers.filter(isLimited).map(entryOf);
      const used = entries.length === 0 ? [] : counters.consume(entries);
      return used instanceof Promise
        ? used.then((list) => answered(askers, entries, list))
        : answered(askers, entries, used);
    },
    /** Whether it is known without asking the store that nothing is left. Only for an limit of which nothing is ever given back. */
    exhausted(asker: LimitedSubject): LimitState | null {
      if (!isLimited(asker)) return null;
      const entry = entryOf(asker);
      return counters.lastKnown(entry) >= entry.max ? takenOf(asker.limit, entry, entry.max + 1) : null;
    },
    close: () => counters.close(),
  };
}

/** In the order of the askers, up to the first that is not allowed. */
export type LimitStates = readonly [LimitState, ...LimitState[]];

export type RateLimiter = ReturnType<typeof createRateLimiter>;

const isLimited = ({ limit, max }: LimitedSubject): boolean => (max ?? limit.max) > 0;

const unlimited = (limit: RateLimit): LimitState => ({
  limit,
  allowed: true,
  max: Infinity,
  remaining: Infinity,
  secondsLeft: 1,
  refund() {
    return this;
  },
});
