import type { KeyVerses } from '@lectern/keys';
import { silentLogger } from '@lectern/serving';
import { createVerseUsage } from './verse-usage';

const noon = Date.UTC(2026, 10, 29, 12);

/** Opens the counts of one process with a store that the test can make unavailable, and a clock that the test sets. */
function open(writeEveryMs = 3_600_000) {
  const stored: KeyVerses[] = [];
  const metrics: [translation: string, verses: number][] = [];
  const state = { isAvailable: true, now: noon };
  const usage = createVerseUsage({
    keys: {
      async addServedVerses(counts) {
        if (!state.isAvailable) throw new Error('the disk is full');
        stored.push(...counts);
      },
    },
    metrics: { versesServed: (...count) => void metrics.push(count) },
    now: () => state.now,
    writeEveryMs,
    log: silentLogger,
  });
  return { usage, state, stored, metrics };
}

test('the verses of responses to a key are stored as one count for each translation and day in UTC', async () => {
  const { usage, state, stored } = open();
  usage.add('key', 'eng-web=31');
  usage.add('key', 'eng-kjv=1,eng-web=2');
  state.now += 12 * 3_600_000;
  usage.add('key', 'eng-web=5');
  await usage.close();
  const count = { key: 'key', translation: 'eng-web', day: '2026-11-29', verses: 33 };
  expect(stored).toEqual([
    count,
    { ...count, translation: 'eng-kjv', verses: 1 },
    { ...count, day: '2026-11-30', verses: 5 },
  ]);
});

test('verses that cannot be stored are stored once the key store is available again', async () => {
  const { usage, state, stored } = open(10);
  state.isAvailable = false;
  usage.add('key', 'eng-web=31');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(stored).toEqual([]);
  state.isAvailable = true;
  usage.add('key', 'eng-web=2');
  await usage.close();
  expect(stored).toEqual([{ key: 'key', translation: 'eng-web', day: '2026-11-29', verses: 33 }]);
});

test('the metrics count each served verse once, when it is stored', async () => {
  const { usage, state, metrics } = open(10);
  state.isAvailable = false;
  usage.add('key', 'eng-web=31');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(metrics).toEqual([]);
  state.isAvailable = true;
  await usage.close();
  expect(metrics).toEqual([['eng-web', 31]]);
});
