import { dataDir, freePort, send } from '@lectern/testing';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';

let processes: TestProcesses;
beforeAll(async () => {
  processes = await openProcesses();
});
afterAll(() => processes.close());

test('GET /ready of a gateway responds 200 and names a subgraph that is down from the start, without a request to it, until the subgraph has started', async () => {
  const text = await processes.start('services/text/dist/main.js', { LECTERN_DATA: dataDir });
  const concordance = await processes.start('services/concordance/dist/main.js', { LECTERN_DATA: dataDir });
  const searchPort = await freePort();
  const { gateway } = await processes.startGateway({
    text: [text.origin],
    search: [`http://127.0.0.1:${searchPort}`],
    concordance: [concordance.origin],
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
  await processes.start('services/search/dist/main.js', {
    LECTERN_DATA: dataDir,
    SEMANTIC_TRANSLATIONS: '',
    PORT: String(searchPort),
  });
  await waitUntil(async () => !('degraded' in ((await readiness())[1] as object)));
  expect(await readiness()).toEqual([200, { status: 'ready' }]);
});
