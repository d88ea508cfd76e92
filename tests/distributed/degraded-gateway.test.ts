import { dataDir, freePort, send } from '@lectern/testing';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';
import { subgraphNames } from '../support/repository-subgraphs';

let processes: TestProcesses;
beforeAll(async () => {
  processes = await openProcesses();
});
afterAll(() => processes.close());

test('GET /ready of a gateway responds 200, and names a subgraph that is down, and later a field that is unavailable', async () => {
  const others = await processes.startSubgraphs(subgraphNames.filter((name) => name !== 'search'));
  const searchPort = await freePort();
  const { gateway, client } = await processes.startGateway({
    ...others,
    search: [`http://127.0.0.1:${searchPort}`],
  });
  const readiness = async () => {
    const { status, text: body } = await send(`${gateway.origin}/ready`, { method: 'GET' });
    return [status, JSON.parse(body) as object];
  };
  await waitUntil(async () => 'degraded' in ((await readiness())[1] as object));
  expect(await readiness()).toEqual([
    200,
    { status: 'ready', degraded: [{ subgraph: 'search', reason: 'it does not respond' }] },
  ]);
  const startSearch = (env: Record<string, string>) =>
    processes.start('services/search/dist/main.js', { LECTERN_DATA: dataDir, PORT: String(searchPort), ...env });
  const search = await startSearch({ SEMANTIC_TRANSLATIONS: '' });
  await waitUntil(async () => !('degraded' in ((await readiness())[1] as object)));
  expect(await readiness()).toEqual([200, { status: 'ready' }]);

  await processes.stop(search);
  await startSearch({ EMBEDDINGS_URL: 'http://127.0.0.1:9/v1' });
  const field = { subgraph: 'search', reason: 'semanticSearch is unavailable' };
  // A gateway learns from each response which fields of a subgraph are unavailable.
  await waitUntil(async () => {
    await client('{ search(query: "wept", limit: 1) { reference } }');
    return JSON.stringify(await readiness()) === JSON.stringify([200, { status: 'ready', degraded: [field] }]);
  });
});
