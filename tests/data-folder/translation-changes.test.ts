import { copyFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GraphqlClient, StartedProcess } from '@lectern/testing';
import {
  createGraphqlClient,
  freePort,
  linkData,
  metricValue,
  send,
  sendReady,
  spawnProcess,
  startProcess,
} from '@lectern/testing';
import { waitUntil } from '../support/processes';

const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
let lectern: StartedProcess;
let client: GraphqlClient;
let metricsPort: number;

beforeAll(async () => {
  linkData(folder);
  metricsPort = await freePort();
  lectern = await startProcess('packages/standalone/dist/main.js', {
    LECTERN_DATA: folder,
    SEMANTIC_TRANSLATIONS: '',
    KEY_RATE_PER_MINUTE: '0',
    RATE_PER_MINUTE: '0',
    RATE_PER_DAY: '0',
    METRICS_PORT: String(metricsPort),
  });
  await waitUntil(() => lectern.output().includes('curl'));
  const token = /svc_test_[A-Za-z0-9_-]{49}/.exec(lectern.output())?.[0] ?? '';
  client = createGraphqlClient(`${lectern.origin}/graphql`, token);
});
afterAll(async () => {
  lectern?.child.kill('SIGTERM');
  await lectern?.ended;
  rmSync(folder, { recursive: true });
});

/** Runs the program of `npm run corpus` with the data folder of the running service. */
async function corpus(...args: string[]): Promise<void> {
  const env = { LECTERN_DATA: folder, SEMANTIC_TRANSLATIONS: '' };
  const { ended, output } = spawnProcess('packages/standalone/dist/corpus-main.js', env, args);
  if ((await ended) !== 0) throw new Error(output());
}

/** Writes a USFX file with one verse, Psalm 1:1. */
function writeVerse(text: string): string {
  const file = join(folder, 'eng-own.usfx');
  writeFileSync(
    file,
    `<usfx><languageCode>eng</languageCode><book id="PSA"><h>Psalms</h><c id="1"/><p><v id="1"/>${text}<ve/></p></book></usfx>`,
  );
  return file;
}

/** Without the Hebrew and Greek texts, which not each machine has. */
async function translations(): Promise<string[]> {
  const { data } = await client('{ translations { identifier } }');
  const identifiers = (data as { translations: { identifier: string }[] }).translations.map((each) => each.identifier);
  return identifiers.filter((identifier) => !/^(?:hbo|grc)-/.test(identifier));
}

const searchOwn = () =>
  client(
    '{ search(query: "lantern", translation: "eng-own") { text } concordance(translation: "eng-own", word: "lantern") { totalCount } }',
  );

/**
 * Returns one topic that names the verse of the imported translation. Returns [] while the text or
 * the study subgraph does not serve the verse yet.
 */
async function topicsOfOwn(): Promise<unknown[]> {
  const { data } = await client(
    '{ verse(translation: "eng-own", book: "PSA", chapter: 1, verse: 1) { topics(first: 1) { topic { name } } } }',
  );
  return (data as { verse: { topics: unknown[] | null } | null }).verse?.topics ?? [];
}

/**
 * Sends requests for other translations until `work` is done. Returns the errors of their
 * responses.
 */
async function withLoad(work: () => Promise<void>): Promise<unknown[]> {
  const failures: unknown[] = [];
  const stop = new AbortController();
  const sendRequests = async () => {
    while (!stop.signal.aborted) {
      const { errors } = await client(
        '{ verse(book: "John", chapter: 3, verse: 16) { text } search(query: "lamp", limit: 1) { text } concordance(translation: "eng-web", word: "lamp", first: 1) { totalCount } }',
      );
      if (errors) failures.push(errors);
    }
  };
  await Promise.all([work().finally(() => stop.abort()), sendRequests()]);
  return failures;
}

test('an imported, replaced or removed translation needs no restart, and no request for others fails meanwhile', async () => {
  const failures = await withLoad(async () => {
    // The service caches this response. The cached response must not outlive the import.
    expect(await translations()).toEqual(['eng-kjv', 'eng-web', 'spa-rv1909']);

    await corpus('import', writeVerse('A lantern of my own.'));
    // Each subgraph notices within a second that the file with its list of translations has
    // changed.
    await waitUntil(async () => (await searchOwn()).errors === undefined && (await translations()).length > 3);
    expect(await translations()).toEqual(['eng-kjv', 'eng-own', 'eng-web', 'spa-rv1909']);
    expect((await searchOwn()).data).toEqual({
      search: [{ text: 'A lantern of my own.' }],
      concordance: { totalCount: 1 },
    });
    await waitUntil(async () => (await topicsOfOwn()).length > 0);

    await corpus('import', writeVerse('Two lanterns and a lantern.'), '--replace');
    await waitUntil(async () => JSON.stringify((await searchOwn()).data).includes('Two lanterns'));

    await corpus('remove', 'eng-own');
    await waitUntil(async () => (await searchOwn()).errors?.length === 2 && (await translations()).length < 4);
    expect(await translations()).toEqual(['eng-kjv', 'eng-web', 'spa-rv1909']);
  });
  expect(failures).toEqual([]);
  // The subgraphs notice the removal at different times, and serve different texts for a moment.
  const readiness = async () => (await sendReady(lectern.origin)).json();
  await waitUntil(async () => !('versionSkew' in ((await readiness()) as object)));
  expect(await readiness()).toEqual({ status: 'ready' });
});

test('a truncated search.sqlite is reported in a log line, /ready and a metric, and all other data is served', async () => {
  const file = join(folder, 'translations', 'eng-kjv', 'search.sqlite');
  const copy = join(folder, 'copy.sqlite');
  // The file is a hard link to the repository's data, so the test truncates a copy in its place.
  // The service has not opened the file yet: it does so at the first search.
  copyFileSync(file, copy);
  rmSync(file);
  copyFileSync(copy, file);
  truncateSync(file, 100_000);

  const searchKjv = '{ search(query: "lamp", limit: 1, translation: "eng-kjv") { text } }';
  const responses = await Promise.all(Array.from({ length: 20 }, () => client(searchKjv)));
  expect(responses.map(({ errors }) => errors?.[0]?.extensions?.['code'])).toEqual(Array(20).fill('NOT_FOUND'));
  const reports = () => lectern.output().match(/^.*eng-kjv is not served.*$/gm) ?? [];
  await waitUntil(() => reports().length > 0);
  expect(reports()).toEqual([expect.stringMatching(/search\.sqlite is damaged \(100000 bytes\): run `npm run data`/)]);
  const { text } = await send(`http://127.0.0.1:${metricsPort}/metrics`, { method: 'GET' });
  const unavailable = ['text', 'search', 'concordance'].map((subgraph) =>
    metricValue(text, 'lectern_translations_unavailable', `subgraph="${subgraph}"`),
  );
  expect(unavailable).toEqual([0, 1, 0]);
  const { errors } = await client(
    '{ verse(book: "PSA", chapter: 1, verse: 1, translation: "eng-kjv") { text } search(query: "lamp", limit: 1) { text } concordance(translation: "eng-kjv", word: "lamp", first: 1) { totalCount } }',
  );
  expect(errors).toBeUndefined();
  const ready = (await sendReady(lectern.origin)).json();
  expect(JSON.stringify(ready)).toContain('eng-kjv');
});
