import type { RunningProgram } from '@lectern/testing';
import { findProgram, freePort, sendReady, startRedis, useStarted, withFolder } from '@lectern/testing';
import Redis from 'ioredis';
import { day, noon, policiesOf, post, statuses } from '../support/clocked-services';
import { issueKey, pepper, startEmbeddedLectern } from '../support/embedded-lectern';
import { waitUntil } from '../support/processes';
import { createRecordedLog } from '../support/recorded-log';
import { startGatewayInProcess } from '../support/services-in-process';

const redisServer = findProgram(['redis-server'], 'redis-server');

(redisServer ? describe : describe.skip)('rate limits in Redis', () => {
  const redis = useStarted(() => startRedis(redisServer ?? ''));

  const rates = { perMinute: 1_000, keyPerMinute: 0, perDay: 3, keyRequestsPerHour: 0 };
  // The clock always shows noon, so that the day does not end during a test.
  const now = () => noon;

  describe('two gateways with the same keys', () => {
    const unlimited = { perMinute: 0, keyPerMinute: 0, perDay: 0, keyRequestsPerHour: 0 };
    const first = useStarted(() => startEmbeddedLectern({ rates: unlimited, now, redisUrl: redis.url }));
    const another = useStarted(() =>
      startEmbeddedLectern({ rates: unlimited, now, redisUrl: redis.url, keys: first.keys }),
    );
    /** Issues a key with its own limits, and returns the two gateways with this key as `token`. */
    const withKey = async (limits: { requestsPerDay: number; requestsPerMinute?: number }) => {
      const { token } = await issueKey(first.keys, { email: `${limits.requestsPerDay}@example.org`, ...limits });
      return [
        { ...first, token },
        { ...another, token },
      ] as const;
    };

    test('gateways share their request counts in Redis, and a gateway that starts later continues the counts', async () => {
      const [one, other] = await withKey({ requestsPerDay: 3 });
      expect([...(await statuses(one, 2)), ...(await statuses(other, 2))]).toEqual([200, 200, 200, 429]);
      const third = await startEmbeddedLectern({ rates: unlimited, now, redisUrl: redis.url, keys: first.keys });
      expect(await statuses({ ...third, token: one.token }, 1)).toEqual([429]);
      await third.close();
    });

    test('two gateways that share Redis accept exactly as many of their parallel requests as the limit of the key allows', async () => {
      const gateways = await withKey({ requestsPerDay: 40 });
      const all = await Promise.all(
        Array.from({ length: 100 }, (_, index) => post(index % 2 === 0 ? gateways[0] : gateways[1])),
      );
      expect(all.filter(({ status }) => status === 200)).toHaveLength(40);
    });

    test('gateways that share Redis apply the limit per minute of a key to their requests together, and count each request once', async () => {
      const gateways = await withKey({ requestsPerDay: 100, requestsPerMinute: 3 });
      const responses = [];
      for (let index = 0; index < 5; index += 1)
        responses.push(await post(index % 2 === 0 ? gateways[0] : gateways[1]));
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
      expect(responses.map((response) => policiesOf(response).map(({ name, remaining }) => [name, remaining]))).toEqual(
        [
          [
            ['key', 99],
            ['key-minute', 2],
          ],
          [
            ['key', 98],
            ['key-minute', 1],
          ],
          [
            ['key', 97],
            ['key-minute', 0],
          ],
          [['key-minute', 0]],
          [['key-minute', 0]],
        ],
      );
    });
  });

  test('gateways of two environments that share Redis count the requests of an IP address separately', async () => {
    const limits = { perMinute: 2, keyPerMinute: 0, perDay: 0, keyRequestsPerHour: 0 };
    // Earlier tests of this file may have counted the same IP address at noon of the day before.
    const nextNoon = () => noon + day;
    const test = await startEmbeddedLectern({ rates: limits, now: nextNoon, redisUrl: redis.url });
    const live = await startEmbeddedLectern({
      rates: limits,
      now: nextNoon,
      redisUrl: redis.url,
      keys: test.keys,
      environment: 'live',
    });
    const { token } = await issueKey(test.keys, { email: 'live@example.org', environment: 'live' });
    try {
      expect([...(await statuses(test, 2)), ...(await statuses({ ...live, token }, 3))]).toEqual([
        200, 200, 200, 200, 429,
      ]);
    } finally {
      await live.close();
      await test.close();
    }
  });

  test.each(['stops', 'hangs'])(
    'if Redis %s, the gateway counts requests in memory and reports the reason in one log line and in /ready, and uses Redis again after its recovery',
    async (how) => {
      const { log, lines } = createRecordedLog();
      const own = await startRedis(redisServer ?? '', await freePort());
      const lectern = await startEmbeddedLectern({
        rates: { ...rates, perDay: 30 },
        now,
        redisUrl: own.url,
        ...(how === 'hangs' && { redisTimeoutMs: 2_000 }),
        log,
      });
      const remaining = async () =>
        Number(/^"key";r=(\d+)/.exec((await post(lectern)).headers['ratelimit'] as string)?.[1]);
      const degraded = async () => ((await sendReady(lectern.origin)).json() as { degraded?: unknown }).degraded;
      const linesWith = (word: string) => lines.filter((line) => line.includes('Redis') && line.includes(word));
      let restarted: RunningProgram | undefined;
      try {
        expect([await remaining(), await remaining()]).toEqual([29, 28]);
        expect(await degraded()).toBeUndefined();
        if (how === 'hangs') own.pause();
        else await own.stop();
        expect(await remaining()).toBe(27);
        expect([await remaining(), await remaining(), await remaining()]).toEqual([26, 25, 24]);
        expect(linesWith('is unavailable')).toHaveLength(1);
        const problem = how === 'hangs' ? 'does not respond within 2000 ms' : 'does not accept connections';
        expect(await degraded()).toEqual([{ service: 'Redis', reason: `Redis at 127.0.0.1:${own.port} ${problem}` }]);
        if (how === 'hangs') own.resume();
        else restarted = await startRedis(redisServer ?? '', own.port);
        await waitUntil(() => linesWith('is available again').length > 0);
        expect(linesWith('is available again')).toHaveLength(1);
        expect(await degraded()).toBeUndefined();
        // Seven requests were sent. A Redis server that hung also counts the request that timed
        // out, because it executes the command of this request when it resumes.
        expect(await remaining()).toBe(how === 'hangs' ? 22 : 23);
      } finally {
        await lectern.close();
        await (restarted ?? own).stop();
      }
    },
  );

  describe('a gateway whose Redis rejects writes', () => {
    const own = useStarted(() => startRedis(redisServer ?? ''));
    const { log, lines } = createRecordedLog();
    const lectern = useStarted(() =>
      startEmbeddedLectern({
        rates: { perMinute: 0, keyPerMinute: 0, perDay: 10_000, keyRequestsPerHour: 0 },
        now,
        redisUrl: own.url,
        log,
      }),
    );

    test.each<[string, RegExp, (admin: Redis) => Promise<unknown>, (admin: Redis) => Promise<unknown>]>([
      [
        'is a read-only replica',
        /Redis at 127\.0\.0\.1:\d+ is read-only: REDIS_URL must name the master/,
        (admin) => admin.replicaof('127.0.0.1', String(redis.port)),
        (admin) => admin.replicaof('NO', 'ONE'),
      ],
      [
        'is out of memory',
        /Redis at 127\.0\.0\.1:\d+ is out of memory: raise its maxmemory/,
        (admin) => admin.config('SET', 'maxmemory', '1'),
        (admin) => admin.config('SET', 'maxmemory', '0'),
      ],
    ])(
      'while Redis %s, the gateway counts requests in memory, logs one line with the reason, and logs one line after the recovery of Redis',
      async (state, reason, begin, end) => {
        lines.length = 0;
        const { token } = await issueKey(lectern.keys, { email: `${state.replaceAll(' ', '-')}@example.org` });
        const client = { ...lectern, token };
        const admin = new Redis(own.url);
        const redisLines = () => lines.filter((line) => line.includes('Redis'));
        const countRejectedWrites = async () =>
          [...(await admin.info('errorstats')).matchAll(/errorstat_(?:OOM|READONLY):count=(\d+)/g)].reduce(
            (sum, [, count]) => sum + Number(count),
            0,
          );
        try {
          expect(await statuses(client, 1)).toEqual([200]);
          const rejectedBefore = await countRejectedWrites();
          await begin(admin);
          for (const remaining of [9_998, 9_997, 9_996])
            expect(policiesOf(await post(client))).toMatchObject([{ name: 'key', remaining }]);
          // Redis rejects the write of the first request, and then the writes with which the gateway
          // probes every 500 ms whether Redis has recovered.
          while ((await countRejectedWrites()) < rejectedBefore + 4) {
            expect(await statuses(client, 1)).toEqual([200]);
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
          expect(redisLines()).toHaveLength(1);
          expect(redisLines()[0]).toMatch(reason);
          await end(admin);
          await waitUntil(() => redisLines().length > 1);
          expect(redisLines()[1]).toContain('Redis is available again');
          expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
        } finally {
          admin.disconnect();
        }
      },
    );
  });

  test('after Redis restarts without its data, gateways restore the earlier request counts and add the requests that arrived while Redis was down', async () => {
    const { log, lines } = createRecordedLog();
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
    const restarted = await startRedis(redisServer ?? '', own.port);
    try {
      await waitUntil(() => lines.filter((line) => line.includes('is available again')).length === 2);
      // 16 requests were sent, and the limit is 20: Redis counted 8 requests before the outage, and
      // the two gateways counted 3 and 5 requests in memory.
      expect([...(await statuses(shared, 1)), ...(await statuses(first, 2)), ...(await statuses(shared, 2))]).toEqual([
        200, 200, 200, 200, 429,
      ]);
    } finally {
      await other.close();
      await first.close();
      await restarted.stop();
    }
  });

  test('the service starts and counts requests in memory if Redis is unreachable', async () => {
    const lectern = await startEmbeddedLectern({ rates, now, redisUrl: `redis://127.0.0.1:${await freePort()}` });
    expect(await statuses(lectern, 4)).toEqual([200, 200, 200, 429]);
    await lectern.close();
  });

  const form = /REDIS_URL is not of the form/;

  test.each([
    ['localhost:6379', form],
    ['http://localhost', form],
    ['redis://', form],
    ['redis+sentinel://localhost:26379', form],
    ['redis://:hunter2@a,b', form],
    ['redis://:hunter2%@localhost', /Write %25 for a percent sign/],
  ])(
    'the gateway rejects the REDIS_URL %j at startup with an error that says what to write and contains no password',
    async (redisUrl, message) => {
      const startup = withFolder((folder) =>
        startGatewayInProcess({ LECTERN_DATA: folder, KEY_PEPPER: pepper, REDIS_URL: redisUrl }),
      );
      await expect(startup).rejects.toThrow(message);
      await expect(startup).rejects.not.toThrow(/hunter2/);
    },
  );
});
