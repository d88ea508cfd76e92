import { performance } from 'node:perf_hooks';
import type { WorkBudget, WorkBudgetOptions } from './scheduler';
import { createWorkBudget } from './scheduler';
import type { TurnOptions } from './turns';
import { createTurns } from './turns';

/** The default of the setting REQUEST_CPU_MS: the maximum computing time of one request, in milliseconds. */
export const defaultRequestCpuMs = 250;

/**
 * The maximum length of a document, in UTF-16 units, that is parsed and validated at once, which
 * takes a millisecond or two.
 */
const maxSmallDocument = 1_000;

export type WorkSchedulerOptions = Partial<WorkBudgetOptions & TurnOptions>;

/**
 * Divides the computing time of the process among requests. A large request pauses again and again, so
 * that small requests are executed in between. Create one scheduler for each process.
 */
export function createWorkScheduler({
  requestCpuMs = defaultRequestCpuMs,
  now = () => performance.now(),
  cpuTime = processCpuTime,
  inNextTurn = setImmediate,
  later = setTimeout,
}: WorkSchedulerOptions = {}) {
  const turns = createTurns({ now, inNextTurn, later });
  const options = { requestCpuMs, now, cpuTime };
  const createUnlimitedBudget = (): WorkBudget => createWorkBudget(turns, { ...options, requestCpuMs: Infinity });
  return {
    /** Creates the budget of one request. */
    createBudget: (): WorkBudget => createWorkBudget(turns, options),
    /**
     * Resolves in a later turn of the event loop, for one caller in each turn. Call it before large work
     * that cannot pause, so that no turn has two pieces of such work.
     */
    nextTurn: () => new Promise<void>((resolve) => turns.deferLarge(resolve)),
    /** Creates the budget of work that pauses but has another bound than time, such as writing a response. */
    createUnlimitedBudget,
    /**
     * Finds or prepares a GraphQL document with `prepare`: at once if the document is small. A large
     * document that is cached waits if the time of this turn is used up. Any other large document is
     * prepared as `runLarge` of a budget says, so no turn of the event loop prepares two of them.
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
