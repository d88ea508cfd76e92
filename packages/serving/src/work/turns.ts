import type { ClientUsage, ClientUse } from './client-usage';

/** The time after which large requests pause in a turn. All times in this file are in milliseconds. */
const turnMs = 5;

/** The time in one turn after which even small requests, of which a turn may have many, wait for the next turn. */
const maxTurnMs = 30;

/** What a request of a client that is not heavy may compute in a turn that is used up, so that small ones end. */
const minShareMs = 1;

/** The next turn is planned only after this much work, because a turn costs more than little work. */
const minWorkMs = 1;

// The next large task waits for `breakMs` after one of `longTurnMs`. A small request needs several turns, and a large
// task could delay each.
const longTurnMs = 15;
const breakMs = 10;

export type Task = () => void;

/** One request in this process, which may be gateway and subgraph in one, with its waiting tasks. */
export interface RequestTurns {
  /** The API key and the address of the client. */
  readonly clients: readonly string[];
  readonly uses: readonly ClientUse[];
  readonly tasks: Task[];
  /** The number of the last turn in which the request computed. */
  turn: number;
  /** `turnMs` is the time in the last turn, `totalMs` the time in all turns. Work that still runs is not included. */
  turnMs: number;
  totalMs: number;
}

interface LargeTask {
  readonly clients: readonly string[];
  readonly run: Task;
}

export interface TurnOptions {
  /** Returns the time in milliseconds on a monotonic clock. */
  now: () => number;
  /** Runs a function in the next turn of the event loop, after new input has been read. */
  inNextTurn: (run: () => void) => void;
  later: (run: () => void, ms: number) => void;
}

/** A request that has computed for less time comes first among the requests of one client. */
const isSmaller = (a: RequestTurns, b: RequestTurns): boolean => a.totalMs < b.totalMs;

/** Limits how long requests compute in each turn. Others continue later, by what their clients have lately used. */
export function createTurns({ now, inNextTurn, later }: TurnOptions, usage: ClientUsage) {
  const waiting: RequestTurns[] = [];
  /** The waiting large tasks, which may take long and cannot pause. At most one runs in a turn. */
  const waitingLarge: LargeTask[] = [];
  /** Other tasks must run as long as the last turn with a large task took. */
  let owedMs = 0;
  /** The time at which the large task of this turn began. Null if there was none. */
  let largeBeganAt: number | null = null;
  /** The earliest time at which the next large task may run. */
  let breakEndsAt = -Infinity;
  let number = 0;
  /** How long the requests have computed in this turn, without the work that runs. */
  let busyMs = 0;
  /** The time at which the running work began. Null if none runs. */
  let startedAt: number | null = null;
  let isNextPlanned = false;
  let isTurnAfterBreakPlanned = false;

  const planNext = (): void => {
    if (isNextPlanned) return;
    isNextPlanned = true;
    inNextTurn(begin);
  };

  const planTurnAfterBreak = (at: number): void => {
    if (isTurnAfterBreakPlanned) return;
    isTurnAfterBreakPlanned = true;
    later(() => {
      isTurnAfterBreakPlanned = false;
      planNext();
    }, breakEndsAt - at);
  };

  const busyAt = (at: number): number => busyMs + (startedAt === null ? 0 : at - startedAt);

  const begin = (): void => {
    isNextPlanned = false;
    number += 1;
    busyMs = 0;
    const beganAt = now();
    if (largeBeganAt !== null) {
      owedMs = beganAt - largeBeganAt;
      if (owedMs >= longTurnMs) breakEndsAt = beganAt + breakMs;
    }
    largeBeganAt = null;
    if (waiting.length === 0 && waitingLarge.length === 0) return;
    if (waiting.length === 0 && beganAt < breakEndsAt) return planTurnAfterBreak(beganAt);
    planNext();
    const mayRunLarge = beganAt >= breakEndsAt && (owedMs <= 0 || waiting.length === 0);
    const large = mayRunLarge ? usage.takeNext(waitingLarge) : undefined;
    if (large) {
      largeBeganAt = beganAt;
      return large.run();
    }
    runWaiting(beganAt);
    owedMs -= now() - beganAt;
  };

  const runWaiting = (beganAt: number): void => {
    do {
      const request = usage.takeNext(waiting, isSmaller);
      const task = request?.tasks.shift();
      if (request && request.tasks.length > 0) waiting.push(request);
      task?.();
    } while (waiting.length > 0 && now() - beganAt < turnMs);
  };

  return {
    createRequest: (clients: readonly string[]): RequestTurns => ({
      clients,
      uses: usage.usesOf(clients),
      tasks: [],
      turn: number,
      turnMs: 0,
      totalMs: 0,
    }),

    /** Returns whether work of the request that runs now must wait for a later turn. */
    mustPause(request: RequestTurns, at: number): boolean {
      const busy = busyAt(at);
      if (busy < turnMs) return false;
      if (busy >= maxTurnMs || usage.isHeavy(request.uses, at)) return true;
      const used = request.turn === number ? request.turnMs : 0;
      return used + (startedAt === null ? 0 : at - startedAt) >= minShareMs;
    },

    mustDeferLarge: (at: number): boolean =>
      busyAt(at) >= minWorkMs || waiting.length > 0 || waitingLarge.length > 0 || at < breakEndsAt,

    /** Records that work begins. Returns false if it is called by other work, which then counts its time. */
    onBegin(at: number): boolean {
      if (startedAt !== null) return false;
      startedAt = at;
      return true;
    },

    /** Records that the work ends for which `onBegin` has returned true, and that it computed for `ms`. */
    onEnd(request: RequestTurns, at: number, ms: number): void {
      const elapsed = startedAt === null ? 0 : at - startedAt;
      startedAt = null;
      busyMs += elapsed;
      if (request.turn !== number) [request.turn, request.turnMs] = [number, 0];
      request.turnMs += elapsed;
      request.totalMs += ms;
      usage.add(request.uses, ms, at);
      if (busyMs >= minWorkMs) planNext();
      else if (!isNextPlanned) largeBeganAt = null;
    },

    /** Records that a large task begins at once, without `deferLarge`. Called before `onBegin`. */
    onBeginLarge(at: number): void {
      largeBeganAt ??= at;
    },

    /** Runs a large task, which cannot pause, alone in a later turn. */
    deferLarge(clients: readonly string[], run: Task): void {
      waitingLarge.push({ clients, run });
      planNext();
    },

    /** Runs a task in a later turn, before or after the request's other tasks. */
    defer(request: RequestTurns, task: Task, position: 'first' | 'last'): void {
      if (request.tasks.length === 0) waiting.push(request);
      if (position === 'first') request.tasks.unshift(task);
      else request.tasks.push(task);
      planNext();
    },
  };
}

export type Turns = ReturnType<typeof createTurns>;
