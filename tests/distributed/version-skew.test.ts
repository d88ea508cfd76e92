import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importFiles } from '@lectern/corpus';
import { buildSearchIndex } from '@lectern/search';
import type { GraphqlClient, StartedProcess } from '@lectern/testing';
import { dataDir, send } from '@lectern/testing';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';

let rooms: TestProcesses;
let text: StartedProcess;
let search: StartedProcess;
let concordance: StartedProcess;
let gateway: StartedProcess;
let client: GraphqlClient;

const startSearch = (folder: string, env: Record<string, string> = {}) =>
  rooms.start('services/search/dist/main.js', { LECTERN_DATA: folder, SEMANTIC_TRANSLATIONS: '', ...env });

/** An index of search over a corpus that the other subgraphs have never seen. */
async function indexOtherTexts(folder: string): Promise<void> {
  const file = join(folder, 'eng-own.usfx');
  writeFileSync(
    file,
    '<?xml version="1.0" encoding="utf-8"?>\n<usfx><languageCode>eng</languageCode><book id="PSA"><h>Psalms</h><c id="1"/><p><v id="1"/>A lantern of my own.<ve/></p></book></usfx>',
  );
  const log = () => {};
  await importFiles([file], { dataDir: folder, log, given: { identifier: 'eng-own' }, replace: true });
  await buildSearchIndex({ corpusFile: join(folder, 'corpus.sqlite'), searchFile: join(folder, 'search.sqlite'), log });
}

beforeAll(async () => {
  rooms = await openProcesses();
  await indexOtherTexts(rooms.folder);
  text = await rooms.start('services/text/dist/main.js', { LECTERN_DATA: dataDir });
  concordance = await rooms.start('services/concordance/dist/main.js', { LECTERN_DATA: dataDir });
  search = await startSearch(rooms.folder);
  ({ gateway, client } = await rooms.startGateway(
    { text: [text.origin], search: [search.origin], concordance: [concordance.origin] },
    { RESPONSE_CACHE_BYTES: '1000000' },
  ));
});
afterAll(() => rooms.close());

const logged = (line: string) => waitUntil(() => gateway.output().includes(line));
const readiness = () => send(`${gateway.origin}/ready`, { method: 'GET' });
const corpusOf = async (room: StartedProcess) =>
  ((await send(`${room.origin}/ready`, { method: 'GET' })).json() as { corpus: string }).corpus;

test('a subgraph built from other texts than the rest is noticed before anybody asks', async () => {
  const shared = await corpusOf(text);
  expect(await corpusOf(concordance)).toBe(shared);
  const shown = (digest: string) => [digest.slice(0, 12)];
  const mixedData = { concordance: shown(shared), search: shown(await corpusOf(search)), text: shown(shared) };
  await logged(`"versionSkew":${JSON.stringify(mixedData)},"msg":"subgraphs serve different dataset versions`);
  const ready = await readiness();
  expect([ready.status, ready.json()]).toEqual([200, { status: 'ready', mixedData }]);
});

test('what one side has and the others lack is null at its fields, and the rest of the answer stands', async () => {
  const answer = await client(
    '{ search(query: "lantern", translation: "eng-own") { id reference text words { text } inTranslation(identifier: "eng-kjv") { text } } languages { code } }',
  );
  expect(answer.data).toMatchObject({
    search: [{ reference: 'Psalms 1:1', text: 'A lantern of my own.', words: null }],
    languages: [{ code: 'eng' }, { code: 'spa' }],
  });
});

test('once all serve the same texts again, the gateway says so, and gives no answer any more that it kept from the others', async () => {
  const own = '{ search(query: "lantern", translation: "eng-own") { reference } }';
  const found = { data: { search: [{ reference: 'Psalms 1:1' }] } };
  expect(await client(own)).toEqual(found);
  await rooms.stop(search, 'SIGTERM');
  expect(await client(own)).toEqual(found);
  await startSearch(dataDir, { PORT: String(search.port) });
  expect(await client('{ search(query: "lamp", limit: 1) { reference } }')).toMatchObject({ data: { search: [{}] } });
  await logged('all subgraphs serve the same texts again');
  expect(await client(own)).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
  expect((await readiness()).json()).toEqual({ status: 'ready' });
});
