import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeys } from '@lectern/keys';
import type { StartedProcess } from '@lectern/testing';
import { graphqlHeaders, repositoryRoot, send, spawnProcess, startProcess } from '@lectern/testing';
import { pepper } from '../support/embedded-lectern';

const composed = readFileSync(join(repositoryRoot, 'supergraph.graphql'), 'utf8');
/** The same graph, but a subgraph team has changed a price. */
const priced = (price: number) =>
  composed.replace(
    '[ParsedReference!] @join__field(graph: TEXT) @fieldCost(base: 100)',
    `[ParsedReference!] @join__field(graph: TEXT) @fieldCost(base: ${price})`,
  );
const query = '{ references(text: "John 3:16") { reference } }';

const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
const file = join(folder, 'supergraph.graphql');
let text: StartedProcess;
let gateway: StartedProcess;
let token: string;

const startGateway = (supergraph: string) =>
  startProcess('gateway/dist/main.js', {
    LECTERN_DATA: folder,
    KEY_PEPPER: pepper,
    RATE_PER_MINUTE: '0',
    RATE_PER_DAY: '0',
    SUPERGRAPH: supergraph,
    SUPERGRAPH_POLL_MS: '50',
    SUBGRAPH_URLS: `text=${text.origin}/graphql`,
  });

beforeAll(async () => {
  const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper });
  ({ token } = await keys.issue({ email: 'tester@example.org', name: 'Tester', environment: 'test' }, 'a test'));
  await keys.close();
  text = await startProcess('services/text/dist/main.js', { LECTERN_DATA: join(repositoryRoot, 'data') });
  put(composed);
  gateway = await startGateway(file);
});

afterAll(async () => {
  for (const { child } of [gateway, text]) child.kill('SIGKILL');
  await Promise.all([gateway.ended, text.ended]);
  rmSync(folder, { recursive: true, force: true });
});

function put(sdl: string): void {
  writeFileSync(`${file}.part`, sdl);
  renameSync(`${file}.part`, file);
}

const answer = async ({ origin }: StartedProcess) => {
  const received = await send(`${origin}/graphql`, {
    headers: [...graphqlHeaders(token), 'Lectern-Report', 'cost'],
    body: JSON.stringify({ query }),
  });
  return received.json() as { data?: unknown; errors?: unknown; extensions?: { cost: { complexity: number } } };
};
const costOf = async (of: StartedProcess) => (await answer(of)).extensions?.cost.complexity;

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`it did not come to pass:\n${gateway.output().slice(-2_000)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('a price that a subgraph changes holds without a restart, and no request fails or is wrong on the way', async () => {
  const load = { on: true };
  const seen: unknown[] = [];
  const asking = Promise.all(
    Array.from({ length: 8 }, async () => {
      while (load.on) seen.push((await answer(gateway)).data);
    }),
  );
  for (const price of [50, 60, 70]) {
    put(priced(price));
    await until(async () => (await costOf(gateway)) === price + 1);
  }
  load.on = false;
  await asking;
  expect(seen.length).toBeGreaterThan(20);
  expect(new Set(seen.map((data) => JSON.stringify(data)))).toEqual(
    new Set(['{"references":[{"reference":"John 3:16"}]}']),
  );
});

test.each([
  ['half a file', (sdl: string) => sdl.slice(0, sdl.length / 2)],
  ['an empty file', () => ''],
  ['a schema that is no supergraph', () => 'type Query { weather: String }'],
  [
    'the supergraph of something else',
    (sdl: string) =>
      sdl.replace(
        /@join__graph\(name: "text", url: "[^"]*"\)/,
        '@join__graph(name: "weather", url: "http://127.0.0.1:9/graphql")',
      ),
  ],
])('%s in its place is refused in one line, and the old one goes on', async (_, broken) => {
  put(priced(80));
  await until(async () => (await costOf(gateway)) === 81);
  const before = refusals(gateway);
  put(broken(priced(90)));
  await until(() => refusals(gateway) > before);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect([refusals(gateway) - before, await costOf(gateway)]).toEqual([1, 81]);
  // And a good one after it is taken again.
  put(priced(91));
  await until(async () => (await costOf(gateway)) === 92);
});

const refusals = ({ output }: StartedProcess) =>
  output()
    .split('\n')
    .filter((line) => line.includes('the new supergraph is rejected')).length;

test('a supergraph that names a new subgraph which answers 404 is refused until it answers', async () => {
  const nowhere = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
  await new Promise((resolve) => nowhere.once('listening', resolve));
  const before = refusals(gateway);
  put(
    priced(95).replace(
      /(@join__graph\(name: "search", url: ")[^"]*/,
      `$1http://127.0.0.1:${(nowhere.address() as AddressInfo).port}/graphql`,
    ),
  );
  await until(() => refusals(gateway) > before);
  expect(gateway.output()).toMatch(/it names search, which does not answer/);
  expect(await costOf(gateway)).not.toBe(96);
  nowhere.close();
  put(composed);
  await until(async () => (await costOf(gateway)) === 101);
});

test('a file that is taken away changes nothing', async () => {
  rmSync(file);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await costOf(gateway)).toBe(101);
  put(composed);
});

test('from a URL it is fetched once a version', async () => {
  let sdl = priced(40);
  let whole = 0;
  let unchanged = 0;
  const server = createServer((request, response) => {
    const etag = `"${sdl.length}-${/@fieldCost\(base: (\d+)\)\n/.exec(sdl)?.[1] ?? ''}-${sdl.includes('base: 40') ? 'a' : 'b'}"`;
    if (request.headers['if-none-match'] === etag) {
      unchanged += 1;
      response.writeHead(304).end();
    } else {
      whole += 1;
      response.writeHead(200, { etag }).end(sdl);
    }
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/supergraph.graphql`;
  const remote = await startGateway(url);
  try {
    await until(() => unchanged >= 3);
    expect([whole, await costOf(remote)]).toEqual([1, 41]);
    sdl = priced(30);
    await until(async () => (await costOf(remote)) === 31);
    expect(whole).toBe(2);
  } finally {
    remote.child.kill('SIGKILL');
    await remote.ended;
    server.closeAllConnections();
    server.close();
  }
});

test('a gateway whose first supergraph cannot be had does not start, and says which', async () => {
  const { ended, output } = spawnProcess('gateway/dist/main.js', {
    LECTERN_DATA: folder,
    KEY_PEPPER: pepper,
    SUPERGRAPH: 'http://reader:hunter2@127.0.0.1:9/supergraph.graphql',
  });
  expect(await ended).toBe(1);
  expect(output()).toMatch(/Cannot fetch the supergraph from http:\/\/127\.0\.0\.1:9\/supergraph\.graphql/);
  expect(output()).not.toContain('hunter2');
});
