import type { Keys, KeyVerses } from '@lectern/keys';
import { createOutageReporter, errorMessage, type Logger, parseVerseCounts } from '@lectern/serving';
import type { GatewayMetrics } from '../metrics';

const dayMs = 86_400_000;

/** The maximum number of different responses (by day, key and verses) that are counted before the next write. */
const maxResponses = 5_000;

/** The maximum number of counts that wait while the key store cannot be written. Each takes about 200 bytes. */
const maxUnsaved = 100_000;

/** The maximum number of counts in one transaction: SQLite writes them in a few milliseconds. */
const maxCountsPerWrite = 500;

interface VerseUsageParts {
  keys: Pick<Keys, 'addServedVerses'>;
  metrics: Pick<GatewayMetrics, 'versesServed'>;
  now: () => number;
  /** The time between two writes, in milliseconds. A process that is killed loses the counts of this time. */
  writeEveryMs: number;
  log: Logger;
}

export type VerseUsage = ReturnType<typeof createVerseUsage>;

/** Creates the functions that count the verses that responses have, and write the sums to the key store. */
export function createVerseUsage({ keys, metrics, now, writeEveryMs, log }: VerseUsageParts) {
  /** How often a response was sent, by the day, the key and the verses as `ServedVerses.write` writes them. */
  const responses = new Map<string, number>();
  const unsaved = new Map<string, KeyVerses>();
  const outage = createOutageReporter(log, {
    began: 'the verses that keys have read cannot be stored: the counts stay in memory',
    ended: 'the verses that keys have read can be stored again',
  });

  const addUnsaved = (count: KeyVerses): void => {
    const id = `${count.day} ${count.keyId} ${count.translation}`;
    const verses = (unsaved.get(id)?.verses ?? 0) + count.verses;
    if (unsaved.has(id) || unsaved.size < maxUnsaved) unsaved.set(id, { ...count, verses });
  };
  const collect = (): void => {
    for (const [response, times] of responses) {
      const [days = '', keyId = '', written = ''] = response.split(' ');
      const day = new Date(Number(days) * dayMs).toISOString().slice(0, 10);
      for (const { translation, verses } of parseVerseCounts(written)) {
        metrics.versesServed(translation, times * verses);
        addUnsaved({ keyId, translation, day, verses: times * verses });
      }
    }
    responses.clear();
  };
  /** Writes all counts. Keeps those that cannot be written. */
  const write = async (): Promise<void> => {
    collect();
    const counts = [...unsaved.values()];
    unsaved.clear();
    for (let from = 0; from < counts.length; from += maxCountsPerWrite)
      try {
        await keys.addServedVerses(counts.slice(from, from + maxCountsPerWrite));
        outage.end();
      } catch (error) {
        outage.begin(errorMessage(error));
        return counts.slice(from).forEach(addUnsaved);
      }
  };
  let writing = Promise.resolve();
  const writeInTurn = (): Promise<void> => (writing = writing.then(write));
  const timer = setInterval(() => void writeInTurn(), writeEveryMs).unref();

  return {
    /** Counts a response that was sent to a key. `verses` is as `ServedVerses.write` writes it, and may be empty. */
    add(keyId: string, verses: string): void {
      if (verses === '') return;
      const response = `${Math.floor(now() / dayMs)} ${keyId} ${verses}`;
      responses.set(response, (responses.get(response) ?? 0) + 1);
      if (responses.size === maxResponses) void writeInTurn();
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await writeInTurn();
      if (unsaved.size > 0) log.error({ counts: unsaved.size }, 'counts of verses that keys have read are lost');
    },
  };
}
