import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  freePort,
  graphqlHeaders,
  metricValue,
  replaceFile,
  repositoryRoot,
  send,
  sendReady,
  useStarted,
} from '@lectern/testing';
import { pepper } from '../support/embedded-lectern';
import { openProcesses, waitUntil } from '../support/processes';
import { repeatRequests } from '../support/repeat-requests';
import { registryKey, startSchemaRegistry } from '../support/schema-registry';
import { spawnScript } from '../support/script-runner';
import type { ServiceInProcess, StartedService } from '../support/services-in-process';
import { startGatewayInProcess } from '../support/services-in-process';
import { repositorySubgraphs, supergraphConfig } from '../support/supergraph-yaml';

const composed = readFileSync(join(repositoryRoot, 'supergraph.graphql'), 'utf8');
/**
 * Returns the supergraph with another cost of the field `Query.references`, as after a change of
 * its subgraph.
 */
const withFieldCost = (cost: number) =>
  composed.replace(
    '[ParsedReference!] @join__field(graph: TEXT) @fieldCost(base: 1)',
    `[ParsedReference!] @join__field(graph: TEXT) @fieldCost(base: ${cost})`,
  );
/** The text is too short to add to the cost. */
const query = '{ references(text: "Jn3") { reference } }';

const processes = useStarted(openProcesses);
let folder: string;
let file: string;
let text: ServiceInProcess;
let gateway: ServiceInProcess;
let token: string;

const startGateway = (supergraph: string, env: Record<string, string> = {}) =>
  startGatewayInProcess({
    LECTERN_DATA: folder,
    KEY_PEPPER: pepper,
    RATE_PER_MINUTE: '0',
    KEY_RATE_PER_MINUTE: '0',
    RATE_PER_DAY: '0',
    SUPERGRAPH: supergraph,
    SUPERGRAPH_POLL_MS: '50',
    SUBGRAPH_URLS: `text=${text.origin}/graphql`,
    ...env,
  });

beforeAll(async () => {
  ({ folder, token } = processes);
  file = join(folder, 'supergraph.graphql');
  text = await processes.serveSubgraph('text');
  writeSupergraph(composed);
  gateway = await startGateway(file);
});

afterAll(() => gateway.close());

const writeSupergraph = (sdl: string) => replaceFile(file, sdl);

test('a gateway that cannot start closes its metrics server and its key store', async () => {
  const missing = join(folder, 'missing.graphql');
  const data = join(folder, 'closed');
  const env = { LECTERN_DATA: data, METRICS_PORT: String(await freePort()) };
  // If the first gateway left its metrics server open, the second gateway would fail because of the
  // metrics port instead of the missing file.
  for (let start = 0; start < 2; start += 1) await expect(startGateway(missing, env)).rejects.toThrow(missing);
  // SQLite deletes the write-ahead log (`-wal`) when the last connection to the key store is
  // closed.
  expect(readdirSync(data).filter((name) => name.endsWith('-wal'))).toEqual([]);
  await expect(startGateway(missing, { ...env, METRICS_PORT: String(text.port) })).rejects.toThrow(String(text.port));
  expect(readdirSync(data).filter((name) => name.endsWith('-wal'))).toEqual([]);
});

test('a gateway that cannot listen on its address stops requesting its supergraph', async () => {
  let reads = 0;
  const registry = createServer((_, response) => {
    reads += 1;
    response.end(composed);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => registry.once('listening', resolve));
  const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  // The address is reserved for documentation, so no machine has it.
  await expect(startGateway(url, { HOST: '192.0.2.1' })).rejects.toThrow('192.0.2.1');
  // A request that was in flight when the start failed may arrive now.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const readsBefore = reads;
  // A gateway that still ran would request the supergraph every 50 ms.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(reads).toBe(readsBefore);
  registry.close();
});

const fetchResponse = async ({ origin }: StartedService) => {
  const received = await send(`${origin}/graphql`, {
    headers: [...graphqlHeaders(token), 'Lectern-Report', 'cost'],
    body: JSON.stringify({ query }),
  });
  return received.json() as { data?: unknown; errors?: unknown; extensions?: { cost: { complexity: number } } };
};
/** The number of large operations so far. Each operation has its number in its name. */
let largeOperations = 0;
/**
 * Sends an operation so large that the gateway plans it in a worker thread. Each call sends a new
 * operation, which is not planned yet. Returns the codes of the languages in the response.
 */
async function fetchLargeOperation({ origin }: StartedService): Promise<unknown> {
  largeOperations += 1;
  const aliases = Array.from({ length: 110 }, (_, index) => `a${index}: code`).join(' ');
  const { json } = await send(`${origin}/graphql`, {
    headers: graphqlHeaders(token),
    body: JSON.stringify({ query: `query Large${largeOperations} { languages { ${aliases} } }` }),
  });
  const { data } = json() as { data?: { languages: { a109: string }[] } | null };
  return data?.languages.map(({ a109 }) => a109);
}
const costOf = async (of: StartedService) => (await fetchResponse(of)).extensions?.cost.complexity;

test('a running gateway applies a supergraph with a changed field cost, and every request during the update succeeds', async () => {
  const results: unknown[] = [];
  const planned: unknown[] = [];
  const stopRequests = repeatRequests(
    [
      ...Array.from({ length: 7 }, () => async () => results.push((await fetchResponse(gateway)).data)),
      async () => planned.push(await fetchLargeOperation(gateway)),
    ],
    20,
  );
  for (const cost of [50, 60, 70]) {
    writeSupergraph(withFieldCost(cost));
    await waitUntil(async () => (await costOf(gateway)) === cost + 1);
  }
  await stopRequests();
  expect(results.length).toBeGreaterThan(20);
  expect(new Set(results.map((data) => JSON.stringify(data)))).toEqual(
    new Set(['{"references":[{"reference":"John 3"}]}']),
  );
  expect(planned.length).toBeGreaterThan(0);
  for (const languages of planned) expect(languages).toEqual(planned[0]);
  expect(planned[0]).toContain('eng');
});

test.each([
  ['half a supergraph file', (sdl: string) => sdl.slice(0, sdl.length / 2)],
  [
    'a supergraph with a cost that cannot be computed',
    (sdl: string) => sdl.replace('perItem: "first", divide: 50', 'perItem: "first", divide: -50'),
  ],
  [
    'a supergraph that lacks a subgraph of SUBGRAPH_URLS',
    (sdl: string) =>
      sdl.replace(
        /@join__graph\(name: "text", url: "[^"]*"\)/,
        '@join__graph(name: "weather", url: "http://127.0.0.1:9/graphql")',
      ),
  ],
])('the gateway rejects %s as its supergraph with one log line and keeps the current supergraph', async (_, broken) => {
  writeSupergraph(withFieldCost(80));
  await waitUntil(async () => (await costOf(gateway)) === 81);
  const before = rejections(gateway);
  writeSupergraph(broken(withFieldCost(90)));
  await waitUntil(() => rejections(gateway) > before);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect([rejections(gateway) - before, await costOf(gateway)]).toEqual([1, 81]);
  // The gateway accepts the next valid supergraph.
  writeSupergraph(withFieldCost(91));
  await waitUntil(async () => (await costOf(gateway)) === 92);
});

const rejections = ({ output }: ServiceInProcess) =>
  output()
    .split('\n')
    .filter((line) => line.includes('the new supergraph is rejected')).length;

test('the gateway loads an invalid supergraph once, and then sends no requests to subgraphs that only it names', async () => {
  let requests = 0;
  const weather = createServer((_, response) => {
    requests += 1;
    response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => weather.once('listening', resolve));
  const before = rejections(gateway);
  // The gateway rejects this supergraph, because it lacks the subgraph text of SUBGRAPH_URLS.
  writeSupergraph(
    composed.replace(
      /@join__graph\(name: "text", url: "[^"]*"\)/,
      `@join__graph(name: "weather", url: "http://127.0.0.1:${(weather.address() as AddressInfo).port}/graphql")`,
    ),
  );
  await waitUntil(() => rejections(gateway) > before);
  // A gateway that loads this supergraph probes its subgraphs, at each load and twice a second.
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(requests).toBeLessThanOrEqual(1);
  weather.close();
  writeSupergraph(withFieldCost(93));
  await waitUntil(async () => (await costOf(gateway)) === 94);
});

test('a gateway reports that the subgraph of a new supergraph does not respond, and applies it once the subgraph does', async () => {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const ownFile = join(folder, 'early.graphql');
  replaceFile(ownFile, composed);
  const own = await startGateway(ownFile, { METRICS_PORT: String(metricsPort) });
  const ready = async () => (await sendReady(own.origin)).json() as Record<string, unknown>;
  const metrics = async () => (await send(`http://127.0.0.1:${metricsPort}/metrics`, { method: 'GET' })).text;
  let probes = 0;
  const notFound = createServer((_, response) => {
    probes += 1;
    response.writeHead(404).end();
  }).listen(port, '127.0.0.1');
  try {
    const logged = own.output();
    const early = withFieldCost(60).replace(
      /(@join__graph\(name: "search", url: ")[^"]*/,
      `$1http://127.0.0.1:${port}/graphql`,
    );
    const sha256 = createHash('sha256').update(early).digest('hex').slice(0, 12);
    const supergraphRejected = {
      reason: 'it names search, which does not respond at the given URL',
      sha256,
      missingSubgraphs: ['search'],
    };
    replaceFile(ownFile, early);
    await waitUntil(async () => (await ready())['supergraphRejected'] !== undefined);
    expect(await ready()).toMatchObject({ status: 'ready', supergraphRejected });
    const labels = [`sha256="${sha256}"`, 'subgraph="search"'];
    expect(metricValue(await metrics(), 'lectern_supergraph_rejected', ...labels)).toBe(1);
    // The same supergraph in a new file is not loaded again.
    replaceFile(ownFile, early);
    // The gateway reads the file every 50 ms. It probes the subgraph when it loads the supergraph,
    // and after 2 seconds.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(probes).toBe(2);
    // The other subgraphs of the served supergraph do not run either.
    const lines = own
      .output()
      .slice(logged.length)
      .trim()
      .split('\n')
      .filter((line) => !line.includes('circuit open') || line.includes(`:${port}`));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        level: 'error',
        msg: 'the new supergraph is rejected: the old one is still served',
        ...supergraphRejected,
      }),
    ]);
    notFound.closeAllConnections();
    await new Promise((resolve) => notFound.close(resolve));
    const search = await processes.serveSubgraph('search', { port });
    await waitUntil(async () => (await costOf(own)) === 61);
    expect(await ready()).not.toHaveProperty('supergraphRejected');
    expect(metricValue(await metrics(), 'lectern_supergraph_rejected')).toBe(0);
    await processes.stop(search);
  } finally {
    await own.close();
  }
});

test('the gateway drops a supergraph that waits for a missing subgraph if an earlier one is published again', async () => {
  writeSupergraph(withFieldCost(70));
  await waitUntil(async () => (await costOf(gateway)) === 71);
  const before = rejections(gateway);
  const port = await freePort();
  writeSupergraph(
    composed.replace(/(@join__graph\(name: "search", url: ")[^"]*/, `$1http://127.0.0.1:${port}/graphql`),
  );
  await waitUntil(() => rejections(gateway) > before);
  writeSupergraph(withFieldCost(70));
  const ready = async () => (await sendReady(gateway.origin)).json();
  await waitUntil(async () => !('supergraphRejected' in ((await ready()) as object)));
  const search = await processes.serveSubgraph('search', { port });
  // The first probe would be due after 2 seconds.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(await costOf(gateway)).toBe(71);
  await processes.stop(search);
});

/** Composes a supergraph without the search subgraph. */
function composeWithoutSearch(): string {
  const [config, out] = [join(folder, 'other.yaml'), join(folder, 'other.graphql')];
  const urls = repositorySubgraphs.map(({ name, routingUrl }) => [name, routingUrl]);
  const { search: _, ...others } = Object.fromEntries(urls) as Record<string, string>;
  writeFileSync(config, supergraphConfig(others));
  expect(spawnScript(repositoryRoot, 'compose-supergraph.mjs', ['--config', config, '--out', out])).toMatchObject({
    status: 0,
  });
  return readFileSync(out, 'utf8');
}

test('the gateway accepts a supergraph that lacks a subgraph, and warns with the names of the subgraph and its fields', async () => {
  const logged = () =>
    gateway
      .output()
      .split('\n')
      .filter((line) => line.includes('the new supergraph lacks parts of the old one'))
      .map((line) => JSON.parse(line) as { level: string; removedSubgraphs: string[]; breakingChanges: string[] });
  writeSupergraph(withFieldCost(45));
  await waitUntil(async () => (await costOf(gateway)) === 46);
  expect(logged()).toEqual([]);
  writeSupergraph(composeWithoutSearch());
  await waitUntil(() => logged().length > 0);
  const [line] = logged();
  expect([line?.level, line?.removedSubgraphs]).toEqual(['warn', ['search']]);
  for (const field of ['Query.search', 'Query.searchVerses', 'Query.semanticSearch', 'Verse.similar'])
    expect(line?.breakingChanges).toContain(`${field} was removed.`);
  const response = await send(`${gateway.origin}/graphql`, {
    headers: graphqlHeaders(token),
    body: JSON.stringify({ query: '{ search(query: "love") { reference } }' }),
  });
  expect(response.json()).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
  writeSupergraph(composed);
  await waitUntil(async () => (await costOf(gateway)) === 2);
  expect(logged()).toHaveLength(1);
});

test('the gateway keeps its supergraph when the supergraph file is deleted', async () => {
  rmSync(file);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await costOf(gateway)).toBe(2);
  writeSupergraph(composed);
});

test('while its registry has no supergraph, a gateway is not ready, and logs no credentials of its settings', async () => {
  const registry = await startSchemaRegistry();
  const url = `${registry.url.replace('//', '//reader:hunter2@')}/supergraph.graphql`;
  const remote = await startGateway(url, { SUPERGRAPH_HEADERS: `${registry.keyHeader}=${registryKey}` });
  try {
    const unready = await sendReady(remote.origin);
    expect([unready.status, unready.text]).toEqual([503, expect.stringMatching(/the gateway has no supergraph.*404/)]);
    registry.put('supergraph.graphql', withFieldCost(40));
    await waitUntil(async () => (await costOf(remote)) === 41);
    expect((await sendReady(remote.origin)).status).toBe(200);
    expect(remote.output()).not.toMatch(new RegExp(`hunter2|${registryKey}`));
  } finally {
    await remote.close();
    registry.close();
  }
});

test.each([
  ['X-Registry-Key: secret-value', 'http://127.0.0.1:9/', /^Error: SUPERGRAPH_HEADERS: pair 1 is not a header such as/],
  [
    'X-Registry-Key=secret-value,%',
    'http://127.0.0.1:9/',
    /^Error: SUPERGRAPH_HEADERS: pair 2 is not a header such as/,
  ],
  ['X-Registry-Key=secret-value', 'supergraph.graphql', /^Error: SUPERGRAPH_HEADERS needs a URL in SUPERGRAPH/],
])(
  'a gateway with SUPERGRAPH_HEADERS=%s and SUPERGRAPH=%s exits, names the first and prints no value of it',
  async (headers, location, reason) => {
    const error = await startGateway(location, { SUPERGRAPH_HEADERS: headers }).catch((error: Error) => error);
    expect(String(error)).toMatch(reason);
    expect(String(error)).not.toContain('secret-value');
  },
);
