import { isPromise } from 'node:util/types';
import { errors } from '@lectern/errors';
import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../shared/awaitable';

interface MeasuredWork {
  /** The API key and the address of the client. */
  readonly clients: readonly string[];
  usedMs(): number;
}

interface WaitingOperation {
  readonly ms: number;
  readonly start: () => void;
}

interface InFlight {
  operations: number;
  ms: number;
  readonly waiting: WaitingOperation[];
}

/** The total cost and the total computing time of a key's latest operations. */
interface Measured {
  points: number;
  ms: number;
}

interface InFlightLimits {
  readonly maxCost: number;
  /** How long an operation waits for the other operations of its key, in milliseconds. */
  readonly maxWaitMs: number;
}

/** The computing time that operations usually take for each point of their cost, in milliseconds (bench/costs.md). */
const usualMsPerPoint = 0.3;

/**
 * The maximum expected computing time of one key's operations in flight, in multiples of what the most expensive
 * operation usually takes. Short operations have a limit of their own, so that one that waits for a slow subgraph does
 * not hold them up.
 */
const maxInFlight = { ofShortOperation: 1 / 10, ofShortOperations: 2, ofOtherOperations: 1 / 2 };

/** The cost that counts at least, because an operation may cost 0 but never takes no time. */
const minCost = 1;

/** The share of earlier operations that each new operation leaves in a key's measurement. */
const earlierShare = 0.9;

const maxMeasuredKeys = 10_000;

/**
 * Limits the expected computing time of each key's operations in flight: their cost by what its latest operations took
 * for a point. Others wait in order, so more connections bring a client no more computing time.
 */
export function createInFlightLimiter({ maxCost, maxWaitMs }: InFlightLimits) {
  const largestMs = maxCost * usualMsPerPoint;
  const measuredOf = new LRUCache<string, Measured>({ max: maxMeasuredKeys });
  const createLimit = (maxMs: number) => ({ maxMs, keys: new Map<string, InFlight>() });
  const ofShort = createLimit(maxInFlight.ofShortOperations * largestMs);
  const ofOthers = createLimit(maxInFlight.ofOtherOperations * largestMs);

  const expectedMs = (key: string, cost: number): number => {
    const measured = measuredOf.get(key);
    return cost * Math.max(usualMsPerPoint, measured ? measured.ms / measured.points : 0);
  };

  const record = (key: string, cost: number, ms: number): void => {
    const measured = measuredOf.get(key);
    if (!measured) return void measuredOf.set(key, { points: cost, ms });
    measured.points = earlierShare * measured.points + cost;
    measured.ms = earlierShare * measured.ms + ms;
  };

  /** Returns whether an operation may start. It always may if no other operation of its key is in flight. */
  const fits = (state: InFlight, ms: number, maxMs: number): boolean =>
    state.operations === 0 || state.ms + ms <= maxMs;

  const startWaiting = ({ keys, maxMs }: ReturnType<typeof createLimit>, key: string, state: InFlight): void => {
    for (let next = state.waiting[0]; next && fits(state, next.ms, maxMs); next = state.waiting[0]) {
      state.waiting.shift();
      next.start();
    }
    if (state.operations === 0 && state.waiting.length === 0) keys.delete(key);
  };

  const start = <Result>(work: MeasuredWork, cost: number, ms: number, run: () => Awaitable<Result>) => {
    const [key = ''] = work.clients;
    const result = run();
    if (!isPromise(result)) {
      record(key, cost, work.usedMs());
      return result;
    }
    const limit = limitFor(ms);
    const state = limit.keys.get(key) ?? { operations: 0, ms: 0, waiting: [] };
    limit.keys.set(key, state);
    state.operations += 1;
    state.ms += ms;
    return result.finally(() => {
      record(key, cost, work.usedMs());
      state.operations -= 1;
      state.ms -= ms;
      startWaiting(limit, key, state);
    });
  };

  const limitFor = (ms: number) => (ms <= maxInFlight.ofShortOperation * largestMs ? ofShort : ofOthers);

  const waitAndStart = <Result>(state: InFlight, work: MeasuredWork, ms: number, run: () => Awaitable<Result>) =>
    new Promise<Result>((resolve, reject) => {
      const operation: WaitingOperation = {
        ms,
        start() {
          clearTimeout(timeout);
          resolve(run());
        },
      };
      const timeout = setTimeout(() => {
        state.waiting.splice(state.waiting.indexOf(operation), 1);
        reject(errors.tooManyInFlight());
        startWaiting(limitFor(ms), work.clients[0] ?? '', state);
      }, maxWaitMs).unref();
      state.waiting.push(operation);
    });

  return {
    /**
     * Calls `run` when the operation fits within the limit of its key. Rejects with `tooManyInFlight` after
     * `maxWaitMs`.
     */
    run<Result>(work: MeasuredWork, complexity: number, run: () => Awaitable<Result>): Awaitable<Result> {
      const [key = ''] = work.clients;
      const cost = Math.max(minCost, complexity);
      const ms = expectedMs(key, cost);
      const { keys, maxMs } = limitFor(ms);
      const state = keys.get(key);
      const begin = () => start(work, cost, ms, run);
      return !state || (state.waiting.length === 0 && fits(state, ms, maxMs))
        ? begin()
        : waitAndStart(state, work, ms, async () => await begin());
    },
  };
}
