import { createSemanticOptions, semanticSettings } from '@lectern/search';
import { readSettings, silentLogger } from '@lectern/serving';
import { dataDir, freePort, send } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { waitUntil } from '../support/processes';

test('while the embedding endpoint does not respond, GET /ready of the service in one process responds 200 and reports semanticSearch as degraded', async () => {
  const settings = readSettings({ EMBEDDINGS_URL: `http://127.0.0.1:${await freePort()}/v1` }, semanticSettings);
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
