import { errors, type PublicError } from '@lectern/errors';
import type { Hint } from '../wire/hints';
import { ServedVerses } from '../wire/served-verses';
import type { ClientUsage } from './client-usage';
import type { RequestTurns, Task, Turns } from './turns';

// Reading the CPU time takes microseconds, so it is read only for work of `minElapsedMs`, after the first `minCpuMs`.
// Otherwise elapsed time counts, but at most `maxFirstMs`: it includes interruptions by other processes.
const minElapsedMs = 1;
const minCpuMs = 5;
const maxFirstMs = 10;

const maxValuesPerResponse = 200_000;

/** In milliseconds: ten times what the operations of bench/costs.md take that compute most for a point. */
const maxMsPerPoint = 7;

/** The length of a small document, in UTF-16 units. Preparing such a document takes a millisecond or two. */
const maxSmallDocument = 1_000;

/** The part of a request's context that the contexts of all subgraphs have. */
export interface WorkContext {
  readonly work: WorkBudget;
  /** Returns how many `semanticSearch` fields were executed. Absent in a subgraph without embeddings. */
  readonly embeddingCalls?: () => number;
  /** Returns the hints of the response. Absent in a subgraph that gives no hints. */
  readonly hints?: () => readonly Hint[];
  /** Returns whether the response may differ at the next request. Absent in a subgraph without such fields. */
  readonly isUncacheable?: () => boolean;
}

export interface WorkBudgetOptions {
  /** The value of the setting REQUEST_CPU_MS: how long any request may compute, in milliseconds. */
  requestCpuMs: number;
  now: () => number;
  /** Returns the CPU time of this thread in milliseconds. */
  cpuTime: () => number;
}

/** The client's request to which a budget belongs. */
export interface BudgetedRequest {
  /** The computing time that the request has left, in milliseconds. By default `requestCpuMs`. */
  maxMs?: number | undefined;
  /** The API key and the address of the client, so that clients can take turns in queues. */
  clients?: readonly string[] | undefined;
}

/** Limits a request's computing time in all processes and threads. A class, because closures took 5 % of its CPU. */
export class WorkBudget {
  /** The API key and the address of the client. */
  readonly clients: readonly string[];
  /** The verses whose text the response has. Subgraphs in this process count here for the gateway too. */
  readonly verses = new ServedVerses();
  private allowedMs: number;
  private readonly request: RequestTurns;
  private totalMs = 0;
  /** The time at which the request's running work began. Null if none runs. */
  private startedAt: number | null = null;
  /** The CPU time of the thread at `startedAt`. Null if the request had computed for less than `minCpuMs`. */
  private cpuStartedAt: number | null = null;
  /** The error for a request without time left. It is created once, because thousands of fields may fail with it. */
  private tooExpensive: PublicError | null = null;

  constructor(
    private readonly turns: Turns,
    private readonly usage: ClientUsage,
    private readonly options: WorkBudgetOptions,
    { maxMs = options.requestCpuMs, clients = [] }: BudgetedRequest = {},
  ) {
    this.clients = clients;
    this.allowedMs = maxMs;
    this.request = turns.createRequest(clients);
  }

  get limitMs(): number {
    return this.allowedMs;
  }

  /** Whether the request may compute for longer than requests usually may, because of its cost. */
  get isExtended(): boolean {
    return this.allowedMs > this.options.requestCpuMs;
  }

  /** Allows the computing time that an operation of this cost may need, if that is more than any request may compute. */
  allowCost(points: number): void {
    this.allowedMs = Math.max(this.allowedMs, points * maxMsPerPoint);
  }

  /** Runs synchronous work at once and counts its time. Calls may be nested. */
  measure<Result>(work: () => Result): Result {
    if (this.startedAt !== null) return work();
    const begin = this.options.now();
    const isOutermost = this.turns.onBegin(begin);
    this.startedAt = begin;
    this.cpuStartedAt = this.totalMs < minCpuMs ? null : this.options.cpuTime();
    try {
      return work();
    } finally {
      const end = this.options.now();
      const ms = this.computedMs(end - begin);
      this.totalMs += ms;
      this.startedAt = null;
      if (isOutermost) this.turns.onEnd(this.request, end, ms);
    }
  }

  /** Runs synchronous work, in a later turn if this one is used up. Throws or rejects with `requestTooExpensive`. */
  run<Result>(work: () => Result): Result | Promise<Awaited<Result>> {
    return this.runIf(true, work);
  }

  /** Like `run`, for a generator that yields every few milliseconds. Returns a promise if the work has to wait. */
  runInSteps<Result>(steps: Generator<void, Result>): Result | Promise<Awaited<Result>> {
    return this.pullSteps(true, steps);
  }

  /** For work whose time counts and which may pause, but which the caller bounds in another way. */
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
    return Math.max(0, this.allowedMs - this.totalMs);
  }

  add(ms: number): void {
    this.totalMs += ms;
    this.addTurnTime(ms);
  }

  /** Adds time that counts for the turns of the client, but not against the budget of the request. */
  addTurnTime(ms: number): void {
    this.usage.add(this.request.uses, ms);
  }

  /** Removes the next entry from a queue of this process: one of the client that has lately used least time. */
  takeNext<Entry extends { readonly clients: readonly string[] }>(queue: Entry[]): Entry | undefined {
    return this.usage.takeNext(queue);
  }

  /** Returns the error `requestTooExpensive` if the request has no time left, otherwise null. */
  spent(): PublicError | null {
    return this.tooExpensive || this.isSpentAt(this.options.now()) ? this.error() : null;
  }

  /**
   * Prepares a document: a small or cached one as soon as a turn has time left, any other in a turn of its own, so that
   * no turn prepares two large ones.
   */
  prepareDocument<Result>(query: string, isCached: () => boolean, prepare: () => Result) {
    const isSmall = query.length <= maxSmallDocument || isCached();
    return isSmall ? this.runIf(false, prepare) : this.runLarge(prepare);
  }

  runLarge<Result>(work: () => Result): Result | Promise<Awaited<Result>> {
    const at = this.options.now();
    if (this.turns.mustDeferLarge(at)) return this.defer(work, (task) => this.turns.deferLarge(this.clients, task));
    this.turns.onBeginLarge(at);
    return this.measure(work);
  }

  /** Returns whether work should pause. Throws if the request has no time left or too many `values`. */
  shouldPause(values: number): boolean {
    if (values > maxValuesPerResponse && this.allowedMs !== Infinity) throw errors.tooManyValues(maxValuesPerResponse);
    return this.mustPause(true);
  }

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
        // Work that has begun comes first, so that some fields are complete when no time is left.
        if (this.mustPause(limited)) return this.wait('first', pull) as Promise<Awaited<Result>>;
      }
    };
    return this.runIf(limited, pull) as Result | Promise<Awaited<Result>>;
  }

  private wait<Result>(position: 'first' | 'last', work: () => Result): Promise<Awaited<Result>> {
    return this.defer(work, (task) => this.turns.defer(this.request, task, position));
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

  /** Whether work must wait for a later turn. Throws if no time is left. */
  private mustPause(limited: boolean): boolean {
    const at = this.options.now();
    if (limited && (this.tooExpensive || this.isSpentAt(at))) throw this.error();
    return this.turns.mustPause(this.request, at);
  }

  private isSpentAt(at: number): boolean {
    const elapsedMs = this.startedAt === null ? 0 : at - this.startedAt;
    return this.totalMs + elapsedMs >= this.allowedMs && this.totalMs + this.computedMs(elapsedMs) >= this.allowedMs;
  }

  private error(): PublicError {
    return (this.tooExpensive ??= errors.requestTooExpensive(this.allowedMs));
  }

  private computedMs(elapsedMs: number): number {
    if (elapsedMs < minElapsedMs) return elapsedMs;
    return Math.min(elapsedMs, this.cpuStartedAt === null ? maxFirstMs : this.options.cpuTime() - this.cpuStartedAt);
  }
}
