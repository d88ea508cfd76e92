import { openSync, readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type BudgetedRequest, WorkBudget, type WorkBudgetOptions } from './budget';
import { createClientUsage } from './client-usage';
import { createTurns, type TurnOptions } from './turns';

const defaultRequestCpuMs = 2_000;

/** Divides a process's computing time among clients: large requests pause, and who has lately used least is first. */
export function createWorkScheduler({
  requestCpuMs = defaultRequestCpuMs,
  now = () => performance.now(),
  cpuTime = createThreadCpuTime(),
  inNextTurn = setImmediate,
  later = setTimeout,
}: Partial<WorkBudgetOptions & TurnOptions> = {}) {
  const usage = createClientUsage(now);
  const turns = createTurns({ now, inNextTurn, later }, usage);
  const options = { requestCpuMs, now, cpuTime };
  return {
    createBudget: (request?: BudgetedRequest) => new WorkBudget(turns, usage, options, request),
    /** Creates a budget without a limit, for work that pauses but is bounded in another way, such as introspection. */
    createUnlimitedBudget: () => new WorkBudget(turns, usage, options, { maxMs: Infinity }),
    /** Resolves in a later turn, for at most one caller in each turn. Call this before work that cannot pause. */
    nextTurn: (clients: readonly string[] = []) => new Promise<void>((resolve) => turns.deferLarge(clients, resolve)),
  };
}

export type WorkScheduler = ReturnType<typeof createWorkScheduler>;

/** In milliseconds. Only Linux reports the time of one thread. Elsewhere all threads of the process count. */
function createThreadCpuTime(): () => number {
  const buffer = Buffer.alloc(64);
  let file: number | null | undefined;
  const open = (): number | null => {
    try {
      return openSync('/proc/thread-self/schedstat', 'r');
    } catch {
      return null;
    }
  };
  return () => {
    if (file === undefined) file = open();
    if (file === null) {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    }
    return Number.parseInt(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)), 10) / 1e6;
  };
}

/** Lets callers continue one by one, at most one per `intervalMs`, which leaves time for other work. */
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
    // `setImmediate` lets a busy process read data that arrived before the timer.
    timer = setTimeout(() => setImmediate(() => reject(new Error(`no response within ${ms} ms`))), ms);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
