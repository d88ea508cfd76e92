/** The time that requests may take in one turn of the event loop, in milliseconds. */
export const turnMs = 5;

/** After a turn that took longer than this, in milliseconds, deferred work rests for as long as the turn took. */
const longTurnMs = 2 * turnMs;

/** The maximum time for which deferred work rests, in milliseconds. */
const maxRestMs = 50;

/** Work that takes less than this, in milliseconds, does not use up the time of its turn. */
const minWorkMs = 1;

/** Runs deferred work. Returns `end-of-turn` if no other task may run in the same turn. */
export type Task = () => 'end-of-turn' | void;

export interface TurnOptions {
  /** Returns the time in milliseconds. The time never goes back. */
  now: () => number;
  /** Runs a function in the next turn of the event loop, after new input was read. */
  inNextTurn: (run: () => void) => void;
  /** Runs a function after this time, in milliseconds. */
  after: (milliseconds: number, run: () => void) => void;
}

/**
 * Bounds the time that requests compute in each turn of the event loop. Requests that wait are
 * continued one after the other, in later turns.
 */
export function createTurns({ now, inNextTurn, after }: TurnOptions) {
  /** The tasks of each request that waits. */
  const waiting: Task[][] = [];
  let number = 0;
  /** When the first large work of this turn began. Null if there was none. */
  let startedAt: number | null = null;
  let isNextPlanned = false;
  /** When the last turn with deferred work began. Null if nothing waited since. */
  let lastBeganAt: number | null = null;

  const planNext = (): void => {
    if (isNextPlanned) return;
    isNextPlanned = true;
    inNextTurn(begin);
  };

  /** Lets other requests run, which need several turns for a few milliseconds of work. */
  const rest = (milliseconds: number): void => {
    lastBeganAt = null;
    isNextPlanned = true;
    after(milliseconds, begin);
  };

  const begin = (): void => {
    isNextPlanned = false;
    number += 1;
    startedAt = null;
    if (waiting.length === 0) {
      lastBeganAt = null;
      return;
    }
    const beganAt = now();
    const lastTurnMs = beganAt - (lastBeganAt ?? beganAt);
    if (lastTurnMs > longTurnMs) return rest(Math.min(lastTurnMs, maxRestMs));
    lastBeganAt = beganAt;
    startedAt = beganAt;
    planNext();
    do {
      const tasks = waiting.shift() ?? [];
      const task = tasks.shift();
      if (tasks.length > 0) waiting.push(tasks);
      if (task?.() === 'end-of-turn') break;
    } while (waiting.length > 0 && now() - beganAt < turnMs);
  };

  return {
    /** The number of this turn. */
    number: (): number => number,

    /** Returns whether the work of this turn has used up the time of the turn. */
    isUsedUp: (at: number): boolean => startedAt !== null && at - startedAt >= turnMs,

    /** Returns whether large work was done in this turn or waits for a later one. */
    isBusy: (): boolean => startedAt !== null || waiting.length > 0,

    /** Called when work begins. */
    onBegin(at: number): void {
      startedAt ??= at;
    },

    /** Called when work ends. After little work no next turn is scheduled, which would cost more than the work. */
    onEnd(at: number): void {
      if (at - (startedAt ?? at) >= minWorkMs) planNext();
      else if (!isNextPlanned) startedAt = null;
    },

    /** Resolves in a later turn in which no other task is started. */
    nextTurn: (): Promise<void> =>
      new Promise((resolve) => {
        waiting.push([
          () => {
            resolve();
            return 'end-of-turn';
          },
        ]);
        planNext();
      }),

    /** Runs a task of a request in a later turn, before or after the request's other tasks. */
    defer(tasks: Task[], task: Task, position: 'first' | 'last'): void {
      if (tasks.length === 0) waiting.push(tasks);
      if (position === 'first') tasks.unshift(task);
      else tasks.push(task);
      planNext();
    },
  };
}

export type Turns = ReturnType<typeof createTurns>;
