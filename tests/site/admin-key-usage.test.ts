import { dirname } from 'node:path';
import { readUsageToday } from '@lectern/gateway';
import { runKeysCommand } from '@lectern/keys';
import type { RunningProgram } from '@lectern/testing';
import { createGraphqlClient, findProgram, startRedis } from '@lectern/testing';
import type { AdminFixture } from '../support/admin-fixture';
import { startAdminFixture } from '../support/admin-fixture';
import { day, noon } from '../support/clocked-services';
import { issueKey, pepper } from '../support/embedded-lectern';
import { visibleText } from '../support/form-client';

const redisServer = findProgram(['redis-server'], 'redis-server');
const rates = { perMinute: 0, keyPerMinute: 0, perDay: 1_000, keyRequestsPerHour: 0 };

// eng-kjv has no embeddings: its semantic search returns an empty list, and still counts as an
// embedding call.
const search = (query: string) => `semanticSearch(query: "${query}", translation: "eng-kjv") { similarity }`;

describe.each(redisServer === null ? ['memory'] : ['memory', 'Redis'])('usage of a key, counted in %s', (store) => {
  let redis: RunningProgram | null = null;
  let admin: AdminFixture;
  let keys = 0;
  let today = 0;
  beforeAll(async () => {
    if (store === 'Redis') redis = await startRedis(redisServer ?? '');
    admin = await startAdminFixture({ rates, now: () => noon + today * day, redisUrl: redis?.url ?? '' });
  });
  afterAll(async () => {
    await admin.lectern.close();
    await redis?.stop();
  });

  /**
   * Issues a key. Returns a client that sends requests with the key, and a function that reads the
   * text of the key's operator page.
   */
  async function openClient(options: { requestsPerDay?: number; environment?: 'test' | 'live' } = {}) {
    keys += 1;
    const { token, key } = await issueKey(admin.lectern.keys, { email: `holder-${keys}@example.org`, ...options });
    const readPage = async () => visibleText((await (await admin.signIn()).get(`/admin/keys/${key.id}`)).text);
    return { client: createGraphqlClient(admin.lectern.url, token), token, readPage };
  }
  /** Runs `npm run keys -- list` in this process. */
  async function listKeys() {
    const output = { stdout: '', stderr: '' };
    const env = { LECTERN_DATA: dirname(admin.lectern.keysFile), KEY_PEPPER: pepper, REDIS_URL: redis?.url ?? '' };
    const code = await runKeysCommand(['list'], {
      env,
      stdout: (text) => (output.stdout += text),
      stderr: (text) => (output.stderr += text),
      readUsage: (all) => readUsageToday(all, { env, now: () => noon + today * day }),
    });
    return { ...output, code };
  }
  const usage = (requests: string, embeddingCalls: number) =>
    expect.stringMatching(
      new RegExp(`Requests today \\(UTC\\)\\s*${requests}\\s+Embedding calls today \\(UTC\\)\\s*${embeddingCalls}\\s`),
    );

  test('the operator page of a new API key shows no requests and no embedding calls', async () => {
    const { readPage } = await openClient({ requestsPerDay: 20 });
    expect(await readPage()).toEqual(usage('0 of 20', 0));
  });

  test('the operator page of an API key counts a semantic search as an embedding call, even in a translation without embeddings', async () => {
    const { client, readPage } = await openClient();
    const query = `{ ${search(`peace in ${store}`)} }`;
    expect(await client(query)).toEqual({ data: { semanticSearch: [] } });
    expect(await readPage()).toEqual(usage('1 of 1000', 1));
    expect(await client(query)).toEqual({ data: { semanticSearch: [] } });
    expect(await readPage()).toEqual(usage('2 of 1000', 2));
    await client(`{ a: ${search('hope')} b: ${search('faith')} }`);
    expect(await readPage()).toEqual(usage('3 of 1000', 4));
  });

  test('the operator page of an API key counts no embedding calls for a cached response', async () => {
    const { client, readPage } = await openClient();
    const query = `{ semanticTopics(query: "peace in ${store}") { similarity } }`;
    for (const requests of [1, 2]) {
      expect(await client(query)).toEqual({ data: { semanticTopics: [] } });
      expect(await readPage()).toEqual(usage(`${requests} of 1000`, 1));
    }
  });

  test('the page of a key also counts embedding calls of operations with several subgraphs or introspection', async () => {
    const { client, readPage } = await openClient();
    await client(`{ ${search('joy')} translation(identifier: "eng-kjv") { hasEmbeddings name } }`);
    await client(`{ ${search('light')} __schema { queryType { name } } }`);
    expect(await readPage()).toEqual(usage('2 of 1000', 2));
  });

  test('the operator page of an API key counts no embedding calls for requests that fail before the search', async () => {
    const { client, readPage } = await openClient();
    await client('{ semanticSearch(query: " ", translation: "eng-kjv") { similarity } }');
    await client('{ semanticSearch(query: "peace", translation: "none") { similarity } }');
    await client('{ semanticSearch(query: "peace", translation: "eng-kjv") { unknownField } }');
    expect(await readPage()).toEqual(usage('3 of 1000', 0));
  });

  test('the counts on the operator page of a key start again from 0 after midnight UTC', async () => {
    const { client, readPage } = await openClient();
    await client(`{ ${search('mercy')} }`);
    expect(await readPage()).toEqual(usage('1 of 1000', 1));
    today += 1;
    expect(await readPage()).toEqual(usage('0 of 1000', 0));
  });

  test('the operator page of a live key on a gateway for test keys says that the usage of the key is not known there', async () => {
    const { readPage } = await openClient({ environment: 'live' });
    expect(await readPage()).toContain('not known here: see the page of the key on a gateway of the live environment');
  });

  if (store === 'Redis')
    test('npm run keys -- list shows the requests and the embedding calls of a key today', async () => {
      const { client, token } = await openClient();
      await client(`{ ${search('grace')} }`);
      await client('{ __typename }');
      const { stdout } = await listKeys();
      expect(stdout).toMatch(new RegExp(`${token.slice(-4)} .*  requests today: 2, embedding calls: 1\\n`));
    });

  // This test must be the last one, because it stops the Redis server of all tests of this file.
  if (store === 'Redis')
    test('while Redis is unavailable, the page of a key says that its counts are of one gateway, and keys list has none', async () => {
      const { client, readPage } = await openClient();
      await client(`{ ${search('comfort')} }`);
      await redis?.stop();
      await client(`{ ${search('kindness')} }`);
      expect(await readPage()).toEqual(usage('2 of 1000', 2));
      expect(await readPage()).toContain('Redis is unavailable: these are the counts of one gateway.');
      const { stdout, stderr, code } = await listKeys();
      expect([code, stderr]).toEqual([0, 'Redis does not respond, so the usage of today is not shown.\n']);
      expect(stdout).not.toContain('today');
    });
});
