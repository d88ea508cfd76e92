import type { Logger } from '@lectern/serving';
import type { CounterEntry, CounterStore } from './counter-store';
import type { IpcChannel } from './ipc-channel';
import type { MemoryCounterStore } from './memory-counter-store';

/** What a worker says to its primary: all that was asked in one turn of its event loop. */
interface Asked {
  readonly id: number;
  readonly takes: readonly (readonly CounterEntry[])[];
  readonly givenBack: readonly CounterEntry[];
}

interface Answered {
  readonly id: number;
  readonly taken: readonly (readonly number[])[];
}

interface Take {
  readonly entries: readonly CounterEntry[];
  answer(used: readonly number[]): void;
}

interface Waiting {
  readonly takes: readonly Take[];
  readonly late: NodeJS.Timeout;
}

const topic = 'counts';
const deadlineMs = 200;
/** What may be given back in one turn, or wait for a primary that does not answer. */
const mostGivenBack = 10_000;

export interface PrimaryCounterStoreOptions {
  channel: IpcChannel;
  /** What counts while the primary does not answer. It is kept at what the primary last said, and goes on from there. */
  memory: MemoryCounterStore;
  log: Logger;
}

/**
 * Counts that the workers of one service share: the primary holds them. A primary that does not answer in time costs one deadline; until it does, each
 * worker counts by itself. Nothing is asked meanwhile: what was asked last is still on its way to it, and its answer says that it is back.
 */
export function createPrimaryCounterStore({ channel, memory, log }: PrimaryCounterStoreOptions): CounterStore {
  const waiting = new Map<number, Waiting>();
  let takes: Take[] = [];
  let givenBack: CounterEntry[] = [];
  let isScheduled = false;
  let lastId = 0;
  let alone = false;

  const countAlone = (list: readonly Take[]): void =>
    list.forEach(({ entries, answer }) => answer(memory.consume(entries)));

  const lose = (id: number): void => {
    if (!waiting.has(id)) return;
    if (!alone) log.warn('the primary process does not answer: this worker counts limits by itself until it does');
    alone = true;
    for (const { takes: unanswered, late } of waiting.values()) {
      clearTimeout(late);
      countAlone(unanswered);
    }
    waiting.clear();
  };

  const ask = (): void => {
    isScheduled = false;
    const asked = { takes, givenBack };
    takes = [];
    if (alone) return countAlone(asked.takes);
    givenBack = [];
    const id = (lastId += 1);
    // Judged only after what has arrived meanwhile was read: it may be this process that was busy, and not the primary.
    if (asked.takes.length > 0)
      waiting.set(id, { takes: asked.takes, late: setTimeout(() => setImmediate(lose, id), deadlineMs) });
    const message: Asked = { id, takes: asked.takes.map(({ entries }) => entries), givenBack: asked.givenBack };
    void channel.send(topic, message);
  };

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(ask);
  };

  channel.on(topic, (body) => {
    const { id, taken } = body as Answered;
    if (alone) log.info('the primary process answers again: limits are shared again');
    alone = false;
    const answered = waiting.get(id);
    if (!answered) return;
    waiting.delete(id);
    clearTimeout(answered.late);
    for (const [index, { entries, answer }] of answered.takes.entries()) {
      const used = taken[index] ?? [];
      for (const [place, count] of used.entries()) {
        const entry = entries[place];
        if (entry) memory.note(entry, Math.min(count, entry.max));
      }
      answer(used);
    }
  });

  return {
    consume(entries) {
      if (alone) return memory.consume(entries);
      return new Promise((resolve) => {
        takes.push({ entries, answer: resolve });
        schedule();
      });
    },
    refund(entry) {
      memory.refund(entry);
      if (givenBack.length < mostGivenBack) givenBack.push(entry);
      schedule();
    },
    lastKnown: (entry) => memory.lastKnown(entry),
    isUnavailable: null,
    async close() {
      for (const { late } of waiting.values()) clearTimeout(late);
    },
  };
}

/** The primary's end of it: counts for the worker at the other end of the line. */
export function serveCounters(counts: MemoryCounterStore, channel: IpcChannel): void {
  channel.on(topic, (body) => {
    const { id, takes, givenBack } = body as Asked;
    for (const entry of givenBack) counts.refund(entry);
    if (takes.length === 0) return;
    const answer: Answered = { id, taken: takes.map((entries) => counts.consume(entries)) };
    void channel.send(topic, answer);
  });
}
