import { findProgram, startRedis, useStarted, withFolder } from '@lectern/testing';
import { day, noon, policiesOf, post, statuses } from '../support/clocked-services';
import { issueKey, pepper, startEmbeddedLectern } from '../support/embedded-lectern';
import { startGatewayInProcess } from '../support/services-in-process';

const redisServer = findProgram(['redis-server'], 'redis-server');

(redisServer ? describe : describe.skip)('rate limits in Redis', () => {
  const redis = useStarted(() => startRedis(redisServer ?? ''));

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
