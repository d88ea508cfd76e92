import type { ServerResponse } from 'node:http';
import { builtInModel } from '@lectern/embeddings';
import { createLogger, silentLogger } from '@lectern/serving';
import { createWorkScheduler, serveSubgraph } from '@lectern/subgraph';
import { createMetrics } from '@lectern/telemetry';
import { isLongRun, itemsOfThisRun, metricValue } from '@lectern/testing';
import { respondWithVectors, startEmbeddingEndpoint } from '../../test-support/embedding-endpoint';
import type { SemanticClient } from '../../test-support/semantic-client';
import { ensureSemanticFiles, openSemanticClient, similarVerseFields } from '../../test-support/semantic-client';
import { createQueryVectors } from './query-vectors';

let endpoint: Awaited<ReturnType<typeof startEmbeddingEndpoint>>;
let client: SemanticClient | null = null;
let lines: string[] = [];

beforeAll(ensureSemanticFiles);

beforeEach(async () => {
  endpoint = await startEmbeddingEndpoint();
});

afterEach(async () => {
  await client?.close();
  client = null;
  await endpoint.close();
});

const endpointSettings = () => ({ EMBEDDINGS_URL: endpoint.url, EMBEDDINGS_MODEL: builtInModel.id });

/** Opens the subgraph with the embedding endpoint of this test. */
async function openWithEndpoint({ timeoutMs = 600, requestCpuMs = 250 } = {}): Promise<SemanticClient> {
  lines = [];
  const log = createLogger({
    service: 'search',
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });
  client = await openSemanticClient({
    log,
    scheduler: createWorkScheduler({ now: () => 0, requestCpuMs }),
    env: { ...endpointSettings(), SEMANTIC_TIMEOUT_MS: String(timeoutMs) },
  });
  return client;
}

const unavailable = {
  message: 'Embedding service is temporarily unavailable. Please try again later.',
  path: ['semanticSearch'],
  extensions: { code: 'SUBGRAPH_UNAVAILABLE' },
};

const json = (response: ServerResponse, body: unknown): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const failures: readonly (readonly [
  description: string,
  respond: (response: ServerResponse, texts: string[]) => void,
])[] = [
  ['does not respond', () => undefined],
  ['begins a response and hangs', (response) => void response.writeHead(200).write('{"data":[')],
  ['closes the connection', (response) => void response.destroy()],
  [
    'responds 429 with Retry-After of an hour',
    (response) => void response.writeHead(429, { 'retry-after': '3600' }).end(),
  ],
  ['responds 500', (response) => void response.writeHead(500).end('oh')],
  ['responds 401', (response) => void response.writeHead(401).end('no')],
  [
    'responds with HTML',
    (response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Welcome</body></html>'),
  ],
  ['responds with an empty body', (response) => void response.writeHead(200).end()],
  [
    'returns vectors with other dimensions',
    (response) => json(response, { data: [{ index: 0, embedding: [1, 2, 3] }] }),
  ],
  [
    'returns vectors with strings',
    (response) => json(response, { data: [{ index: 0, embedding: Array.from({ length: 384 }, () => 'NaN') }] }),
  ],
  ['returns no vectors', (response) => json(response, { data: [] })],
];

// `npm test` checks a third of these failures in a run, and `npm run test:long` checks all.
test.each(itemsOfThisRun(failures, 3))(
  'if the embedding endpoint %s, semanticSearch fails within 4 seconds, and Verse.similar still returns verses',
  async (_, respond) => {
    endpoint.respondWith(respond);
    const { execute } = await openWithEndpoint();
    const startedAt = performance.now();
    const { data, errors } = await execute(
      `{ semanticSearch(query: "amor") { similarity } search(query: "amor", translation: "spa-rv1909", limit: 1) { reference similar(limit: 1) { ${similarVerseFields} } } }`,
    );
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(errors).toEqual([unavailable]);
    expect(data).toMatchObject({ semanticSearch: null, search: [{ similar: [{ verse: {} }] }] });
    // The log has the reason of the failure, which clients must not see.
    expect(lines.filter((line) => line.includes('queries could not be embedded'))).toHaveLength(1);
  },
);

test('semanticSearch fails with SUBGRAPH_UNAVAILABLE if the embedding endpoint refuses connections', async () => {
  await endpoint.close();
  const { semanticResponse } = await openWithEndpoint();
  expect(await semanticResponse('amor')).toEqual({ data: { semanticSearch: null }, errors: [unavailable] });
});

test('the search metrics count failed calls of the embedding model, and say that semantic search is unavailable', async () => {
  endpoint.respondWith((response) => void response.writeHead(401).end('no'));
  const metrics = createMetrics({ service: 'search' });
  const { semanticResponse } = (client = await openSemanticClient({ metrics, env: endpointSettings() }));
  for (const query of ['amor', 'paz', 'fe', 'luz']) await semanticResponse(query);
  await semanticResponse('love', { translation: 'eng-web' });
  const page = await metrics.text();
  expect(metricValue(page, 'lectern_embedding_call_duration_seconds_count', 'outcome="failed"')).toBe(4);
  expect(metricValue(page, 'lectern_embedding_call_duration_seconds_count', 'outcome="no-vectors"')).toBe(1);
  expect(metricValue(page, 'lectern_embedding_model_duration_seconds_count', 'outcome="failed"')).toBe(4);
  expect(metricValue(page, 'lectern_semantic_cache_requests_total', 'result="miss"')).toBe(4);
  expect(metricValue(page, 'lectern_semantic_search_unavailable')).toBe(1);
});

test('during an outage of the embedding endpoint, /ready, metrics and log of search report it even without queries', async () => {
  const lines: string[] = [];
  const log = createLogger({
    service: 'search',
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });
  const metrics = createMetrics({ service: 'search' });
  const { subgraph } = (client = await openSemanticClient({
    log,
    metrics,
    env: endpointSettings(),
    overrides: { probeEveryMs: 20 },
  }));
  const served = await serveSubgraph(subgraph, { host: '127.0.0.1', port: 0, secrets: '', log });
  const readiness = async () => (await fetch(`http://127.0.0.1:${served.port}/ready`)).json() as Promise<object>;
  const waitUntilDegraded = async (isDegraded: boolean) => {
    while ('degraded' in (await readiness()) !== isDegraded) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const unavailableMetric = async () => metricValue(await metrics.text(), 'lectern_semantic_search_unavailable');
  await waitUntilDegraded(false);
  expect(await unavailableMetric()).toBe(0);
  await endpoint.close();
  await waitUntilDegraded(true);
  expect(await readiness()).toMatchObject({
    status: 'ready',
    degraded: [{ subgraph: 'search', reason: 'semanticSearch is unavailable' }],
  });
  expect(await unavailableMetric()).toBe(1);
  endpoint = await startEmbeddingEndpoint(Number(new URL(endpoint.url).port));
  await waitUntilDegraded(false);
  expect(lines.filter((line) => line.includes('embedding endpoint')).map((line) => JSON.parse(line).msg)).toEqual([
    'the embedding endpoint does not respond: semanticSearch is unavailable',
    'the embedding endpoint responds again: semanticSearch is available',
  ]);
  await served.close({ graceMs: 0 });
  client = null;
});

test('a failed semanticSearch query succeeds once the embedding endpoint has recovered, because failures are not cached', async () => {
  endpoint.respondWith((response) => void response.writeHead(400).end());
  const { semanticResponse, semanticSearch } = await openWithEndpoint({ timeoutMs: 20_000 });
  expect((await semanticResponse('amor')).errors).toEqual([unavailable]);
  endpoint.respondWith(respondWithVectors);
  expect(await semanticSearch('amor')).toHaveLength(10);
});

test('semanticSearch embeds equal queries, concurrent or later, only once', async () => {
  const { semanticSearch } = await openWithEndpoint({ timeoutMs: 20_000 });
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) => semanticSearch(index % 2 === 0 ? 'amor' : '  amor\n', { limit: 3 })),
  );
  results.push(await semanticSearch('amor', { limit: 3 }));
  expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
  expect(endpoint.receivedTexts).toEqual(['query: amor']);
});

test('semanticSearch does not call the embedding endpoint for an invalid query, a limit of 0 or a translation without vectors', async () => {
  endpoint.respondWith((response) => void response.writeHead(500).end());
  const { semanticResponse } = await openWithEndpoint();
  expect((await semanticResponse('amor', { translation: 'xxx' })).errors).toMatchObject([
    { extensions: { code: 'NOT_FOUND' } },
  ]);
  expect((await semanticResponse(' ')).errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  expect(await semanticResponse('love', { translation: 'eng-web' })).toEqual({ data: { semanticSearch: [] } });
  expect(await semanticResponse('amor', { limit: 0 })).toEqual({ data: { semanticSearch: [] } });
  expect(endpoint.receivedTexts).toEqual([]);
});

test('while the embedding endpoint hangs, only the first three BEST searches call it, and all find verses by words', async () => {
  endpoint.respondWith(() => undefined);
  const { execute } = await openWithEndpoint();
  for (const query of ['amor', 'paz', 'fe', 'luz', 'pastor', 'camino'])
    expect(
      await execute(
        `{ searchVerses(query: "${query}", translation: "spa-rv1909", mode: BEST, first: 1) { mode edges { cursor } } }`,
      ),
    ).toMatchObject({
      data: { searchVerses: { mode: 'WORDS', edges: [{}] } },
      hints: [{ coordinate: 'Query.searchVerses' }],
    });
  expect(endpoint.receivedTexts).toEqual(['query: amor', 'query: paz', 'query: fe']);
});

const failingQueries = isLongRun ? 3_000 : 300;

test(`if the embedding endpoint hangs, ${failingQueries} concurrent semanticSearch queries fail, with one log line`, async () => {
  endpoint.respondWith(() => undefined);
  const { semanticResponse, semanticSearch } = await openWithEndpoint();
  const responses = await Promise.all(
    Array.from({ length: failingQueries }, (_, number) => semanticResponse(`amor ${number}`)),
  );
  expect(responses.every(({ errors }) => errors?.[0]?.message === unavailable.message)).toBe(true);
  expect(lines.filter((line) => line.includes('queries could not be embedded'))).toHaveLength(1);
  expect(await semanticSearch('love', { translation: 'eng-web' })).toEqual([]);
});

test('if the embedding model cannot be loaded, semanticSearch fails, and Verse.similar still returns verses', async () => {
  lines = [];
  const log = createLogger({
    service: 'search',
    level: 'error',
    destination: { write: (line) => void lines.push(line) },
  });
  const error = Object.assign(new Error('the model cannot be loaded: out of memory'), {
    name: 'EmbedderError',
    failure: 'misconfigured',
  });
  const fail = () => Promise.reject(error);
  const embedder = {
    id: builtInModel.id,
    passageId: builtInModel.passageId,
    dimensions: 384,
    parallelQueries: 1,
    warm: fail,
    embedQueries: fail,
    embedPassages: fail,
    close: () => Promise.resolve(),
  };
  client = await openSemanticClient({ log, env: endpointSettings(), overrides: { embedder } });
  const { data, errors } = await client.execute(
    '{ semanticSearch(query: "amor") { similarity } search(query: "pastor", translation: "spa-rv1909", limit: 1) { similar(limit: 1) { similarity } } }',
  );
  expect(errors).toEqual([unavailable]);
  expect(data).toMatchObject({ semanticSearch: null, search: [{ similar: [{}] }] });
  expect(lines.filter((line) => line.includes('out of memory'))).toHaveLength(1);
});

/** An operation that searches for several queries by meaning. */
const searchesFor = (queries: readonly string[]): string =>
  `{ ${queries.map((query, at) => `a${at}: semanticSearch(query: "${query}", limit: 1) { similarity }`).join(' ')} }`;

const manyQueries = (name: string) => Array.from({ length: 28 }, (_, at) => `${name} ${at}`);

const attackers = isLongRun ? 16 : 4;

test(`beside ${attackers} requests of a key with 28 semanticSearch fields each, another key's query is soon embedded`, async () => {
  const responses: (() => void)[] = [];
  endpoint.respondWith((response, texts) => responses.push(() => respondWithVectors(response, texts)) as never);
  const { executeFor } = await openWithEndpoint({ timeoutMs: 60_000, requestCpuMs: 60_000 });
  const attack = Array.from({ length: attackers }, (_, at) =>
    executeFor('key1', searchesFor(manyQueries(`many ${at}`))),
  );
  const isReceived = async (count: number) => {
    while (endpoint.receivedTexts.length < count) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  await isReceived(8);
  const other = executeFor('key2', searchesFor(['one']));
  await new Promise((resolve) => setTimeout(resolve, 50));
  responses.shift()?.();
  await isReceived(9);
  expect(endpoint.receivedTexts[8]).toBe('query: one');
  endpoint.respondWith(respondWithVectors);
  for (const respond of responses) respond();
  expect((await other).errors).toBeUndefined();
  for (const { errors } of await Promise.all(attack)) expect(errors).toBeUndefined();
});

test('the computing time of the built-in embedding model counts as time of the request, which stops at REQUEST_CPU_MS', async () => {
  client = await openSemanticClient({ scheduler: createWorkScheduler({ requestCpuMs: 60_000 }) });
  await client.executeFor('key', searchesFor(['to load the model']));
  const queries = manyQueries('how do I forgive someone who hurt me');
  const [long, short] = await Promise.all([
    client.executeFor('key', searchesFor(queries), 60),
    client.executeFor('key', searchesFor(queries.slice(-1))),
  ]);
  const codes = new Set(long.errors?.map(({ extensions }) => extensions?.['code']));
  expect([...codes]).toEqual(['REQUEST_TOO_EXPENSIVE']);
  expect(Object.values(long.data ?? {}).filter((value) => value !== null).length).toBeLessThan(28);
  expect(short).toMatchObject({ data: { a0: [{ similarity: expect.any(Number) }] } });
});

test('createQueryVectors adds the computing time that the embedder reports to the budget of the request', async () => {
  const vectorOf = createQueryVectors({
    embedder: {
      parallelQueries: 1,
      embedQueries(texts, { onComputed } = {}) {
        onComputed?.(40);
        return Promise.resolve(texts.map(() => new Float32Array(2)));
      },
    },
    maxQueries: 10,
    timeoutMs: 1_000,
    metrics: { embedding: () => undefined },
    log: silentLogger,
  });
  const work = createWorkScheduler({ now: () => 0 }).createBudget();
  await vectorOf('love', work);
  expect(work.usedMs()).toBe(40);
});
