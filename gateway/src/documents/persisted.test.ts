import { setTimeout as pause } from 'node:timers/promises';
import { createPersistedQueryMemory } from './persisted';

const query = (number: number, length = 200) => `{ a${number} } #`.padEnd(length, 'x');

test('an API key can fill at most 1/16 of the persisted-query store, so storing many queries evicts no query of another key', () => {
  const memory = createPersistedQueryMemory({ maxBytes: 1_000_000, maxSeconds: 60 });
  const keys = Array.from({ length: 21 }, (_, index) => `key-${index}`);
  // Each of these 21 keys takes 45 kB, a little less than an equal share of the memory.
  for (const key of keys) for (let number = 0; number < 50; number += 1) memory.set(key, `${number}`, query(number));
  const stored: boolean[] = [];
  for (let number = 0; number < 10_000; number += 1) {
    memory.set('other', `${number}`, query(number));
    stored.push(memory.get('other', `${number}`) !== null);
  }
  expect(stored).not.toContain(false);
  expect(
    keys.every((key) => Array.from({ length: 50 }, (_, number) => memory.get(key, `${number}`)).every(Boolean)),
  ).toBe(true);
  const left = Array.from({ length: 10_000 }, (_, number) => memory.get('other', `${number}`)).filter(Boolean);
  expect(left.length).toBeLessThanOrEqual(62_500 / 900);
});

test('one key may use 1/16 of the persisted-query store, but many keys with one query each fill all of it', () => {
  const memory = createPersistedQueryMemory({ maxBytes: 100_000, maxSeconds: 60 });
  for (let key = 0; key < 1_000; key += 1) memory.set(`key-${key}`, 'hash', query(key));
  const left = Array.from({ length: 1_000 }, (_, key) => memory.get(`key-${key}`, 'hash')).filter(Boolean);
  expect(left).toHaveLength(Math.floor(100_000 / 900));
});

test('the persisted-query store does not store a query larger than 1/16 of the store, which is the maximum for one API key', () => {
  const memory = createPersistedQueryMemory({ maxBytes: 100_000, maxSeconds: 60 });
  memory.set('key', 'small', query(1));
  memory.set('key', 'large', query(1, 4_000));
  expect([memory.get('key', 'large'), memory.get('key', 'small')]).toEqual([null, query(1)]);
});

test('the persisted-query store no longer returns a query that was stored more than maxSeconds ago', async () => {
  const memory = createPersistedQueryMemory({ maxBytes: 100_000, maxSeconds: 0.02 });
  memory.set('key', 'hash', query(1));
  await pause(60);
  expect(memory.get('key', 'hash')).toBeNull();
});

test('the persisted-query store accepts an expired query again, however often the query expires', async () => {
  const memory = createPersistedQueryMemory({ maxBytes: 32_000, maxSeconds: 0.5 });
  for (let lifetime = 1; lifetime <= 3; lifetime += 1) {
    memory.set('key', 'hash', query(1));
    expect(memory.get('key', 'hash')).toBe(query(1));
    await pause(600);
    expect(memory.get('key', 'hash')).toBeNull();
  }
});
