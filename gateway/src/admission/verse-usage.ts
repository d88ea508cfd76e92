import type { Keys, KeyVerses } from '@lectern/keys';
import { createOutageReporter, errorMessage, type Logger, parseVerseReport } from '@lectern/serving';
import type { GatewayMetrics } from '../metrics';

const dayMs = 86_400_000;

/** The number of different responses (by day, key and report) after which the counts are written at once. */
const maxResponses = 5_000;

/** The maximum number of counts that wait while the key store cannot be written. Each takes about 200 bytes. */
const maxUnsaved = 100_000;

/** The maximum number of counts in one transaction: SQLite writes them in a few milliseconds. */
const maxCountsPerWrite = 500;

interface VerseUsageParts {
  keys: Pick<Keys, 'addServedVerses'>;
  metrics: Pick<GatewayMetrics, 'versesServed'>;
  now: () => number;
  /** The time between two writes. A process that is killed loses the counts of this time. 10,000 ms by default. */
  writeEveryMs?: number;
  log: Logger;
}

export type VerseUsage = ReturnType<typeof createVerseUsage>;

/** Creates the functions that count the verses of responses, and write the sums to the key store. */
export function createVerseUsage({ keys, metrics, now, writeEveryMs = 10_000, log }: VerseUsageParts) {
  /** How often a response was sent, by the day, the key and the report of its verses. */
  const responses = new Map<string, number>();
  const outage = createOutageReporter(log, {
    began: 'the verses that keys have read cannot be stored: the counts stay in memory',
    ended: 'the verses that keys have read can be stored again',
  });

  const takeCounts = (): KeyVerses[] => {
    const counts = new Map<string, KeyVerses>();
    for (const [response, times] of responses) {
      const [days = '', key = '', report = ''] = response.split(' ');
      const day = new Date(Number(days) * dayMs).toISOString().slice(0, 10);
      for (const { translation, verses } of parseVerseReport(report)) {
        const id = `${day} ${key} ${translation}`;
        counts.set(id, { key, translation, day, verses: (counts.get(id)?.verses ?? 0) + times * verses });
      }
    }
    responses.clear();
    return [...counts.values()];
  };
  const write = async (): Promise<void> => {
    const counts = takeCounts();
    for (let from = 0; from < counts.length; from += maxCountsPerWrite) {
      const some = counts.slice(from, from + maxCountsPerWrite);
      try {
        await keys.addServedVerses(some);
      } catch (error) {
        outage.begin(errorMessage(error));
        for (const { key, translation, day, verses } of counts.slice(from))
          add(Date.parse(day) / dayMs, key, `${translation}=${verses}`);
        return;
      }
      outage.end();
      for (const { translation, verses } of some) metrics.versesServed(translation, verses);
    }
  };
  let writing = Promise.resolve();
  const writeInTurn = (): Promise<void> => (writing = writing.then(write));
  const timer = setInterval(() => void writeInTurn(), writeEveryMs).unref();

  const add = (days: number, key: string, report: string): void => {
    const response = `${days} ${key} ${report}`;
    const times = responses.get(response) ?? 0;
    if (times > 0 || responses.size < maxUnsaved) responses.set(response, times + 1);
  };

  return {
    /** Counts a response that was sent to a key. `report` is the report of its verses, and may be empty. */
    add(key: string, report: string): void {
      if (report === '') return;
      const before = responses.size;
      add(Math.floor(now() / dayMs), key, report);
      if (responses.size > before && responses.size % maxResponses === 0) void writeInTurn();
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await writeInTurn();
      if (responses.size > 0) log.error({ counts: responses.size }, 'counts of verses that keys have read are lost');
    },
  };
}
