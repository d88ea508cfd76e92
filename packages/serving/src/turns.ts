/**
 * The time that requests may compute in one turn of the event loop, in milliseconds. Then large
 * requests pause.
 */
export const turnMs = 5;

/**
 * When even small requests wait for the next turn, in milliseconds: many of them may begin in one
 * turn.
 */
const maxTurnMs = 30;

/**
 * Shorter work, in milliseconds, does not count against the time of a turn unless the next turn is
 * planned.
 */
const minWorkMs = 1;

/**
 * A turn with a large task that took at least `longTurnMs` is followed by a break of `breakMs`, in
 * milliseconds, before the next large task. A small request that arrives meanwhile may need several
 * turns, because it waits for a subgraph. Without a break, it could wait for a large task in each.
 */
const longTurnMs = 15;
const breakMs = 10;

export type Task = () => void;

/**
 * How long one request of a client has computed in a turn of the event loop. All work of the
 * request adds to this time: that of the gateway, and that of each subgraph in the same process.
 */
export interface TimeInTurn {
  /** The number of the last turn in which the request computed. */
  turn: number;
  /**
   * How long the request computed in turn number `turn`, in milliseconds, without work that still
   * runs.
   */
  usedMs: number;
  /**
   * The time for which the request has computed in all turns, in milliseconds, without work that
   * still runs.
   */
  totalMs: number;
  /**
   * The number of pieces of work of the request that run now, one inside the other. 0 if none runs.
   */
  depth: number;
  /** When the outermost piece of work that runs now began. */
  startedAt: number;
}

export interface TurnOptions {
  /** Returns the time in milliseconds. The time never goes back. */
  now: () => number;
  /** Runs a function in the next turn of the event loop, after new input was read. */
  inNextTurn: (run: () => void) => void;
  /** Runs a function after a time in milliseconds. */
  later: (run: () => void, ms: number) => void;
}

/**
 * Returns how long the work of a request that runs now has been running, in milliseconds. 0 if none
 * runs.
 */
const runningMs = ({ depth, startedAt }: TimeInTurn, at: number): number => (depth === 0 ? 0 : at - startedAt);

/**
 * Bounds the time that requests compute in each turn of the event loop. Requests that have to wait
 * continue one after the other, in later turns.
 */
export function createTurns({ now, inNextTurn, later }: TurnOptions) {
  /**
   * The tasks of each request that waits. The first request is the next to continue. A small
   * request has computed for less than `turnMs` in total. It continues before the others, of which
   * dozens may wait for one client: a gateway sends one operation as many requests to a subgraph.
   */
  const waiting: Task[][] = [];
  const waitingSmall: Task[][] = [];
  /** Large tasks: they may take long and cannot pause. At most one runs in a turn. */
  const waitingLarge: Task[] = [];
  /**
   * How long other tasks run before the next large task, in milliseconds: as long as the last turn
   * with one.
   */
  let owedMs = 0;
  /**
   * When a turn with a large task began. Null once the next turn has begun, and after less than
   * `minWorkMs`.
   */
  let largeBeganAt: number | null = null;
  /** When the next large task may run at the earliest. */
  let breakEndsAt = -Infinity;
  let number = 0;
  /**
   * When the first work of this turn began. Null before, and if the work took less than
   * `minWorkMs`.
   */
  let startedAt: number | null = null;
  let isNextPlanned = false;
  let isTurnAfterBreakPlanned = false;
  /** The time of the request whose work runs now. Null if none runs. */
  let running: TimeInTurn | null = null;

  const planNext = (): void => {
    if (isNextPlanned) return;
    isNextPlanned = true;
    inNextTurn(begin);
  };

  const isNoneWaiting = (): boolean => waitingSmall.length === 0 && waiting.length === 0;

  const planTurnAfterBreak = (at: number): void => {
    if (isTurnAfterBreakPlanned) return;
    isTurnAfterBreakPlanned = true;
    later(() => {
      isTurnAfterBreakPlanned = false;
      planNext();
    }, breakEndsAt - at);
  };

  const begin = (): void => {
    isNextPlanned = false;
    number += 1;
    startedAt = null;
    const beganAt = now();
    if (largeBeganAt !== null) {
      owedMs = beganAt - largeBeganAt;
      if (owedMs >= longTurnMs) breakEndsAt = beganAt + breakMs;
    }
    largeBeganAt = null;
    if (isNoneWaiting() && waitingLarge.length === 0) return;
    if (isNoneWaiting() && beganAt < breakEndsAt) return planTurnAfterBreak(beganAt);
    startedAt = beganAt;
    planNext();
    const mayRunLarge = beganAt >= breakEndsAt && (owedMs <= 0 || isNoneWaiting());
    const large = mayRunLarge ? waitingLarge.shift() : undefined;
    if (large) {
      largeBeganAt = beganAt;
      return large();
    }
    runWaiting(beganAt);
    owedMs -= now() - beganAt;
  };

  const runWaiting = (beganAt: number): void => {
    do {
      const tasks = waitingSmall.shift() ?? waiting.shift() ?? [];
      const task = tasks.shift();
      if (tasks.length > 0) waiting.push(tasks);
      task?.();
    } while (!isNoneWaiting() && now() - beganAt < turnMs);
  };

  return {
    /**
     * Returns the time of the request whose work runs now, or the time of a new request if no work
     * runs. If the gateway and the subgraphs run in one process, the gateway calls a subgraph while
     * work of the client's request runs. The work of the subgraph then counts as work of the same
     * request.
     */
    timeOfRunningOrNewRequest: (): TimeInTurn =>
      running ?? { turn: number, usedMs: 0, totalMs: 0, depth: 0, startedAt: 0 },

    /** Returns whether the work of this turn has used up the time of the turn. */
    isUsedUp: (at: number): boolean => startedAt !== null && at - startedAt >= turnMs,

    /** Returns for how many milliseconds the request has computed in this turn. */
    usedMs: (time: TimeInTurn, at: number): number => (time.turn === number ? time.usedMs : 0) + runningMs(time, at),

    /**
     * Returns whether the work of this turn has taken so long that even a small request has to
     * wait.
     */
    isOverlong: (at: number): boolean => startedAt !== null && at - startedAt >= maxTurnMs,

    /**
     * Returns whether a large task has to wait: requests have computed in this turn or wait, or
     * there is a break.
     */
    mustDeferLarge: (at: number): boolean =>
      startedAt !== null || !isNoneWaiting() || waitingLarge.length > 0 || at < breakEndsAt,

    /**
     * Called when work of a request begins. Returns the time of the request whose work has called
     * this work, or null. `onEnd` needs it.
     */
    onBegin(time: TimeInTurn, at: number): TimeInTurn | null {
      startedAt ??= at;
      if (time.turn !== number) [time.turn, time.usedMs] = [number, 0];
      if (time.depth === 0) time.startedAt = at;
      time.depth += 1;
      const caller = running;
      running = time;
      return caller;
    },

    /**
     * Called when work of a request ends, with the result of `onBegin`. After less than
     * `minWorkMs`, no next turn is scheduled, because a turn would cost more than the work.
     */
    onEnd(time: TimeInTurn, at: number, caller: TimeInTurn | null): void {
      time.depth -= 1;
      if (time.depth === 0) {
        time.usedMs += at - time.startedAt;
        time.totalMs += at - time.startedAt;
      }
      running = caller;
      if (at - (startedAt ?? at) >= minWorkMs) planNext();
      else if (!isNextPlanned) startedAt = largeBeganAt = null;
    },

    /**
     * Called when a large task begins that `deferLarge` does not run. Its work begins and ends as
     * other work does.
     */
    onBeginLarge(at: number): void {
      largeBeganAt ??= at;
    },

    /** Runs a large task, which cannot pause, alone in a later turn. */
    deferLarge(task: Task): void {
      waitingLarge.push(task);
      planNext();
    },

    /**
     * Runs a task of a request in a later turn: before or after the request's other tasks, as
     * `position` says.
     */
    defer(time: TimeInTurn, tasks: Task[], task: Task, position: 'first' | 'last'): void {
      const isSmall = time.totalMs + runningMs(time, now()) < turnMs;
      if (tasks.length === 0) (isSmall ? waitingSmall : waiting).push(tasks);
      if (position === 'first') tasks.unshift(task);
      else tasks.push(task);
      planNext();
    },
  };
}

export type Turns = ReturnType<typeof createTurns>;
