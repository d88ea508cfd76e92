import type { ServerResponse } from 'node:http';
import { builtInModel } from '@lectern/embeddings';
import { createLogger } from '@lectern/serving';
import { createMetrics } from '@lectern/telemetry';
import { corpusFile, dataDir, metricValue } from '@lectern/testing';
import { startEndpoint, vectorsFor } from '../../test-support/embedding-endpoint';
import { buildingMs } from '../../test-support/search-client';
import type { OpenMeaning } from '../../test-support/semantic-client';
import { buildMeaning, near, openMeaning } from '../../test-support/semantic-client';

jest.setTimeout(60_000);

type Endpoint = Awaited<ReturnType<typeof startEndpoint>>;
let endpoint: Endpoint;
let opened: OpenMeaning | null = null;
let lines: string[] = [];

beforeAll(() => buildMeaning({ corpusFile, dataDir }), buildingMs);

beforeEach(async () => {
  endpoint = await startEndpoint();
});

afterEach(async () => {
  await opened?.close();
  opened = null;
  await endpoint.close();
});

/** The service with its questions embedded by the endpoint of this test. */
async function open({ timeoutMs = 600 } = {}): Promise<OpenMeaning> {
  lines = [];
  const log = createLogger({
    service: 'search',
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });
  opened = await openMeaning({
    dataDir,
    log,
    env: { EMBEDDINGS_URL: endpoint.url, SEMANTIC_TIMEOUT_MS: String(timeoutMs) },
  });
  return opened;
}

const unavailable = {
  message: 'Embedding service is temporarily unavailable. Please try again later.',
  path: ['semanticSearch'],
  extensions: { code: 'SUBGRAPH_UNAVAILABLE' },
};

const json = (response: ServerResponse, body: unknown): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const faults: readonly (readonly [what: string, how: (response: ServerResponse, texts: string[]) => void])[] = [
  ['hangs', () => undefined],
  ['begins an answer and hangs', (response) => void response.writeHead(200).write('{"data":[')],
  ['hangs up', (response) => void response.destroy()],
  ['answers 429 and asks for an hour', (response) => void response.writeHead(429, { 'retry-after': '3600' }).end()],
  ['answers 500', (response) => void response.writeHead(500).end('oh')],
  ['answers 401', (response) => void response.writeHead(401).end('no')],
  [
    'answers HTML',
    (response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Welcome</body></html>'),
  ],
  ['answers nothing', (response) => void response.writeHead(200).end()],
  ['has the wrong dimensions', (response) => json(response, { data: [{ index: 0, embedding: [1, 2, 3] }] })],
  [
    'has something in its vectors that is no number',
    (response) => json(response, { data: [{ index: 0, embedding: Array.from({ length: 384 }, () => 'NaN') }] }),
  ],
  ['has no vectors', (response) => json(response, { data: [] })],
];

test.each(faults)(
  'an endpoint that %s: within the deadline one error, and the rest of the query is answered',
  async (_, how) => {
    endpoint.respondWith(how);
    const { ask } = await open();
    const began = performance.now();
    const { data, errors } = await ask(
      `{ semanticSearch(query: "amor") { similarity } search(query: "amor", translation: "spa-rv1909", limit: 1) { reference similar(limit: 1) { ${near} } } }`,
    );
    expect(performance.now() - began).toBeLessThan(4_000);
    expect(errors).toEqual([unavailable]);
    expect(data).toMatchObject({ semanticSearch: null, search: [{ similar: [{ verse: {} }] }] });
    // The operator hears the reason, the client nothing of it.
    expect(lines.filter((line) => line.includes('questions could not be embedded'))).toHaveLength(1);
  },
);

test('an endpoint that refuses connections', async () => {
  await endpoint.close();
  const { answer } = await open();
  expect(await answer('amor')).toEqual({ data: { semanticSearch: null }, errors: [unavailable] });
});

test('failed calls, those that reach the endpoint, and an endpoint that is left alone are seen in the metrics', async () => {
  endpoint.respondWith((response) => void response.writeHead(401).end('no'));
  const metrics = createMetrics({ service: 'search' });
  const { answer } = (opened = await openMeaning({ dataDir, metrics, env: { EMBEDDINGS_URL: endpoint.url } }));
  expect(metricValue(await metrics.text(), 'lectern_embeddings_breaker_open')).toBe(0);
  for (const question of ['amor', 'paz', 'fe', 'luz']) await answer(question);
  await answer('love', { translation: 'eng-web' });
  const page = await metrics.text();
  expect(metricValue(page, 'lectern_embedding_calls_seconds_count', 'outcome="failed"')).toBe(4);
  expect(metricValue(page, 'lectern_embedding_calls_seconds_count', 'outcome="no-vectors"')).toBe(1);
  expect(metricValue(page, 'lectern_embedding_model_seconds_count', 'outcome="failed"')).toBe(4);
  expect(metricValue(page, 'lectern_question_answers_total', 'result="miss"')).toBe(4);
  expect(metricValue(page, 'lectern_embeddings_breaker_open')).toBe(1);
});

test('a failure is not remembered: when the endpoint is back, the same question is answered', async () => {
  endpoint.respondWith((response) => void response.writeHead(400).end());
  const { answer, meaning } = await open({ timeoutMs: 20_000 });
  expect((await answer('amor')).errors).toEqual([unavailable]);
  endpoint.respondWith(vectorsFor);
  expect(await meaning('amor')).toHaveLength(10);
});

test('equal questions at the same time, and later, are embedded once', async () => {
  const { meaning } = await open({ timeoutMs: 20_000 });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => meaning(index % 2 === 0 ? 'amor' : '  amor\n', { limit: 3 })),
  );
  answers.push(await meaning('amor', { limit: 3 }));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(endpoint.asked).toEqual(['query: amor']);
});

test('nothing is embedded for a query that is refused, nor where there is nothing to compare with', async () => {
  endpoint.respondWith((response) => void response.writeHead(500).end());
  const { answer } = await open();
  expect((await answer('amor', { translation: 'xxx' })).errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  expect((await answer(' ')).errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  expect(await answer('love', { translation: 'eng-web' })).toEqual({ data: { semanticSearch: [] } });
  expect(await answer('amor', { limit: 0 })).toEqual({ data: { semanticSearch: [] } });
  expect(endpoint.asked).toEqual([]);
});

test('three thousand questions to an endpoint that hangs end by the deadline, and cost the log one line', async () => {
  endpoint.respondWith(() => undefined);
  const { answer, meaning } = await open();
  const answers = await Promise.all(Array.from({ length: 3_000 }, (_, number) => answer(`amor ${number}`)));
  expect(answers.every(({ errors }) => errors?.[0]?.message === unavailable.message)).toBe(true);
  expect(lines.filter((line) => line.includes('questions could not be embedded'))).toHaveLength(1);
  expect(await meaning('love', { translation: 'eng-web' })).toEqual([]);
});

test('a model that cannot be loaded is logged, and makes semanticSearch alone unavailable', async () => {
  lines = [];
  const log = createLogger({
    service: 'search',
    level: 'error',
    destination: { write: (line) => void lines.push(line) },
  });
  const fault = Object.assign(new Error('the model cannot be loaded: out of memory'), {
    name: 'EmbedderError',
    failure: 'misconfigured',
  });
  const fail = () => Promise.reject(fault);
  const embedder = {
    id: builtInModel.id,
    dimensions: 384,
    warm: fail,
    embedQueries: fail,
    embedPassages: fail,
    close: () => Promise.resolve(),
  };
  opened = await openMeaning({ dataDir, log, env: { EMBEDDINGS_URL: endpoint.url }, instead: { embedder } });
  const { data, errors } = await opened.ask(
    '{ semanticSearch(query: "amor") { similarity } search(query: "pastor", translation: "spa-rv1909", limit: 1) { similar(limit: 1) { similarity } } }',
  );
  expect(errors).toEqual([unavailable]);
  expect(data).toMatchObject({ semanticSearch: null, search: [{ similar: [{}] }] });
  expect(lines.filter((line) => line.includes('out of memory'))).toHaveLength(1);
});
