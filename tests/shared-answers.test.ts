import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importFiles } from '@lectern/corpus';
import { openKeys } from '@lectern/keys';
import { createMetrics, noTelemetry } from '@lectern/telemetry';
import type { GraphqlClient, RunningProgram, StartedProcess } from '@lectern/testing';
import {
  createGraphqlClient,
  dataDir,
  findProgram,
  freePort,
  graphqlHeaders,
  metricValue,
  send,
  spawnProcess,
  startRedis,
} from '@lectern/testing';
import Redis from 'ioredis';
import { pepper, startEmbeddedLectern } from './support/embedded-lectern';
import type { TestProcesses } from './support/processes';
import { openProcesses, waitUntil } from './support/processes';
import { startRedisCluster } from './support/redis-topologies';

jest.setTimeout(120_000);

const server = findProgram(['redis-server'], 'redis-server');
const cli = findProgram(['redis-cli'], 'redis-tools');

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
const question = (number: number) => `{ verse(book: "PSA", chapter: 119, verse: 105) { text${number}: text } }`;

interface Sharing {
  readonly room: StartedProcess;
  readonly client: GraphqlClient;
  /** How many of its answers that may be kept were found, or not, there. */
  count(where: 'kept' | 'shared', result: string): Promise<number>;
}

(server === null ? describe.skip : describe)('gateways that share the answers they keep', () => {
  let rooms: TestProcesses;
  let program: RunningProgram;
  let redis: Redis;
  let replicas: Record<'text' | 'search' | 'concordance', readonly string[]>;
  let text: StartedProcess;
  let first: Sharing;
  let other: Sharing;
  let asked = 0;

  /** What nobody has asked before. */
  const unheard = () => question((asked += 1));
  const startText = (port?: number) =>
    rooms.start('services/text/dist/main.js', {
      LECTERN_DATA: dataDir,
      ...(port !== undefined && { PORT: String(port) }),
    });

  async function startSharing(
    subgraphs: Record<string, readonly string[]>,
    env: Record<string, string> = {},
  ): Promise<Sharing> {
    const metricsPort = await freePort();
    const { gateway, client } = await rooms.startGateway(subgraphs, {
      RESPONSE_CACHE_BYTES: '1000000',
      RESPONSE_CACHE_SHARED: 'on',
      REDIS_URL: program.url,
      METRICS_PORT: String(metricsPort),
      ...env,
    });
    const count = async (where: 'kept' | 'shared', result: string) =>
      metricValue(
        (await send(`http://127.0.0.1:${metricsPort}/metrics`, { method: 'GET' })).text,
        `lectern_${where}_answers_total`,
        `result="${result}"`,
      );
    return { room: gateway, client, count };
  }
  /** Resolves when it is connected and knows the texts of every subgraph. */
  const sharing = (gateway: Sharing) =>
    waitUntil(async () => {
      const before = await gateway.count('shared', 'miss');
      await gateway.client(unheard());
      return (await gateway.count('shared', 'miss')) > before;
    });
  const stored = async (): Promise<number> => (await redis.keys('lectern:answer:*')).length;

  beforeAll(async () => {
    rooms = await openProcesses();
    program = await startRedis(server ?? '');
    redis = new Redis(program.url);
    redis.on('error', () => {});
    text = await startText();
    const search = await rooms.start('services/search/dist/main.js', {
      LECTERN_DATA: dataDir,
      SEMANTIC_TRANSLATIONS: '',
    });
    const concordance = await rooms.start('services/concordance/dist/main.js', { LECTERN_DATA: dataDir });
    replicas = { text: [text.origin], search: [search.origin], concordance: [concordance.origin] };
    [first, other] = [await startSharing(replicas), await startSharing(replicas)];
    await sharing(first);
    await sharing(other);
  });
  afterAll(async () => {
    redis.disconnect();
    await rooms.close();
    await program.stop();
  });

  const whole = async ({ room }: Sharing, query: string, token = rooms.token) => {
    const {
      status,
      text: body,
      headers: { date: _date, 'x-request-id': _id, ...headers },
    } = await send(`${room.origin}/graphql`, { headers: graphqlHeaders(token), body: JSON.stringify({ query }) });
    return { status, body, headers };
  };

  /** A question whose answer lies in Redis now, as the first gateway gave it. On a busy machine Redis may be late, and nothing is written for a while. */
  const keep = async () => {
    for (;;) {
      const [query, before] = [unheard(), await stored()];
      const kept = await whole(first, query);
      for (let time = 0; time < 10; time += 1) {
        if ((await stored()) > before) return { query, kept };
        await pause(50);
      }
    }
  };
  /** Whether something is counted for the other gateway while this happens. */
  const counts = async (
    where: 'kept' | 'shared',
    result: string,
    happens: () => Promise<unknown>,
  ): Promise<boolean> => {
    const before = await other.count(where, result);
    await happens();
    return (await other.count(where, result)) > before;
  };

  test('give what the other has kept, to the byte, though the subgraph it came from is gone; from then on out of their own memory', async () => {
    const { query, kept } = await keep();
    expect(JSON.parse(kept.body)).toMatchObject({ data: { verse: expect.anything() as unknown } });
    await rooms.stop(text);
    try {
      await waitUntil(() => counts('shared', 'hit', async () => whole(other, query)));
      expect(await counts('kept', 'hit', async () => expect(await whole(other, query)).toEqual(kept))).toBe(true);
      expect(await other.client(unheard())).toMatchObject({
        errors: [{ extensions: { code: 'SUBGRAPH_UNAVAILABLE' } }],
      });
    } finally {
      text = await startText(text.port);
    }
  });

  test('keep it no longer than the one who kept it first', async () => {
    let [query, name] = ['', ''];
    await waitUntil(async () => {
      const before = new Set(await redis.keys('*'));
      ({ query } = await keep());
      name = (await redis.keys('*')).find((each) => !before.has(each)) ?? '';
      await redis.pexpire(name, 3_000);
      return counts('shared', 'hit', async () => other.client(query));
    });
    await waitUntil(async () => (await redis.exists(name)) === 0);
    // Caches look at the clock once a millisecond, and at times a little later.
    await pause(100);
    expect(await counts('kept', 'miss', async () => other.client(query))).toBe(true);
  });

  test('put nothing there of what varies, nor what has an error', async () => {
    const before = await stored();
    await first.client('{ randomVerse { text } }');
    await first.client('{ verseOfTheDay { text } }');
    expect(await first.client('{ search(query: "lamp", translation: "none") { text } }')).toHaveProperty('errors');
    // Behind them on its way, and kept.
    await keep();
    expect(await stored()).toBe(before + 1);
    const thrice = [
      await first.client('{ randomVerse { id } }'),
      await other.client('{ randomVerse { id } }'),
      await other.client('{ randomVerse { id } }'),
    ];
    expect(new Set(thrice.map(({ data }) => JSON.stringify(data))).size).toBeGreaterThan(1);
  });

  test('give nothing of it to a key that was revoked', async () => {
    const keys = openKeys({ file: join(rooms.folder, 'keys.sqlite'), pepper });
    const { token, key } = await keys.issue(
      { email: 'other@example.org', name: 'Other', environment: 'test' },
      'a test',
    );
    const query = unheard();
    expect((await whole(first, query, token)).status).toBe(200);
    await keys.revoke(key.id, 'a test');
    await keys.close();
    expect((await whole(other, query, token)).status).toBe(401);
    expect((await whole(other, query)).status).toBe(200);
  });

  test('ask their subgraphs where something else lies in the place of an answer', async () => {
    for (let time = 0; time < 3; time += 1) {
      const { query, kept } = await keep();
      for (const name of await redis.keys('lectern:answer:*'))
        await redis.set(name, '{"data":{"verse":{"text":"nothing of the kind"}}}');
      expect(await whole(other, query)).toEqual(kept);
    }
    expect(await other.count('shared', 'failed')).toBeGreaterThan(0);
  });

  test('share nothing over replicas of which one serves other texts', async () => {
    const file = join(rooms.folder, 'eng-own.usfx');
    writeFileSync(
      file,
      '<?xml version="1.0" encoding="utf-8"?>\n<usfx><languageCode>eng</languageCode><book id="PSA"><h>Psalms</h><c id="1"/><p><v id="1"/>A lantern of my own.<ve/></p></book></usfx>',
    );
    await importFiles([file], {
      dataDir: rooms.folder,
      log: () => {},
      given: { identifier: 'eng-own' },
      replace: true,
    });
    const strange = await rooms.start('services/text/dist/main.js', { LECTERN_DATA: rooms.folder });
    const query = '{ languages { translationCount } }';
    const theirs = { data: { languages: [{ translationCount: 1 }] } };
    const ours = await first.client(query);
    expect(ours).not.toEqual(theirs);
    const alone = await startSharing({ ...replicas, text: [strange.origin] });
    const mixed = await startSharing({ ...replicas, text: [text.origin, strange.origin] });
    try {
      await waitUntil(() =>
        [alone, mixed].every(({ room }) => room.output().includes('subgraphs serve different texts')),
      );
      const before = await stored();
      expect(await alone.client(query)).toEqual(theirs);
      expect([ours, theirs]).toContainEqual(await mixed.client(query));
      expect([await alone.count('shared', 'skipped'), await mixed.count('shared', 'skipped')]).toEqual([1, 1]);
      expect(await stored()).toBe(before);
    } finally {
      for (const { room } of [alone, mixed]) await rooms.stop(room);
      await rooms.stop(strange);
    }
  });

  test('answer as without it while Redis hangs, and while it is gone; and share again when it is back', async () => {
    const query = unheard();
    const { body } = await whole(first, query);
    const [failed, skipped] = [await other.count('shared', 'failed'), await other.count('shared', 'skipped')];
    program.pause();
    const began = performance.now();
    expect((await whole(other, query)).body).toBe(body);
    // One deadline of 20 ms, on a machine that may be busy. That of the connection itself would be 1,000.
    expect(performance.now() - began).toBeLessThan(900);
    for (let time = 0; time < 5; time += 1)
      expect(await other.client(unheard())).toMatchObject({ data: { verse: {} } });
    expect(await other.count('shared', 'failed')).toBeGreaterThan(failed);
    expect(await other.count('shared', 'skipped')).toBeGreaterThan(skipped);
    expect(other.room.output()).toMatch(
      /"reason":"no answer within 20 ms","msg":"kept answers are not looked for in Redis/,
    );
    program.resume();
    await sharing(other);
    await program.stop();
    await waitUntil(async () => {
      const before = await other.count('shared', 'skipped');
      expect(await other.client(unheard())).toMatchObject({ data: { verse: {} } });
      return (await other.count('shared', 'skipped')) > before;
    });
    program = await startRedis(server ?? '', program.port);
    await sharing(first);
    await sharing(other);
    await waitUntil(() => counts('shared', 'hit', async () => other.client((await keep()).query)));
  });
});

test.each([
  ['REDIS_URL', {}],
  ['RESPONSE_CACHE_BYTES=0', { REDIS_URL: 'redis://127.0.0.1:1', RESPONSE_CACHE_BYTES: '0' }],
])('a gateway that is to share answers and cannot says why at the start: %s', async (named, env) => {
  const rooms = await openProcesses();
  const { ended, output } = spawnProcess('gateway/dist/main.js', {
    LECTERN_DATA: rooms.folder,
    KEY_PEPPER: pepper,
    RESPONSE_CACHE_SHARED: 'on',
    PORT: String(await freePort()),
    ...env,
  });
  expect(await ended).toBe(1);
  expect(output()).toMatch(new RegExp(`^RESPONSE_CACHE_SHARED=on .*${named}.*\n$`));
  await rooms.close();
});

(server === null || cli === null ? describe.skip : describe)(
  'what one of two services, each in one process, keeps in a Redis Cluster',
  () => {
    test('is given by the other', async () => {
      const cluster = await startRedisCluster({ server: server ?? '', cli: cli ?? '' });
      const metrics = createMetrics({ service: 'other' });
      const options = {
        redisUrl: cluster.url,
        fast: { direct: true, keptBytes: 1_000_000, keptSeconds: 300, keptShared: true },
      };
      const first = await startEmbeddedLectern(options);
      const other = await startEmbeddedLectern({
        ...options,
        keys: first.keys,
        telemetry: { ...noTelemetry, metrics },
      });
      const client = createGraphqlClient(other.url, first.token);
      const given: unknown[] = [];
      const found: unknown[] = [];
      try {
        await waitUntil(async () => {
          given.push(await first.client(question(given.length)));
          found.push(await client(question(found.length)));
          return metricValue(await metrics.text(), 'lectern_response_cache_shared_requests_total', 'result="hit"') > 0;
        });
        expect(found).toEqual(given);
      } finally {
        await other.close();
        await first.close();
        await cluster.stop();
      }
    });
  },
);
