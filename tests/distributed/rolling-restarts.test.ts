import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningProgram, StartedProcess } from '@lectern/testing';
import { dataDir, findProgram, graphqlHeaders, repositoryRoot, send, startRedis } from '@lectern/testing';
import Redis from 'ioredis';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import type { BalancedResponse, LoadBalancer } from '../support/load-balancer';
import { createLoadBalancer } from '../support/load-balancer';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';

jest.setTimeout(150_000);

const redisServer = findProgram(['redis-server'], 'redis-server');
const composed = readFileSync(join(repositoryRoot, 'supergraph.graphql'), 'utf8');
const subgraphNames = ['text', 'search', 'concordance'] as const;
const perDay = 100_000_000;
const clients = 6;

/** By the way they take: one subgraph, or several with a plan. Every chapter is another answer, so that an answer to somebody else's question is seen. */
const queries = [
  'query ($n: Int!) { verse(book: "PSA", chapter: $n, verse: 1) { reference text } }',
  'query ($n: Int!) { search(query: "mercy", translation: "eng-kjv", limit: $n) { id } }',
  'query ($n: Int!) { concordance(translation: "spa-rv1909", word: "misericordia", first: $n) { totalCount edges { cursor } } }',
  'query ($n: Int!) { search(query: "mercy", limit: 2) { reference inTranslation(identifier: "spa-rv1909") { reference } words { text } } verse(book: "PSA", chapter: $n, verse: 2) { words { text } } }',
];
const chapters = 20;

interface Question {
  readonly body: string;
  readonly right: string;
}

/** Questions with their answers, which another process than those under test gives. */
async function askedBefore(): Promise<Question[]> {
  const lectern = await startEmbeddedLectern();
  const questions: Question[] = [];
  for (const query of queries) {
    for (let n = 1; n <= chapters; n += 1) {
      const answer = await lectern.client(query, { n });
      if (answer.errors) throw new Error(JSON.stringify(answer));
      questions.push({ body: JSON.stringify({ query, variables: { n } }), right: JSON.stringify(answer) });
    }
  }
  await lectern.close();
  return questions;
}

(redisServer ? describe : describe.skip)('two gateways over two replicas of every subgraph, under load', () => {
  let processes: TestProcesses;
  let redis: RunningProgram;
  let balancer: LoadBalancer;
  let questions: Question[];
  const replicas: { name: (typeof subgraphNames)[number]; room: StartedProcess }[] = [];
  const gateways: StartedProcess[] = [];
  const supergraph = () => join(processes.folder, 'supergraph.graphql');

  const put = (sdl: string) => {
    writeFileSync(`${supergraph()}.part`, sdl);
    renameSync(`${supergraph()}.part`, supergraph());
  };
  const startSubgraph = (name: string, env: Record<string, string> = {}) =>
    processes.start(`services/${name}/dist/main.js`, {
      LECTERN_DATA: dataDir,
      SEMANTIC_TRANSLATIONS: '',
      LOG_LEVEL: 'warn',
      ...env,
    });
  const startGateway = async (env: Record<string, string> = {}) => {
    const urls = Object.fromEntries(
      subgraphNames.map((name) => [name, replicas.filter((each) => each.name === name).map(({ room }) => room.origin)]),
    );
    const { gateway } = await processes.startGateway(urls, {
      LOG_LEVEL: 'warn',
      DRAIN_MS: '1000',
      RATE_PER_DAY: String(perDay),
      REDIS_URL: redis.url,
      SUPERGRAPH: supergraph(),
      SUPERGRAPH_POLL_MS: '100',
      ...env,
    });
    return gateway;
  };
  const restartGateway = async (index: number, signal: NodeJS.Signals) => {
    const gateway = gateways[index];
    if (!gateway) throw new Error(`there is no gateway ${index}`);
    await processes.stop(gateway, signal);
    gateways[index] = await startGateway({ PORT: String(gateway.port) });
    await waitUntil(() => balancer.isReady(gateway.origin));
  };
  const restartReplica = async (index: number, signal: NodeJS.Signals) => {
    const replica = replicas[index];
    if (!replica) throw new Error(`there is no replica ${index}`);
    await processes.stop(replica.room, signal);
    await pause(200);
    replica.room = await startSubgraph(replica.name, { PORT: String(replica.room.port) });
  };

  beforeAll(async () => {
    questions = await askedBefore();
    processes = await openProcesses();
    redis = await startRedis(redisServer ?? '');
    put(composed);
    for (const name of subgraphNames)
      for (const room of await Promise.all([startSubgraph(name), startSubgraph(name)])) replicas.push({ name, room });
    gateways.push(...(await Promise.all([startGateway(), startGateway()])));
    balancer = createLoadBalancer(
      gateways.map(({ origin }) => origin),
      processes.token,
    );
  }, 60_000);
  afterAll(async () => {
    await balancer.close();
    await processes.close();
    await redis.stop();
  });

  /** Clients that ask while something happens; gives back how many were answered well, and what others got. */
  const underLoad = async (happens: () => Promise<void>): Promise<{ answered: number; failed: BalancedResponse[] }> => {
    const load = { isOver: false, asked: 0, answered: 0 };
    const failed: BalancedResponse[] = [];
    const client = async () => {
      while (!load.isOver) {
        const { body, right } = questions[load.asked++ % questions.length] ?? { body: '', right: '' };
        const answer = await balancer.send(body);
        if (answer.status === 200 && answer.text === right) load.answered += 1;
        else failed.push({ ...answer, text: answer.text.slice(0, 300) });
        await pause(40);
      }
    };
    const asking = Promise.all(Array.from({ length: clients }, client));
    await pause(300);
    await happens();
    await pause(300);
    load.isOver = true;
    await asking;
    return { answered: load.answered, failed };
  };

  /** What Redis has counted for keys, whatever day of UTC it is. */
  const counted = async (): Promise<number> => {
    const client = new Redis(redis.url);
    const buckets = await client.keys('lectern:key:*');
    const counts = buckets.length === 0 ? [] : await client.mget(buckets);
    client.disconnect();
    return counts.reduce((sum, count) => sum + Number(count), 0);
  };

  let answeredSoFar = 0;
  const lossWhile = async (happens: () => Promise<void>): Promise<BalancedResponse[]> => {
    const { answered, failed } = await underLoad(happens);
    if (answered < 50) throw new Error(`that was no load: ${answered} answers`);
    answeredSoFar += answered;
    return failed;
  };

  test('each replica of each subgraph is restarted in turn', async () => {
    expect(
      await lossWhile(async () => {
        for (const index of replicas.keys()) await restartReplica(index, 'SIGTERM');
      }),
    ).toEqual([]);
  });

  test('each gateway is restarted in turn', async () => {
    expect(
      await lossWhile(async () => {
        for (const index of gateways.keys()) await restartGateway(index, 'SIGTERM');
      }),
    ).toEqual([]);
  });

  test('the supergraph is replaced, with another price and another description', async () => {
    const headers = [...graphqlHeaders(processes.token), 'Lectern-Report', 'cost'];
    const body = JSON.stringify({
      query: '{ references(text: "John 3:16") { reference } __type(name: "Verse") { description } }',
    });
    const isSwapped = async ({ origin }: StartedProcess) => {
      answeredSoFar += 1;
      const { text } = await send(`${origin}/graphql`, { headers, body });
      return text.includes('"complexity":53') && text.includes('Another description.');
    };
    expect(
      await lossWhile(async () => {
        put(
          composed
            .replace(
              '[ParsedReference!] @join__field(graph: TEXT) @fieldCost(base: 100)',
              '[ParsedReference!] @join__field(graph: TEXT) @fieldCost(base: 50)',
            )
            .replace('"""A verse of one translation."""', '"""Another description."""'),
        );
        for (const gateway of gateways) await waitUntil(() => isSwapped(gateway));
      }),
    ).toEqual([]);
  });

  test('and every one of these requests was counted', async () => {
    // A gateway that was kept waiting for Redis tells it with the key's next request, and may then have counted twice what was under way.
    const given =
      gateways
        .map(({ output }) => output().split('Redis does not respond').length - 1)
        .reduce((sum, times) => sum + times, 0) * clients;
    await waitUntil(async () => {
      answeredSoFar += gateways.length;
      for (const { origin } of gateways)
        await send(`${origin}/graphql`, { headers: graphqlHeaders(processes.token), body: questions[0]?.body ?? '' });
      return (await counted()) >= answeredSoFar;
    });
    expect(await counted()).toBeLessThanOrEqual(answeredSoFar + given);
  });

  test('Redis is stopped, and started again', async () => {
    expect(
      await lossWhile(async () => {
        await redis.stop();
        await pause(1_000);
        redis = await startRedis(redisServer ?? '', redis.port);
        await waitUntil(async () => (await counted()) > 0);
      }),
    ).toEqual([]);
  });

  test('a replica is killed: what it was answering is asked of the other', async () => {
    expect(await lossWhile(() => restartReplica(0, 'SIGKILL'))).toEqual([]);
  });

  test('a gateway is killed: lost is at most what it was answering, and what was sent there before the balancer looked', async () => {
    const { answered, failed } = await underLoad(() => restartGateway(0, 'SIGKILL'));
    // Each client has one request under way. Until the balancer looks again, each may meet the closed port a few times.
    expect(failed.every(({ error }) => error?.startsWith(gateways[0]?.origin ?? 'none') === true)).toBe(true);
    expect(failed.filter(({ error }) => error?.includes('ECONNREFUSED') !== true).length).toBeLessThanOrEqual(clients);
    expect(answered).toBeGreaterThan(50);
  });
});

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
