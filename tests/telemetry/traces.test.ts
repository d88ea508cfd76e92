import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { silentLogger } from '@lectern/serving';
import { startTelemetry } from '@lectern/telemetry';
import type { StartedProcess } from '@lectern/testing';
import { graphqlHeaders, repositoryRoot, send } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { startFakeSubgraph } from '../support/fake-subgraph';
import type { TracedGraph } from './traced-graph';
import { secret, startTracedGraph } from './traced-graph';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const clientSpan = '00f067aa0ba902b7';

let graph: TracedGraph;
let processes: TracedGraph['processes'];
let collector: TracedGraph['collector'];
let text: StartedProcess;
let gateway: StartedProcess;
let client: TracedGraph['client'];
beforeAll(async () => {
  graph = await startTracedGraph();
  ({ processes, collector, text, gateway, client } = graph);
});
afterAll(() => graph.close());

const twoSubgraphs =
  'query Hits($words: String!) { search(query: $words, translation: "eng-web", limit: 1) { reference inTranslation(identifier: "spa-rv1909") { text } } }';

test("a trace continues the client's with a span of the gateway and two for each subgraph of the operation", async () => {
  const { headers, json } = await client(twoSubgraphs, {
    variables: { words: 'shepherd' },
    headers: ['traceparent', `00-${traceId}-${clientSpan}-01`],
  });
  expect(json()).toEqual({ data: expect.anything() as unknown });
  const spans = await graph.spansOf(headers['x-request-id'], 5);
  const [request, toSearch, atSearch, toText, atText] = [
    'request',
    'to search',
    'at our-search',
    'to text',
    'at lectern-text',
  ].map((place) => spans.get(place));
  expect([...spans.values()].map((span) => span.traceId)).toEqual(Array.from({ length: 5 }, () => traceId));
  expect(request).toMatchObject({ service: 'lectern-gateway', name: 'query', kind: 2, parentSpanId: clientSpan });
  expect(toSearch).toMatchObject({ name: 'POST /graphql', kind: 3, parentSpanId: request?.spanId });
  expect(atSearch).toMatchObject({ name: 'query', kind: 2, parentSpanId: toSearch?.spanId });
  expect(toText).toMatchObject({ name: 'POST /graphql', kind: 3, parentSpanId: request?.spanId });
  expect(atText).toMatchObject({ name: 'query', kind: 2, parentSpanId: toText?.spanId });
  expect([...collector.paths]).toEqual(['POST /v1/traces']);
});

test("the spans of gateway and subgraphs have the attributes of OpenTelemetry's conventions for GraphQL and HTTP", async () => {
  const { headers } = await client(twoSubgraphs, { variables: { words: 'shepherd' } });
  const spans = await graph.spansOf(headers['x-request-id'], 5);
  const http = {
    'http.request.method': 'POST',
    'http.route': '/graphql',
    'url.path': '/graphql',
    'url.scheme': 'http',
    'network.protocol.version': '1.1',
    'server.address': '127.0.0.1',
    'http.response.status_code': 200,
    'graphql.operation.type': 'query',
  };
  const portOf = (origin: string) => Number(new URL(origin).port);
  expect(spans.get('request')?.attributes).toEqual({
    ...http,
    'server.port': portOf(gateway.origin),
    'graphql.operation.name': 'Hits',
    'lectern.document.hash': createHash('sha256').update(twoSubgraphs).digest('hex'),
    'lectern.request.id': headers['x-request-id'],
    'lectern.key.id': expect.any(String) as unknown,
    'lectern.outcome': 'ok',
    'lectern.cost': expect.any(Number) as unknown,
  });
  expect(spans.get('to text')?.attributes).toEqual({
    'http.request.method': 'POST',
    'url.full': `${text.origin}/graphql`,
    'server.address': '127.0.0.1',
    'server.port': portOf(text.origin),
    'http.response.status_code': 200,
    'graphql.operation.type': 'query',
    'lectern.subgraph.name': 'text',
  });
  expect(spans.get('at lectern-text')?.attributes).toEqual({
    ...http,
    'server.port': portOf(text.origin),
    'http.response.body.size': expect.any(Number) as unknown,
    'lectern.entity.count': 1,
  });
  const { version } = JSON.parse(readFileSync(join(repositoryRoot, 'services/text/package.json'), 'utf8')) as {
    version: string;
  };
  expect(collector.resources('lectern-text')).toContainEqual(expect.objectContaining({ 'service.version': version }));
});

test('a request without the header traceparent starts a trace, and the log line of the request has the trace id', async () => {
  const { headers } = await client('{ languages { code } }');
  const spans = await graph.spansOf(headers['x-request-id'], 3);
  expect(spans.get('request')?.parentSpanId).toBe('');
  const line =
    gateway
      .output()
      .split('\n')
      .find((each) => each.includes(String(headers['x-request-id']))) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({
    msg: 'request',
    traceId: spans.get('request')?.traceId,
    cost: 2,
    status: 200,
  });
});

test('if traceparent says that the trace is not sampled, the request creates no span', async () => {
  const other = traceId.replaceAll('4', '5');
  await client('{ list: translations { identifier } }', {
    headers: ['traceparent', `00-${other}-${clientSpan}-00`],
  });
  const { headers } = await client('{ languages { code } }');
  await graph.spansOf(headers['x-request-id'], 3);
  expect(graph.inTrace(other)).toEqual([]);
});

test('the span of a rejected request and the spans of a request to an unreachable subgraph have the attribute error.type', async () => {
  const rejected = await send(`${gateway.origin}/graphql`, {
    headers: [...graphqlHeaders(processes.token), 'Accept', 'text/html'],
    body: '{}',
  });
  expect((await graph.spansOf(rejected.headers['x-request-id'], 1)).get('request')).toMatchObject({
    name: 'GraphQL Operation',
    attributes: { 'error.type': 'NOT_ACCEPTABLE' },
    status: { code: 0 },
  });
  const { headers } = await client('{ concordance(translation: "eng-web", word: "love") { totalCount } }');
  const spans = await graph.spansOf(headers['x-request-id'], 2);
  expect(spans.get('to concordance')).toMatchObject({
    attributes: { 'error.type': 'unreachable', 'server.port': 4003 },
    status: { code: 2 },
  });
  expect(spans.get('request')).toMatchObject({
    attributes: {
      'error.type': 'SUBGRAPH_UNAVAILABLE',
      'lectern.outcome': 'partial',
      'lectern.errors': 'SUBGRAPH_UNAVAILABLE',
    },
    status: { code: 2 },
  });
});

test('traces contain no API key, literal, variable or baggage of a request, and a request without a valid key creates no trace', async () => {
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
  await graph.spansOf(headers['x-request-id'], 3);
  const written = collector.written() + decodeURIComponent(collector.written().replaceAll('%', '%25'));
  expect(written).toContain('svc_test_[redacted]');
  for (const never of [...literals, processes.token, 'kkkkkk', 'Bearer', secret, traceId.replaceAll('4', '6')])
    expect(written).not.toContain(never);
});

test('a subgraph receives the headers traceparent and tracestate of a client, and no other header of the client', async () => {
  const received: IncomingHttpHeaders[] = [];
  const subgraph = await startFakeSubgraph((response, request) => {
    received.push(request.headers);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"languages":[]}}');
  });
  const own = await processes.serveGateway({ text: [subgraph.origin] }, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
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
  await subgraph.close();
  expect(received).toHaveLength(1);
  const [last = {}] = received;
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
    'x-lectern-clients',
  ]);
});

test('a gateway that receives SIGTERM exports its pending spans before it exits', async () => {
  const own = await processes.startGateway(
    { text: [text.origin] },
    { SUBGRAPH_SECRET: secret, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  );
  const { headers } = await client('{ languages { code } }', { origin: own.gateway.origin });
  own.gateway.child.kill('SIGTERM');
  expect(await own.gateway.ended).toBe(0);
  expect((await graph.spansOf(headers['x-request-id'], 3)).get('request')?.service).toBe('lectern-gateway');
});

test('with OTEL_TRACES_SAMPLER_ARG=0 for traceidratio, no span is exported, even for a trace that the client samples', async () => {
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
  expect(graph.traceOfRequest(headers['x-request-id'])).toBe('');
});

test('a trace of the embedded service has a span for each request to a subgraph, below the span of the request', async () => {
  const config = {
    METRICS_PORT: 0,
    METRICS_HOST: '127.0.0.1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: '',
  };
  const telemetry = await startTelemetry({ service: 'lectern', config, log: silentLogger });
  const lectern = await startEmbeddedLectern({ telemetry });
  const { headers } = await send(lectern.url, {
    headers: graphqlHeaders(lectern.token),
    body: JSON.stringify({ query: twoSubgraphs, variables: { words: 'shepherd' } }),
  });
  await lectern.close();
  await telemetry.close();
  const spans = await graph.spansOf(headers['x-request-id'], 3);
  const [request, ...fetches] = ['request', 'to search', 'to text'].map((place) => spans.get(place));
  expect(request?.service).toBe('lectern');
  expect(fetches.map((span) => span?.parentSpanId)).toEqual([request?.spanId, request?.spanId]);
});
