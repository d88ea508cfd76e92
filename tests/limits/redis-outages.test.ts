import { setTimeout as pause } from 'node:timers/promises';
import type { RunningProgram } from '@lectern/testing';
import { findProgram, freePort, graphqlHeaders, isLongRun, send, startRedis, useStarted } from '@lectern/testing';
import Redis from 'ioredis';
import { noon, post, statuses } from '../support/clocked-services';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { waitUntil } from '../support/processes';
import { createRecordedLog } from '../support/recorded-log';
import { startRedisCluster, startRedisSentinel } from '../support/redis-topologies';
import { repeatRequests } from '../support/repeat-requests';

const server = findProgram(['redis-server'], 'redis-server');
const cli = findProgram(['redis-cli'], 'redis-tools');
const describeRedis = server !== null ? describe : describe.skip;
const perDay = 100_000;
const body = JSON.stringify({ query: '{ translation(identifier: "eng-web") { abbrev } }' });

describeRedis('rate limits in one Redis', () => {
  const withAdmin = async (redis: RunningProgram, use: (admin: Redis) => Promise<unknown>): Promise<void> => {
    const admin = new Redis(redis.url);
    await use(admin);
    admin.disconnect();
  };

  interface Outage {
    /** What Redis does. */
    readonly name: string;
    /** The reason in the log and in /ready. */
    readonly reason: string;
    begin(redis: RunningProgram): unknown;
    /** Ends the outage. Resolves with Redis. */
    end(redis: RunningProgram): unknown;
    /** How many requests Redis has counted before the outage, when it is available again. */
    readonly countedAfterwards: number;
  }
  const outages: Outage[] = [
    {
      name: 'stops and starts again without data',
      reason: 'does not accept connections',
      begin: (redis) => redis.stop(),
      end: (redis) => startRedis(server ?? '', redis.port),
      countedAfterwards: 0,
    },
    {
      name: 'hangs',
      reason: 'does not respond within 2000 ms',
      begin: (redis) => redis.pause(),
      end: (redis) => redis.resume(),
      // Redis executes the command of the request that timed out when it resumes.
      countedAfterwards: 3,
    },
    {
      name: 'is a read-only replica',
      reason: 'is read-only: REDIS_URL must name the master',
      // No master responds at this address, so the replica keeps its data.
      begin: (redis) => withAdmin(redis, (admin) => admin.replicaof('127.0.0.1', '9')),
      end: (redis) => withAdmin(redis, (admin) => admin.replicaof('NO', 'ONE')),
      countedAfterwards: 2,
    },
    {
      name: 'is out of memory',
      reason: 'is out of memory: raise its maxmemory',
      begin: (redis) => withAdmin(redis, (admin) => admin.config('SET', 'maxmemory', '1')),
      end: (redis) => withAdmin(redis, (admin) => admin.config('SET', 'maxmemory', '0')),
      countedAfterwards: 2,
    },
  ];

  test.each(outages.map((outage) => [outage.name, outage] as const))(
    'while Redis %s, the gateway counts in memory and says why in the log and in /ready, and then counts in Redis again',
    async (_, { reason, begin, end, countedAfterwards }) => {
      const { log, lines } = createRecordedLog();
      let redis = await startRedis(server ?? '', await freePort());
      const lectern = await startEmbeddedLectern({
        rates: { perMinute: 1_000, keyPerMinute: 0, perDay: 100, keyRequestsPerHour: 0 },
        now: () => noon,
        redisUrl: redis.url,
        redisTimeoutMs: 2_000,
        log,
      });
      const used = async () =>
        100 - Number(/^"key";r=(\d+)/.exec(String((await post(lectern)).headers['ratelimit']))?.[1]);
      const degraded = async () =>
        ((await send(`${lectern.origin}/ready`, { method: 'GET' })).json() as { degraded?: unknown }).degraded;
      const linesWith = (words: string) => lines.filter((line) => line.includes(words));
      try {
        expect([await used(), await used()]).toEqual([1, 2]);
        expect(await degraded()).toBeUndefined();
        await begin(redis);
        expect([await used(), await used(), await used()]).toEqual([3, 4, 5]);
        // The report of /ready is made at most every 250 ms.
        await waitUntil(async () => (await degraded()) !== undefined);
        expect(await degraded()).toEqual([{ service: 'Redis', reason: `Redis at 127.0.0.1:${redis.port} ${reason}` }]);
        // Longer than two probes of Redis, which the gateway sends every 500 ms.
        await pause(1_200);
        expect(linesWith('Redis is unavailable')).toHaveLength(1);
        expect(linesWith('Redis is unavailable')[0]).toContain(reason);
        redis = ((await end(redis)) as RunningProgram | undefined) ?? redis;
        await waitUntil(() => linesWith('Redis is available again').length > 0);
        expect(linesWith('Redis')).toHaveLength(2);
        expect(linesWith('"level":"error"')).toEqual([]);
        await waitUntil(async () => (await degraded()) === undefined);
        expect(await used()).toBe(countedAfterwards + 1);
      } finally {
        await lectern.close();
        await redis.stop();
      }
    },
  );
});

test('the service starts and counts requests in memory if Redis is unreachable', async () => {
  const lectern = await startEmbeddedLectern({
    rates: { perMinute: 1_000, keyPerMinute: 0, perDay: 3, keyRequestsPerHour: 0 },
    now: () => noon,
    redisUrl: `redis://127.0.0.1:${await freePort()}`,
  });
  expect(await statuses(lectern, 4)).toEqual([200, 200, 200, 429]);
  await lectern.close();
});

interface Gateways {
  /**
   * Sends one request. Successive calls send to the two gateways alternately. `used` is how many
   * requests of the key have been counted, according to the response.
   */
  send(): Promise<{ status: number; used: number }>;
  /** Returns how many log lines of both gateways contain these words. */
  loggedLines(words: string): number;
  close(): Promise<void>;
}

/** Starts two gateways that share their rate limits in Redis. Their clock always shows noon. */
async function startGateways(redisUrl: string): Promise<Gateways> {
  const { log, lines } = createRecordedLog();
  const options = {
    rates: { perMinute: perDay, keyPerMinute: perDay, perDay, keyRequestsPerHour: 0 },
    now: () => noon,
    redisUrl,
    // The default of gateways: a request waits at most this long for a response of Redis.
    redisTimeoutMs: 200,
    log,
  };
  const first = await startEmbeddedLectern(options);
  const other = await startEmbeddedLectern({ ...options, keys: first.keys });
  const gateways: readonly EmbeddedLectern[] = [first, other];
  let turn = 0;
  return {
    async send() {
      turn += 1;
      const { status, headers } = await send(gateways[turn % 2]?.url ?? '', {
        headers: graphqlHeaders(first.token),
        body,
      });
      return { status, used: perDay - Number(/^"key";r=(\d+)/.exec(String(headers['ratelimit']))?.[1]) };
    },
    loggedLines: (words) => lines.filter((line) => line.includes(words)).length,
    async close() {
      await other.close();
      await first.close();
    },
  };
}

const countAfterEach = async (gateways: Gateways, times: number): Promise<number[]> => {
  const list: number[] = [];
  for (let time = 0; time < times; time += 1) list.push((await gateways.send()).used);
  return list;
};
/**
 * Sends six requests to the gateways in turn. Returns whether each request raised the shared count
 * by one.
 */
async function areShared(gateways: Gateways): Promise<boolean> {
  const [first = 0, ...others] = await countAfterEach(gateways, 6);
  return others.every((count, index) => count === first + 1 + index);
}

/**
 * Sends requests with pauses of 10 ms, from 200 ms before `action` until it has ended, and at least
 * 21. Returns the statuses of the responses.
 */
async function statusesWhile(gateways: Gateways, action: () => Promise<unknown>): Promise<number[]> {
  const statuses: number[] = [];
  const stopRequests = repeatRequests([async () => statuses.push((await gateways.send()).status)], 10);
  await pause(200);
  await action();
  await waitUntil(() => statuses.length > 20);
  await stopRequests();
  return statuses;
}

// These servers take about ten seconds to start.
const describeCluster = isLongRun && server !== null && cli !== null ? describe : describe.skip;

describeCluster('rate limits in a Redis Cluster', () => {
  const cluster = useStarted(() => startRedisCluster({ server: server ?? '', cli: cli ?? '' }));

  test('gateways share rate limits in a Redis Cluster, and no request fails even if two of its three nodes die', async () => {
    const gateways = await startGateways(cluster.url);
    try {
      await waitUntil(() => areShared(gateways));
      const before = gateways.loggedLines('Redis is unavailable');
      const statuses = await statusesWhile(gateways, async () => {
        await cluster.nodes[0]?.kill();
        await cluster.nodes[1]?.kill();
        await waitUntil(() => gateways.loggedLines('Redis is unavailable') > before);
        await pause(500);
      });
      expect(new Set(statuses)).toEqual(new Set([200]));
    } finally {
      await gateways.close();
    }
  });
});

(isLongRun && server !== null ? describe : describe.skip)('rate limits in a Redis with sentinels', () => {
  const sentinel = useStarted(() => startRedisSentinel({ server: server ?? '' }));

  test('when a Redis sentinel changes the master, the new master continues the counts of the rate limits and no request fails', async () => {
    const gateways = await startGateways(sentinel.url);
    try {
      await waitUntil(() => areShared(gateways));
      const [before = 0] = await countAfterEach(gateways, 1);
      const recovered = gateways.loggedLines('Redis is available again');
      const statuses = await statusesWhile(gateways, async () => {
        await sentinel.nodes[0]?.kill();
        await waitUntil(() => gateways.loggedLines('Redis is available again') >= recovered + 2);
        await pause(500);
      });
      expect(new Set(statuses)).toEqual(new Set([200]));
      await waitUntil(() => areShared(gateways));
      // The new master has the counts of the old one. It has not counted the requests of the time without a master.
      const [after = 0] = await countAfterEach(gateways, 1);
      expect(after).toBeGreaterThan(before);
    } finally {
      await gateways.close();
    }
  });
});
