/** The time that requests may take in one turn of the event loop, in milliseconds. */
export const turnMs = 5;

/** The time after which even small requests wait for the next turn, in milliseconds. Many can begin in one turn. */
const maxTurnMs = 30;

/** Work that takes less than this, in milliseconds, does not use up the time of its turn. */
const minWorkMs = 1;

export type Task = () => void;

/** One request of a client in the turns of the event loop. All work budgets of the request share this state. */
export interface RequestTurns {
  /** The tasks that wait for a later turn. */
  readonly tasks: Task[];
  /** The number of the last turn in which the request computed. */
  turn: number;
  /** The time for which the request computed in that turn, in milliseconds, without the work that runs now. */
  usedMs: number;
  /** How many pieces of work of this request run now, one inside the other. */
  depth: number;
  /** When the outermost of them began. */
  startedAt: number;
}

export interface TurnOptions {
  /** Returns the time in milliseconds. The time never goes back. */
  now: () => number;
  /** Runs a function in the next turn of the event loop, after new input was read. */
  inNextTurn: (run: () => void) => void;
}

/**
 * Bounds the time that requests compute in each turn of the event loop. Requests that wait are
 * continued one after the other, in later turns.
 */
export function createTurns({ now, inNextTurn }: TurnOptions) {
  /** The tasks of each request that waits. */
  const waiting: Task[][] = [];
  /** Large works that cannot pause. One runs in a turn. */
  const waitingLarge: Task[] = [];
  /** How long other tasks may run before the next large work, in milliseconds: as long as the last large work took. */
  let owedMs = 0;
  /** When the last turn with a large work began. Null if the next turn has begun since. */
  let largeBeganAt: number | null = null;
  let number = 0;
  /** When the first large work of this turn began. Null if there was none. */
  let startedAt: number | null = null;
  let isNextPlanned = false;
  /** The request whose work runs now. Null if none runs. */
  let running: RequestTurns | null = null;

  const planNext = (): void => {
    if (isNextPlanned) return;
    isNextPlanned = true;
    inNextTurn(begin);
  };

  const begin = (): void => {
    isNextPlanned = false;
    number += 1;
    startedAt = null;
    const beganAt = now();
    if (largeBeganAt !== null) owedMs = beganAt - largeBeganAt;
    largeBeganAt = null;
    if (waiting.length === 0 && waitingLarge.length === 0) return;
    startedAt = beganAt;
    planNext();
    const large = owedMs <= 0 || waiting.length === 0 ? waitingLarge.shift() : undefined;
    if (large) {
      largeBeganAt = beganAt;
      return large();
    }
    runWaiting(beganAt);
    owedMs -= now() - beganAt;
  };

  const runWaiting = (beganAt: number): void => {
    do {
      const tasks = waiting.shift() ?? [];
      const task = tasks.shift();
      if (tasks.length > 0) waiting.push(tasks);
      task?.();
    } while (waiting.length > 0 && now() - beganAt < turnMs);
  };

  return {
    /**
     * Returns the request whose work runs now, or a new request if none runs. A gateway calls the subgraphs of its process
     * in work of the client's request, so their work counts as work of this request.
     */
    runningOrNewRequest: (): RequestTurns => running ?? { tasks: [], turn: number, usedMs: 0, depth: 0, startedAt: 0 },

    /** Returns whether the work of this turn has used up the time of the turn. */
    isUsedUp: (at: number): boolean => startedAt !== null && at - startedAt >= turnMs,

    /** Returns for how many milliseconds the request has computed in this turn. */
    usedMs: (request: RequestTurns, at: number): number =>
      (request.turn === number ? request.usedMs : 0) + (request.depth === 0 ? 0 : at - request.startedAt),

    /** Returns whether the work of this turn has taken so long that even a small request has to wait. */
    isOverlong: (at: number): boolean => startedAt !== null && at - startedAt >= maxTurnMs,

    /** Returns whether large work was done in this turn or waits for a later one. */
    isBusy: (): boolean => startedAt !== null || waiting.length > 0 || waitingLarge.length > 0,

    /** Called when work of a request begins. Returns the request whose work runs around this work, or null. */
    onBegin(request: RequestTurns, at: number): RequestTurns | null {
      startedAt ??= at;
      if (request.turn !== number) [request.turn, request.usedMs] = [number, 0];
      if (request.depth === 0) request.startedAt = at;
      request.depth += 1;
      const around = running;
      running = request;
      return around;
    },

    /** Called when work of a request ends. After little work no next turn is scheduled, which would cost more than the work. */
    onEnd(request: RequestTurns, at: number, around: RequestTurns | null): void {
      request.depth -= 1;
      if (request.depth === 0) request.usedMs += at - request.startedAt;
      running = around;
      if (at - (startedAt ?? at) >= minWorkMs) planNext();
      else if (!isNextPlanned) startedAt = null;
    },

    /** Runs a large work that cannot pause in a later turn of its own. */
    deferLarge(task: Task): void {
      waitingLarge.push(task);
      planNext();
    },

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
