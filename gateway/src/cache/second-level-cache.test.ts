import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@lectern/serving';
import { noSpan, silentMetrics } from '@lectern/telemetry';
import type { RunningProgram } from '@lectern/testing';
import { findProgram, startRedis } from '@lectern/testing';
import { createGraph } from '../graph';
import { createGatewayMetrics } from '../metrics';
import { createRedisClient, parseRedisUrl } from '../redis-client';
import type { SubgraphResponse } from '../transport/subgraph-fetch';
import type { RedisCacheOptions } from './redis-cache';
import { createRedisCache } from './redis-cache';

const supergraphSdl = readFileSync(join(__dirname, '..', '..', '..', 'supergraph.graphql'), 'utf8');
const server = findProgram(['redis-server'], 'redis-server');
const secret = 'a secret for tests, as long as it is';
const languages = (...codes: string[]): SubgraphResponse => ({ data: { languages: codes.map((code) => ({ code })) } });

/** What the subgraphs of a gateway serve, and which texts they have said that it comes from. */
interface Texts {
  datasetVersion: () => string | null;
  datasetGeneration: () => number;
  answer: () => SubgraphResponse;
}

(server === null ? describe.skip : describe)('answers that gateways share', () => {
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

  /** What a gateway of its own answers, with nothing in its memory, and what it did for it. */
  async function told(
    given: Partial<Texts>,
    {
      sdl = supergraphSdl,
      query = '{ languages { code } }',
      ...store
    }: Partial<RedisCacheOptions> & { sdl?: string; query?: string } = {},
  ) {
    const { answer, datasetVersion, datasetGeneration }: Texts = {
      datasetVersion: () => 'these',
      datasetGeneration: () => 0,
      answer: () => languages('eng'),
      ...given,
    };
    const did: string[] = [];
    const graph = await createGraph({
      supergraphSdl: sdl,
      limits: { tokens: 5_000, depth: 15, complexity: 300 },
      fast: { direct: true, keptBytes: 1_000_000, keptSeconds: 300 },
      log: silentLogger,
      metrics: { ...createGatewayMetrics(silentMetrics), sharedAnswer: (result) => did.push(result) },
      answerStore: createRedisCache({
        redis,
        isUnavailable: () => false,
        secret,
        seconds: 300,
        deadlineMs: 5_000,
        log: silentLogger,
        ...store,
      }),
      subgraphs: {
        subgraph: () => () => {
          did.push('asked');
          return answer();
        },
        replicas: () => [],
        checkNames: () => {},
        versionSkew: () => null,
        datasetVersion,
        datasetGeneration,
        close: async () => {},
      },
    });
    const { body } = await graph.execute({
      query,
      variables: null,
      operationName: null,
      requestId: 'request',
      span: noSpan,
    });
    await graph.close();
    // Behind what was written, on the same connection.
    await redis.ping();
    return { body: String(body), did };
  }

  const fetched = { body: '{"data":{"languages":[{"code":"eng"}]}}', did: ['miss', 'asked'] };
  const spanish = { answer: () => languages('spa') };

  test('one gateway gives what another kept, and asks nobody', async () => {
    expect(await told({})).toEqual(fetched);
    expect(await told(spanish)).toEqual({ ...fetched, did: ['hit'] });
  });

  test.each<[string, Parameters<typeof told>]>([
    ['other texts', [{ datasetVersion: () => 'others' }]],
    ['another supergraph', [{}, { sdl: `${supergraphSdl}\n# another\n` }]],
    ['another time to keep answers', [{}, { seconds: 299 }]],
    ['another secret', [{}, { secret: `${secret}, another` }]],
    ['another question', [{}, { query: '{ languages { code  } }' }]],
  ])('a gateway of %s does not find it', async (_, [texts, options]) => {
    await told(spanish);
    expect(await told(texts, options)).toEqual(fetched);
  });

  test('while not every subgraph has said which texts it serves, or they differ, Redis is neither asked nor told', async () => {
    expect((await told({ datasetVersion: () => null })).did).toEqual(['skipped', 'asked']);
    expect(await redis.dbsize()).toBe(0);
  });

  test('an answer that comes with the word that a subgraph serves other texts now may be of either: it is not shared', async () => {
    let seen = 0;
    const answer = () => {
      seen += 1;
      return languages('eng');
    };
    expect(await told({ datasetGeneration: () => seen, answer })).toEqual(fetched);
    expect(await redis.dbsize()).toBe(0);
  });

  test('what was found is not given where the texts are others by then', async () => {
    await told(spanish);
    let seen = 0;
    // Before anything can have come from Redis.
    const datasetVersion = () => {
      queueMicrotask(() => (seen += 1));
      return 'these';
    };
    expect(await told({ datasetVersion, datasetGeneration: () => seen })).toEqual(fetched);
  });

  test('an answer of more than 256 kB stays in the gateway that has it', async () => {
    const codes = (characters: number) => ({ answer: () => languages('x'.repeat(characters)) });
    await told(codes(256_000));
    expect(await redis.dbsize()).toBe(0);
    await told(codes(255_000));
    expect(await redis.dbsize()).toBe(1);
  });

  test.each<[string, (name: string) => Promise<unknown>]>([
    ['nothing', (name) => redis.set(name, '')],
    ['an answer that nobody sealed', (name) => redis.set(name, '{"data":{"languages":[{"code":"spa"}]}}', 'EX', 300)],
    ['a sealed answer with one byte changed', (name) => redis.setrange(name, 60, '!')],
    [
      'half an answer',
      async (name) => redis.set(name, (await redis.getBuffer(name))?.subarray(0, 50) ?? '', 'EX', 300),
    ],
    ['a list', (name) => redis.pipeline().del(name).lpush(name, 'spa').exec()],
    [
      'the answer to something else',
      async (name) => {
        await told(spanish, { query: '{ languages { code  } }' });
        const other = (await redis.keys('*')).find((each) => each !== name) ?? '';
        await redis.rename(other, name);
      },
    ],
  ])('where %s lies instead, the subgraph is asked and its answer put there', async (_, put) => {
    await told({});
    const [name = ''] = await redis.keys('*');
    expect(name).toMatch(/^lectern:answer:[\w-]{43}$/);
    await put(name);
    expect(await told({})).toEqual({ ...fetched, did: ['failed', 'asked'] });
    expect((await told({})).did).toEqual(['hit']);
  });

  test('an answer is as old as it is wherever it is kept, and one without an end is none of ours', async () => {
    await told(spanish);
    const [name = ''] = await redis.keys('*');
    expect(await redis.ttl(name)).toBeGreaterThan(290);
    await redis.persist(name);
    expect(await told({})).toEqual(fetched);
  });
});
