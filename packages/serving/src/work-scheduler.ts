import { hash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { errors, type PublicError } from '@lectern/errors';
import { createTurns, type Task, type TaskList, type TimeInTurn, type TurnOptions, type Turns, turnMs } from './turns';

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

/**
 * Bounds the computing time of one request, with what other processes and threads report. A class,
 * because an object with a closure for each function took 5 % of the CPU of a request.
 */
export class WorkBudget {
  /** The API key and the address of the client. */
  readonly clients: readonly string[];
  private readonly limitMs: number;
  private readonly timeInTurn: TimeInTurn;
  private readonly list: TaskList;
  private totalMs = 0;
  /** When the work of this request that runs now began. */
  private startedAt: number | null = null;
  /** The CPU time then. Null if the request had computed for less than `minCpuMs`. */
  private cpuStartedAt: number | null = null;
  private readCpuAt = -Infinity;
  private readCpuMs = 0;
  /** Created once, because thousands of fields may fail with it. */
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

  /** Runs synchronous work at once and measures its time. Calls may be nested. */
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
   * Runs synchronous work, in a later turn of the event loop if the time of this turn is used up.
   * Throws or rejects with `requestTooExpensive` if the request has no time left.
   */
  run<Result>(work: () => Result): Result | Promise<Awaited<Result>> {
    return this.runIf(true, work);
  }

  /**
   * Runs a generator that yields between steps of a few milliseconds at most, and returns its
   * result, as a promise if it has to wait. Throws or rejects as `run` does.
   */
  runInSteps<Result>(steps: Generator<void, Result>): Result | Promise<Awaited<Result>> {
    return this.pullSteps(true, steps);
  }

  /** Runs work that counts and pauses, but is never stopped: it has another bound than time. */
  withoutLimit() {
    return {
      run: <Result>(work: () => Result) => this.runIf(false, work),
      runInSteps: <Result>(steps: Generator<void, Result>) => this.pullSteps(false, steps),
    };
  }

  usedMs(): number {
    return this.totalMs;
  }

  /** What remains of the request's time, in milliseconds, at least 0. */
  remainingMs(): number {
    return Math.max(0, this.limitMs - this.totalMs);
  }

  /** Adds computing time of another process or thread. */
  add(ms: number): void {
    this.totalMs += ms;
  }

  /** Returns `requestTooExpensive` if the request has no time left, else null. */
  spent(): PublicError | null {
    return this.tooExpensive || this.isSpentAt(this.options.now()) ? this.error() : null;
  }

  /** Runs work that cannot pause, alone in a turn, and at once inside work of the same request. */
  runLarge<Result>(work: () => Result): Result | Promise<Awaited<Result>> {
    if (this.startedAt !== null) return work();
    const at = this.options.now();
    if (this.turns.mustDeferLarge(at)) return this.defer(work, this.turns.deferLarge);
    this.turns.onBeginLarge(at);
    return this.measure(work);
  }

  /** Throws if the request has no time left, or if its response has too many `values` so far. */
  shouldPause(values: number): boolean {
    if (values > maxValuesPerResponse && this.limitMs !== Infinity) throw errors.tooManyValues(maxValuesPerResponse);
    return this.mustPause(true);
  }

  /** Runs the rest of paused work in a later turn. */
  resume(work: () => unknown): Promise<unknown> {
    return this.wait('first', work);
  }

  private runIf<Result>(limited: boolean, work: () => Result): Result | Promise<Awaited<Result>> {
    // Later, other work of the request may have used up the budget, so it is checked again.
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
        // It continues before other work, so that some fields are complete when no time is left.
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

  /** Throws if limited work has no time left. */
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

  /** Returns the computing time of work that took `elapsedMs`. */
  private computedMs(elapsedMs: number): number {
    if (elapsedMs < minElapsedMs) return elapsedMs;
    return Math.min(elapsedMs, this.cpuStartedAt === null ? maxFirstMs : this.options.cpuTime() - this.cpuStartedAt);
  }

  /** Reads the CPU time at most once per `minElapsedMs`. */
  private recentCpuTime(at: number): number {
    if (at - this.readCpuAt >= minElapsedMs) [this.readCpuAt, this.readCpuMs] = [at, this.options.cpuTime()];
    return this.readCpuMs;
  }
}

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
  const unlimited = { ...options, requestCpuMs: Infinity };
  const createUnlimitedBudget = () => new WorkBudget(turns, unlimited);
  return {
    createBudget: (request?: BudgetedRequest) => new WorkBudget(turns, options, request),
    /** Resolves in a later turn, for one caller in each: call it before large work. */
    nextTurn: () => new Promise<void>((resolve) => turns.deferLarge(resolve)),
    /** For work that pauses but has another bound than time and values, such as introspection. */
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

/** Computing time: a request says what remains and for whom, a response what was used. */
export const budgetHeaders = { cpuMs: 'x-lectern-cpu-ms', clients: 'x-lectern-clients' } as const;

/** Milliseconds with up to three decimals. */
const cpuMsPattern = /^\d{1,9}(\.\d{1,3})?$/;

/** Of this process. Subgraphs learn who comes back, but neither keys nor addresses. */
const salt = randomUUID();
const pseudonym = (client: string): string => hash('sha256', salt + client, 'base64url').slice(0, 16);

const clientsPattern = /^[\x21-\x7e]{1,100}( [\x21-\x7e]{1,100}){0,3}$/;

/** Returns null if the header is missing or is no number of milliseconds. */
export const parseCpuMs = (header: string | readonly string[] | undefined): number | null =>
  typeof header === 'string' && cpuMsPattern.test(header) ? Number(header) : null;

export const writeBudgetHeaders = (work: WorkBudget): Record<string, string> => ({
  [budgetHeaders.cpuMs]: work.remainingMs().toFixed(1),
  ...(work.clients.length > 0 && { [budgetHeaders.clients]: work.clients.map(pseudonym).join(' ') }),
});

/** Ignores headers that are not as `writeBudgetHeaders` writes them. */
export function readBudgetHeaders(headers: IncomingHttpHeaders): BudgetedRequest {
  const clients = headers[budgetHeaders.clients];
  return {
    maxMs: parseCpuMs(headers[budgetHeaders.cpuMs]) ?? undefined,
    clients: typeof clients === 'string' && clientsPattern.test(clients) ? clients.split(' ') : [],
  };
}
