import { performance } from 'node:perf_hooks';
import { errors } from '@lectern/errors';
import type { Pace } from '@lectern/execution';

/** The default of REQUEST_CPU_MS. */
export const defaultRequestCpuMs = 250;

/** The time that requests may take in one turn of the event loop, in milliseconds. */
const turnMs = 10;

/**
 * The time that each request may take in a turn whose time is used up, in milliseconds. A small
 * request never waits for large requests.
 */
const minShareMs = 1;

/** The maximum number of field values in one response of a subgraph. */
export const maxValuesPerResponse = 200_000;

/** The work of one request. Only synchronous work counts, not waiting. */
export interface WorkBudget extends Pace {
  /**
   * Runs synchronous work, now or in a later turn of the event loop if the time of this turn is used
   * up. Throws or rejects with `requestTooExpensive` if the request has no time left.
   */
  run<Result>(work: () => Result): Result | Promise<Awaited<Result>>;
  /**
   * Runs a generator that yields between steps of a few milliseconds at most, and returns its
   * result: a promise if the generator has to wait for a later turn. Throws or rejects with
   * `requestTooExpensive` if the request has no time left.
   */
  runInSteps<Result>(steps: Generator<void, Result>): Result | Promise<Awaited<Result>>;
}

/** The part of a request's context that each subgraph has. */
export interface WorkContext {
  readonly work: WorkBudget;
}

export interface WorkSchedulerOptions {
  /** The time that one request may compute, in milliseconds: the setting REQUEST_CPU_MS. */
  requestCpuMs?: number;
  /** Returns the time in milliseconds. The time never goes back. */
  now?: () => number;
  /** Runs a function in the next turn of the event loop, after new input was read. */
  inNextTurn?: (run: () => void) => void;
}

type Task = () => void;

/**
 * Shares the thread between requests. A request that computes for long pauses, so that small
 * requests are executed in between. Requests that wait take turns. Create one scheduler for each
 * process.
 */
export function createWorkScheduler({
  requestCpuMs = defaultRequestCpuMs,
  now = () => performance.now(),
  inNextTurn = setImmediate,
}: WorkSchedulerOptions = {}) {
  /** The tasks of each request that waits. */
  const waiting: Task[][] = [];
  let turn = 0;
  /** When the first large work of this turn began. Null if there was none. */
  let turnStartedAt: number | null = null;
  let isNextTurnPlanned = false;

  const planNextTurn = (): void => {
    if (isNextTurnPlanned) return;
    isNextTurnPlanned = true;
    inNextTurn(beginTurn);
  };

  const beginTurn = (): void => {
    isNextTurnPlanned = false;
    turn += 1;
    turnStartedAt = null;
    if (waiting.length === 0) return;
    const startedAt = now();
    turnStartedAt = startedAt;
    planNextTurn();
    do {
      const tasks = waiting.shift() ?? [];
      const task = tasks.shift();
      if (tasks.length > 0) waiting.push(tasks);
      task?.();
    } while (waiting.length > 0 && now() - startedAt < turnMs);
  };

  const createBudget = (): WorkBudget => {
    const tasks: Task[] = [];
    let usedMs = 0;
    /** When the work that runs now began. Null if no work of this request runs. */
    let startedAt: number | null = null;
    let lastTurn = turn;
    let usedBeforeTurn = 0;

    const measure = <Result>(work: () => Result): Result => {
      if (startedAt !== null) return work();
      const begin = now();
      startedAt = begin;
      turnStartedAt ??= begin;
      if (lastTurn !== turn) [lastTurn, usedBeforeTurn] = [turn, usedMs];
      try {
        return work();
      } finally {
        const end = now();
        usedMs += end - begin;
        startedAt = null;
        // Small work does not count in the turn, so that it plans no next turn.
        if (end - (turnStartedAt ?? begin) >= minShareMs) planNextTurn();
        else if (!isNextTurnPlanned) turnStartedAt = null;
      }
    };

    /** Returns true if the request must pause. Throws `requestTooExpensive`. */
    const mustPause = (): boolean => {
      const at = now();
      const used = usedMs + (startedAt === null ? 0 : at - startedAt);
      if (used >= requestCpuMs) throw errors.requestTooExpensive(requestCpuMs);
      return turnStartedAt !== null && at - turnStartedAt >= turnMs && used - usedBeforeTurn >= minShareMs;
    };

    const wait = <Result>(position: 'first' | 'last', work: () => Result): Promise<Awaited<Result>> =>
      new Promise((resolve, reject) => {
        const task: Task = () => {
          try {
            resolve(measure(work) as Awaited<Result>);
          } catch (error) {
            reject(error);
          }
        };
        if (tasks.length === 0) waiting.push(tasks);
        if (position === 'first') tasks.unshift(task);
        else tasks.push(task);
        planNextTurn();
      });

    return {
      measure,
      run: (work) =>
        measure(() =>
          mustPause()
            ? wait('last', () => {
                mustPause();
                return work();
              })
            : work(),
        ),
      runInSteps<Result>(steps: Generator<void, Result>) {
        const pull = (): Result | Promise<Awaited<Result>> => {
          for (;;) {
            const step = steps.next();
            if (step.done === true) return step.value;
            // Started work comes before the other work of the request, so that some of it ends.
            if (mustPause()) return wait('first', pull) as Promise<Awaited<Result>>;
          }
        };
        return measure(() => (mustPause() ? (wait('last', pull) as Promise<Awaited<Result>>) : pull()));
      },
      shouldPause(values) {
        if (values > maxValuesPerResponse) throw errors.tooManyValues(maxValuesPerResponse);
        return mustPause();
      },
      resume: (work) => wait('first', work),
    };
  };

  return { createBudget };
}

export type WorkScheduler = ReturnType<typeof createWorkScheduler>;
