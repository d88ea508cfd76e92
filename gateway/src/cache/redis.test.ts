import { silentLogger } from '@lectern/serving';
import type { SubgraphResponse } from '@lectern/subgraph';
import type { RunningProgram } from '@lectern/testing';
import { findProgram, startRedis } from '@lectern/testing';
import { openTestGraph, supergraphSdl } from '../../test-support/graph';
import { createRedisClient, parseRedisUrl } from '../shared/redis';
import type { RedisCacheOptions } from './redis';
import { createRedisCache } from './redis';

const server = findProgram(['redis-server'], 'redis-server');
const secret = 'a secret for tests, as long as it is';
const languages = (...codes: string[]): SubgraphResponse => ({ data: { languages: codes.map((code) => ({ code })) } });

/** The dataset that a gateway's subgraphs report, and their response. */
interface SubgraphBehaviour {
  datasetVersion: () => string | null;
  datasetGeneration: () => number;
  response: () => SubgraphResponse;
}

(server === null ? describe.skip : describe)('second-level cache', () => {
  let program: RunningProgram;
  let redis: ReturnType<typeof createRedisClient>;
  beforeAll(async () => {
    program = await startRedis(server ?? '');
    redis = createRedisClient(parseRedisUrl(program.url));
    await redis.connect();
  });
  beforeEach(() => redis.flushdb());
  afterAll(async () => {
    redis.disconnect();
    await program.stop();
  });

  /**
   * Sends one request to a new gateway without responses in memory. Returns the response, and the
   * gateway's lookups in Redis (hit, miss, failed, skipped) and fetches from a subgraph (fetched).
   */
  async function respond(
    behaviour: Partial<SubgraphBehaviour>,
    {
      sdl = supergraphSdl,
      query = '{ languages { code } }',
      ...redisOptions
    }: Partial<RedisCacheOptions> & { sdl?: string; query?: string } = {},
  ) {
    const { response = () => languages('eng'), datasetVersion = () => 'one', datasetGeneration = () => 0 } = behaviour;
    const steps: string[] = [];
    const graph = await openTestGraph({
      supergraphSdl: sdl,
      responseCache: { maxBytes: 1_000_000, maxSeconds: 300 },
      redisCache: createRedisCache({
        redis,
        isUnavailable: () => false,
        secret,
        seconds: 300,
        deadlineMs: 5_000,
        log: silentLogger,
        ...redisOptions,
      }),
      dataset: { datasetVersion, datasetGeneration },
      metrics: { sharedCacheLookup: (result) => steps.push(result) },
      fetch() {
        steps.push('fetched');
        return response();
      },
    });
    const { body } = await graph.respond(query);
    await graph.close();
    // Redis executes this command after the writes on the same connection, so they are done now.
    await redis.ping();
    return { body: String(body), steps };
  }

  const fetchedResponse = { body: '{"data":{"languages":[{"code":"eng"}]}}', steps: ['miss', 'fetched'] };
  const spanish = { response: () => languages('spa') };

  test('a gateway sends a response that another gateway cached in Redis, without a fetch from the subgraph', async () => {
    expect(await respond({})).toEqual(fetchedResponse);
    expect(await respond(spanish)).toEqual({ ...fetchedResponse, steps: ['hit'] });
  });

  test.each<[string, Parameters<typeof respond>]>([
    ['for another dataset version', [{ datasetVersion: () => 'two' }]],
    ['for another supergraph', [{}, { sdl: `${supergraphSdl}\n# another\n` }]],
    ['with another time to live', [{}, { seconds: 299 }]],
    ['with another secret', [{}, { secret: `${secret}, another` }]],
    ['for a document with other spaces', [{}, { query: '{ languages { code  } }' }]],
  ])('a gateway does not find a response in Redis that another gateway cached %s', async (_, [behaviour, options]) => {
    await respond(spanish);
    expect(await respond(behaviour, options)).toEqual(fetchedResponse);
  });

  test('a gateway neither reads nor writes responses in Redis while its subgraphs report no common dataset version', async () => {
    expect((await respond({ datasetVersion: () => null })).steps).toEqual(['skipped', 'fetched']);
    expect(await redis.dbsize()).toBe(0);
  });

  test('a gateway does not write a response to Redis if a subgraph reports another dataset version during the request', async () => {
    let generation = 0;
    const response = () => {
      generation += 1;
      return languages('eng');
    };
    expect(await respond({ datasetGeneration: () => generation, response })).toEqual(fetchedResponse);
    expect(await redis.dbsize()).toBe(0);
  });

  test('a gateway does not use a response from Redis if the dataset changed during the lookup', async () => {
    await respond(spanish);
    let generation = 0;
    // The generation changes in a microtask, so it changes before Redis replies.
    const datasetVersion = () => {
      queueMicrotask(() => (generation += 1));
      return 'one';
    };
    expect(await respond({ datasetVersion, datasetGeneration: () => generation })).toEqual(fetchedResponse);
  });

  test('a gateway does not write a response of more than 256 kB to Redis', async () => {
    const codes = (characters: number) => ({ response: () => languages('x'.repeat(characters)) });
    await respond(codes(256_000));
    expect(await redis.dbsize()).toBe(0);
    await respond(codes(255_000));
    expect(await redis.dbsize()).toBe(1);
  });

  test.each<[string, (name: string) => Promise<unknown>]>([
    ['no bytes', (name) => redis.set(name, '')],
    ['an unsigned response', (name) => redis.set(name, '{"data":{"languages":[{"code":"spa"}]}}', 'EX', 300)],
    ['a signed response with one changed byte', (name) => redis.setrange(name, 60, '!')],
    [
      'a response that is cut off',
      async (name) => redis.set(name, (await redis.getBuffer(name))?.subarray(0, 50) ?? '', 'EX', 300),
    ],
    ['a list', (name) => redis.pipeline().del(name).lpush(name, 'spa').exec()],
    [
      'the signed response to another request',
      async (name) => {
        await respond(spanish, { query: '{ languages { code  } }' });
        const other = (await redis.keys('*')).find((each) => each !== name) ?? '';
        await redis.rename(other, name);
      },
    ],
  ])(
    'if the cache entry in Redis holds %s, the gateway fetches from the subgraph and overwrites the entry',
    async (_, put) => {
      await respond({});
      const [name = ''] = await redis.keys('*');
      expect(name).toMatch(/^lectern:response:[\w-]{43}$/);
      await put(name);
      expect(await respond({})).toEqual({ ...fetchedResponse, steps: ['failed', 'fetched'] });
      expect((await respond({})).steps).toEqual(['hit']);
    },
  );

  test('a gateway sets a time to live on a response in Redis, and does not use an entry without time to live', async () => {
    await respond(spanish);
    const [name = ''] = await redis.keys('*');
    expect(await redis.ttl(name)).toBeGreaterThan(290);
    await redis.persist(name);
    expect(await respond({})).toEqual(fetchedResponse);
  });
});
