import { builtInModel } from '@lectern/embeddings';
import { createSemanticOptions, semanticSettings } from '@lectern/search';
import { readSettings, silentLogger } from '@lectern/serving';
import type { GraphqlClient } from '@lectern/testing';
import { dataDir, freePort, graphqlHeaders, send } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';
import type { ServiceInProcess } from '../support/services-in-process';
import { subgraphNames } from '../support/supergraph-yaml';

let processes: TestProcesses;
let searchPort: number;
let gateway: ServiceInProcess;
let client: GraphqlClient;
beforeAll(async () => {
  processes = await openProcesses();
  const others = await processes.serveSubgraphs(subgraphNames.filter((name) => name !== 'search'));
  searchPort = await freePort();
  ({ gateway, client } = await processes.serveGateway({ ...others, search: [`http://127.0.0.1:${searchPort}`] }));
});
afterAll(() => processes.close());

const startSearch = (env: Record<string, string>) =>
  processes.start('services/search/dist/main.js', { LECTERN_DATA: dataDir, PORT: String(searchPort), ...env });

test('/ready of a gateway responds 200 even with an unreachable subgraph or field, and names it with the reason', async () => {
  const readiness = async () => {
    const { status, text: body } = await send(`${gateway.origin}/ready`, { method: 'GET' });
    return [status, JSON.parse(body) as object];
  };
  await waitUntil(async () => 'degraded' in ((await readiness())[1] as object));
  expect(await readiness()).toEqual([
    200,
    { status: 'ready', degraded: [{ subgraph: 'search', reason: 'it does not respond' }] },
  ]);
  const search = await processes.serveSubgraph('search', { port: searchPort });
  await waitUntil(async () => !('degraded' in ((await readiness())[1] as object)));
  expect(await readiness()).toEqual([200, { status: 'ready' }]);

  await processes.stop(search);
  await startSearch({
    EMBEDDINGS_URL: 'http://127.0.0.1:9/v1',
    EMBEDDINGS_MODEL: builtInModel.id,
    SEMANTIC_TIMEOUT_MS: '200',
  });
  const field = { subgraph: 'search', reason: 'semanticSearch is unavailable' };
  // A gateway learns only from responses of a subgraph which of its fields are unavailable.
  // Therefore the test sends a query each time.
  await waitUntil(async () => {
    await client('{ search(query: "wept", limit: 1) { reference } }');
    return JSON.stringify(await readiness()) === JSON.stringify([200, { status: 'ready', degraded: [field] }]);
  });
});

/**
 * Sends a query with the header `Lectern-Report: cost`. Returns the errors and hints of the
 * response.
 */
async function fetchHints(query: string): Promise<[errors: unknown, hints: unknown]> {
  const { json } = await send(`${gateway.origin}/graphql`, {
    headers: [...graphqlHeaders(processes.token), 'Lectern-Report', 'cost'],
    body: JSON.stringify({ query }),
  });
  const { errors, extensions } = json() as { errors?: unknown; extensions?: Record<string, unknown> };
  return [errors, extensions?.['hints']];
}

test.each([
  [
    'semanticSearch in a Bible translation without verse vectors',
    'names the translation that has verse vectors',
    'semanticSearch(query: "peace", translation: "eng-kjv") { similarity }',
    'Query.semanticSearch',
    'spa-rv1909',
  ],
  [
    'searchVerses with mode: BEST while the embedding service is down',
    'says that the verses are found by their words alone',
    'searchVerses(query: "pastor", translation: "spa-rv1909", mode: BEST) { mode }',
    'Query.searchVerses',
    'by their words alone',
  ],
])(
  'a response to a request with the header Lectern-Report: cost has a hint for %s, which %s',
  async (_, _says, field, coordinate, message) => {
    // The search subgraph that the test above started still runs. Its EMBEDDINGS_URL is an address
    // at which no embedding service listens.
    const hints = [{ coordinate, message: expect.stringContaining(message) as string }];
    // The gateway passes the first two requests, which are equal, through to the subgraph: the first
    // after planning the operation, and the second by the same plan. It splits the third request
    // between two subgraphs.
    for (const query of [`{ ${field} }`, `{ ${field} }`, `{ ${field} languages { code } }`])
      expect(await fetchHints(query)).toEqual([undefined, hints]);
  },
);

test('while the embedding endpoint does not respond, /ready of the single process is 200 and reports semanticSearch', async () => {
  const endpoint = { EMBEDDINGS_URL: `http://127.0.0.1:${await freePort()}/v1`, EMBEDDINGS_MODEL: builtInModel.id };
  const settings = readSettings(endpoint, semanticSettings);
  const lectern = await startEmbeddedLectern({
    semantic: await createSemanticOptions({ settings, dataDir, log: silentLogger }),
  });
  const readiness = () => send(`${lectern.origin}/ready`, { method: 'GET' });
  await waitUntil(async () => (await readiness()).text.includes('degraded'));
  expect(await readiness()).toMatchObject({
    status: 200,
    text: '{"status":"ready","degraded":[{"subgraph":"search","reason":"semanticSearch is unavailable"}]}',
  });
  // The field hasEmbeddings says whether the translation has verse vectors. An outage of the
  // embedding endpoint does not change this.
  expect(await lectern.client('{ translation(identifier: "spa-rv1909") { hasEmbeddings } }')).toEqual({
    data: { translation: { hasEmbeddings: true } },
  });
  await lectern.close();
});
