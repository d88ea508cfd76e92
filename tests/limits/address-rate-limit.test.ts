import { send } from '@lectern/testing';
import { createClockedServices, minute, noon, post, second, statuses } from '../support/clocked-services';
import { issueKey, startEmbeddedLectern } from '../support/embedded-lectern';

const services = createClockedServices();
const { withClock } = services;
afterAll(() => services.close());

describe('the rate limit of an IP address', () => {
  test('an IP address beyond its limit gets 429 with Retry-After until the UTC minute ends', async () => {
    await withClock({ perMinute: 3 }, async (lectern, clock) => {
      clock.time = noon + 23 * second + 400;
      expect(await statuses(lectern, 3)).toEqual([200, 200, 200]);
      const rejected = await post(lectern, { headers: ['Origin', 'https://reader.example'] });
      expect(rejected.status).toBe(429);
      expect(rejected.json()).toEqual({
        errors: [
          {
            message: 'Rate limit exceeded. Retry after 37 seconds.',
            extensions: { code: 'RATE_LIMITED', retryAfter: 37, limit: 'address' },
          },
        ],
      });
      expect(rejected.headers).toMatchObject({
        'retry-after': '37',
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        'ratelimit-policy': '"address";q=3;w=60',
        ratelimit: '"address";r=0;t=37',
      });
      expect(rejected.headers['access-control-expose-headers']).toMatch(/Retry-After.*RateLimit/);
      clock.time = noon + minute;
      expect((await post(lectern)).status).toBe(200);
    });
  });

  test('an IP address that a key names has a higher limit with this key, and the limits of other keys and of the key itself stay', async () => {
    await withClock({ perMinute: 2, keyPerMinute: 6 }, async (lectern) => {
      const named = await issueKey(lectern.keys, { email: 'named@example.org', addresses: '127.0.0.1=4,192.0.2.7=9' });
      const { headers } = await post(lectern, { token: named.token });
      expect(headers['ratelimit-policy']).toBe('"key-minute";q=6;w=60, "address";q=4;w=60');
      expect(await statuses(lectern, 4, { token: named.token })).toEqual([200, 200, 200, 429]);
      expect(await statuses(lectern, 3)).toEqual([200, 200, 429]);
      await lectern.keys.setLimits(named.key.id, { addresses: '127.0.0.1=1' }, 'a test');
      expect(await statuses(lectern, 1, { token: named.token })).toEqual([429]);
    });
  });

  test('invalid keys from an address that a key names count against the limit of all addresses, which then rejects the key too', async () => {
    await withClock({ perMinute: 2 }, async (lectern) => {
      const named = await issueKey(lectern.keys, { email: 'guessed@example.org', addresses: '127.0.0.1=9' });
      expect(await statuses(lectern, 3, { token: named.token })).toEqual([200, 200, 200]);
      expect(await statuses(lectern, 3, { token: 'svc_test_guess' })).toEqual([401, 401, 429]);
      expect(await statuses(lectern, 1, { token: named.token })).toEqual([429]);
    });
  });

  test('the request counts of an IP address are kept if the clock is set back', async () => {
    await withClock({ perMinute: 3 }, async (lectern, clock) => {
      expect(await statuses(lectern, 2)).toEqual([200, 200]);
      clock.time = noon + minute;
      expect(await statuses(lectern, 3)).toEqual([200, 200, 200]);
      clock.time = noon + 30 * second;
      expect(await statuses(lectern, 2)).toEqual([200, 429]);
      clock.time = noon + minute + second;
      const rejected = await post(lectern);
      expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '59']);
    });
  });

  test('an address with 300 invalid keys in a minute gets 401 up to its limit of 100, then 429 even with a valid key', async () => {
    await withClock({ perMinute: 100 }, async (lectern) => {
      const received = await Promise.all(
        Array.from({ length: 300 }, async (_, index) => {
          const token = `svc_test_${String(index).padStart(49, 'x')}`;
          return (await post(lectern, { token })).status;
        }),
      );
      expect([401, 429].map((status) => received.filter((each) => each === status).length)).toEqual([100, 200]);
      expect((await post(lectern)).status).toBe(429);
    });
  });

  test('preflight requests, health checks and requests for pages do not count against the rate limit of an IP address', async () => {
    await withClock({ perMinute: 1 }, async (lectern) => {
      for (let time = 0; time < 5; time += 1) {
        expect(
          (await send(lectern.url, { method: 'OPTIONS', headers: ['Origin', 'https://reader.example'] })).status,
        ).toBe(204);
        expect((await send(`${lectern.origin}/health`, { method: 'GET' })).status).toBe(200);
        expect((await send(lectern.origin, { method: 'GET' })).status).toBe(200);
        expect((await send(`${lectern.origin}/nowhere`, { method: 'GET' })).status).toBe(404);
      }
      expect((await post(lectern)).status).toBe(200);
    });
  });

  test('GET /health and GET /ready respond 200 to an IP address beyond its rate limit, however often it asks', async () => {
    await withClock({ perMinute: 1 }, async (lectern) => {
      expect(await statuses(lectern, 2)).toEqual([200, 429]);
      for (const path of ['/health', '/ready', '/ready?verbose'])
        for (let time = 0; time < 5; time += 1)
          expect((await send(lectern.origin + path, { method: 'GET' })).status).toBe(200);
      expect((await post(lectern)).status).toBe(429);
    });
  });

  test('without trusted proxies, the rate limit uses the IP address of the connection, whatever the forwarded headers contain', async () => {
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

  test("behind a trusted proxy, the limit uses the last address of X-Forwarded-For, or the proxy's if there is none", async () => {
    await withClock(
      { perMinute: 1 },
      async (lectern) => {
        const from = async (forwarded: string) =>
          (await post(lectern, { headers: ['X-Forwarded-For', forwarded] })).status;
        expect([await from('203.0.113.7'), await from('203.0.113.8')]).toEqual([200, 200]);
        expect(await from('198.51.100.1, 203.0.113.7')).toBe(429);
        expect(await from('203.0.113.8:51000')).toBe(429);
        // A request whose header contains no IP address counts against the address of the proxy.
        expect([await from('" or 1=1'), await from('unknown'), await from('9'.repeat(4_000))]).toEqual([200, 429, 429]);
      },
      { trustedProxies: 'loopback' },
    );
  });

  test('the limit counts the IPv6 addresses of a /64 together, and an IPv4-mapped address as the IPv4 address', async () => {
    await withClock(
      { perMinute: 1 },
      async (lectern) => {
        const from = async (forwarded: string) =>
          (await post(lectern, { headers: ['X-Forwarded-For', forwarded] })).status;
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

  test('an invalid value of TRUSTED_PROXIES stops the startup with an error that names the setting', async () => {
    await expect(startEmbeddedLectern({ trustedProxies: 'my-proxy' })).rejects.toThrow(/TRUSTED_PROXIES.*my-proxy/);
  });
});
