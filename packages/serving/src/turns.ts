/** After this time in one turn of the event loop, large requests pause. All times are in ms. */
export const turnMs = 5;

/** After this time, even small requests wait for the next turn: many may begin in one turn. */
const maxTurnMs = 30;

/** Shorter work does not count against the time of a turn unless the next turn is planned. */
const minWorkMs = 1;

// A large task that took at least `longTurnMs` is followed by a break of `breakMs` before the next
// one: a small request that waits for a subgraph needs several turns, and could wait in each.
const longTurnMs = 15;
const breakMs = 10;

export type Task = () => void;

/** The tasks of one request that wait. */
export interface TaskList {
  readonly tasks: Task[];
  /** The API key and the address of the client. */
  readonly clients: readonly string[];
}

/** How long one request of a client has computed, in the gateway and subgraphs of this process. */
export interface TimeInTurn {
  /** The number of the last turn in which the request computed. */
  turn: number;
  /** The time in this turn, and in all turns, without work that still runs. */
  usedMs: number;
  totalMs: number;
  /** The number of pieces of work that run now, one inside the other. */
  depth: number;
  /** When the outermost of them began. */
  startedAt: number;
}

export interface TurnOptions {
  /** Returns the time in milliseconds, which never goes back. */
  now: () => number;
  /** Runs a function in the next turn of the event loop, after new input was read. */
  inNextTurn: (run: () => void) => void;
  later: (run: () => void, ms: number) => void;
}

const runningMs = ({ depth, startedAt }: TimeInTurn, at: number): number => (depth === 0 ? 0 : at - startedAt);

/** Bounds the time that requests compute in each turn. Others continue one by one, later. */
export function createTurns({ now, inNextTurn, later }: TurnOptions) {
  /**
   * The requests that wait. Small requests have computed for less than `turnMs` and continue first:
   * a gateway sends one operation as dozens of requests, which may be large. Clients take turns.
   */
  const waiting: TaskList[] = [];
  const waitingSmall: TaskList[] = [];
  const clientTurns = createClientTurns();
  const clientTurnsOfSmall = createClientTurns();
  /** Large tasks: they may take long and cannot pause. At most one runs in a turn. */
  const waitingLarge: Task[] = [];
  /** How long other tasks run before the next large task: as long as the last turn with one. */
  let owedMs = 0;
  /** When the large task of this turn began. Null if it took less than `minWorkMs`. */
  let largeBeganAt: number | null = null;
  /** When the next large task may run at the earliest. */
  let breakEndsAt = -Infinity;
  let number = 0;
  /** When the first work of this turn began. Null before, and if it took less than `minWorkMs`. */
  let startedAt: number | null = null;
  let isNextPlanned = false;
  let isTurnAfterBreakPlanned = false;
  /** The time of the request whose work runs now. */
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
    /** In one process, the gateway calls a subgraph while work of the same request runs. */
    timeOfRunningOrNewRequest: (): TimeInTurn =>
      running ?? { turn: number, usedMs: 0, totalMs: 0, depth: 0, startedAt: 0 },

    isUsedUp: (at: number): boolean => startedAt !== null && at - startedAt >= turnMs,

    usedMs: (time: TimeInTurn, at: number): number => (time.turn === number ? time.usedMs : 0) + runningMs(time, at),

    /** Whether even a small request has to wait. */
    isOverlong: (at: number): boolean => startedAt !== null && at - startedAt >= maxTurnMs,

    mustDeferLarge: (at: number): boolean =>
      startedAt !== null || !isNoneWaiting() || waitingLarge.length > 0 || at < breakEndsAt,

    /** Returns the time of the request whose work has called this work, or null, for `onEnd`. */
    onBegin(time: TimeInTurn, at: number): TimeInTurn | null {
      startedAt ??= at;
      if (time.turn !== number) [time.turn, time.usedMs] = [number, 0];
      if (time.depth === 0) time.startedAt = at;
      time.depth += 1;
      const caller = running;
      running = time;
      return caller;
    },

    /** Plans no turn after less than `minWorkMs`: it would cost more than the work. */
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

    /** Called before `onBegin` for a large task that `deferLarge` does not run. */
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

/** Clients that were served, so that an endless queue does not fill the memory. */
const maxClients = 10_000;

interface Waiting {
  /** The API key and the address of a client. Empty if nobody said whose request it is. */
  readonly clients: readonly string[];
}

/**
 * Lets the clients of one queue take turns: the next entry is that of the key and address served
 * least recently. So neither many requests of a key nor many keys of an address delay others.
 */
export function createClientTurns() {
  /** The number of the last turn of each key and each address. */
  const lastTurns = new Map<string, number>();
  let turn = 0;

  /** The last turns of an entry's key and address, the latest first. */
  const turnsOf = ({ clients }: Waiting): number[] =>
    (clients.length > 0 ? clients : ['']).map((client) => lastTurns.get(client) ?? 0).sort((a, b) => b - a);

  const isEarlier = (a: readonly number[], b: readonly number[]): boolean => {
    const at = a.findIndex((value, index) => value !== b[index]);
    return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
  };

  return {
    /** Removes the next entry from a queue, in which each client's own entries are in order. */
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
