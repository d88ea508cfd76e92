import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importFiles } from '@lectern/corpus';
import { openKeys } from '@lectern/keys';
import type { GraphqlClient, RunningProgram, StartedProcess } from '@lectern/testing';
import { findProgram, freePort, graphqlHeaders, metricValue, send, startRedis } from '@lectern/testing';
import Redis from 'ioredis';
import { operatorPassword } from '../support/admin-fixture';
import { pepper } from '../support/embedded-lectern';
import { createBrowserClient, visibleText } from '../support/form-client';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';
import type { ServiceInProcess } from '../support/services-in-process';
import { subgraphNames } from '../support/supergraph-yaml';

const server = findProgram(['redis-server'], 'redis-server');

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
const queryNumber = (number: number) => `{ verse(book: "PSA", chapter: 119, verse: 105) { text${number}: text } }`;

type CacheLevel = 'memory' | 'redis';

/** A gateway that caches responses in memory and in Redis. */
interface CachingGateway {
  readonly gateway: StartedProcess;
  readonly client: GraphqlClient;
  /** Returns how many lookups of this gateway in memory or Redis had this result, such as `hit`. */
  lookups(level: CacheLevel, result: string): Promise<number>;
}

(server === null ? describe.skip : describe)('two gateways that share responses through Redis', () => {
  let processes: TestProcesses;
  let program: RunningProgram;
  let redis: Redis;
  let replicas: Record<string, readonly string[]>;
  let text: ServiceInProcess;
  let first: CachingGateway;
  let other: CachingGateway;
  let sent = 0;

  /** Returns a new query, whose response no gateway has cached. */
  const uncachedQuery = () => queryNumber((sent += 1));
  const startText = (port?: number) => processes.serveSubgraph('text', port === undefined ? {} : { port });

  async function startCachingGateway(
    subgraphs: Record<string, readonly string[]>,
    env: Record<string, string> = {},
  ): Promise<CachingGateway> {
    const metricsPort = await freePort();
    const { gateway, client } = await processes.startGateway(subgraphs, {
      RESPONSE_CACHE_BYTES: '1000000',
      RESPONSE_CACHE_SHARED: 'on',
      REDIS_URL: program.url,
      OPERATOR_PASSWORD: operatorPassword,
      METRICS_PORT: String(metricsPort),
      ...env,
    });
    const lookups = async (level: CacheLevel, result: string) =>
      metricValue(
        (await send(`http://127.0.0.1:${metricsPort}/metrics`, { method: 'GET' })).text,
        level === 'memory' ? 'lectern_response_cache_requests_total' : 'lectern_response_cache_shared_requests_total',
        `result="${result}"`,
      );
    return { gateway, client, lookups };
  }
  /**
   * Resolves when the gateway reads cached responses from Redis. For this, the gateway must be
   * connected to Redis and know which version of the Bible texts each subgraph serves.
   */
  const waitUntilShared = (gateway: CachingGateway) =>
    waitUntil(async () => {
      const before = await gateway.lookups('redis', 'miss');
      await gateway.client(uncachedQuery());
      return (await gateway.lookups('redis', 'miss')) > before;
    });
  const storedEntries = async (): Promise<number> => (await redis.keys('lectern:response:*')).length;

  beforeAll(async () => {
    processes = await openProcesses();
    program = await startRedis(server ?? '');
    redis = new Redis(program.url);
    redis.on('error', () => {});
    text = await startText();
    const others = await processes.serveSubgraphs(subgraphNames.filter((name) => name !== 'text'));
    replicas = { ...others, text: [text.origin] };
    [first, other] = [await startCachingGateway(replicas), await startCachingGateway(replicas)];
    await waitUntilShared(first);
    await waitUntilShared(other);
  });
  afterAll(async () => {
    redis.disconnect();
    await processes.close();
    await program.stop();
  });

  const sendQuery = async ({ gateway }: CachingGateway, query: string, token = processes.token) => {
    const {
      status,
      text: body,
      headers: { date: _date, 'x-request-id': _id, ...headers },
    } = await send(`${gateway.origin}/graphql`, { headers: graphqlHeaders(token), body: JSON.stringify({ query }) });
    return { status, body, headers };
  };

  /**
   * Sends queries to a gateway until Redis has stored a response. Returns the query of the stored
   * response, and the response. One query may not be enough. If Redis takes longer than 20 ms, as
   * on a busy machine, the gateway does not write to Redis for a while.
   */
  const storeResponse = async (newQuery = uncachedQuery, gateway = first) => {
    for (;;) {
      const [query, before] = [newQuery(), await storedEntries()];
      const response = await sendQuery(gateway, query);
      for (let time = 0; time < 10; time += 1) {
        if ((await storedEntries()) > before) return { query, response };
        await pause(50);
      }
    }
  };
  /**
   * Returns whether the second gateway counts a cache lookup with this result while `request` runs.
   */
  const countsLookup = async (level: CacheLevel, result: string, request: () => Promise<unknown>): Promise<boolean> => {
    const before = await other.lookups(level, result);
    await request();
    return (await other.lookups(level, result)) > before;
  };

  test('a gateway serves a response from Redis exactly as another gateway stored it, and the next time from its own memory', async () => {
    const { query, response } = await storeResponse();
    expect(JSON.parse(response.body)).toMatchObject({ data: { verse: expect.anything() as unknown } });
    await processes.stop(text);
    try {
      let fromRedis: unknown;
      await waitUntil(() =>
        countsLookup('redis', 'hit', async () => {
          fromRedis = await sendQuery(other, query);
        }),
      );
      expect(fromRedis).toEqual(response);
      expect(
        await countsLookup('memory', 'hit', async () => expect(await sendQuery(other, query)).toEqual(response)),
      ).toBe(true);
      expect(await other.client(uncachedQuery())).toMatchObject({
        errors: [{ extensions: { code: 'SUBGRAPH_UNAVAILABLE' } }],
      });
    } finally {
      text = await startText(text.port);
    }
  });

  test('a gateway compresses a response from Redis, and then serves the compressed response from its own memory', async () => {
    const { query, response } = await storeResponse(
      () => `{ chapter(book: "PSA", chapter: 119) { text${(sent += 1)}: text } }`,
    );
    const fetchCompressed = async () => {
      const received = await fetch(`${other.gateway.origin}/graphql`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${processes.token}`,
          'content-type': 'application/json',
          'accept-encoding': 'br',
        },
        body: JSON.stringify({ query }),
      });
      return [received.headers.get('content-encoding'), await received.text()];
    };
    let fromRedis: unknown;
    await waitUntil(() =>
      countsLookup('redis', 'hit', async () => {
        fromRedis = await fetchCompressed();
      }),
    );
    expect(fromRedis).toEqual(['br', response.body]);
    expect(
      await countsLookup('memory', 'hit', async () => expect(await fetchCompressed()).toEqual(['br', response.body])),
    ).toBe(true);
  });

  test('a response that a gateway has copied from Redis into its memory is no longer served after it has expired in Redis', async () => {
    let [query, name] = ['', ''];
    await waitUntil(async () => {
      const before = new Set(await redis.keys('*'));
      ({ query } = await storeResponse());
      name = (await redis.keys('*')).find((each) => !before.has(each)) ?? '';
      await redis.pexpire(name, 3_000);
      return countsLookup('redis', 'hit', async () => other.client(query));
    });
    await waitUntil(async () => (await redis.exists(name)) === 0);
    // The copy in memory may expire a little later than the response in Redis: the cache in memory
    // does not read the clock at each request.
    await pause(100);
    expect(await countsLookup('memory', 'miss', async () => other.client(query))).toBe(true);
  });

  test('responses with uncacheable fields or errors are not stored in Redis', async () => {
    // A gateway writes to Redis in the background, in the order of its responses. When this loop
    // ends, Redis has the responses of all earlier tests, so the count below is stable.
    for (const gateway of [first, other]) await storeResponse(uncachedQuery, gateway);
    const before = await storedEntries();
    await first.client('{ randomVerse { text } }');
    await first.client('{ verseOfTheDay { text } }');
    expect(await first.client('{ search(query: "lamp", translation: "none") { text } }')).toHaveProperty('errors');
    // If the gateway stored the responses above, it would do so before it stores this response.
    await storeResponse();
    expect(await storedEntries()).toBe(before + 1);
    const thrice = [
      await first.client('{ randomVerse { id } }'),
      await other.client('{ randomVerse { id } }'),
      await other.client('{ randomVerse { id } }'),
    ];
    expect(new Set(thrice.map(({ data }) => JSON.stringify(data))).size).toBeGreaterThan(1);
  });

  test('a request with a revoked API key gets 401, even if the response is in Redis', async () => {
    const keys = openKeys({ file: join(processes.folder, 'keys.sqlite'), pepper });
    const { token, key } = await keys.issue(
      { email: 'other@example.org', name: 'Other', environment: 'test' },
      'a test',
    );
    expect((await sendQuery(other, uncachedQuery(), token)).status).toBe(200);
    await keys.revoke(key.id, 'a test');
    await keys.close();
    await waitUntil(async () => {
      const { query } = await storeResponse();
      expect((await sendQuery(other, query, token)).status).toBe(401);
      // A request with a valid key then gets the response from Redis.
      return countsLookup('redis', 'hit', async () => expect((await sendQuery(other, query)).status).toBe(200));
    });
  });

  test('two gateways together count the embedding calls (semantic searches) of an API key, and do not count cached responses', async () => {
    const keys = openKeys({ file: join(processes.folder, 'keys.sqlite'), pepper });
    const { token, key } = await keys.issue(
      { email: 'searcher@example.org', name: 'Searcher', environment: 'test' },
      'a test',
    );
    await keys.close();
    const search = 'semanticTopics(query: "peace") { similarity }';
    for (const query of [`{ a: ${search} b: ${search} }`, `{ a: ${search} b: ${search} }`])
      expect((await sendQuery(first, query, token)).body).toBe('{"data":{"a":[],"b":[]}}');
    expect((await sendQuery(other, `{ ${search} }`, token)).body).toBe('{"data":{"semanticTopics":[]}}');
    for (const { gateway } of [first, other]) {
      const operator = createBrowserClient(gateway.origin);
      await operator.submitForm('/admin/sign-in', { password: operatorPassword });
      await waitUntil(async () =>
        /Embedding calls today \(UTC\)\s*3\s/.test(visibleText((await operator.get(`/admin/keys/${key.id}`)).text)),
      );
    }
  });

  test('a gateway executes the operation if the cached response in Redis has no valid signature', async () => {
    for (let time = 0; time < 3; time += 1) {
      const { query, response } = await storeResponse();
      for (const name of await redis.keys('lectern:response:*'))
        await redis.set(name, '{"data":{"verse":{"text":"nothing of the kind"}}}');
      expect(await sendQuery(other, query)).toEqual(response);
    }
    expect(await other.lookups('redis', 'failed')).toBeGreaterThan(0);
  });

  test('a gateway does not share responses through Redis while its subgraphs serve different versions of the Bible texts', async () => {
    const file = join(processes.folder, 'eng-own.usfx');
    writeFileSync(
      file,
      '<?xml version="1.0" encoding="utf-8"?>\n<usfx><languageCode>eng</languageCode><book id="PSA"><h>Psalms</h><c id="1"/><p><v id="1"/>A lantern of my own.<ve/></p></book></usfx>',
    );
    await importFiles([file], {
      dataDir: processes.folder,
      log: () => {},
      given: { identifier: 'eng-own' },
      replace: true,
    });
    const otherDataset = await processes.serveSubgraph('text', { dataDir: processes.folder });
    const query = '{ languages { translationCount } }';
    const theirs = { data: { languages: [{ translationCount: 1 }] } };
    const ours = await first.client(query);
    expect(ours).not.toEqual(theirs);
    const onlyOther = await startCachingGateway({ ...replicas, text: [otherDataset.origin] });
    const mixed = await startCachingGateway({ ...replicas, text: [text.origin, otherDataset.origin] });
    try {
      await waitUntil(() =>
        [onlyOther, mixed].every(({ gateway }) =>
          gateway.output().includes('subgraphs serve different dataset versions'),
        ),
      );
      const before = await storedEntries();
      expect(await onlyOther.client(query)).toEqual(theirs);
      expect([ours, theirs]).toContainEqual(await mixed.client(query));
      expect([await onlyOther.lookups('redis', 'skipped'), await mixed.lookups('redis', 'skipped')]).toEqual([1, 1]);
      expect(await storedEntries()).toBe(before);
    } finally {
      for (const { gateway } of [onlyOther, mixed]) await processes.stop(gateway);
      await processes.stop(otherDataset);
    }
  });

  test('gateways respond without Redis while Redis hangs or is stopped, and share responses again when Redis is back', async () => {
    const query = uncachedQuery();
    const { body } = await sendQuery(first, query);
    // On a busy machine, the gateway may have skipped Redis until now.
    await waitUntilShared(other);
    const [failed, skipped] = [await other.lookups('redis', 'failed'), await other.lookups('redis', 'skipped')];
    program.pause();
    expect((await sendQuery(other, query)).body).toBe(body);
    for (let time = 0; time < 5; time += 1)
      expect(await other.client(uncachedQuery())).toMatchObject({ data: { verse: {} } });
    expect(await other.lookups('redis', 'failed')).toBeGreaterThan(failed);
    expect(await other.lookups('redis', 'skipped')).toBeGreaterThan(skipped);
    await waitUntil(() =>
      /"reason":"no response within 20 ms","msg":"cached responses are not read from Redis/.test(
        other.gateway.output(),
      ),
    );
    program.resume();
    await waitUntilShared(other);
    await program.stop();
    await waitUntil(async () => {
      const before = await other.lookups('redis', 'skipped');
      expect(await other.client(uncachedQuery())).toMatchObject({ data: { verse: {} } });
      return (await other.lookups('redis', 'skipped')) > before;
    });
    program = await startRedis(server ?? '', program.port);
    await waitUntilShared(first);
    await waitUntilShared(other);
    await waitUntil(() => countsLookup('redis', 'hit', async () => other.client((await storeResponse()).query)));
  });
});
