import type { Counts, Entry } from '@lectern/cluster';

/** So many in a window of UTC: all windows of one length begin together. */
export interface Allowance {
  readonly name: string;
  /** 0 for no limit. */
  readonly most: number;
  readonly seconds: number;
}

export interface Asker {
  readonly allowance: Allowance;
  /** An address or the id of a key. */
  readonly who: string;
  /** In place of the allowance's own; null for that. */
  readonly most?: number | null;
}

export interface Taken {
  readonly allowance: Allowance;
  readonly allowed: boolean;
  /** Infinity where there is no limit. */
  readonly most: number;
  readonly remaining: number;
  /** Until the window ends, rounded up: at least 1. */
  readonly secondsLeft: number;
  /** As if this had never been asked. Harmless when it was not counted. */
  giveBack(): Taken;
}

/** In milliseconds since 1970. */
interface Window {
  /** What its buckets begin with. */
  readonly prefix: string;
  readonly begins: number;
  readonly ends: number;
}

/**
 * Counts who asks. Of several askers of one request each has one taken, in order, as long as those before it are allowed; only those
 * are answered. With a store in memory the answer is there at once, and no promise is made.
 */
export function createRate({ counts, now }: { counts: Counts; now: () => number }) {
  // By allowance, of which there are few.
  const windows = new Map<Allowance, Window>();

  const windowAt = (allowance: Allowance, time: number): Window => {
    const known = windows.get(allowance);
    if (known && time >= known.begins && time < known.ends) return known;
    const milliseconds = allowance.seconds * 1_000;
    const number = Math.floor(time / milliseconds);
    const window = {
      prefix: `lectern:${allowance.name}:${number}:`,
      begins: number * milliseconds,
      ends: (number + 1) * milliseconds,
    };
    windows.set(allowance, window);
    return window;
  };

  const entryOf = ({ allowance, who, most }: Asker): Entry => {
    const time = now();
    const { prefix, ends } = windowAt(allowance, time);
    return {
      bucket: prefix + who,
      allowance: allowance.name,
      most: most ?? allowance.most,
      secondsLeft: Math.max(1, Math.ceil((ends - time) / 1_000)),
    };
  };

  const takenOf = (allowance: Allowance, entry: Entry, used: number): Taken => ({
    allowance,
    allowed: used <= entry.most,
    most: entry.most,
    remaining: Math.max(0, entry.most - used),
    secondsLeft: entry.secondsLeft,
    giveBack() {
      if (used > entry.most) return this;
      counts.giveBack(entry);
      return { ...this, remaining: Math.min(entry.most, entry.most - used + 1), giveBack: () => this };
    },
  });

  const answered = (askers: readonly Asker[], entries: readonly Entry[], used: readonly number[]): TakenList => {
    const taken: Taken[] = [];
    let next = 0;
    for (const asker of askers) {
      const entry = isLimited(asker) ? entries[next] : undefined;
      if (!entry) {
        taken.push(unlimited(asker.allowance));
        continue;
      }
      const count = used[next];
      next += 1;
      if (count === undefined) break;
      taken.push(takenOf(asker.allowance, entry, count));
    }
    const [first, ...rest] = taken;
    if (!first) throw new Error('the store has counted nothing');
    return [first, ...rest];
  };

  return {
    take(askers: readonly Asker[]): TakenList | Promise<TakenList> {
      const entries = askers.filter(isLimited).map(entryOf);
      const used = entries.length === 0 ? [] : counts.take(entries);
      return used instanceof Promise
        ? used.then((list) => answered(askers, entries, list))
        : answered(askers, entries, used);
    },
    /** Whether it is known without asking the store that nothing is left. Only for an allowance of which nothing is ever given back. */
    spent(asker: Asker): Taken | null {
      if (!isLimited(asker)) return null;
      const entry = entryOf(asker);
      return counts.lastKnown(entry) >= entry.most ? takenOf(asker.allowance, entry, entry.most + 1) : null;
    },
    close: () => counts.close(),
  };
}

/** In the order of the askers, up to the first that is not allowed. */
export type TakenList = readonly [Taken, ...Taken[]];

export type Rate = ReturnType<typeof createRate>;

const isLimited = ({ allowance, most }: Asker): boolean => (most ?? allowance.most) > 0;

const unlimited = (allowance: Allowance): Taken => ({
  allowance,
  allowed: true,
  most: Infinity,
  remaining: Infinity,
  secondsLeft: 1,
  giveBack() {
    return this;
  },
});
