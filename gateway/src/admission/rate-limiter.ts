import type { Environment } from '@lectern/keys';
import { type Awaitable, thenMaybe } from '../shared/awaitable';
import type { CounterIncrement, CounterStore } from './counters';

/** A limit of `max` requests in each window of `seconds`. Windows begin at multiples of `seconds` since 1970 (UTC). */
export interface RateLimit {
  readonly name: string;
  /** 0 means no limit. */
  readonly max: number;
  readonly seconds: number;
}

export interface LimitedSubject {
  readonly limit: RateLimit;
  /** An address, the id of an API key, or the id in the cookie of an operator's browser. */
  readonly subject: string;
  /** The maximum for this subject. If null or absent, the limit's `max` applies. */
  readonly max?: number | null;
}

export interface LimitState {
  readonly limit: RateLimit;
  readonly allowed: boolean;
  /** The maximum number of requests in the window. Infinity if there is no limit. */
  readonly max: number;
  readonly remaining: number;
  /** The seconds until the window ends, rounded up, at least 1. Always 1 if there is no limit. */
  readonly secondsLeft: number;
  /** Takes a counted request out of the count, once, and returns the new state. */
  refund(): LimitState;
}

/** The current time window of a limit, in milliseconds since 1970. */
interface LimitWindow {
  /** The prefix of the names under which this window's counts are stored. The subject follows the prefix. */
  readonly prefix: string;
  readonly begins: number;
  readonly ends: number;
}

/** The states of the limited subjects, in order. The list ends at the first subject whose limit is exhausted. */
type LimitStates = readonly [LimitState, ...LimitState[]];

const unlimitedCount = Number.MAX_SAFE_INTEGER;

/**
 * Counts requests in fixed windows (docs/decisions/0008-own-rate-limiter.md). With counters in memory, results are no
 * promises. Environments may share one Redis, so each has its own counts. `now` is in milliseconds since 1970.
 */
export function createRateLimiter({
  counters,
  environment,
  now,
}: {
  counters: CounterStore;
  environment: Environment;
  now: () => number;
}) {
  const windowAt = createWindowAt(environment);

  const incrementOf = ({ limit, subject, max }: LimitedSubject, time: number): CounterIncrement => {
    const { prefix, ends } = windowAt(limit, time);
    return {
      bucket: prefix + subject,
      limit: limit.name,
      max: max ?? limit.max,
      secondsLeft: Math.max(1, Math.ceil((ends - time) / 1_000)),
    };
  };

  /** `counts` ends at the first exhausted limit, so later subjects have no state. */
  const statesOf = (
    subjects: readonly LimitedSubject[],
    increments: readonly CounterIncrement[],
    counts: readonly number[],
  ): LimitStates => {
    const states: LimitState[] = [];
    let next = 0;
    for (const subject of subjects) {
      const increment = isLimited(subject) ? increments[next] : undefined;
      if (!increment) {
        states.push(unlimited(subject.limit));
        continue;
      }
      const used = counts[next];
      if (used === undefined) throw new Error('the counter store returned too few counts');
      next += 1;
      const state = stateOf(counters, subject.limit, increment, used);
      states.push(state);
      if (!state.allowed) break;
    }
    return states as [LimitState, ...LimitState[]];
  };

  return {
    /** Counts one request for each subject in order, until the limit of one is exhausted. */
    consume(subjects: readonly LimitedSubject[]): Awaitable<LimitStates> {
      const time = now();
      const increments: CounterIncrement[] = [];
      for (const subject of subjects) if (isLimited(subject)) increments.push(incrementOf(subject, time));
      const counts = increments.length === 0 ? [] : counters.consume(increments);
      return thenMaybe(counts, (list) => statesOf(subjects, increments, list));
    },
    /** Adds `amount` to the count of a subject. The count may exceed the limit. */
    add(limited: LimitedSubject, amount: number): void {
      // The promise never rejects: if Redis fails, the counter store counts in memory.
      void counters.consume([{ ...incrementOf({ ...limited, max: unlimitedCount }, now()), amount }]);
    },
    used(subjects: readonly LimitedSubject[]): Awaitable<readonly number[]> {
      const time = now();
      const increments = subjects.map((each) => incrementOf({ ...each, max: unlimitedCount }, time));
      return counters.consume(increments.map((increment) => ({ ...increment, amount: 0 })));
    },
    /** Returns the state of a limit that this process knows to be exhausted. Not for requests that are refunded. */
    exhausted(subject: LimitedSubject): LimitState | null {
      if (!isLimited(subject)) return null;
      const increment = incrementOf(subject, now());
      if (counters.lastKnown(increment) < increment.max) return null;
      return stateOf(counters, subject.limit, increment, increment.max + 1);
    },
    close: () => counters.close(),
  };
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

function createWindowAt(environment: Environment) {
  // There are few limits, so the map needs no maximum size.
  const windows = new Map<RateLimit, LimitWindow>();
  return (limit: RateLimit, time: number): LimitWindow => {
    const current = windows.get(limit);
    if (current && time >= current.begins && time < current.ends) return current;
    const milliseconds = limit.seconds * 1_000;
    const number = Math.floor(time / milliseconds);
    const begins = number * milliseconds;
    const prefix = `lectern:${environment}:${limit.name}:${number}:`;
    const window = { prefix, begins, ends: begins + milliseconds };
    windows.set(limit, window);
    return window;
  };
}

function stateOf(counters: CounterStore, limit: RateLimit, increment: CounterIncrement, used: number): LimitState {
  const { max, secondsLeft } = increment;
  let refunded: LimitState | null = null;
  return {
    limit,
    allowed: used <= max,
    max,
    remaining: Math.max(0, max - used),
    secondsLeft,
    refund() {
      if (refunded) return refunded;
      if (used > max) return this;
      counters.refund(increment);
      const state: LimitState = { ...this, remaining: Math.min(max, max - used + 1), refund: () => state };
      refunded = state;
      return state;
    },
  };
}

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
