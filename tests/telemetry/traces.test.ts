import { spawnSync } from 'node:child_process';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:http';
import { listen } from '@lectern/serving';
import type { StartedProcess } from '@lectern/testing';
import { dataDir, freePort, graphqlHeaders, linkData, repositoryRoot, send } from '@lectern/testing';
import { pepper } from '../support/embedded-lectern';
import type { OtlpCollector, ReceivedSpan } from '../support/otlp-collector';
import { startOtlpCollector } from '../support/otlp-collector';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';

const secret = 'a secret of tests as long as it has to be';
/** Spans that come at once rather than after five seconds. */
const promptly = { OTEL_BSP_SCHEDULE_DELAY: '50' };
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const clientSpan = '00f067aa0ba902b7';

let processes: TestProcesses;
let collector: OtlpCollector;
let text: StartedProcess;
let search: StartedProcess;
let gateway: StartedProcess;

beforeAll(async () => {
  processes = await openProcesses();
  collector = await startOtlpCollector();
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...promptly };
  text = await processes.start('services/text/dist/main.js', {
    LECTERN_DATA: dataDir,
    SUBGRAPH_SECRET: secret,
    ...traced,
  });
  search = await processes.start('services/search/dist/main.js', {
    LECTERN_DATA: dataDir,
    SUBGRAPH_SECRET: secret,
    SEMANTIC_TRANSLATIONS: '',
    OTEL_SERVICE_NAME: 'our-search',
    ...traced,
  });
  ({ gateway } = await processes.startGateway(
    { text: [text.origin], search: [search.origin] },
    { SUBGRAPH_SECRET: secret, ...traced },
  ));
}, 60_000);
afterAll(async () => {
  await processes.close();
  await collector.close();
});

const client = (
  query: string,
  {
    variables,
    headers = [],
    origin = gateway.origin,
  }: { variables?: Record<string, unknown>; headers?: string[]; origin?: string } = {},
) =>
  send(`${origin}/graphql`, {
    headers: [...graphqlHeaders(processes.token), ...headers],
    body: JSON.stringify({ query, variables }),
  });

const inTrace = (id: string): ReceivedSpan[] => collector.spans().filter((span) => span.traceId === id);
const traceOfRequest = (id: unknown): string =>
  collector.spans().find(({ attributes }) => attributes['lectern.request.id'] === id)?.traceId ?? '';
/** Waits for the trace of a request to have this many spans, and gives them by name. */
async function spansOf(requestId: unknown, count: number): Promise<Map<string, ReceivedSpan>> {
  await waitUntil(() => inTrace(traceOfRequest(requestId)).length >= count);
  return new Map(inTrace(traceOfRequest(requestId)).map((span) => [span.name, span]));
}

const twoSubgraphs =
  'query Hits($words: String!) { search(query: $words, translation: "eng-web", limit: 1) { reference inTranslation(identifier: "spa-rv1909") { text } } }';

test('one trace leads from the client over the gateway to every subgraph that it asks', async () => {
  const { headers, json } = await client(twoSubgraphs, {
    variables: { words: 'shepherd' },
    headers: ['traceparent', `00-${traceId}-${clientSpan}-01`],
  });
  expect(json()).toEqual({ data: expect.anything() as unknown });
  const spans = await spansOf(headers['x-request-id'], 5);
  const [request, toSearch, atSearch, toText, atText] = [
    'graphql',
    'subgraph search',
    'answer search',
    'subgraph text',
    'answer text',
  ].map((name) => spans.get(name));
  expect([...spans.values()].map((span) => span.traceId)).toEqual(Array.from({ length: 5 }, () => traceId));
  expect(request).toMatchObject({ service: 'lectern-gateway', kind: 2, parentSpanId: clientSpan });
  expect(request?.attributes).toMatchObject({
    'graphql.operation.name': 'Hits',
    'http.response.status_code': 200,
    'lectern.outcome': 'ok',
  });
  expect(toSearch).toMatchObject({ service: 'lectern-gateway', kind: 3, parentSpanId: request?.spanId });
  expect(atSearch).toMatchObject({ service: 'our-search', kind: 2, parentSpanId: toSearch?.spanId });
  expect(toText).toMatchObject({ service: 'lectern-gateway', kind: 3, parentSpanId: request?.spanId });
  expect(atText).toMatchObject({ service: 'lectern-text', kind: 2, parentSpanId: toText?.spanId });
  expect(atText?.attributes['lectern.entities']).toBe(1);
  expect([...collector.paths]).toEqual(['POST /v1/traces']);
});

test('a request without a traceparent begins a trace, which its log line names', async () => {
  const { headers } = await client('{ languages { code } }');
  const spans = await spansOf(headers['x-request-id'], 3);
  expect(spans.get('graphql')?.parentSpanId).toBe('');
  const line =
    gateway
      .output()
      .split('\n')
      .find((each) => each.includes(String(headers['x-request-id']))) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({
    msg: 'request',
    traceId: spans.get('graphql')?.traceId,
    cost: 2,
    status: 200,
  });
});

test('a client whose trace is not sampled gets none, here or in a subgraph', async () => {
  const other = traceId.replaceAll('4', '5');
  await client('{ editions: translations { identifier } }', {
    headers: ['traceparent', `00-${other}-${clientSpan}-00`],
  });
  const { headers } = await client('{ languages { code } }');
  await spansOf(headers['x-request-id'], 3);
  expect(inTrace(other)).toEqual([]);
});

test('a request that is refused says why in its span, and a subgraph that does not answer in its own', async () => {
  const refused = await send(`${gateway.origin}/graphql`, {
    headers: [...graphqlHeaders(processes.token), 'Accept', 'text/html'],
    body: '{}',
  });
  expect((await spansOf(refused.headers['x-request-id'], 1)).get('graphql')?.attributes['error.type']).toBe(
    'NOT_ACCEPTABLE',
  );
  const { headers } = await client('{ concordance(translation: "eng-web", word: "love") { totalCount } }');
  const spans = await spansOf(headers['x-request-id'], 2);
  expect(spans.get('subgraph concordance')?.attributes['error.type']).toBe('unreachable');
  expect(spans.get('graphql')?.attributes).toMatchObject({
    'lectern.outcome': 'partial',
    'lectern.errors': 'SUBGRAPH_UNAVAILABLE',
  });
});

test("no key, literal, variable or baggage gets into a trace, nor a stranger's request", async () => {
  const literals = ['literalword', 'variableword', 'baggageword', 'strangerword', 'namelessfault'];
  await client(`query { search(query: "${literals[0]}") { text } }`);
  await client(twoSubgraphs, { variables: { words: literals[1] }, headers: ['baggage', `user=${literals[2]}`] });
  await client(`query svc_test_${'k'.repeat(30)} { passage(reference: "${literals[4]} 1:1") { text } }`);
  await send(`${gateway.origin}/graphql`, {
    headers: [
      ...graphqlHeaders('svc_test_nobody'),
      'traceparent',
      `00-${traceId.replaceAll('4', '6')}-${clientSpan}-01`,
    ],
    body: `{"query":"{ ${literals[3]} }"}`,
  });
  await send(`${text.origin}/graphql`, {
    headers: ['Content-Type', 'application/json', 'traceparent', `00-${traceId.replaceAll('4', '6')}-${clientSpan}-01`],
    body: `{"query":"{ ${literals[3]} }"}`,
  });
  const { headers } = await client('{ languages { code } }');
  await spansOf(headers['x-request-id'], 3);
  const written = collector.written() + decodeURIComponent(collector.written().replaceAll('%', '%25'));
  expect(written).toContain('svc_test_[redacted]');
  for (const never of [...literals, processes.token, 'kkkkkk', 'Bearer', secret, traceId.replaceAll('4', '6')])
    expect(written).not.toContain(never);
});

test('a subgraph is told the trace and nothing else that a client sent', async () => {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    received.push(request.headers);
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"languages":[]}}');
  });
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 });
  const own = await processes.startGateway(
    { text: [`http://127.0.0.1:${port}`] },
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  );
  await client('{ languages { code } }', {
    origin: own.gateway.origin,
    headers: [
      'traceparent',
      `00-${traceId}-${clientSpan}-01`,
      'tracestate',
      'vendor=1',
      'baggage',
      'user=me',
      'X-Forwarded-For',
      '192.0.2.1',
    ],
  });
  await processes.stop(own.gateway);
  await new Promise((resolve) => void server.close(resolve));
  const last = received.at(-1) ?? {};
  expect(last['traceparent']).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  expect(last['traceparent']).not.toContain(clientSpan);
  expect(Object.keys(last).sort()).toEqual([
    'accept',
    'connection',
    'content-length',
    'content-type',
    'host',
    'traceparent',
    'tracestate',
  ]);
});

test('what is not sent yet is sent when the process stops', async () => {
  const own = await processes.startGateway(
    { text: [text.origin] },
    { SUBGRAPH_SECRET: secret, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  );
  const { headers } = await client('{ languages { code } }', { origin: own.gateway.origin });
  own.gateway.child.kill('SIGTERM');
  expect(await own.gateway.ended).toBe(0);
  expect((await spansOf(headers['x-request-id'], 3)).get('graphql')?.service).toBe('lectern-gateway');
});

test('the sampler is chosen by the standard variables', async () => {
  const own = await processes.startGateway(
    { text: [text.origin] },
    {
      SUBGRAPH_SECRET: secret,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    },
  );
  const { headers } = await client('{ languages { code } }', {
    origin: own.gateway.origin,
    headers: ['traceparent', `00-${traceId}-${clientSpan}-01`],
  });
  own.gateway.child.kill('SIGTERM');
  expect(await own.gateway.ended).toBe(0);
  expect(traceOfRequest(headers['x-request-id'])).toBe('');
});

describe('a collector', () => {
  const lost = 'the collector accepts no traces';

  test.each(['is not there', 'hangs', 'answers 503', 'answers 400 and HTML'])(
    'that %s costs one line of the log and no request',
    async (fault) => {
      const broken = await startOtlpCollector((response) => {
        if (fault === 'answers 503') response.writeHead(503).end();
        if (fault.startsWith('answers 400')) response.writeHead(400, { 'content-type': 'text/html' }).end('<html>');
      });
      const endpoint = fault === 'is not there' ? `http://127.0.0.1:${await freePort()}` : broken.url;
      const own = await processes.startGateway(
        { text: [text.origin] },
        {
          SUBGRAPH_SECRET: secret,
          OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
          OTEL_EXPORTER_OTLP_TIMEOUT: '200',
          ...promptly,
        },
      );
      for (let round = 0; round < 10; round += 1) {
        const { status } = await client('{ languages { code } }', { origin: own.gateway.origin });
        expect(status).toBe(200);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await waitUntil(() => own.gateway.output().includes(lost));
      own.gateway.child.kill('SIGTERM');
      expect(await own.gateway.ended).toBe(0);
      expect(own.gateway.output().split(lost)).toHaveLength(2);
      await broken.close();
    },
  );

  test('that comes back is told in the log, and gets what happens from then on', async () => {
    let works = false;
    const flaky = await startOtlpCollector((response) => void response.writeHead(works ? 200 : 400).end('{}'));
    const own = await processes.startGateway(
      { text: [text.origin] },
      { SUBGRAPH_SECRET: secret, OTEL_EXPORTER_OTLP_ENDPOINT: flaky.url, ...promptly },
    );
    await client('{ languages { code } }', { origin: own.gateway.origin });
    await waitUntil(() => own.gateway.output().includes(lost));
    works = true;
    const { headers } = await client('{ languages { code } }', { origin: own.gateway.origin });
    await waitUntil(() => own.gateway.output().includes('the collector accepts traces again'));
    expect(flaky.written()).toContain(String(headers['x-request-id']));
    await processes.stop(own.gateway);
    await flaky.close();
  });
});

test('with everything in one process, what the subgraphs did is in the trace of the request', async () => {
  linkData(processes.folder);
  const lectern = await processes.start('packages/standalone/dist/main.js', {
    LECTERN_DATA: processes.folder,
    KEY_PEPPER: pepper,
    SEMANTIC_TRANSLATIONS: '',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  const { headers } = await client(twoSubgraphs, { variables: { words: 'shepherd' }, origin: lectern.origin });
  await processes.stop(lectern, 'SIGTERM');
  const spans = await spansOf(headers['x-request-id'], 3);
  const [request, ...fetches] = ['graphql', 'subgraph search', 'subgraph text'].map((name) => spans.get(name));
  expect(request?.service).toBe('lectern');
  expect(fetches.map((span) => span?.parentSpanId)).toEqual([request?.spanId, request?.spanId]);
});

test('without a setting nothing of it is loaded', () => {
  const script = `
    const { openTelemetry } = require('./packages/telemetry/dist');
    const config = { METRICS_PORT: 0, METRICS_HOST: '127.0.0.1', OTEL_EXPORTER_OTLP_ENDPOINT: process.argv[1] ?? '' };
    openTelemetry({ service: 'text', config, log: { info() {}, warn() {} } }).then(({ close }) => {
      console.log(Object.keys(require.cache).filter((file) => /@opentelemetry.(sdk|exporter|otlp|core|resources)/.test(file)).length);
      return close();
    });`;
  const loaded = (...args: string[]): number =>
    Number(spawnSync(process.execPath, ['-e', script, ...args], { cwd: repositoryRoot, encoding: 'utf8' }).stdout);
  expect(loaded()).toBe(0);
  expect(loaded('http://127.0.0.1:1')).toBeGreaterThan(0);
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
])('a %s that makes no sense ends the start with a line that names it', async (name, value) => {
  await expect(processes.start('services/text/dist/main.js', { LECTERN_DATA: dataDir, [name]: value })).rejects.toThrow(
    name,
  );
});
