import { createLogger } from '@lectern/serving';
import { findProgram, graphqlHeaders, send } from '@lectern/testing';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { waitUntil } from '../support/processes';
import type { RedisServers } from '../support/redis-topologies';
import { startRedisCluster, startRedisSentinel } from '../support/redis-topologies';

jest.setTimeout(60_000);

const server = findProgram(['redis-server'], 'redis-server');
const cli = findProgram(['redis-cli'], 'redis-tools');
const noon = Date.UTC(2026, 4, 1, 12, 0, 0);
const perDay = 100_000;
const body = JSON.stringify({ query: '{ translation(identifier: "eng-web") { abbrev } }' });

interface Gateways {
  /** One request, to the gateways in turn: its status, and how many have been counted for the key by then. */
  ask(): Promise<{ status: number; used: number }>;
  /** Lines of either that say this. */
  said(words: string): number;
  close(): Promise<void>;
}

/** Two gateways that count in one place, at a noon that does not pass. */
async function startGateways(redisUrl: string): Promise<Gateways> {
  const lines: string[] = [];
  const log = createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } });
  const options = { rates: { perMinute: perDay, perDay, keyRequestsPerHour: 0 }, now: () => noon, redisUrl, log };
  const first = await startEmbeddedLectern(options);
  const other = await startEmbeddedLectern({ ...options, keys: first.keys });
  const gateways: readonly EmbeddedLectern[] = [first, other];
  let turn = 0;
  return {
    async ask() {
      turn += 1;
      const { status, headers } = await send(gateways[turn % 2]?.url ?? '', {
        headers: graphqlHeaders(first.token),
        body,
      });
      return { status, used: perDay - Number(/^"key";r=(\d+)/.exec(String(headers['ratelimit']))?.[1]) };
    },
    said: (words) => lines.filter((line) => line.includes(words)).length,
    async close() {
      await other.close();
      await first.close();
    },
  };
}

const used = async (gateways: Gateways, times: number): Promise<number[]> => {
  const list: number[] = [];
  for (let time = 0; time < times; time += 1) list.push((await gateways.ask()).used);
  return list;
};
/** Six requests in a row, each counted one further by the gateway whose turn it is. A machine that is busy may need a while until both gateways are connected. */
async function areShared(gateways: Gateways): Promise<boolean> {
  const [first = 0, ...others] = await used(gateways, 6);
  return others.every((count, index) => count === first + 1 + index);
}
const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

/** Asks without a pause while something happens, until both gateways share their counts again; gives back the statuses. */
async function askedWhile(gateways: Gateways, happens: () => Promise<unknown>): Promise<number[]> {
  const statuses: number[] = [];
  const state = { isOver: false };
  const asking = (async () => {
    while (!state.isOver) {
      statuses.push((await gateways.ask()).status);
      await pause(10);
    }
  })();
  await pause(200);
  await happens();
  state.isOver = true;
  await asking;
  return statuses;
}

const describeCluster = server !== null && cli !== null ? describe : describe.skip;

describeCluster('limits in a Redis Cluster', () => {
  let cluster: RedisServers;
  beforeAll(async () => {
    cluster = await startRedisCluster({ server: server ?? '', cli: cli ?? '' });
  });
  afterAll(() => cluster.stop());

  test('are shared by gateways, though the counts of an address and of a key lie on different nodes; and a node that dies costs no request', async () => {
    const gateways = await startGateways(cluster.url);
    try {
      await waitUntil(() => areShared(gateways));
      const before = gateways.said('Redis does not answer');
      const statuses = await askedWhile(gateways, async () => {
        await cluster.nodes[0]?.kill();
        await cluster.nodes[1]?.kill();
        await pause(2_000);
      });
      expect(statuses.length).toBeGreaterThan(20);
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect(gateways.said('Redis does not answer')).toBeGreaterThan(before);
    } finally {
      await gateways.close();
    }
  });
});

(server !== null ? describe : describe.skip)('limits in a Redis that sentinels watch', () => {
  let sentinel: RedisServers;
  beforeAll(async () => {
    sentinel = await startRedisSentinel({ server: server ?? '' });
  });
  afterAll(() => sentinel.stop());

  test('go on from where they were when the master dies and its replica takes its place, at the cost of no request', async () => {
    const gateways = await startGateways(sentinel.url);
    try {
      await waitUntil(() => areShared(gateways));
      const [before = 0] = await used(gateways, 1);
      const recovered = gateways.said('Redis answers again');
      const statuses = await askedWhile(gateways, async () => {
        await sentinel.nodes[0]?.kill();
        await waitUntil(() => gateways.said('Redis answers again') >= recovered + 2);
        await pause(500);
      });
      expect(statuses.length).toBeGreaterThan(20);
      expect(new Set(statuses)).toEqual(new Set([200]));
      await waitUntil(() => areShared(gateways));
      // What was counted while there was no master is not lost. One that was under way when it died may be counted twice.
      const [after = 0] = await used(gateways, 1);
      expect(after - before).toBeGreaterThanOrEqual(statuses.length + 7);
    } finally {
      await gateways.close();
    }
  });
});
