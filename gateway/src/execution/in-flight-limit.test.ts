import { setImmediate as afterAllTurns } from 'node:timers/promises';
import { createInFlightLimiter } from './in-flight-limit';

/** This wait is longer than any test takes, so no waiting operation is rejected. */
const maxWaitMs = 60_000;

/** Creates a limiter, and a function that runs operations, which stay in flight until `end`. */
function createTestOperations(maxCost: number, options = { maxWaitMs }) {
  const limiter = createInFlightLimiter({ maxCost, ...options });
  const running: string[] = [];
  const ends = new Map<string, (ms: number) => void>();
  return {
    running,
    run(key: string, name: string, cost: number) {
      let used = 0;
      return limiter.run({ clients: [key, '192.0.2.1'], usedMs: () => used }, cost, () => {
        running.push(name);
        return new Promise<string>((resolve) =>
          ends.set(name, (ms) => {
            used = ms;
            resolve(name);
          }),
        );
      });
    },
    /** Ends an operation that has computed for `ms`. */
    async end(name: string, ms = 0): Promise<void> {
      running.splice(running.indexOf(name), 1);
      ends.get(name)?.(ms);
      await afterAllTurns();
    },
  };
}

test('the in-flight limiter starts waiting operations of a key in order, each when those in flight leave room for it', async () => {
  const { run, running, end } = createTestOperations(1_200);
  const results = [
    run('key', 'a', 300),
    run('key', 'b', 300),
    run('key', 'c', 300),
    run('key', 'd', 130),
    run('key', 'e', 300),
  ];
  expect(running).toEqual(['a', 'b']);
  await end('b');
  expect(running).toEqual(['a', 'c']);
  await end('a');
  expect(running).toEqual(['c', 'd']);
  await end('c');
  expect(running).toEqual(['d', 'e']);
  await end('d');
  await end('e');
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('the in-flight limiter does not let an operation wait for the operations of another API key', async () => {
  const { run, running, end } = createTestOperations(300);
  const results = [run('one', 'a', 300), run('one', 'b', 300), run('other', 'c', 300)];
  expect(running).toEqual(['a', 'c']);
  // An operation that still waits after this test would be rejected during another test, and would
  // fail that test.
  for (const name of ['a', 'b', 'c']) await end(name);
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c']);
});

test('the in-flight limiter runs an operation whose cost exceeds the maximum when the API key has no other operation in flight', async () => {
  const { run, running, end } = createTestOperations(300);
  void run('key', 'a', 31);
  void run('key', 'b', 1_000);
  expect(running).toEqual(['a']);
  await end('a');
  expect(running).toEqual(['b']);
});

test('the in-flight limiter runs the next operation of an API key after an operation that has rejected or thrown', async () => {
  const limiter = createInFlightLimiter({ maxCost: 300, maxWaitMs });
  const work = { clients: ['key'], usedMs: () => 0 };
  const failed = limiter.run(work, 300, () => Promise.reject(new Error('failed')));
  const thrown = limiter.run(work, 300, () => {
    throw new Error('thrown');
  });
  const next = limiter.run(work, 300, () => 'next');
  await expect(failed).rejects.toThrow('failed');
  await expect(thrown).rejects.toThrow('thrown');
  expect(await next).toBe('next');
});

test('the in-flight limiter rejects an operation after maxWaitMs with RATE_LIMITED, and then runs a cheaper later one', async () => {
  const { run, running } = createTestOperations(1_200, { maxWaitMs: 50 });
  void run('key', 'a', 300);
  void run('key', 'b', 130);
  const tooLarge = run('key', 'c', 300);
  await afterAllTurns();
  const next = run('key', 'd', 130);
  void Promise.resolve(next).catch(() => {});
  await expect(tooLarge).rejects.toMatchObject({
    message:
      'Too many operations of this API key are in flight. Send fewer operations at the same time, and retry after 1 second.',
    extensions: { code: 'RATE_LIMITED', retryAfter: 1, limit: 'key-in-flight' },
  });
  expect(running).toEqual(['a', 'b', 'd']);
});

test('the in-flight limiter lets a key whose cheap operations compute for long have only a few of them in flight', async () => {
  const { run, running, end } = createTestOperations(300);
  const first = run('key', 'first', 8);
  await end('first', 20);
  const results = ['a', 'b', 'c', 'd'].map((name) => run('key', name, 8));
  expect(running).toEqual(['a', 'b']);
  for (const name of ['a', 'b', 'c', 'd']) await end(name, 20);
  expect(await Promise.all([first, ...results])).toEqual(['first', 'a', 'b', 'c', 'd']);
});

test('an operation without a cost, such as { __typename }, does not hold up the later operations of its API key', async () => {
  const { run, running, end } = createTestOperations(300);
  const free = run('key', 'free', 0);
  await end('free', 0.2);
  const results = [run('key', 'free again', 0), run('key', 'a', 8), run('key', 'b', 8)];
  expect(running).toEqual(['free again', 'a', 'b']);
  for (const name of running.slice()) await end(name);
  expect(await Promise.all([free, ...results])).toEqual(['free', 'free again', 'a', 'b']);
});
