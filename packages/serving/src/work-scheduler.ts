import { hash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { errors, type PublicError } from '@lectern/errors';
import { createTurns, type Task, type TaskList, type TimeInTurn, type TurnOptions, type Turns, turnMs } from './turns';

/** Advice to the client about one field of a response. A hint is not an error. */
export interface Hint {
  /** The schema coordinate of the field, such as `Query.semanticSearch`. */
  readonly coordinate: string;
  /** Explains why the response is as it is, and what the client can change. */
  readonly message: string;
}

export const maxHints = 10;

/** Creates the list of hints of one response. It holds at most `maxHints` hints, without duplicates. */
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

/**
 * The time that each request may compute in a turn whose time is used up, in milliseconds. Small requests can end
 * within this time.
 */
const minShareMs = 1;

// Reading the CPU time takes microseconds. So it is read only for work of at least `minElapsedMs`, and only after the
// first `minCpuMs` of a request. For other work the elapsed time counts, but at most `maxFirstMs`, because it
// includes interruptions by other processes.
const minElapsedMs = 1;
const minCpuMs = 5;
const maxFirstMs = 2 * turnMs;

/** The maximum number of values in one response of a subgraph. */
const maxValuesPerResponse = 200_000;

/** The part of a request's context that the contexts of all subgraphs have. */
export interface WorkContext {
  readonly work: WorkBudget;
  /** Returns how many `semanticSearch` fields were executed. Absent in a subgraph without embeddings. */
  readonly embeddingCalls?: () => number;
  /** Returns the hints of the response. Absent in a subgraph that gives no hints. */
  readonly hints?: () => readonly Hint[];
}

interface WorkBudgetOptions {
  /** The value of the setting REQUEST_CPU_MS. The error message names this setting. */
  requestCpuMs: number;
  now: TurnOptions['now'];
  /** Returns the CPU time of the process in milliseconds. */
  cpuTime: () => number;
}

/** The client's request to which a budget belongs. */
export interface BudgetedRequest {
  /**
   * The computing time that the request has left, in milliseconds. At most `requestCpuMs`, which is also the default.
   */
  maxMs?: number | undefined;
  /** The API key and the address of the client, so that clients can take turns in queues. */
  clients?: readonly string[] | undefined;
}

/**
 * Limits the computing time of one request. Time that other processes and threads report counts too. This is a class,
 * because an object with a closure for each function took 5 % of the CPU of a request.
 */
export class WorkBudget {
  /** The API key and the address of the client. */
  readonly clients: readonly string[];
  private readonly limitMs: number;
  private readonly timeInTurn: TimeInTurn;
  private readonly list: TaskList;
  private totalMs = 0;
  /** The time at which the request's running work began. Null if none runs. */
  private startedAt: number | null = null;
  /** The CPU time of the process at `startedAt`. Null if the request had computed for less than `minCpuMs`. */
  private cpuStartedAt: number | null = null;
  private readCpuAt = -Infinity;
  private readCpuMs = 0;
  /** The error for a request without time left. It is created once, because thousands of fields may fail with it. */
  private tooExpensive: PublicError | null = null;

  constructor(
    private readonly turns: Turns,
    private readonly options: WorkBudgetOptions,
    { maxMs = options.requestCpuMs, clients = [] }: BudgetedRequest = {},
  ) {
    this.clients = clients;
    this.limitMs = Math.min(maxMs, options.requestCpuMs);
    this.timeInTurn = turns.timeOfRunningOrNewRequest();
    this.list = { tasks: [], clients };
  }

  /** Runs synchronous work at once and counts its time. Calls may be nested. */
  measure<Result>(work: () => Result): Result {
    if (this.startedAt !== null) return work();
    const begin = this.options.now();
    this.startedAt = begin;
    this.cpuStartedAt = this.totalMs < minCpuMs ? null : this.recentCpuTime(begin);
    const caller = this.turns.onBegin(this.timeInTurn, begin);
    try {
      return work();
    } finally {
      const end = this.options.now();
      this.totalMs += this.computedMs(end - begin);
      this.startedAt = null;
      this.turns.onEnd(this.timeInTurn, end, caller);
    }
  }

  /**
   * Runs synchronous work, either at once or, if the time of this turn is used up, in a later turn of the event loop.
   * Throws or rejects with `requestTooExpensive` if the request has no time left.
   */
  run<Result>(work: () => Result): Result | Promise<Awaited<Result>> {
    return this.runIf(true, work);
  }

  /**
   * Runs a generator that yields between steps of a few milliseconds at most. Returns its result, or a promise of the
   * result if the work has to wait. Throws or rejects with `requestTooExpensive` if the request has no time left.
   */
  runInSteps<Result>(steps: Generator<void, Result>): Result | Promise<Awaited<Result>> {
    return this.pullSteps(true, steps);
  }

  /**
   * Returns functions that run work whose time counts and which may pause, but which is never stopped for lack of time.
   * The caller bounds this work in another way.
   */
  withoutLimit() {
    return {
      run: <Result>(work: () => Result) => this.runIf(false, work),
      runInSteps: <Result>(steps: Generator<void, Result>) => this.pullSteps(false, steps),
    };
  }

  usedMs(): number {
    return this.totalMs;
  }

  /** Returns the computing time that the request has left, in milliseconds, at least 0. */
  remainingMs(): number {
    return Math.max(0, this.limitMs - this.totalMs);
  }

  /** Adds computing time that another process or thread has used for the request. */
  add(ms: number): void {
    this.totalMs += ms;
  }

  /** Returns the error `requestTooExpensive` if the request has no time left, otherwise null. */
  spent(): PublicError | null {
    return this.tooExpensive || this.isSpentAt(this.options.now()) ? this.error() : null;
  }

  /** Runs work that cannot pause. It runs alone in a turn, or at once if it is called by work of the same request. */
  runLarge<Result>(work: () => Result): Result | Promise<Awaited<Result>> {
    if (this.startedAt !== null) return work();
    const at = this.options.now();
    if (this.turns.mustDeferLarge(at)) return this.defer(work, this.turns.deferLarge);
    this.turns.onBeginLarge(at);
    return this.measure(work);
  }

  /** Returns whether work should pause. Throws if the request has no time left or too many `values`. */
  shouldPause(values: number): boolean {
    if (values > maxValuesPerResponse && this.limitMs !== Infinity) throw errors.tooManyValues(maxValuesPerResponse);
    return this.mustPause(true);
  }

  /** Runs the rest of paused work in a later turn. */
  resume(work: () => unknown): Promise<unknown> {
    return this.wait('first', work);
  }

  private runIf<Result>(limited: boolean, work: () => Result): Result | Promise<Awaited<Result>> {
    // The budget is checked again when the work runs, because other work of the request may have used it up by then.
    const checkAndRun = (): Result => {
      this.mustPause(limited);
      return work();
    };
    return this.measure(() => (this.mustPause(limited) ? this.wait('last', checkAndRun) : work()));
  }

  private pullSteps<Result>(limited: boolean, steps: Generator<void, Result>): Result | Promise<Awaited<Result>> {
    const pull = (): Result | Promise<Awaited<Result>> => {
      for (;;) {
        const step = steps.next();
        if (step.done === true) return step.value;
        // Work that has begun continues before other work of the request, so that at least some fields are complete
        // when no time is left.
        if (this.mustPause(limited)) return this.wait('first', pull) as Promise<Awaited<Result>>;
      }
    };
    return this.runIf(limited, pull) as Result | Promise<Awaited<Result>>;
  }

  private wait<Result>(position: 'first' | 'last', work: () => Result): Promise<Awaited<Result>> {
    return this.defer(work, (task) => this.turns.defer(this.timeInTurn, this.list, task, position));
  }

  private defer<Result>(work: () => Result, defer: (task: Task) => void): Promise<Awaited<Result>> {
    return new Promise((resolve, reject) =>
      defer(() => {
        try {
          resolve(this.measure(work) as Awaited<Result>);
        } catch (error) {
          reject(error);
        }
      }),
    );
  }

  /**
   * Returns whether work must wait for a later turn. Throws if the work is limited and the request has no time left.
   */
  private mustPause(limited: boolean): boolean {
    const at = this.options.now();
    if (limited && (this.tooExpensive || this.isSpentAt(at))) throw this.error();
    const { turns, timeInTurn } = this;
    return (turns.isUsedUp(at) && turns.usedMs(timeInTurn, at) >= minShareMs) || turns.isOverlong(at);
  }

  private isSpentAt(at: number): boolean {
    const elapsedMs = this.startedAt === null ? 0 : at - this.startedAt;
    return this.totalMs + elapsedMs >= this.limitMs && this.totalMs + this.computedMs(elapsedMs) >= this.limitMs;
  }

  private error(): PublicError {
    return (this.tooExpensive ??= errors.requestTooExpensive(this.options.requestCpuMs));
  }

  /** Returns the computing time of work that took `elapsedMs` on the clock. */
  private computedMs(elapsedMs: number): number {
    if (elapsedMs < minElapsedMs) return elapsedMs;
    return Math.min(elapsedMs, this.cpuStartedAt === null ? maxFirstMs : this.options.cpuTime() - this.cpuStartedAt);
  }

  /** Returns the CPU time, which is read at most once per `minElapsedMs`. */
  private recentCpuTime(at: number): number {
    if (at - this.readCpuAt >= minElapsedMs) [this.readCpuAt, this.readCpuMs] = [at, this.options.cpuTime()];
    return this.readCpuMs;
  }
}

const defaultRequestCpuMs = 250;

/** The length of a small document, in UTF-16 units. Preparing such a document takes a millisecond or two. */
const maxSmallDocument = 1_000;

/**
 * Creates the scheduler that divides the computing time of a process among requests: large requests pause, so that
 * small requests can run.
 */
export function createWorkScheduler({
  requestCpuMs = defaultRequestCpuMs,
  now = () => performance.now(),
  cpuTime = processCpuTime,
  inNextTurn = setImmediate,
  later = setTimeout,
}: Partial<WorkBudgetOptions & TurnOptions> = {}) {
  const turns = createTurns({ now, inNextTurn, later });
  const options = { requestCpuMs, now, cpuTime };
  const unlimited = { ...options, requestCpuMs: Infinity };
  const createUnlimitedBudget = () => new WorkBudget(turns, unlimited);
  return {
    createBudget: (request?: BudgetedRequest) => new WorkBudget(turns, options, request),
    /** Resolves in a later turn, for at most one caller in each turn. Call this before large work. */
    nextTurn: () => new Promise<void>((resolve) => turns.deferLarge(resolve)),
    /** Creates a budget without a limit, for work that pauses but is bounded in another way, such as introspection. */
    createUnlimitedBudget,
    /**
     * Prepares a GraphQL document with `prepare`. A small document is prepared at once, and a cached one as soon as a
     * turn of the event loop has time left. Any other document gets a turn of its own, so that no turn prepares two
     * large documents.
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

/**
 * Creates the function that lets its callers continue one by one, at most one per `intervalMs`. The interval leaves
 * time for other work.
 */
export function createPacer(intervalMs: number): () => Promise<void> {
  let next = Promise.resolve();
  return () => {
    const turn = next;
    next = turn.then(() => pause(intervalMs));
    return turn;
  };
}

/** Settles like the promise, or rejects after `ms` milliseconds. */
export function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    // A busy process may run a timer before it reads data that has already arrived. `setImmediate` lets it read the
    // data first.
    timer = setTimeout(() => setImmediate(() => reject(new Error(`no response within ${ms} ms`))), ms);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

/**
 * The headers for computing time. In a request to a subgraph: the time left, and the client. In a response: the time
 * used.
 */
export const budgetHeaders = { cpuMs: 'x-lectern-cpu-ms', clients: 'x-lectern-clients' } as const;

/** Matches a number of milliseconds with up to three decimals. */
const cpuMsPattern = /^\d{1,9}(\.\d{1,3})?$/;

/**
 * A random value of this process, with which keys and addresses are hashed. Subgraphs can recognize a client, but learn
 * neither its key nor its address.
 */
const salt = randomUUID();
const pseudonym = (client: string): string => hash('sha256', salt + client, 'base64url').slice(0, 16);

const clientsPattern = /^[\x21-\x7e]{1,100}( [\x21-\x7e]{1,100}){0,3}$/;

/** Parses a header in milliseconds. Returns null if the header is missing or malformed. */
export const parseCpuMs = (header: string | readonly string[] | undefined): number | null =>
  typeof header === 'string' && cpuMsPattern.test(header) ? Number(header) : null;

export const writeBudgetHeaders = (work: WorkBudget): Record<string, string> => ({
  [budgetHeaders.cpuMs]: work.remainingMs().toFixed(1),
  ...(work.clients.length > 0 && { [budgetHeaders.clients]: work.clients.map(pseudonym).join(' ') }),
});

/** Reads the headers that `writeBudgetHeaders` has written. Ignores malformed headers. */
export function readBudgetHeaders(headers: IncomingHttpHeaders): BudgetedRequest {
  const clients = headers[budgetHeaders.clients];
  return {
    maxMs: parseCpuMs(headers[budgetHeaders.cpuMs]) ?? undefined,
    clients: typeof clients === 'string' && clientsPattern.test(clients) ? clients.split(' ') : [],
  };
}
