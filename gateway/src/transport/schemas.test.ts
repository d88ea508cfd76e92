import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Logger } from '@lectern/serving';
import { silentLogger } from '@lectern/serving';
import { graphqlUrl } from '../../test-support/graphql-url';
import { createDeployedSchemas } from '../supergraph/deployed-schemas';
import { schemaDigest } from '../supergraph/schema-digest';
import { createHttpSubgraphs } from './http-subgraphs';

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.11", import: ["@key"])';
const composed = `${link} type Query { "All books." books(first: Int = 1, after: ID): Int }`;
/**
 * The SDL of the same schema as a running subgraph returns it: in another order and format, and
 * with the definitions that federation adds.
 */
const deployed = `schema { query: Query } ${link}
  directive @key(fields: federation__FieldSet!) repeatable on OBJECT
  scalar federation__FieldSet
  type Query { """All books.""" books(after: ID, first: Int = 1): Int _service: _Service! }
  type _Service { sdl: String }`;

const json = (response: ServerResponse, body: unknown): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const sdl = (source: unknown) => (response: ServerResponse) => json(response, { data: { _service: { sdl: source } } });

/**
 * Starts a subgraph whose response to `_service` a test can change. Creates the check of its
 * schema.
 */
async function startCheck() {
  const subgraph = { respond: sdl(deployed), sdlRequests: 0 };
  const server = createServer(async (request, response) => {
    if (!(await text(request)).includes('_service')) return json(response, { data: { __typename: 'Query' } });
    subgraph.sdlRequests += 1;
    return subgraph.respond(response);
  });
  const subgraphs = createHttpSubgraphs({
    urls: '',
    secrets: '',
    timeoutMs: 300,
    hedgeMs: 300,
    connections: 1,
    log: silentLogger,
  });
  subgraphs.subgraph('text', await graphqlUrl(server));
  await subgraphs.probed();
  const lines: string[] = [];
  const write = (_: unknown, line: string) => void lines.push(line);
  const openGraph = () => ({
    schemaDigests: new Map([['text', schemaDigest(composed)]]),
    readSdls: subgraphs.readSdls,
    state: () => ({ health: subgraphs.health() }),
  });
  const live = { graph: openGraph(), now: 0 };
  return {
    subgraph,
    subgraphs,
    lines,
    ...createDeployedSchemas({
      graph: () => live.graph,
      log: { ...silentLogger, warn: write, info: write } as Logger,
      now: () => live.now,
    }),
    /** Replaces the graph by an equal graph, as the gateway does for a new supergraph. */
    swap(): void {
      live.graph = openGraph();
    },
    passMinute(): void {
      live.now += 60_000;
    },
    async close(): Promise<void> {
      await subgraphs.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

test('the gateway logs one line when the schema of a subgraph becomes invalid or differs from the supergraph, and one line when the schemas are equal again', async () => {
  const { subgraph, check, differing, lines, passMinute, close } = await startCheck();
  await check();
  expect([differing(), lines]).toEqual([[], []]);
  for (const changed of [deployed.replace('All', 'The'), deployed.replace('ID', 'String'), 'no SDL']) {
    subgraph.respond = sdl(changed);
    passMinute();
    await check();
    expect(differing()).toEqual(['text']);
  }
  expect(lines).toEqual([expect.stringMatching(/^a subgraph serves another schema/)]);
  subgraph.respond = sdl(deployed);
  passMinute();
  await check();
  expect(differing()).toEqual([]);
  expect(lines).toEqual([expect.anything(), expect.stringMatching(/ again$/)]);
  await close();
});

test.each<[string, (response: ServerResponse) => void]>([
  ['does not know _service', (response) => json(response, { errors: [{ message: 'Cannot query field "_service".' }] })],
  ['responds with 500', (response) => void response.writeHead(500).end()],
  ['hangs', () => {}],
  ['closes the connection', (response) => void response.destroy()],
  ['responds with 10 MB', sdl('#'.repeat(10_000_000))],
  ['responds with a number', sdl(1)],
])(
  'a subgraph that %s when the gateway requests its schema is not reported as different, stays available, and gets the request again at the next check',
  async (_, respond) => {
    const { subgraph, subgraphs, check, differing, lines, close } = await startCheck();
    subgraph.respond = respond;
    for (let time = 1; time <= 6; time += 1) await check();
    expect(subgraph.sdlRequests).toBe(6);
    expect([differing(), lines, subgraphs.health().degraded]).toEqual([[], [], []]);
    expect(subgraphs.replicas()).toMatchObject([{ isCircuitOpen: false }]);
    subgraph.respond = sdl('type Query { a: Int }');
    await check();
    expect(differing()).toEqual(['text']);
    await close();
  },
);

test('the gateway compares the schema of a subgraph with the supergraph once a minute, and at once after the supergraph is replaced', async () => {
  const { subgraph, check, swap, passMinute, close } = await startCheck();
  await check();
  await check();
  expect(subgraph.sdlRequests).toBe(1);
  passMinute();
  await check();
  expect(subgraph.sdlRequests).toBe(2);
  swap();
  await check();
  expect(subgraph.sdlRequests).toBe(3);
  await close();
});
