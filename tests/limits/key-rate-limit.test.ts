import {
  createClockedServices,
  day,
  minute,
  noon,
  policiesOf,
  post,
  second,
  statuses,
} from '../support/clocked-services';
import { issueKey } from '../support/embedded-lectern';

const services = createClockedServices();
const { withClock } = services;
afterAll(() => services.close());

describe('the rate limit of a key', () => {
  test('a key beyond its daily limit gets 429 until the UTC day ends, and RateLimit has what is left', async () => {
    await withClock({ perDay: 2, perMinute: 10 }, async (lectern, clock) => {
      clock.time = noon + day / 2 - 90 * second;
      const first = await post(lectern);
      expect(first.headers).toMatchObject({
        'ratelimit-policy': '"key";q=2;w=86400, "address";q=10;w=60',
        ratelimit: '"key";r=1;t=90, "address";r=9;t=30',
      });
      expect((await post(lectern)).headers['ratelimit']).toMatch(/^"key";r=0;t=90,/);
      const rejected = await post(lectern);
      expect([rejected.status, rejected.headers['retry-after'], rejected.headers['ratelimit']]).toEqual([
        429,
        '90',
        expect.stringMatching(/^"key";r=0;t=90,/),
      ]);
      expect(rejected.json()).toMatchObject({
        errors: [{ message: 'Rate limit exceeded. Retry after 90 seconds.', extensions: { limit: 'key' } }],
      });
      clock.time = noon + day / 2;
      const next = await post(lectern);
      expect([next.status, next.headers['ratelimit']]).toEqual([200, expect.stringMatching(/^"key";r=1;t=86400,/)]);
    });
  });

  test('a rotated key keeps what it has used of its daily limit, also for its old token', async () => {
    await withClock({ perDay: 4 }, async (lectern) => {
      const { key, token } = await issueKey(lectern.keys, { email: 'rotated@example.org' });
      expect(await statuses(lectern, 2, { token })).toEqual([200, 200]);
      const next = await lectern.keys.rotate(key.id, 'a test', { overlap: '1d' });
      expect(await statuses(lectern, 1, { token })).toEqual([200]);
      expect(await statuses(lectern, 2, { token: next.token })).toEqual([200, 429]);
      expect(await statuses(lectern, 1, { token })).toEqual([429]);
    });
  });

  test.each([
    ['day', { perDay: 1 }],
    ['minute', { keyPerMinute: 1 }],
  ])('the requests of one key do not count against the limit per %s of a second key', async (_, rates) => {
    await withClock(rates, async (lectern) => {
      const { token } = await issueKey(lectern.keys, { email: 'other@example.org' });
      expect(await statuses(lectern, 2)).toEqual([200, 429]);
      expect(await statuses(lectern, 2, { token })).toEqual([200, 429]);
    });
  });

  test.each([
    ['day', { perDay: 1 }, { requestsPerDay: 3 }],
    ['minute', { keyPerMinute: 1 }, { requestsPerMinute: 3 }],
  ])(
    'a key with its own limit of 3 requests per %s gets 429 after three requests, although the default limit is 1',
    async (_, rates, limits) => {
      await withClock(rates, async (lectern) => {
        const { token } = await issueKey(lectern.keys, { email: 'many@example.org', ...limits });
        expect(await statuses(lectern, 4, { token })).toEqual([200, 200, 200, 429]);
      });
    },
  );

  test('beyond the daily limit, an invalid HTTP request gets 405, 400 or 406, and a syntax error gets 429', async () => {
    await withClock({ perDay: 1 }, async (lectern) => {
      expect(await statuses(lectern, 1)).toEqual([200]);
      expect((await post(lectern, { method: 'PUT' })).status).toBe(405);
      expect((await post(lectern, { body: 'no JSON' })).status).toBe(400);
      expect((await post(lectern, { headers: ['Accept', 'image/png'] })).status).toBe(406);
      expect((await post(lectern, { body: '{"query":"{"}' })).status).toBe(429);
    });
  });

  test('HTTP errors and query limits do not count against the daily limit, but syntax and validation errors do', async () => {
    await withClock({ perDay: 2 }, async (lectern) => {
      const remaining = async (options: Parameters<typeof post>[1]) =>
        /^"key";r=(\d+)/.exec((await post(lectern, options)).headers['ratelimit'] as string)?.[1];
      const deep = JSON.stringify({
        query: `{ verse(book: "JHN", chapter: 3, verse: 16) { ${'inTranslation(identifier: "eng-kjv") { '.repeat(15)}text${' }'.repeat(15)} } }`,
      });
      const expensive = JSON.stringify({
        query:
          '{ concordance(word: "love", translation: "eng-web", first: 100) { edges { node { verse { id text a: text b: text c: text d: text e: text f: text bookId bookName chapter verse reference } } } } }',
      });
      const long = JSON.stringify({ query: `{ ${'__typename '.repeat(5_000)} }` });
      for (const options of [
        { method: 'DELETE' },
        { body: '[]' },
        { body: '{' },
        { body: 'x'.repeat(200_000) },
        { headers: ['Accept', 'text/html'] },
        { body: deep },
        { body: expensive },
        { body: long },
      ]) {
        expect([options, await remaining(options)]).toEqual([options, '2']);
      }
      expect(await remaining({ body: JSON.stringify({ query: '{ unknownField }' }) })).toBe('1');
      expect(await remaining({ body: JSON.stringify({ query: '{' }) })).toBe('0');
    });
  });
});

describe('the rate limit of a key per minute', () => {
  const proxies = { trustedProxies: 'loopback' };
  const from = (address: string) => ({ headers: ['X-Forwarded-For', address] });

  test('a key beyond its limit per minute gets 429 that names key-minute, even from different addresses', async () => {
    await withClock(
      { perMinute: 2, keyPerMinute: 4, perDay: 100 },
      async (lectern, clock) => {
        clock.time = noon + 20 * second;
        const statusesOf = async (addresses: readonly string[]) => {
          const list: number[] = [];
          for (const address of addresses) list.push((await post(lectern, from(address))).status);
          return list;
        };
        expect(await statusesOf(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'])).toEqual([200, 200, 200, 200]);
        const rejected = await post(lectern, from('192.0.2.5'));
        expect([rejected.status, rejected.headers['retry-after'], rejected.json()]).toEqual([
          429,
          '40',
          {
            errors: [
              {
                message: 'Rate limit exceeded. Retry after 40 seconds.',
                extensions: { code: 'RATE_LIMITED', retryAfter: 40, limit: 'key-minute' },
              },
            ],
          },
        ]);
        clock.time = noon + minute;
        const next = await post(lectern, from('192.0.2.5'));
        // Five requests count against the daily limit: the rejected request does not.
        expect(policiesOf(next)).toEqual([
          { name: 'key', max: 100, window: 86_400, remaining: 95, reset: day / 2 / second - 60 },
          { name: 'key-minute', max: 4, window: 60, remaining: 3, reset: 60 },
          { name: 'address', max: 2, window: 60, remaining: 1, reset: 60 },
        ]);
      },
      proxies,
    );
  });

  test('a request with an invalid body gets 400 even beyond the limits of its key, and counts only against the limit per minute', async () => {
    await withClock({ keyPerMinute: 2, perDay: 10 }, async (lectern) => {
      const responses = [];
      for (let count = 0; count < 3; count += 1) responses.push(await post(lectern, { body: '[]' }));
      expect(responses.map(({ status }) => status)).toEqual([400, 400, 400]);
      expect(responses.map((response) => policiesOf(response).map(({ name, remaining }) => [name, remaining]))).toEqual(
        [
          [
            ['key', 10],
            ['key-minute', 1],
          ],
          [
            ['key', 10],
            ['key-minute', 0],
          ],
          [['key-minute', 0]],
        ],
      );
      expect((await post(lectern)).status).toBe(429);
    });
  });
});

test('the response to Lectern-Report: cost has the cost of the operation and what is left of the quota', async () => {
  await withClock({ perDay: 10 }, async (lectern) => {
    const verse = JSON.stringify({ query: '{ verse(book: "JHN", chapter: 3, verse: 16) { text reference } }' });
    const reported = await post(lectern, { body: verse, headers: ['Lectern-Report', 'cost'] });
    expect(reported.json()).toMatchObject({
      data: { verse: { reference: 'John 3:16' } },
      extensions: {
        cost: { complexity: 3, maxComplexity: 300, depth: 2, maxDepth: 15 },
        quota: { limit: 10, remaining: 9, resetSeconds: 43_200 },
      },
    });
    expect((await post(lectern, { body: verse })).json()).not.toHaveProperty('extensions');
    const expensive = JSON.stringify({
      query:
        'query($first: Int!) { concordance(word: "love", translation: "eng-web", first: $first) { edges { node { verse { id text a: text b: text c: text d: text e: text f: text bookId bookName chapter verse reference } } } } }',
      variables: { first: 100 },
    });
    expect((await post(lectern, { body: expensive, headers: ['Lectern-Report', 'cost'] })).json()).toMatchObject({
      errors: [{ message: expect.stringMatching(/complexity/) }],
      extensions: { cost: { maxComplexity: 300 }, quota: { remaining: 8 } },
    });
  });
});
