/**
 * The time in one turn of the event loop, in milliseconds, after which large requests pause. All times in this file are
 * in milliseconds.
 */
export const turnMs = 5;

/** The time in one turn after which even small requests, of which a turn may have many, wait for the next turn. */
const maxTurnMs = 30;

/** Work that takes less time than this does not count, unless the next turn is already planned. */
const minWorkMs = 1;

// If a large task took at least `longTurnMs`, the next large task waits for `breakMs`. A small request that calls
// subgraphs needs several turns. Without the break, a large task could delay each of these turns.
const longTurnMs = 15;
const breakMs = 10;

export type Task = () => void;

/** The waiting tasks of one request. */
export interface TaskList {
  readonly tasks: Task[];
  /** The API key and the address of the client. */
  readonly clients: readonly string[];
}

/** How long one request of a client has computed in this process, which may be gateway and subgraph in one. */
export interface TimeInTurn {
  /** The number of the last turn in which the request computed. */
  turn: number;
  /** `usedMs` is the time in the last turn, `totalMs` the time in all turns. Work that still runs is not included. */
  usedMs: number;
  totalMs: number;
  /** The number of pieces of work that run now. Work may call other work of the same request. */
  depth: number;
  /** The time at which the running work began. If work is nested, the outermost counts. */
  startedAt: number;
}

export interface TurnOptions {
  /** Returns the time in milliseconds on a monotonic clock. */
  now: () => number;
  /** Runs a function in the next turn of the event loop, after new input has been read. */
  inNextTurn: (run: () => void) => void;
  later: (run: () => void, ms: number) => void;
}

const runningMs = ({ depth, startedAt }: TimeInTurn, at: number): number => (depth === 0 ? 0 : at - startedAt);

/**
 * Creates the functions that limit how long requests compute in each turn of the event loop. Requests above the limit
 * continue in later turns, one by one.
 */
export function createTurns({ now, inNextTurn, later }: TurnOptions) {
  /**
   * The waiting requests. Small requests, which have computed for less than `turnMs`, continue first: a gateway sends
   * one operation as dozens of small subgraph requests. Clients take turns.
   */
  const waiting: TaskList[] = [];
  const waitingSmall: TaskList[] = [];
  const clientTurns = createClientTurns();
  const clientTurnsOfSmall = createClientTurns();
  /** The waiting large tasks, which may take long and cannot pause. At most one runs in a turn. */
  const waitingLarge: Task[] = [];
  /**
   * How long other tasks must run before the next large task may run: as long as the last turn with a large task took.
   */
  let owedMs = 0;
  /**
   * The time at which the large task of this turn began. Null if there was none, or if it took less than `minWorkMs`.
   */
  let largeBeganAt: number | null = null;
  /** The earliest time at which the next large task may run. */
  let breakEndsAt = -Infinity;
  let number = 0;
  /**
   * The time at which the first work of this turn began. Null if there was none, or if it took less than `minWorkMs`.
   */
  let startedAt: number | null = null;
  let isNextPlanned = false;
  let isTurnAfterBreakPlanned = false;
  /** The times of the request whose work runs now. */
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
      const list = clientTurnsOfSmall.takeNext(waitingSmall) ?? clientTurns.takeNext(waiting);
      const task = list?.tasks.shift();
      if (list && list.tasks.length > 0) waiting.push(list);
      task?.();
    } while (!isNoneWaiting() && now() - beganAt < turnMs);
  };

  return {
    /**
     * Returns the times of the request that runs now. If none runs, returns those of a new request. If the gateway
     * calls a subgraph in its own process, both belong to the same request.
     */
    timeOfRunningOrNewRequest: (): TimeInTurn =>
      running ?? { turn: number, usedMs: 0, totalMs: 0, depth: 0, startedAt: 0 },

    isUsedUp: (at: number): boolean => startedAt !== null && at - startedAt >= turnMs,

    usedMs: (time: TimeInTurn, at: number): number => (time.turn === number ? time.usedMs : 0) + runningMs(time, at),

    /** Returns whether this turn is so long that even a small request has to wait. */
    isOverlong: (at: number): boolean => startedAt !== null && at - startedAt >= maxTurnMs,

    mustDeferLarge: (at: number): boolean =>
      startedAt !== null || !isNoneWaiting() || waitingLarge.length > 0 || at < breakEndsAt,

    /**
     * Records that work begins. Returns the times of the request whose work has called this work, or null. Pass this
     * result to `onEnd`.
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
     * Records that work ends. If the work took less than `minWorkMs`, plans no further turn, because a turn costs more
     * than the work.
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

    /** Records that a large task begins at once, without `deferLarge`. Called before `onBegin`. */
    onBeginLarge(at: number): void {
      largeBeganAt ??= at;
    },

    /** Runs a large task, which cannot pause, alone in a later turn. */
    deferLarge(task: Task): void {
      waitingLarge.push(task);
      planNext();
    },

    /** Runs a task in a later turn, before or after the request's other tasks. */
    defer(time: TimeInTurn, list: TaskList, task: Task, position: 'first' | 'last'): void {
      const isSmall = time.totalMs + runningMs(time, now()) < turnMs;
      if (list.tasks.length === 0) (isSmall ? waitingSmall : waiting).push(list);
      if (position === 'first') list.tasks.unshift(task);
      else list.tasks.push(task);
      planNext();
    },
  };
}

export type Turns = ReturnType<typeof createTurns>;

/**
 * The maximum number of clients whose last turn is stored, so that a queue that never empties cannot fill the memory.
 */
const maxClients = 10_000;

interface Waiting {
  /** The API key and the address of a client. Empty if the client is unknown. */
  readonly clients: readonly string[];
}

/**
 * Creates the function that lets the clients of a queue take turns. The next entry is the one whose API key and address
 * were served longest ago. So neither many requests of one key nor many keys at one address delay other clients.
 */
export function createClientTurns() {
  /** The number of the last turn that each key and each address had. */
  const lastTurns = new Map<string, number>();
  let turn = 0;

  /** Returns the numbers of the last turns of an entry's key and address, the latest first. */
  const turnsOf = ({ clients }: Waiting): number[] =>
    (clients.length > 0 ? clients : ['']).map((client) => lastTurns.get(client) ?? 0).sort((a, b) => b - a);

  const isEarlier = (a: readonly number[], b: readonly number[]): boolean => {
    const at = a.findIndex((value, index) => value !== b[index]);
    return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
  };

  return {
    /** Removes the next entry from a queue and returns it. The entries of one client keep their order. */
    takeNext<Entry extends Waiting>(queue: Entry[]): Entry | undefined {
      const [first] = queue;
      if (!first) return undefined;
      let [best, bestTurns] = [0, turnsOf(first)];
      for (const [index, entry] of queue.entries()) {
        const turns = turnsOf(entry);
        if (isEarlier(turns, bestTurns)) [best, bestTurns] = [index, turns];
      }
      const [next] = queue.splice(best, 1);
      if (queue.length === 0 || lastTurns.size > maxClients) lastTurns.clear();
      turn += 1;
      for (const client of next?.clients ?? []) lastTurns.set(client, turn);
      return next;
    },
  };
}
