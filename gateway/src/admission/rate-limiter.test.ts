import { createMemoryCounterStore } from './counters';
import { createRateLimiter } from './rate-limiter';

const limit = { name: 'key', max: 10, seconds: 60 };

const createTestLimiter = () =>
  createRateLimiter({ counters: createMemoryCounterStore(), environment: 'test', now: () => 0 });

type LimitState = Awaited<ReturnType<ReturnType<typeof createTestLimiter>['consume']>>[0];

test.each<[string, (state: LimitState) => LimitState]>([
  ['refund is called on its limit state', (state) => state.refund()],
  [
    'refund is called twice on its limit state',
    (state) => {
      state.refund();
      return state.refund();
    },
  ],
  [
    'refund is called again on the limit state that the first refund returned',
    (state) => state.refund().refund().refund(),
  ],
])('the rate limiter takes a request out of its count once if %s', async (_, refund) => {
  const rateLimiter = createTestLimiter();
  const consume = async () => (await rateLimiter.consume([{ limit, subject: 'a key' }]))[0];
  await consume();
  const state = await consume();
  expect([state.remaining, refund(state).remaining]).toEqual([8, 9]);
  expect((await consume()).remaining).toBe(8);
});

test("refund takes nothing out of the rate limiter's count for a request that was over the limit", async () => {
  const rateLimiter = createTestLimiter();
  const subject = { limit, subject: 'a key' };
  for (let count = 0; count < limit.max; count += 1) await rateLimiter.consume([subject]);
  const [state] = await rateLimiter.consume([subject]);
  expect(state.allowed).toBe(false);
  state.refund();
  expect(await rateLimiter.used([subject])).toEqual([limit.max]);
});

test('the rate limiter ignores the limits that come after an exhausted one, even one that is turned off', async () => {
  const rateLimiter = createTestLimiter();
  const subjects = [
    { limit: { name: 'address', max: 1, seconds: 60 }, subject: 'an address' },
    { limit: { name: 'key-minute', max: 0, seconds: 60 }, subject: 'a key' },
    { limit, subject: 'a key' },
  ];
  expect((await rateLimiter.consume(subjects)).map(({ allowed }) => allowed)).toEqual([true, true, true]);
  expect((await rateLimiter.consume(subjects)).map(({ allowed }) => allowed)).toEqual([false]);
});

test('the rate limiter can add units to a count beyond its limit, and then rejects the next request', async () => {
  const rateLimiter = createTestLimiter();
  const subject = { limit, subject: 'a key' };
  expect(await rateLimiter.used([subject, { limit, subject: 'another key' }])).toEqual([0, 0]);
  rateLimiter.add(subject, limit.max + 5);
  rateLimiter.add(subject, 2);
  for (let time = 0; time < 2; time += 1) expect(await rateLimiter.used([subject])).toEqual([limit.max + 7]);
  expect((await rateLimiter.consume([subject])).map(({ allowed }) => allowed)).toEqual([false]);
});
