import { setTimeout as pause } from 'node:timers/promises';
import { findProgram, graphqlHeaders, send, useStarted } from '@lectern/testing';
import { noon } from '../support/clocked-services';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { waitUntil } from '../support/processes';
import { createRecordedLog } from '../support/recorded-log';
import { startRedisCluster, startRedisSentinel } from '../support/redis-topologies';
import { repeatRequests } from '../support/repeat-requests';

const server = findProgram(['redis-server'], 'redis-server');
const cli = findProgram(['redis-cli'], 'redis-tools');
const perDay = 100_000;
const body = JSON.stringify({ query: '{ translation(identifier: "eng-web") { abbrev } }' });

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

const describeCluster = server !== null && cli !== null ? describe : describe.skip;

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

(server !== null ? describe : describe.skip)('rate limits in a Redis with sentinels', () => {
  const sentinel = useStarted(() => startRedisSentinel({ server: server ?? '' }));

  test('when a Redis sentinel changes the master, the counts of the rate limits are kept and no request fails', async () => {
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
      // The requests of the time without a master are counted too, and so are at least six requests
      // of `areShared` and the last request: 7. A request that was in flight when the master died
      // may be counted twice.
      const [after = 0] = await countAfterEach(gateways, 1);
      expect(after - before).toBeGreaterThanOrEqual(statuses.length + 7);
    } finally {
      await gateways.close();
    }
  });
});
