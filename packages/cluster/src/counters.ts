import { createOutageReporter, type Logger } from '@lectern/serving';
import { LRUCache } from 'lru-cache';
import type { IpcChannel } from './ipc';

/** An increment of one count: the requests of an address or a key in one window of a rate limit. */
export interface CounterIncrement {
  /** The name of the count: the limit, the start of the window, and the address or key. */
  readonly bucket: string;
  /** The name of the rate limit, such as `address`. */
  readonly limit: string;
  /** The maximum number of requests in the window, 0 or more. */
  readonly max: number;
  /** The number to add, 1 by default. The amount 0 reads the count and changes nothing. */
  readonly amount?: number;
  /** The seconds until the time window ends, rounded up. Afterwards the count may be deleted. */
  readonly secondsLeft: number;
}

/** A store that counts requests: in memory, in the primary process or in Redis. */
export interface CounterStore {
  /**
   * Adds the amount to each count in order, and returns the new counts. Stops at the first count that has already
   * reached its maximum: the result for this count is `max + 1`, and later increments are neither counted nor returned.
   * The amount 0 only reads a count, so it never stops the call.
   */
  consume(increments: readonly CounterIncrement[]): readonly number[] | Promise<readonly number[]>;
  /** Subtracts one from the count. */
  refund(increment: CounterIncrement): void;
  /** Returns the last count that this process has read, without a request to Redis or the primary process. */
  lastKnown(increment: CounterIncrement): number;
  /**
   * While Redis is unavailable and this process counts in memory, returns the reason. Otherwise returns null. The
   * property is null if the gateway uses no Redis.
   */
  readonly problem: (() => string | null) | null;
  close(): Promise<void>;
}

export interface MemoryCounterStore extends CounterStore {
  consume(increments: readonly CounterIncrement[]): readonly number[];
  /**
   * Sets a count to the number that Redis or the primary process has reported. If Redis or the primary process fails
   * later, counting continues from this number.
   */
  overwrite(increment: CounterIncrement, used: number): void;
}

const maxCountsPerLimit = 50_000;

/**
 * Creates a counter store in memory. Each rate limit has its own LRU cache, so that requests from many addresses do not
 * evict the counts of API keys.
 */
export function createMemoryCounterStore(): MemoryCounterStore {
  // A count is an object that is changed in place, because replacing an entry of the LRU cache would cost more.
  const countsByLimit = new Map<string, LRUCache<string, { used: number }>>();

  const countsOf = (limit: string) => {
    let counts = countsByLimit.get(limit);
    if (!counts) countsByLimit.set(limit, (counts = new LRUCache({ max: maxCountsPerLimit })));
    return counts;
  };

  return {
    consume(increments) {
      const results: number[] = [];
      for (const { limit, bucket, max, amount = 1 } of increments) {
        const counts = countsOf(limit);
        const existing = counts.get(bucket);
        const count = existing ?? { used: 0 };
        if (count.used >= max && amount > 0) {
          results.push(max + 1);
          break;
        }
        count.used += amount;
        if (!existing && amount > 0) counts.set(bucket, count);
        results.push(count.used);
      }
      return results;
    },
    refund({ limit, bucket }) {
      const count = countsOf(limit).get(bucket);
      if (count && count.used > 0) count.used -= 1;
    },
    lastKnown: ({ limit, bucket }) => countsOf(limit).get(bucket)?.used ?? 0,
    overwrite: ({ limit, bucket }, used) => void countsOf(limit).set(bucket, { used }),
    problem: null,
    close: async () => countsByLimit.clear(),
  };
}

/**
 * The message to the primary process with all that a worker has consumed and refunded in one turn of the event loop.
 */
interface CountersRequest {
  readonly id: number;
  readonly consumptions: readonly (readonly CounterIncrement[])[];
  readonly refunds: readonly CounterIncrement[];
}

/** The response of the primary process: the counts after each call of `consume`. */
interface CountersResponse {
  readonly id: number;
  readonly counts: readonly (readonly number[])[];
}

interface Consumption {
  readonly increments: readonly CounterIncrement[];
  resolve(counts: readonly number[]): void;
}

const topic = 'counts';
/**
 * How long a worker waits for the primary process, in milliseconds. If it waited less for a busy primary, each worker
 * would count alone, and a client could exceed its limits.
 */
const deadlineMs = 1_000;
/** The maximum number of refunds that wait while the primary process does not respond. Further refunds are dropped. */
const maxPendingRefunds = 10_000;

/**
 * Creates the counter store of a worker. The primary process holds the counts that all workers share. If the primary
 * process does not respond within a second, the worker counts in `memory`, starting with the last reported numbers,
 * until the response arrives.
 */
export function createPrimaryCounterStore(channel: IpcChannel, memory: MemoryCounterStore, log: Logger): CounterStore {
  const pending = new Map<number, { consumptions: readonly Consumption[]; timeout: NodeJS.Timeout }>();
  let consumptions: Consumption[] = [];
  let refunds: CounterIncrement[] = [];
  let isFlushScheduled = false;
  let lastId = 0;
  const outage = createOutageReporter(log, {
    began: 'the primary process does not respond: this worker counts limits in memory until it does',
    ended: 'the primary process responds again: limits are shared again',
  });

  const consumeLocally = (list: readonly Consumption[]): void =>
    list.forEach(({ increments, resolve }) => resolve(memory.consume(increments)));

  const onTimeout = (id: number): void => {
    if (!pending.has(id)) return;
    outage.begin(`no response within ${deadlineMs} ms`);
    for (const { consumptions: unanswered, timeout } of pending.values()) {
      clearTimeout(timeout);
      consumeLocally(unanswered);
    }
    pending.clear();
  };

  const flush = (): void => {
    isFlushScheduled = false;
    const list = consumptions;
    consumptions = [];
    if (outage.isOngoing()) return consumeLocally(list);
    const id = (lastId += 1);
    // In a busy worker, the timer may fire although the response has already arrived. `setImmediate` lets the worker
    // read the response first.
    if (list.length > 0) {
      const timeout = setTimeout(() => setImmediate(onTimeout, id), deadlineMs);
      pending.set(id, { consumptions: list, timeout });
    }
    const request: CountersRequest = { id, consumptions: list.map(({ increments }) => increments), refunds };
    refunds = [];
    void channel.send(topic, request);
  };

  const scheduleFlush = (): void => {
    if (isFlushScheduled) return;
    isFlushScheduled = true;
    setImmediate(flush);
  };

  channel.on(topic, (body) => {
    const { id, counts } = body as CountersResponse;
    outage.end();
    const request = pending.get(id);
    if (!request) return;
    pending.delete(id);
    clearTimeout(request.timeout);
    for (const [index, { increments, resolve }] of request.consumptions.entries()) {
      const used = counts[index] ?? [];
      for (const [place, increment] of increments.slice(0, used.length).entries())
        memory.overwrite(increment, Math.min(used[place] ?? 0, increment.max));
      resolve(used);
    }
  });

  return {
    consume(increments) {
      if (outage.isOngoing()) return memory.consume(increments);
      return new Promise((resolve) => {
        consumptions.push({ increments, resolve });
        scheduleFlush();
      });
    },
    refund(increment) {
      memory.refund(increment);
      if (refunds.length < maxPendingRefunds) refunds.push(increment);
      scheduleFlush();
    },
    lastKnown: memory.lastKnown,
    problem: null,
    async close() {
      for (const { timeout } of pending.values()) clearTimeout(timeout);
    },
  };
}

/** Runs in the primary process. Lets the worker at the other end of the channel use `counters`. */
export function serveCounters(counters: MemoryCounterStore, channel: IpcChannel): void {
  channel.on(topic, (body) => {
    const { id, consumptions, refunds } = body as CountersRequest;
    for (const increment of refunds) counters.refund(increment);
    if (consumptions.length === 0) return;
    const counts = consumptions.map((increments) => counters.consume(increments));
    void channel.send(topic, { id, counts } satisfies CountersResponse);
  });
}
