import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importFiles } from '@lectern/corpus';
import { buildSearchIndex } from '@lectern/search';
import type { GraphqlClient } from '@lectern/testing';
import { sendReady } from '@lectern/testing';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';
import type { ServiceInProcess } from '../support/services-in-process';
import { subgraphNames } from '../support/supergraph-yaml';

let processes: TestProcesses;
let text: ServiceInProcess;
let search: ServiceInProcess;
let concordance: ServiceInProcess;
let gateway: ServiceInProcess;
let client: GraphqlClient;

/**
 * Imports a translation that the other subgraphs do not have, and builds a search index of this
 * translation alone. So the search subgraph serves another dataset version (digest of its texts).
 */
async function indexOtherDataset(folder: string): Promise<void> {
  const file = join(folder, 'eng-own.usfx');
  writeFileSync(
    file,
    '<?xml version="1.0" encoding="utf-8"?>\n<usfx><languageCode>eng</languageCode><book id="PSA"><h>Psalms</h><c id="1"/><p><v id="1"/>A lantern of my own.<ve/></p></book></usfx>',
  );
  const log = () => {};
  await importFiles([file], { dataDir: folder, log, given: { identifier: 'eng-own' }, replace: true });
  await buildSearchIndex({ dataDir: folder, log });
}

beforeAll(async () => {
  processes = await openProcesses();
  await indexOtherDataset(processes.folder);
  text = await processes.serveSubgraph('text');
  concordance = await processes.serveSubgraph('concordance');
  const others = subgraphNames.filter((name) => !['text', 'concordance', 'search'].includes(name));
  const origins = await processes.serveSubgraphs(others);
  search = await processes.serveSubgraph('search', { dataDir: processes.folder });
  ({ gateway, client } = await processes.serveGateway(
    {
      text: [text.origin],
      search: [search.origin],
      concordance: [concordance.origin],
      ...origins,
    },
    { RESPONSE_CACHE_BYTES: '1000000' },
  ));
});
afterAll(() => processes.close());

const waitForLog = (line: string) => waitUntil(() => gateway.output().includes(line));
const readiness = () => sendReady(gateway.origin);
const datasetOf = async (subgraph: ServiceInProcess) =>
  ((await sendReady(subgraph.origin)).json() as { corpus: string }).corpus;

test('at startup the gateway logs that its subgraphs serve different Bible texts, and GET /ready names the dataset versions', async () => {
  const shared = await datasetOf(text);
  expect(await datasetOf(concordance)).toBe(shared);
  const shortened = (digest: string) => [digest.slice(0, 12)];
  const versionSkew = {
    concordance: shortened(shared),
    originals: shortened(shared),
    search: shortened(await datasetOf(search)),
    study: shortened(shared),
    text: shortened(shared),
  };
  await waitForLog(`"versionSkew":${JSON.stringify(versionSkew)},"msg":"subgraphs serve different dataset versions`);
  const ready = await readiness();
  expect([ready.status, ready.json()]).toEqual([200, { status: 'ready', versionSkew }]);
});

test('a subgraph that lacks a Bible translation returns null without errors for its fields of verses in this translation', async () => {
  const response = await client(
    '{ search(query: "lantern", translation: "eng-own") { id reference text words { text } inTranslation(identifier: "eng-kjv") { text } } languages { code } }',
  );
  expect(response).toEqual({
    data: {
      search: [
        {
          id: expect.any(String),
          reference: 'Psalms 1:1',
          text: 'A lantern of my own.',
          words: null,
          inTranslation: null,
        },
      ],
      languages: expect.arrayContaining([{ code: 'eng' }, { code: 'spa' }]),
    },
  });
});

test('when all subgraphs serve the same texts again, the gateway logs it and drops cached responses of the old texts', async () => {
  const own = '{ search(query: "lantern", translation: "eng-own") { reference } }';
  const found = { data: { search: [{ reference: 'Psalms 1:1' }] } };
  expect(await client(own)).toEqual(found);
  await processes.stop(search);
  expect(await client(own)).toEqual(found);
  await processes.serveSubgraph('search', { port: search.port });
  expect(await client('{ search(query: "lamp", limit: 1) { reference } }')).toMatchObject({ data: { search: [{}] } });
  await waitForLog('all subgraphs serve the same dataset version again');
  expect(await client(own)).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
  expect((await readiness()).json()).toEqual({ status: 'ready' });
});
