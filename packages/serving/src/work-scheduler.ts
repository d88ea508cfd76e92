import { setTimeout as pause } from 'node:timers/promises';
import { errors, type PublicError } from '@lectern/errors';
import { createTurns, type Task, type TaskList, type TurnOptions, type Turns, turnMs } from './turns';

/** Advice to the client about one field of a response. A hint is not an error. */
export interface Hint {
  /** The schema coordinate of the field: `Query.semanticSearch`. */
  readonly coordinate: string;
  /** Why the response is as it is, and what to do. */
  readonly message: string;
}

export const maxHints = 10;

/** Creates the list of the hints of one response: at most `maxHints`, without duplicates. */
export function createHintList() {
  const hints: Hint[] = [];
  return {
    all: (): readonly Hint[] => hints,
    add({ coordinate, message }: Hint): void {
      const isKnown = hints.some((hint) => hint.coordinate === coordinate && hint.message === message);
      if (!isKnown && hints.length < maxHints) hints.push({ coordinate, message });
    },
  };
}

/** Each request may compute so long even in a turn whose time is used up, for small requests. */
const minShareMs = 1;

// Shorter work, and the first 5 ms of a request, are measured with the clock alone: to read the CPU
// time takes microseconds. At most 10 ms count, because another process may interrupt the work.
const minElapsedMs = 1;
const minCpuMs = 5;
const maxFirstMs = 2 * turnMs;

/** In one response of a subgraph. */
const maxValuesPerResponse = 200_000;

/** The part of a request's context that each subgraph has. */
export interface WorkContext {
  readonly work: WorkBudget;
  /** How many `semanticSearch` fields were executed. Absent in a subgraph without embeddings. */
  readonly embeddingCalls?: () => number;
  /** Absent in a subgraph that gives no hints. */
  readonly hints?: () => readonly Hint[];
}

interface WorkBudgetOptions {
  /** The setting REQUEST_CPU_MS, which the error names. */
  requestCpuMs: number;
  now: TurnOptions['now'];
  /** Returns the CPU time of the process in milliseconds. */
  cpuTime: () => number;
}

/** The request of a client that a budget is for. */
export interface BudgetedRequest {
  /** What remains of the request's time, in milliseconds. At most `requestCpuMs`, the default. */
  maxMs?: number | undefined;
  /** The API key and the address of the client, so that queues can serve clients in turn. */
  clients?: readonly string[] | undefined;
}

/** Bounds the computing time of one request, with what other processes and threads report. */
function createWorkBudget(
  turns: Turns,
  { requestCpuMs, now, cpuTime }: WorkBudgetOptions,
  { maxMs = requestCpuMs, clients = [] }: BudgetedRequest = {},
) {
  const limitMs = Math.min(maxMs, requestCpuMs);
  const timeInTurn = turns.timeOfRunningOrNewRequest();
  const list: TaskList = { tasks: [], clients };
  let usedMs = 0;
  /** When the work of this request that runs now began. */
  let startedAt: number | null = null;
  /** The CPU time then. Null if the request had computed for less than `minCpuMs`. */
  let cpuStartedAt: number | null = null;
  let readCpuAt = -Infinity;
  let readCpuMs = 0;
  /** Created once, because thousands of fields may fail with it. */
  let tooExpensive: PublicError | null = null;

  /** Reads the CPU time at most once per `minElapsedMs`. */
  const recentCpuTime = (at: number): number => {
    if (at - readCpuAt >= minElapsedMs) [readCpuAt, readCpuMs] = [at, cpuTime()];
    return readCpuMs;
  };

  /** Returns the computing time of work that took `elapsedMs`. */
  const computedMs = (elapsedMs: number): number => {
    if (elapsedMs < minElapsedMs) return elapsedMs;
    return Math.min(elapsedMs, cpuStartedAt === null ? maxFirstMs : cpuTime() - cpuStartedAt);
  };

  const measure = <Result>(work: () => Result): Result => {
    if (startedAt !== null) return work();
    const begin = now();
    startedAt = begin;
    cpuStartedAt = usedMs < minCpuMs ? null : recentCpuTime(begin);
    const caller = turns.onBegin(timeInTurn, begin);
    try {
      return work();
    } finally {
      const end = now();
      usedMs += computedMs(end - begin);
      startedAt = null;
      turns.onEnd(timeInTurn, end, caller);
    }
  };

  const error = (): PublicError => (tooExpensive ??= errors.requestTooExpensive(requestCpuMs));
  const elapsedAt = (at: number): number => (startedAt === null ? 0 : at - startedAt);
  const isSpentAt = (at: number): boolean =>
    usedMs + elapsedAt(at) >= limitMs && usedMs + computedMs(elapsedAt(at)) >= limitMs;

  const mustPauseAfter = (at: number): boolean =>
    (turns.isUsedUp(at) && turns.usedMs(timeInTurn, at) >= minShareMs) || turns.isOverlong(at);

  const mustPause = (): boolean => {
    const at = now();
    if (tooExpensive || isSpentAt(at)) throw error();
    return mustPauseAfter(at);
  };

  const deferred = <Result>(work: () => Result, defer: (task: Task) => void): Promise<Awaited<Result>> =>
    new Promise((resolve, reject) =>
      defer(() => {
        try {
          resolve(measure(work) as Awaited<Result>);
        } catch (error) {
          reject(error);
        }
      }),
    );
  const wait = <Result>(position: 'first' | 'last', work: () => Result): Promise<Awaited<Result>> =>
    deferred(work, (task) => turns.defer(timeInTurn, list, task, position));

  /** Creates the functions that run work. `check` says whether to pause, or throws. */
  const createRunner = (check: () => boolean) => {
    /** Checks the budget again, because other work of the request may have used it up meanwhile. */
    const runLater = <Result>(work: () => Result): Promise<Awaited<Result>> =>
      wait('last', () => {
        check();
        return work();
      });
    return {
      /**
       * Runs synchronous work, in a later turn of the event loop if the time of this turn is used
       * up. Throws or rejects with `requestTooExpensive` if the request has no time left.
       */
      run: <Result>(work: () => Result): Result | Promise<Awaited<Result>> =>
        measure(() => (check() ? runLater(work) : work())),
      /**
       * Runs a generator that yields between steps of a few milliseconds at most, and returns its
       * result, as a promise if it has to wait. Throws or rejects as `run` does.
       */
      runInSteps<Result>(steps: Generator<void, Result>): Result | Promise<Awaited<Result>> {
        const pull = (): Result | Promise<Awaited<Result>> => {
          for (;;) {
            const step = steps.next();
            if (step.done === true) return step.value;
            // It continues before other work, so that some fields are complete when no time is left.
            if (check()) return wait('first', pull) as Promise<Awaited<Result>>;
          }
        };
        return measure(() => (check() ? (runLater(pull) as Promise<Awaited<Result>>) : pull()));
      },
    };
  };

  return {
    ...createRunner(mustPause),
    /** Runs work that counts and pauses, but is never stopped: it has another bound than time. */
    withoutLimit: () => createRunner(() => mustPauseAfter(now())),
    clients,
    usedMs: (): number => usedMs,
    /** What remains of the request's time, in milliseconds, at least 0. */
    remainingMs: (): number => Math.max(0, limitMs - usedMs),
    /** Adds computing time of another process or thread. */
    add(ms: number): void {
      usedMs += ms;
    },
    /** Returns `requestTooExpensive` if the request has no time left, else null. */
    spent: (): PublicError | null => (tooExpensive || isSpentAt(now()) ? error() : null),
    /** Runs synchronous work at once and measures its time. Calls may be nested. */
    measure,
    /**
     * Runs work that cannot pause, alone in a turn, and at once inside work of the same request.
     */
    runLarge<Result>(work: () => Result): Result | Promise<Awaited<Result>> {
      if (startedAt !== null) return work();
      const at = now();
      if (turns.mustDeferLarge(at)) return deferred(work, turns.deferLarge);
      turns.onBeginLarge(at);
      return measure(work);
    },
    /** Throws if the request has no time left, or if its response has too many `values` so far. */
    shouldPause(values: number): boolean {
      if (values > maxValuesPerResponse) throw errors.tooManyValues(maxValuesPerResponse);
      return mustPause();
    },
    /** Runs the rest of paused work in a later turn. */
    resume: (work: () => unknown): Promise<unknown> => wait('first', work),
  };
}

export type WorkBudget = ReturnType<typeof createWorkBudget>;

const defaultRequestCpuMs = 250;

/** A document of so many UTF-16 units is prepared in a millisecond or two. */
const maxSmallDocument = 1_000;

/** Divides a process's time among requests: a large one pauses for small ones. */
export function createWorkScheduler({
  requestCpuMs = defaultRequestCpuMs,
  now = () => performance.now(),
  cpuTime = processCpuTime,
  inNextTurn = setImmediate,
  later = setTimeout,
}: Partial<WorkBudgetOptions & TurnOptions> = {}) {
  const turns = createTurns({ now, inNextTurn, later });
  const options = { requestCpuMs, now, cpuTime };
  const createUnlimitedBudget = () => createWorkBudget(turns, { ...options, requestCpuMs: Infinity });
  return {
    createBudget: (request?: BudgetedRequest) => createWorkBudget(turns, options, request),
    /** Resolves in a later turn, for one caller in each: call it before large work. */
    nextTurn: () => new Promise<void>((resolve) => turns.deferLarge(resolve)),
    /** For work that pauses but has another bound than time, such as writing a response. */
    createUnlimitedBudget,
    /**
     * Finds or prepares a GraphQL document with `prepare`: at once if it is small, as `run` of a
     * budget does if it is cached, otherwise as `runLarge` does: no turn prepares two of them.
     */
    prepareDocument<Result>(
      query: string,
      isCached: () => boolean,
      prepare: () => Result,
    ): Result | Promise<Awaited<Result>> {
      if (query.length <= maxSmallDocument) return prepare();
      const budget = createUnlimitedBudget();
      return isCached() ? budget.run(prepare) : budget.runLarge(prepare);
    },
  };
}

export type WorkScheduler = ReturnType<typeof createWorkScheduler>;

function processCpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Callers continue in their order, at most one per `intervalMs`, which leaves time for others. */
export function createPacer(intervalMs: number): () => Promise<void> {
  let next = Promise.resolve();
  return () => {
    const turn = next;
    next = turn.then(() => pause(intervalMs));
    return turn;
  };
}

/** Settles as the promise does, or rejects after `ms` milliseconds. */
export function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    // A busy process may run the timer before it reads data that has arrived; `setImmediate` reads
    // the data first.
    timer = setTimeout(() => setImmediate(() => reject(new Error(`no response within ${ms} ms`))), ms);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
