import { createMemoryCounterStore } from '@lectern/cluster';
import { createRateLimiter } from './rate-limiter';

const limit = { name: 'key', max: 10, seconds: 60 };

function limiterAt(time: number) {
  const rateLimiter = createRateLimiter({ counters: createMemoryCounterStore(), environment: 'test', now: () => time });
  return async () => {
    const [state] = await rateLimiter.consume([{ limit, subject: 'a key' }]);
    return state;
  };
}

test('the method refund of a limit state, which the rate limiter returns for a request, takes this request out of its count', async () => {
  const consume = limiterAt(0);
  const state = await consume();
  expect([state.remaining, state.refund().remaining]).toEqual([9, 10]);
  expect((await consume()).remaining).toBe(9);
});

test('the rate limiter takes a request out of its count only once if refund is called twice on its limit state', async () => {
  const consume = limiterAt(0);
  await consume();
  const state = await consume();
  state.refund();
  expect(state.refund().remaining).toBe(9);
  expect((await consume()).remaining).toBe(8);
});

test('the rate limiter takes a request out of its count only once if refund is called again on the limit state that the first refund returned', async () => {
  const consume = limiterAt(0);
  await consume();
  const refunded = (await consume()).refund();
  expect(refunded.refund().refund().remaining).toBe(9);
  expect((await consume()).remaining).toBe(8);
});

test('the rate limiter takes nothing out of its count if refund is called on the limit state of a request that was over the limit', async () => {
  const rateLimiter = createRateLimiter({ counters: createMemoryCounterStore(), environment: 'test', now: () => 0 });
  const subject = { limit, subject: 'a key' };
  for (let count = 0; count < limit.max; count += 1) await rateLimiter.consume([subject]);
  const [state] = await rateLimiter.consume([subject]);
  expect(state.allowed).toBe(false);
  state.refund();
  expect(await rateLimiter.used([subject])).toEqual([limit.max]);
});

test('if a request has several limits and one of them is exhausted, the rate limiter ignores the limits after it, even one that is turned off', async () => {
  const rateLimiter = createRateLimiter({ counters: createMemoryCounterStore(), environment: 'test', now: () => 0 });
  const subjects = [
    { limit: { name: 'address', max: 1, seconds: 60 }, subject: 'an address' },
    { limit: { name: 'key-minute', max: 0, seconds: 60 }, subject: 'a key' },
    { limit, subject: 'a key' },
  ];
  expect((await rateLimiter.consume(subjects)).map(({ allowed }) => allowed)).toEqual([true, true, true]);
  expect((await rateLimiter.consume(subjects)).map(({ allowed }) => allowed)).toEqual([false]);
});

test('the rate limiter can add units to a count beyond its limit, and then rejects the next request', async () => {
  const rateLimiter = createRateLimiter({ counters: createMemoryCounterStore(), environment: 'test', now: () => 0 });
  const subject = { limit, subject: 'a key' };
  expect(await rateLimiter.used([subject, { limit, subject: 'another key' }])).toEqual([0, 0]);
  rateLimiter.add(subject, limit.max + 5);
  rateLimiter.add(subject, 2);
  for (let time = 0; time < 2; time += 1) expect(await rateLimiter.used([subject])).toEqual([limit.max + 7]);
  expect((await rateLimiter.consume([subject])).map(({ allowed }) => allowed)).toEqual([false]);
});
