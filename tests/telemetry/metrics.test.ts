import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInModel } from '@lectern/embeddings';
import { openKeys } from '@lectern/keys';
import type { StartedProcess } from '@lectern/testing';
import {
  createGraphqlClient,
  dataDir,
  freePort,
  graphqlHeaders,
  metricValue,
  replaceFile,
  repositoryRoot,
  send,
  useStarted,
} from '@lectern/testing';
import { operatorPassword } from '../support/admin-fixture';
import { issueKey, pepper } from '../support/embedded-lectern';
import { createBrowserClient, hiddenFields } from '../support/form-client';
import { openProcesses, waitUntil } from '../support/processes';
import { namesNotIn, prometheusExpressions } from './prometheus-expressions';

const processes = useStarted(openProcesses);
let text: StartedProcess;
let search: StartedProcess;
let gateway: StartedProcess;
let folder: string;
let token: string;
let client: ReturnType<typeof createGraphqlClient>;
let metricsPort: number;
let searchMetricsPort: number;

beforeAll(async () => {
  ({ folder, token } = processes);
  metricsPort = await freePort();
  text = await processes.start('services/text/dist/main.js', { LECTERN_DATA: dataDir, MEMORY_MB: '256' });
  searchMetricsPort = await freePort();
  // Nothing listens on this port. So Redis, the embedding endpoint and the trace collector are
  // unreachable, and the metrics of their failures have values.
  const unusedAddress = `127.0.0.1:${await freePort()}`;
  const traced = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://${unusedAddress}`,
    OTEL_EXPORTER_OTLP_TIMEOUT: '100',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  };
  search = await processes.start('services/search/dist/main.js', {
    LECTERN_DATA: dataDir,
    METRICS_PORT: String(searchMetricsPort),
    EMBEDDINGS_URL: `http://${unusedAddress}/v1`,
    EMBEDDINGS_MODEL: builtInModel.id,
    SEMANTIC_TIMEOUT_MS: '500',
    ...traced,
  });
  const manifest = join(folder, 'manifest.json');
  writeFileSync(manifest, JSON.stringify({ schema: '{ __schema { queryType { name } } }' }));
  gateway = await processes.start('gateway/dist/main.js', {
    LECTERN_DATA: folder,
    TRUSTED_DOCUMENTS: manifest,
    KEY_PEPPER: pepper,
    SUBGRAPH_URLS: `text=${text.origin}/graphql,search=${search.origin}/graphql`,
    SUBGRAPH_TIMEOUT_MS: '2000',
    METRICS_PORT: String(metricsPort),
    RATE_PER_MINUTE: '100000',
    KEY_RATE_PER_MINUTE: '0',
    RATE_PER_DAY: '100000',
    REDIS_URL: `redis://${unusedAddress}`,
    ...traced,
  });
  client = createGraphqlClient(`${gateway.origin}/graphql`, token);
});

/**
 * Only the primary process of a service with workers exports these metrics.
 * tests/distributed/two-workers.test.ts checks them.
 */
const workerMetrics = ['lectern_workers', 'lectern_workers_configured'];

const metrics = async (port: number) => (await send(`http://127.0.0.1:${port}/metrics`, { method: 'GET' })).text;

const verse = 'query Greeting { verse(book: "JHN", chapter: 3, verse: 16) { text } }';

test('/metrics on METRICS_PORT has requests, rejections, subgraphs, caches, event-loop delay and version of a gateway', async () => {
  await client(verse, undefined, 'Greeting');
  await client(verse, undefined, 'Greeting');
  // Without operationName in the request, the metrics have the operation name of the document.
  await client(verse);
  await client('{ unknownField }');
  await client('{ concordance(translation: "eng-web", word: "love") { totalCount } }');
  await send(`${gateway.origin}/graphql`, { headers: graphqlHeaders('svc_test_nobody'), body: '{}' });
  await send(`${gateway.origin}/graphql`, { headers: graphqlHeaders(token), body: 'no JSON' });
  const page = await metrics(metricsPort);
  const operations = (...labels: string[]) => metricValue(page, 'lectern_operation_duration_seconds_count', ...labels);
  expect(operations('graphql_operation_name="Greeting",graphql_operation_type="query",outcome="ok"')).toBe(3);
  expect(operations('graphql_operation_name=""', 'outcome="rejected"')).toBe(2);
  expect(operations('graphql_operation_name="(anonymous)"', 'outcome="partial"')).toBe(1);
  expect(operations()).toBe(6);
  const received = 'http_server_request_duration_seconds_count';
  const status = (code: number) =>
    `http_request_method="POST",http_route="/graphql",http_response_status_code="${code}"`;
  expect([200, 400, 401].map((code) => metricValue(page, received, status(code)))).toEqual([5, 1, 1]);
  const sent = 'http_client_request_duration_seconds_count';
  const { hostname, port } = new URL(text.origin);
  const replica = `http_request_method="POST",server_address="${hostname}",server_port="${port}"`;
  // The replica has received the gateway's first probe and two of the three queries. The second
  // query got the cached response of the first. The third differs in its operationName.
  expect(metricValue(page, sent, `${replica},http_response_status_code="200",error_type=""`)).toBe(3);
  expect(metricValue(page, sent, 'server_port="4003"', 'error_type="unreachable"')).toBeGreaterThanOrEqual(1);
  const version = (
    JSON.parse(readFileSync(join(repositoryRoot, 'gateway/package.json'), 'utf8')) as { version: string }
  ).version;
  expect(page).toContain(`target_info{service_version="${version}",service_name="lectern-gateway"} 1\n`);
  for (const code of ['GRAPHQL_VALIDATION_FAILED', 'UNAUTHENTICATED', 'BAD_REQUEST'])
    expect(metricValue(page, 'lectern_rejections_total', `code="${code}"`)).toBe(1);
  expect(metricValue(page, 'lectern_subgraph_request_duration_seconds_count', 'subgraph="text"', 'outcome="ok"')).toBe(
    2,
  );
  expect(metricValue(page, 'lectern_executions_total', 'strategy="cached"')).toBe(1);
  expect(metricValue(page, 'lectern_response_cache_requests_total', 'result="hit"')).toBe(1);
  expect(metricValue(page, 'lectern_response_cache_requests_total', 'result="miss"')).toBeGreaterThanOrEqual(1);
  expect(metricValue(page, 'lectern_response_cache_entries')).toBe(2);
  expect(metricValue(page, 'lectern_response_cache_bytes')).toBeGreaterThan(100);
  expect(metricValue(page, 'lectern_plans_total', 'result="miss"')).toBe(2);
  expect(
    metricValue(page, 'lectern_subgraph_request_duration_seconds_count', 'subgraph="concordance"', 'outcome="failed"'),
  ).toBeGreaterThanOrEqual(1);
  expect(metricValue(page, 'lectern_documents_total', 'result="hit"')).toBeGreaterThanOrEqual(1);
  expect(page).toMatch(/^lectern_supergraph_info\{sha256="[0-9a-f]{12}",service_name="lectern-gateway"\} 1$/m);
  expect(page).toMatch(/nodejs_eventloop_lag_p99_seconds\{service_name="lectern-gateway"\}/);
});

test('the metrics of a gateway are served only at /metrics on METRICS_PORT, and GET /metrics on PORT responds 404', async () => {
  expect((await send(`${gateway.origin}/metrics`, { method: 'GET' })).status).toBe(404);
  expect((await send(`http://127.0.0.1:${metricsPort}/`, { method: 'GET' })).status).toBe(404);
});

test('a process that is started with node instead of npm logs that MEMORY_MB does not limit its heap, and how to set the limit', () => {
  expect(text.output()).toContain(
    'MEMORY_MB=256 does not limit the JavaScript heap of this process. Start it with npm, or set NODE_OPTIONS=--max-old-space-size=128',
  );
});

test('the metrics of a gateway show which circuit breakers of subgraph replicas and of Redis are open', async () => {
  for (let time = 0; time < 6; time += 1)
    await client('{ concordance(translation: "eng-web", word: "love") { totalCount } }');
  const page = await metrics(metricsPort);
  expect(
    metricValue(page, 'lectern_replica_breaker_open', 'subgraph="concordance"', 'replica="http://127.0.0.1:4003"'),
  ).toBe(1);
  expect(page).toMatch(
    /^lectern_replica_breaker_open\{subgraph="text",replica="[^"]+",service_name="lectern-gateway"\} 0$/m,
  );
  expect(metricValue(page, 'lectern_redis_breaker_open')).toBe(1);
});

test('the search subgraph counts semantic searches as embedding calls, even in a translation without verse vectors', async () => {
  const outcomes = async () => {
    const page = await metrics(searchMetricsPort);
    const count = (metric: string, outcome: string) =>
      metricValue(page, `lectern_embedding_${metric}_duration_seconds_count`, `outcome="${outcome}"`) ?? 0;
    return [count('call', 'no-vectors'), count('call', 'failed'), count('model', 'failed')];
  };
  // The subgraph has searched before it was ready.
  const before = await outcomes();
  await client(
    '{ none: semanticSearch(query: "peace", translation: "eng-web") { similarity } failed: semanticSearch(query: "paz") { similarity } }',
  );
  expect(await outcomes()).toEqual(before.map((count) => count + 1));
});

test('the metrics of a gateway have at most 100 different operation names of clients, and no names of rejected operations', async () => {
  for (let index = 0; index < 20; index += 1)
    await client(`query BadQuery${index} { unknownField }`, undefined, `BadQuery${index}`);
  await client(`query svc_test_${'k'.repeat(40)} { __typename }`);
  for (let index = 0; index < 150; index += 1)
    await client(`query Made${index} { __typename }`, undefined, `Made${index}`);
  const page = await metrics(metricsPort);
  const count = 'lectern_operation_duration_seconds_count';
  const names = new Set([...page.matchAll(/graphql_operation_name="([^"]*)"/g)].map(([, name]) => name));
  expect(metricValue(page, count, 'graphql_operation_name="(other)"')).toBeGreaterThan(40);
  // The label has the values of 100 operations, `(other)`, `(anonymous)`, and the empty value of
  // rejected requests.
  expect(names.size).toBe(103);
  expect(page).not.toContain('BadQuery');
  expect(page).not.toContain('kkkk');
});

test('the metric lectern_supergraph_rejected is 1 after a gateway rejects a supergraph, until it accepts a valid supergraph', async () => {
  const file = join(folder, 'supergraph.graphql');
  const sdl = readFileSync(join(repositoryRoot, 'supergraph.graphql'), 'utf8');
  replaceFile(file, sdl);
  const port = await freePort();
  const own = await processes.start('gateway/dist/main.js', {
    LECTERN_DATA: folder,
    KEY_PEPPER: pepper,
    SUBGRAPH_URLS: `text=${text.origin}/graphql`,
    SUPERGRAPH: file,
    SUPERGRAPH_POLL_MS: '50',
    METRICS_PORT: String(port),
  });
  const rejected = async () => metricValue(await metrics(port), 'lectern_supergraph_rejected');
  expect(await rejected()).toBe(0);
  replaceFile(file, sdl.slice(0, sdl.length / 2));
  await waitUntil(async () => (await rejected()) === 1);
  expect(metricValue(await metrics(port), 'lectern_supergraph_swaps_total', 'outcome="rejected"')).toBe(1);
  replaceFile(file, `${sdl}\n# repaired\n`);
  await waitUntil(async () => (await rejected()) === 0);
  expect(metricValue(await metrics(port), 'lectern_supergraph_swaps_total', 'outcome="served"')).toBe(1);
  await processes.stop(own);
});

test('metrics count the requests that exceed each limit, and the emails that were sent or failed', async () => {
  const own = join(folder, 'limited');
  mkdirSync(own);
  const keys = openKeys({ file: join(own, 'keys.sqlite'), pepper });
  const limited = await issueKey(keys, { requestsPerMinute: 1 });
  for (const name of ['one', 'two'])
    await keys.submitRequest({ email: `${name}@example.net`, name, description: 'A plan.', environment: 'test' });
  const requests = await keys.requests();
  await keys.close();
  const port = await freePort();
  const outbox = join(own, 'outbox');
  // A file in the place of the folder: the first email cannot be written.
  writeFileSync(outbox, '');
  const started = await processes.start('gateway/dist/main.js', {
    LECTERN_DATA: own,
    KEY_PEPPER: pepper,
    SUBGRAPH_URLS: `text=${text.origin}/graphql`,
    METRICS_PORT: String(port),
    MAIL_OUTBOX: outbox,
    OPERATOR_PASSWORD: operatorPassword,
  });
  try {
    const emails = async () =>
      Object.fromEntries(
        [...(await metrics(port)).matchAll(/^lectern_emails_total\{outcome="(\w+)".*\} (\d+)$/gm)].map(
          ([, outcome, count]) => [outcome, Number(count)],
        ),
      );
    expect(await emails()).toEqual({ sent: 0, failed: 0 });
    const operator = createBrowserClient(started.origin);
    await operator.submitForm('/admin/sign-in', { password: operatorPassword });
    const approve = async (id = '') => {
      const { csrf = '' } = hiddenFields((await operator.get(`/admin/requests/${id}`)).text);
      expect((await operator.post(`/admin/requests/${id}/approve`, { csrf })).status).toBe(303);
    };
    await approve(requests[0]?.id);
    expect(await emails()).toEqual({ sent: 0, failed: 1 });
    rmSync(outbox);
    await approve(requests[1]?.id);
    expect(await emails()).toEqual({ sent: 1, failed: 1 });

    const body = JSON.stringify({ query: '{ __typename }' });
    const statuses = [];
    for (let time = 0; time < 4; time += 1)
      statuses.push((await send(`${started.origin}/graphql`, { headers: graphqlHeaders(limited.token), body })).status);
    const rejected = statuses.filter((status) => status === 429).length;
    expect(rejected).toBeGreaterThanOrEqual(2);
    expect(
      metricValue(await metrics(port), 'lectern_rejections_total', 'code="RATE_LIMITED"', 'limit="key-minute"'),
    ).toBe(rejected);
    for (let time = 0; time < 11; time += 1)
      await createBrowserClient(started.origin).submitForm('/admin/sign-in', { password: 'a guess' });
    expect(
      metricValue(await metrics(port), 'lectern_rejections_total', 'code="RATE_LIMITED"', 'limit="sign-in"'),
    ).toBeGreaterThanOrEqual(1);
  } finally {
    await processes.stop(started);
  }
});

test('a log line of a request has only fields of docs/metrics.md, and no key, literal or variable of the query', async () => {
  const lineOf = (id: unknown) =>
    JSON.parse(
      gateway
        .output()
        .split('\n')
        .find((line) => line.includes(`"requestId":"${String(id)}"`)) ?? '{}',
    ) as Record<string, unknown>;
  const body = JSON.stringify({
    query: `query svc_test_${'q'.repeat(40)}($words: String!) { search(query: $words) { text } languages { code } also: search(query: "aliteral") { text } }`,
    variables: { words: 'avariable' },
  });
  const { headers } = await send(`${gateway.origin}/graphql`, { headers: graphqlHeaders(token), body });
  await waitUntil(() => gateway.output().includes(String(headers['x-request-id'])));
  const line = lineOf(headers['x-request-id']);
  expect(Object.keys(line).sort()).toEqual([
    'cost',
    'keyId',
    'level',
    'ms',
    'msg',
    'operationName',
    'requestId',
    'service',
    'status',
    'time',
    'traceId',
  ]);
  const guide = readFileSync(join(repositoryRoot, 'docs/metrics.md'), 'utf8');
  const [, logs = ''] = /^## Logs$([^]*?)^## /m.exec(guide) ?? [];
  expect(Object.keys(line).filter((field) => !logs.includes(`\`${field}\``))).toEqual([]);
  expect(line).toMatchObject({
    level: 'info',
    msg: 'request',
    service: 'gateway',
    status: 200,
    cost: expect.any(Number) as unknown,
    operationName: 'svc_test_[redacted]',
  });
  await send(`${gateway.origin}/graphql?key=${token}`, { headers: graphqlHeaders(`${token}x`), body: '{}' });
  const rejected = await send(`${gateway.origin}/graphql`, { headers: graphqlHeaders(token), body: '[]' });
  await waitUntil(() => gateway.output().includes(String(rejected.headers['x-request-id'])));
  expect(lineOf(rejected.headers['x-request-id'])).toMatchObject({
    keyId: line['keyId'],
    status: 'rejected',
    code: 'BAD_REQUEST',
  });
  for (const never of [token.slice(9, 40), 'qqqq', 'aliteral', 'avariable'])
    expect(gateway.output()).not.toContain(never);
});

test('the metric lectern_verses_served_total counts the verses whose text a key got, by translation', async () => {
  const counted = async (translation: string) =>
    metricValue(await metrics(metricsPort), 'lectern_verses_served_total', `translation="${translation}"`);
  expect(await counted('eng-kjv')).toBe(0);
  const { data } = await client('{ chapter(translation: "eng-kjv", book: "Ruth", chapter: 1) { text } }');
  expect(data).toMatchObject({ chapter: { length: 22 } });
  await waitUntil(async () => (await counted('eng-kjv')) > 0);
  expect(await counted('eng-kjv')).toBe(22);
});

describe('docs/metrics.md', () => {
  const page = readFileSync(join(repositoryRoot, 'docs/metrics.md'), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => /^\| `(?:lectern|http|target)_\w+` \|/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
  const exported = async (port: number) =>
    [...(await metrics(port)).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => `${name} ${type}`);

  test.each([
    ['gateway', () => metricsPort],
    ['search', () => searchMetricsPort],
  ])('docs/metrics.md lists exactly the metrics of the %s process, with their types', async (process, port) => {
    const listed = rows
      .filter(
        ([, , , , where]) => where === process || where === 'every' || (where === 'subgraphs' && process === 'search'),
      )
      .map(([, name, type]) => `${name} ${type}`);
    expect((await exported(port())).filter((each) => /^(lectern|http|target)_/.test(each)).sort()).toEqual(
      listed.sort(),
    );
  });

  test('docs/metrics.md lists exactly the labels of every metric that has values', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
    await send(`${gateway.origin}/graphql`, { headers: graphqlHeaders(token), body: JSON.stringify({ extensions }) });
    const text = (await metrics(metricsPort)) + (await metrics(searchMetricsPort));
    const seen = new Map<string, Set<string>>();
    for (const [, series = '', labels = ''] of text.matchAll(
      /^((?:lectern|http|target)_\w+?)(?:_bucket|_sum|_count)?\{(.*)\} /gm,
    ))
      seen.set(
        series,
        new Set([...(seen.get(series) ?? []), ...[...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label)]),
      );
    // These two metrics have no values: the gateway got no other supergraph, and no subgraph has
    // closed a file to free memory.
    expect(rows.map(([, name = '']) => name).filter((name) => !seen.has(name))).toEqual([
      'lectern_supergraph_swaps_total',
      'lectern_translation_files_closed_total',
    ]);
    for (const [, name = '', , labels = ''] of rows.filter(([, name = '']) => seen.has(name)))
      expect([
        name,
        [...(seen.get(name) ?? [])].filter((label) => label !== 'service_name' && label !== 'le').sort(),
      ]).toEqual([
        name,
        labels
          .split(',')
          .map((each) => each.trim())
          .filter((each) => each !== '')
          .sort(),
      ]);
  });

  test('the Prometheus rules and the Grafana dashboard use only metrics and labels that the processes export', async () => {
    const text = [
      await metrics(metricsPort),
      await metrics(searchMetricsPort),
      ...workerMetrics.map((name) => `${name} 1\n`),
      // tests/mcp/mcp-transports.test.ts checks this metric of the MCP server.
      'mcp_server_operation_duration_seconds_count{mcp_method_name="",gen_ai_tool_name="",error_type=""} 1\n',
    ].join('');
    expect(prometheusExpressions().length).toBeGreaterThan(50);
    expect(namesNotIn(text)).toEqual([]);
  });

  test('docs/metrics.md names only metrics that a process exports', async () => {
    const names = new Set(
      [...(await exported(metricsPort)), ...(await exported(searchMetricsPort))].map((each) => each.split(' ')[0]),
    );
    const named = [...page.matchAll(/\b(?:lectern|nodejs|process|http_(?:server|client))_\w+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(35);
    for (const name of workerMetrics) names.add(name);
    expect(named.filter((name) => !names.has(name) && !names.has(name.replace(/_(bucket|count|sum)$/, '')))).toEqual(
      [],
    );
  });
});
