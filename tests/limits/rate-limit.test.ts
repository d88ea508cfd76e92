import { Agent, request } from 'node:http';
import { createLogger } from '@lectern/serving';
import type { HttpResponse, RunningProgram } from '@lectern/testing';
import { findProgram, freePort, graphqlHeaders, send, startRedis } from '@lectern/testing';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';

const query = '{ translation(identifier: "eng-web") { abbrev } }';
const body = JSON.stringify({ query });
const noon = Date.UTC(2026, 4, 1, 12, 0, 0);
const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

const client = (
  lectern: EmbeddedLectern,
  {
    token = lectern.token,
    headers = [],
    ...sent
  }: { token?: string; headers?: string[]; body?: string; method?: string } = {},
): Promise<HttpResponse> => send(lectern.url, { headers: [...graphqlHeaders(token), ...headers], body, ...sent });
const statuses = async (lectern: EmbeddedLectern, times: number, how?: Parameters<typeof client>[1]) => {
  const list: number[] = [];
  for (let time = 0; time < times; time += 1) list.push((await client(lectern, how)).status);
  return list;
};

/** A service whose clock the test sets. */
async function withClock(
  rates: { perMinute?: number; perDay?: number },
  use: (lectern: EmbeddedLectern, clock: { time: number }) => Promise<void>,
  more: Parameters<typeof startEmbeddedLectern>[0] = {},
): Promise<void> {
  const clock = { time: noon };
  const lectern = await startEmbeddedLectern({
    rates: { perMinute: 0, perDay: 0, keyRequestsPerHour: 0, ...rates },
    now: () => clock.time,
    ...more,
  });
  try {
    await use(lectern, clock);
  } finally {
    await lectern.close();
  }
}

describe('an address', () => {
  test('has its requests a minute, is told when the next ones come, and gets them when the minute of UTC is over', async () => {
    await withClock({ perMinute: 3 }, async (lectern, clock) => {
      clock.time = noon + 23 * second + 400;
      expect(await statuses(lectern, 3)).toEqual([200, 200, 200]);
      const refused = await client(lectern, { headers: ['Origin', 'https://reader.example'] });
      expect(refused.status).toBe(429);
      expect(refused.json()).toEqual({
        errors: [
          {
            message: 'Rate limit exceeded. Retry after 37 seconds.',
            extensions: { code: 'RATE_LIMITED', retryAfter: 37 },
          },
        ],
      });
      expect(refused.headers).toMatchObject({
        'retry-after': '37',
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        'ratelimit-policy': '"address";q=3;w=60',
        ratelimit: '"address";r=0;t=37',
      });
      expect(refused.headers['access-control-expose-headers']).toMatch(/Retry-After.*RateLimit/);
      clock.time = noon + minute;
      expect((await client(lectern)).status).toBe(200);
    });
  });

  test('gains nothing by a clock that is set back: the window that comes again goes on with its count', async () => {
    await withClock({ perMinute: 3 }, async (lectern, clock) => {
      expect(await statuses(lectern, 2)).toEqual([200, 200]);
      clock.time = noon + minute;
      expect(await statuses(lectern, 3)).toEqual([200, 200, 200]);
      clock.time = noon + 30 * second;
      expect(await statuses(lectern, 2)).toEqual([200, 429]);
      clock.time = noon + minute + second;
      const refused = await client(lectern);
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '59']);
    });
  });

  test('is counted before its key is looked at, so that keys cannot be tried out', async () => {
    await withClock({ perMinute: 3 }, async (lectern) => {
      expect(await statuses(lectern, 3, { token: 'svc_test_nobody' })).toEqual([401, 401, 401]);
      expect((await client(lectern, { token: 'svc_test_nobody' })).status).toBe(429);
      expect((await client(lectern)).status).toBe(429);
    });
  });

  test('is not counted for a preflight, for the state of the process or for a page', async () => {
    await withClock({ perMinute: 1 }, async (lectern) => {
      for (let time = 0; time < 5; time += 1) {
        expect(
          (await send(lectern.url, { method: 'OPTIONS', headers: ['Origin', 'https://reader.example'] })).status,
        ).toBe(204);
        expect((await send(`${lectern.origin}/health`, { method: 'GET' })).status).toBe(200);
        expect((await send(`${lectern.origin}/nowhere`, { method: 'GET' })).status).toBe(404);
      }
      expect((await client(lectern)).status).toBe(200);
    });
  });

  test('that sends ten thousand forged keys gets its hundred refusals and then none that costs anything', async () => {
    await withClock({ perMinute: 100 }, async (lectern) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 16 });
      const forged = (index: number) =>
        new Promise<number>((resolve, reject) => {
          const outgoing = request(
            lectern.url,
            {
              method: 'POST',
              agent,
              headers: {
                authorization: `Bearer svc_test_${String(index).padStart(49, 'x')}`,
                'content-type': 'application/json',
              },
            },
            (incoming) => {
              incoming.resume().once('end', () => resolve(incoming.statusCode ?? 0));
            },
          );
          outgoing.once('error', reject).end(body);
        });
      const seen = new Map<number, number>();
      for (const status of await Promise.all(Array.from({ length: 10_000 }, (_, index) => forged(index))))
        seen.set(status, (seen.get(status) ?? 0) + 1);
      agent.destroy();
      expect(Object.fromEntries(seen)).toEqual({ 401: 100, 429: 9_900 });
    });
  });

  test('is the one of the connection, whatever the headers claim', async () => {
    await withClock({ perMinute: 2 }, async (lectern) => {
      const claims = [
        'X-Forwarded-For',
        '203.0.113.7',
        'X-Real-IP',
        '203.0.113.8',
        'Forwarded',
        'for=203.0.113.9',
        'CF-Connecting-IP',
        '203.0.113.10',
      ];
      expect(await statuses(lectern, 3, { headers: claims })).toEqual([200, 200, 429]);
    });
  });

  test('behind a proxy that is trusted is the one the proxy names, and what a client wrote further left is not', async () => {
    await withClock(
      { perMinute: 1 },
      async (lectern) => {
        const from = async (forwarded: string) =>
          (await client(lectern, { headers: ['X-Forwarded-For', forwarded] })).status;
        expect([await from('203.0.113.7'), await from('203.0.113.8')]).toEqual([200, 200]);
        expect(await from('198.51.100.1, 203.0.113.7')).toBe(429);
        expect(await from('203.0.113.8:51000')).toBe(429);
        // Nonsense counts as the proxy itself.
        expect([await from('" or 1=1'), await from('unknown'), await from('9'.repeat(4_000))]).toEqual([200, 429, 429]);
      },
      { trustedProxies: 'loopback' },
    );
  });

  test('of IPv6 counts by its first 64 bits, and one that wraps IPv4 as that', async () => {
    await withClock(
      { perMinute: 1 },
      async (lectern) => {
        const from = async (forwarded: string) =>
          (await client(lectern, { headers: ['X-Forwarded-For', forwarded] })).status;
        expect([
          await from('2001:db8:1:2::1'),
          await from('2001:db8:1:2:ffff::9'),
          await from('2001:db8:1:3::1'),
        ]).toEqual([200, 429, 200]);
        expect([await from('::ffff:203.0.113.50'), await from('203.0.113.50')]).toEqual([200, 429]);
      },
      { trustedProxies: 'loopback' },
    );
  });

  test('list of proxies that is none stops the start, in words', async () => {
    await expect(startEmbeddedLectern({ trustedProxies: 'my-proxy' })).rejects.toThrow(/TRUSTED_PROXIES.*my-proxy/);
  });
});

describe('a key', () => {
  test('has its requests a day, and every answer says how many are left', async () => {
    await withClock({ perDay: 2, perMinute: 10 }, async (lectern, clock) => {
      clock.time = noon + day / 2 - 90 * second;
      const first = await client(lectern);
      expect(first.headers).toMatchObject({
        'ratelimit-policy': '"key";q=2;w=86400, "address";q=10;w=60',
        ratelimit: '"key";r=1;t=90, "address";r=9;t=30',
      });
      expect((await client(lectern)).headers['ratelimit']).toMatch(/^"key";r=0;t=90,/);
      const refused = await client(lectern);
      expect([refused.status, refused.headers['retry-after'], refused.headers['ratelimit']]).toEqual([
        429,
        '90',
        expect.stringMatching(/^"key";r=0;t=90,/),
      ]);
      expect(refused.json()).toMatchObject({ errors: [{ message: 'Rate limit exceeded. Retry after 90 seconds.' }] });
      clock.time = noon + day / 2;
      expect((await client(lectern)).status).toBe(200);
    });
  });

  test('does not use up what another has', async () => {
    await withClock({ perDay: 1 }, async (lectern) => {
      const { token } = await lectern.keys.issue(
        { email: 'other@example.org', name: 'Other', environment: 'test' },
        'a test',
      );
      expect(await statuses(lectern, 2)).toEqual([200, 429]);
      expect(await statuses(lectern, 2, { token })).toEqual([200, 429]);
    });
  });

  test('may have a quota of its own', async () => {
    await withClock({ perDay: 1 }, async (lectern) => {
      const { token } = await lectern.keys.issue(
        { email: 'many@example.org', name: 'Many', environment: 'test', requestsPerDay: 3 },
        'a test',
      );
      expect(await statuses(lectern, 4, { token })).toEqual([200, 200, 200, 429]);
    });
  });

  test('that is used up is told so last: what is wrong with the request comes first', async () => {
    await withClock({ perDay: 1 }, async (lectern) => {
      expect(await statuses(lectern, 1)).toEqual([200]);
      expect((await client(lectern, { method: 'PUT' })).status).toBe(405);
      expect((await client(lectern, { body: 'no JSON' })).status).toBe(400);
      expect((await client(lectern, { headers: ['Accept', 'image/png'] })).status).toBe(406);
      expect((await client(lectern, { body: '{"query":"{"}' })).status).toBe(429);
    });
  });

  test('gets a request back whose body was refused, or that met a limit of queries; not one that failed otherwise', async () => {
    await withClock({ perDay: 2 }, async (lectern) => {
      const left = async (how: Parameters<typeof client>[1]) =>
        /^"key";r=(\d+)/.exec((await client(lectern, how)).headers['ratelimit'] as string)?.[1];
      const deep = JSON.stringify({ query: `{ ${'a { '.repeat(16)}b${' }'.repeat(16)} }` });
      const dear = JSON.stringify({
        query:
          '{ concordance(word: "love", translation: "eng-web", first: 100) { edges { node { verse { id text a: text b: text c: text d: text e: text f: text bookId bookName chapter verse reference } } } } }',
      });
      const long = JSON.stringify({ query: `{ ${'__typename '.repeat(5_000)} }` });
      for (const how of [
        { method: 'DELETE' },
        { body: '[]' },
        { body: '{' },
        { body: 'x'.repeat(200_000) },
        { headers: ['Accept', 'text/html'] },
        { body: deep },
        { body: dear },
        { body: long },
      ]) {
        expect([how, await left(how)]).toEqual([how, '2']);
      }
      expect(await left({ body: JSON.stringify({ query: '{ nonsense }' }) })).toBe('1');
      expect(await left({ body: JSON.stringify({ query: '{' }) })).toBe('0');
    });
  });
});

test('a client that asks for it is told what its operation costs and what is left of its day', async () => {
  await withClock({ perDay: 10 }, async (lectern) => {
    const verse = JSON.stringify({ query: '{ verse(book: "JHN", chapter: 3, verse: 16) { text reference } }' });
    const asked = await client(lectern, { body: verse, headers: ['Lectern-Report', 'cost'] });
    expect(asked.json()).toMatchObject({
      data: { verse: { reference: 'John 3:16' } },
      extensions: {
        cost: { complexity: 3, maxComplexity: 300, depth: 2, maxDepth: 15 },
        quota: { limit: 10, remaining: 9, resetSeconds: 43_200 },
      },
    });
    expect((await client(lectern, { body: verse })).json()).not.toHaveProperty('extensions');
    const dear = JSON.stringify({
      query:
        'query($first: Int!) { concordance(word: "love", translation: "eng-web", first: $first) { edges { node { verse { id text a: text b: text c: text d: text e: text f: text bookId bookName chapter verse reference } } } } }',
      variables: { first: 100 },
    });
    expect((await client(lectern, { body: dear, headers: ['Lectern-Report', 'cost'] })).json()).toMatchObject({
      errors: [{ message: expect.stringMatching(/complexity/) }],
      extensions: { cost: { maxComplexity: 300 }, quota: { remaining: 8 } },
    });
  });
});

const redisServer = findProgram(['redis-server'], 'redis-server');

(redisServer ? describe : describe.skip)('with Redis', () => {
  let redis: RunningProgram;
  beforeAll(async () => {
    redis = await startRedis(redisServer ?? '');
  });
  afterAll(() => redis.stop());

  const rates = { perMinute: 1_000, perDay: 3, keyRequestsPerHour: 0 };
  // A day that does not end in the middle of a test.
  const now = () => noon;

  test('several gateways count together, and a restart forgets nothing', async () => {
    const first = await startEmbeddedLectern({ rates, now, redisUrl: redis.url });
    const another = await startEmbeddedLectern({ rates, now, redisUrl: redis.url, keys: first.keys });
    const shared = { ...another, token: first.token };
    try {
      expect([...(await statuses(first, 2)), ...(await statuses(shared, 2))]).toEqual([200, 200, 200, 429]);
    } finally {
      await another.close();
    }
    const third = await startEmbeddedLectern({ rates, now, redisUrl: redis.url, keys: first.keys });
    expect(await statuses({ ...third, token: first.token }, 1)).toEqual([429]);
    await third.close();
    await first.close();
  });

  test('of parallel requests at several gateways exactly as many pass as may', async () => {
    const first = await startEmbeddedLectern({ rates: { ...rates, perDay: 40 }, now, redisUrl: redis.url });
    const other = await startEmbeddedLectern({
      rates: { ...rates, perDay: 40 },
      now,
      redisUrl: redis.url,
      keys: first.keys,
    });
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, index) => client(index % 2 === 0 ? first : { ...other, token: first.token })),
    );
    expect(all.filter(({ status }) => status === 200)).toHaveLength(40);
    await other.close();
    await first.close();
  });

  test.each(['refused', 'hung'])(
    'that is %s, memory goes on from where Redis was, with one line in the log; and Redis comes back by itself',
    async (how) => {
      const lines: string[] = [];
      const own = await startRedis(redisServer ?? '', await freePort());
      const lectern = await startEmbeddedLectern({
        rates: { ...rates, perDay: 30 },
        now,
        redisUrl: own.url,
        log: createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } }),
      });
      const left = async () =>
        Number(/^"key";r=(\d+)/.exec((await client(lectern)).headers['ratelimit'] as string)?.[1]);
      const about = (word: string) => lines.filter((line) => line.includes('Redis') && line.includes(word));
      let restarted: RunningProgram | undefined;
      try {
        expect([await left(), await left()]).toEqual([29, 28]);
        if (how === 'hung') own.pause();
        else await own.stop();
        const began = performance.now();
        expect(await left()).toBe(27);
        const firstMs = performance.now() - began;
        expect([await left(), await left(), await left()]).toEqual([26, 25, 24]);
        // The deadline is 200 ms; a machine that is busy may take a while more to notice.
        expect(firstMs).toBeLessThan(2_000);
        expect(about('does not answer')).toHaveLength(1);
        if (how === 'hung') own.resume();
        else restarted = await startRedis(redisServer ?? '', own.port);
        const deadline = Date.now() + 15_000;
        while (about('answers again').length === 0 && Date.now() < deadline)
          await new Promise((resolve) => setTimeout(resolve, 50));
        expect(about('answers again')).toHaveLength(1);
        // Seven, though Redis had forgotten those before and never knew those between. A hung one goes on to count also the one that was not waited for.
        expect(await left()).toBe(how === 'hung' ? 22 : 23);
      } finally {
        await lectern.close();
        await (restarted ?? own).stop();
      }
    },
  );

  test('what gateways counted by themselves while it was away is put together when it is back, empty', async () => {
    const lines: string[] = [];
    const log = createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } });
    const own = await startRedis(redisServer ?? '', await freePort());
    const first = await startEmbeddedLectern({ rates: { ...rates, perDay: 20 }, now, redisUrl: own.url, log });
    const other = await startEmbeddedLectern({
      rates: { ...rates, perDay: 20 },
      now,
      redisUrl: own.url,
      log,
      keys: first.keys,
    });
    const shared = { ...other, token: first.token };
    await statuses(first, 4);
    await statuses(shared, 4);
    await own.stop();
    await statuses(first, 3);
    await statuses(shared, 5);
    const again = await startRedis(redisServer ?? '', own.port);
    try {
      const deadline = Date.now() + 15_000;
      while (lines.filter((line) => line.includes('answers again')).length < 2 && Date.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 50));
      // 16 so far, of which the other gateway knew what Redis had, and each what it counted alone.
      expect([...(await statuses(shared, 1)), ...(await statuses(first, 2)), ...(await statuses(shared, 2))]).toEqual([
        200, 200, 200, 200, 429,
      ]);
    } finally {
      await other.close();
      await first.close();
      await again.stop();
    }
  });

  test('that was never there, the service starts and counts in memory', async () => {
    const lectern = await startEmbeddedLectern({ rates, now, redisUrl: `redis://127.0.0.1:${await freePort()}` });
    expect(await statuses(lectern, 4)).toEqual([200, 200, 200, 429]);
    await lectern.close();
  });

  test.each([
    'localhost:6379',
    'http://localhost',
    'redis://',
    'redis+sentinel://localhost:26379',
    'redis://:hunter2@a,b',
  ])('%j is refused as an address of Redis, without showing a password', async (redisUrl) => {
    const refused = startEmbeddedLectern({ redisUrl });
    await expect(refused).rejects.toThrow(/REDIS_URL is not of the form/);
    await expect(refused).rejects.not.toThrow(/hunter2/);
  });
});
