import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:http';
import { listen } from '@lectern/serving';
import type { StartedProcess } from '@lectern/testing';
import { dataDir, freePort, graphqlHeaders, linkData, send } from '@lectern/testing';
import { pepper } from '../support/embedded-lectern';
import type { OtlpCollector, ReceivedSpan } from '../support/otlp-collector';
import { startOtlpCollector } from '../support/otlp-collector';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';

const secret = 'a secret of tests as long as it has to be';
/** Settings that export spans after 50 ms instead of five seconds. */
const exportAtOnce = { OTEL_BSP_SCHEDULE_DELAY: '50' };
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
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...exportAtOnce };
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
});
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
/** Waits until the trace of a request has this many spans. Returns them by name. */
async function spansOf(requestId: unknown, count: number): Promise<Map<string, ReceivedSpan>> {
  await waitUntil(() => inTrace(traceOfRequest(requestId)).length >= count);
  return new Map(inTrace(traceOfRequest(requestId)).map((span) => [span.name, span]));
}

const twoSubgraphs =
  'query Hits($words: String!) { search(query: $words, translation: "eng-web", limit: 1) { reference inTranslation(identifier: "spa-rv1909") { text } } }';

test('the trace of a request contains the spans of the client, the gateway and every subgraph of the operation', async () => {
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

test('a request without a traceparent starts a trace, and its log line has the trace id', async () => {
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

test('a request with an unsampled traceparent creates no span in gateway and subgraphs', async () => {
  const other = traceId.replaceAll('4', '5');
  await client('{ list: translations { identifier } }', {
    headers: ['traceparent', `00-${other}-${clientSpan}-00`],
  });
  const { headers } = await client('{ languages { code } }');
  await spansOf(headers['x-request-id'], 3);
  expect(inTrace(other)).toEqual([]);
});

test('the spans of a rejected request and of an unreachable subgraph have the error type', async () => {
  const rejected = await send(`${gateway.origin}/graphql`, {
    headers: [...graphqlHeaders(processes.token), 'Accept', 'text/html'],
    body: '{}',
  });
  expect((await spansOf(rejected.headers['x-request-id'], 1)).get('graphql')?.attributes['error.type']).toBe(
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

test('traces contain no key, literal, variable or baggage, and no unauthenticated request', async () => {
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

test('a subgraph receives traceparent and tracestate, and no other header of the client', async () => {
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

test('pending spans are exported when the process stops', async () => {
  const own = await processes.startGateway(
    { text: [text.origin] },
    { SUBGRAPH_SECRET: secret, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  );
  const { headers } = await client('{ languages { code } }', { origin: own.gateway.origin });
  own.gateway.child.kill('SIGTERM');
  expect(await own.gateway.ended).toBe(0);
  expect((await spansOf(headers['x-request-id'], 3)).get('graphql')?.service).toBe('lectern-gateway');
});

test('the settings OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG select the sampler', async () => {
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

  test.each(['is unreachable', 'hangs', 'responds 503', 'responds 400 with HTML'])(
    'an OpenTelemetry collector that %s causes one log line and no failed request',
    async (failure) => {
      const broken = await startOtlpCollector((response) => {
        if (failure === 'responds 503') response.writeHead(503).end();
        if (failure.startsWith('responds 400')) response.writeHead(400, { 'content-type': 'text/html' }).end('<html>');
      });
      const endpoint = failure === 'is unreachable' ? `http://127.0.0.1:${await freePort()}` : broken.url;
      const own = await processes.startGateway(
        { text: [text.origin] },
        {
          SUBGRAPH_SECRET: secret,
          OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
          OTEL_EXPORTER_OTLP_TIMEOUT: '200',
          ...exportAtOnce,
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

  test('the recovery of an OpenTelemetry collector is logged, and later spans are exported', async () => {
    let works = false;
    const flaky = await startOtlpCollector((response) => void response.writeHead(works ? 200 : 400).end('{}'));
    const own = await processes.startGateway(
      { text: [text.origin] },
      { SUBGRAPH_SECRET: secret, OTEL_EXPORTER_OTLP_ENDPOINT: flaky.url, ...exportAtOnce },
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

test('the trace of a request to the embedded service contains the spans of the subgraphs', async () => {
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
