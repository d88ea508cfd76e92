import { createClockedServices, day, noon, post, second, statuses } from './rate-limit-fixture';

const services = createClockedServices();
const { withClock } = services;
afterAll(() => services.close());

describe('the rate limit of a key', () => {
  test('a key beyond its daily limit gets 429, and every response contains the number of remaining requests', async () => {
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
      expect(rejected.json()).toMatchObject({ errors: [{ message: 'Rate limit exceeded. Retry after 90 seconds.' }] });
      clock.time = noon + day / 2;
      expect((await post(lectern)).status).toBe(200);
    });
  });

  test('the requests of one key do not count against a second key', async () => {
    await withClock({ perDay: 1 }, async (lectern) => {
      const { token } = await lectern.keys.issue(
        { email: 'other@example.org', name: 'Other', environment: 'test' },
        'a test',
      );
      expect(await statuses(lectern, 2)).toEqual([200, 429]);
      expect(await statuses(lectern, 2, { token })).toEqual([200, 429]);
    });
  });

  test('a key may have a daily limit of its own', async () => {
    await withClock({ perDay: 1 }, async (lectern) => {
      const { token } = await lectern.keys.issue(
        { email: 'many@example.org', name: 'Many', environment: 'test', requestsPerDay: 3 },
        'a test',
      );
      expect(await statuses(lectern, 4, { token })).toEqual([200, 200, 200, 429]);
    });
  });

  test('a key beyond its daily limit gets 405, 400 or 406 for a rejected HTTP request, and 429 for a GraphQL request', async () => {
    await withClock({ perDay: 1 }, async (lectern) => {
      expect(await statuses(lectern, 1)).toEqual([200]);
      expect((await post(lectern, { method: 'PUT' })).status).toBe(405);
      expect((await post(lectern, { body: 'no JSON' })).status).toBe(400);
      expect((await post(lectern, { headers: ['Accept', 'image/png'] })).status).toBe(406);
      expect((await post(lectern, { body: '{"query":"{"}' })).status).toBe(429);
    });
  });

  test("a rejected body or an exceeded query limit refunds the request to the key's limit, and any other error does not", async () => {
    await withClock({ perDay: 2 }, async (lectern) => {
      const remaining = async (options: Parameters<typeof post>[1]) =>
        /^"key";r=(\d+)/.exec((await post(lectern, options)).headers['ratelimit'] as string)?.[1];
      const deep = JSON.stringify({ query: `{ ${'a { '.repeat(16)}b${' }'.repeat(16)} }` });
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

test('Lectern-Report: cost adds the cost of the operation and the remaining requests to the response', async () => {
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
