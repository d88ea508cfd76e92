import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeys } from '@lectern/keys';
import { createAsk, freePort, graphqlHeaders, metricValue, repositoryRoot, send, startRoom } from '@lectern/testing';
import type { Started } from '@lectern/testing';
import { pepper } from './lectern';

const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
const data = join(repositoryRoot, 'data');
let text: Started;
let search: Started;
let gateway: Started;
let token: string;
let ask: ReturnType<typeof createAsk>;
let metricsPort: number;

beforeAll(async () => {
  const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper });
  ({ token } = await keys.issue({ email: 'tester@example.org', name: 'Tester', environment: 'test' }, 'a test'));
  await keys.close();
  metricsPort = await freePort();
  text = await startRoom('services/text/dist/main.js', { LECTERN_DATA: data });
  search = await startRoom('services/search/dist/main.js', { LECTERN_DATA: data });
  gateway = await startRoom('gateway/dist/main.js', {
    LECTERN_DATA: folder, KEY_PEPPER: pepper, SUBGRAPH_URLS: `text=${text.origin}/graphql,search=${search.origin}/graphql`, SUBGRAPH_TIMEOUT_MS: '2000', METRICS_PORT: String(metricsPort),
  });
  ask = createAsk(`${gateway.origin}/graphql`, token);
});

afterAll(async () => {
  const started = [gateway, text, search];
  for (const { child } of started) child.kill('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
  rmSync(folder, { recursive: true, force: true });
});

const metrics = async (port: number) => (await send(`http://127.0.0.1:${port}/metrics`, { method: 'GET' })).text;

test('requests, refusals and calls of subgraphs are counted on a port of their own', async () => {
  await ask('query Greeting { verse(book: "JHN", chapter: 3, verse: 16) { text } }', undefined, 'Greeting');
  await ask('query Greeting { verse(book: "JHN", chapter: 3, verse: 16) { text } }', undefined, 'Greeting');
  await ask('{ nonsense }');
  await ask('{ concordance(translation: "eng-web", word: "love") { totalCount } }');
  await send(`${gateway.origin}/graphql`, { headers: graphqlHeaders('svc_test_nobody'), body: '{}' });
  const page = await metrics(metricsPort);
  expect(metricValue(page, 'lectern_requests_total', 'operation="Greeting"', 'outcome="ok"')).toBe(2);
  expect(metricValue(page, 'lectern_requests_total', 'outcome="refused"')).toBe(1);
  expect(metricValue(page, 'lectern_requests_total', 'outcome="partial"')).toBe(1);
  expect(metricValue(page, 'lectern_request_seconds_count')).toBe(4);
  expect(metricValue(page, 'lectern_refusals_total', 'code="GRAPHQL_VALIDATION_FAILED"')).toBe(1);
  expect(metricValue(page, 'lectern_refusals_total', 'code="UNAUTHENTICATED"')).toBe(1);
  expect(metricValue(page, 'lectern_subgraph_seconds_count', 'subgraph="text"', 'outcome="answered"')).toBe(1);
  expect(metricValue(page, 'lectern_routes_total', 'way="kept"')).toBe(1);
  expect(metricValue(page, 'lectern_subgraph_seconds_count', 'subgraph="concordance"', 'outcome="failed"')).toBeGreaterThanOrEqual(1);
  expect(metricValue(page, 'lectern_documents_total', 'result="hit"')).toBeGreaterThanOrEqual(1);
  expect(page).toMatch(/nodejs_eventloop_lag_p99_seconds\{service="gateway"\}/);
  expect((await send(`${gateway.origin}/metrics`, { method: 'GET' })).status).toBe(404);
  expect((await send(`http://127.0.0.1:${metricsPort}/`, { method: 'GET' })).status).toBe(404);
});

test('names of operations that clients make up do not fill the metrics', async () => {
  for (let index = 0; index < 150; index += 1) await ask(`query Made${index} { __typename }`, undefined, `Made${index}`).catch(() => null);
  const page = await metrics(metricsPort);
  expect(page.split('\n').filter((line) => line.startsWith('lectern_requests_total{')).length).toBeLessThan(110);
});
