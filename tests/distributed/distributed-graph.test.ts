import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { GraphqlClient, StartedProcess } from '@lectern/testing';
import { dataDir, send, spawnProcess, withFolder } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { startFakeSubgraph } from '../support/fake-subgraph';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';
import { sendRaw } from '../support/raw-request';
import type { ServiceInProcess } from '../support/services-in-process';

let processes: TestProcesses;
let text: StartedProcess;
let search: ServiceInProcess;
let concordance: ServiceInProcess;
let gateway: StartedProcess;
let client: GraphqlClient;

const startText = (env: Record<string, string> = {}) =>
  processes.start('services/text/dist/main.js', { LECTERN_DATA: dataDir, ...env });
const startGateway = () =>
  processes.startGateway(
    { text: [text.origin], search: [search.origin], concordance: [concordance.origin] },
    { DRAIN_MS: '0' },
  );

beforeAll(async () => {
  processes = await openProcesses();
  text = await startText();
  [search, concordance] = await Promise.all([
    processes.serveSubgraph('search'),
    processes.serveSubgraph('concordance'),
  ]);
  ({ gateway, client } = await startGateway());
});
afterAll(() => processes.close());

const queries: [string, Record<string, unknown>?][] = [
  [
    '{ verse(book: "JHN", chapter: 3, verse: 16) { id text reference inTranslation(identifier: "spa-rv1909") { text } } }',
  ],
  ['query V($v: Int!) { a: verse(book: "JHN", chapter: 3, verse: $v) { text } books { name } }', { v: 999 }],
  ['query V($v: Int!) { verse(book: "JHN", chapter: 3, verse: $v) { text } }', { v: 'x' }],
  [
    '{ passage(reference: "Romans 12:1,3-4 & 13:2-4") { ...P } } fragment P on Passage { reference verses { verse ...V } } fragment V on Verse { __typename text }',
  ],
  [
    'query ($skip: Boolean = true) { books @skip(if: $skip) { name } languages { code @include(if: $skip) translationCount } __typename }',
  ],
  ['{ __schema { queryType { name } } translation(identifier: "eng-web") { name } }'],
  ['mutation { __typename }'],
  [
    '{ search(query: "love one another", limit: 3) { reference text inTranslation(identifier: "spa-rv1909") { text } } }',
  ],
  [
    'query S($q: String!) { searchVerses(query: $q, translation: "eng-kjv", first: 2) { totalCount edges { node { id words { text strongs { number } } } } } }',
    { q: 'in the beginning' },
  ],
  [
    '{ concordance(translation: "spa-rv1909", word: "amor", first: 2) { totalCount edges { node { context verse { reference inTranslation(identifier: "eng-kjv") { text } } } } } }',
  ],
  [
    '{ verse(book: "JHN", chapter: 3, verse: 16, translation: "eng-kjv") { text words { text strongs { number } } } translations { identifier concordanceIndexedAt } }',
  ],
  [
    '{ verseOfTheDay(date: "2026-02-30") { text } randomVerse(testament: "x") { text } passage(reference: "Nope 1") { text } }',
  ],
  ['{ nope }'],
];

test('a gateway with subgraphs in other processes returns the same responses as the service in one process', async () => {
  const lectern = await startEmbeddedLectern();
  for (const [query, variables] of queries) {
    // A gateway prepares an operation at its first request, and reuses the prepared operation
    // later.
    const responses = [
      await client(query, variables),
      await client(query, variables),
      await lectern.client(query, variables),
      await lectern.client(query, variables),
    ];
    for (const response of responses) expect(response).toEqual(responses[0]);
  }
  await lectern.close();
});

test('a gateway without a response cache compresses long responses with br or gzip', async () => {
  const query = '{ passage(reference: "Psalms") { text } }';
  const expected = await client(query);
  for (const coding of ['br', 'gzip']) {
    const response = await fetch(`${gateway.origin}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${processes.token}`,
        'content-type': 'application/json',
        'accept-encoding': coding,
      },
      body: JSON.stringify({ query }),
    });
    expect(response.headers.get('content-encoding')).toBe(coding);
    expect(await response.json()).toEqual(expected);
  }
});

test('through the gateway, an offline package (a file for apps) has its announced digest, and the same status and headers as from the text subgraph', async () => {
  const { data } = await client('{ translation(identifier: "eng-web") { offlinePackage { url sha256 } } }');
  const { url: announced, sha256 } = (data as { translation: { offlinePackage: { url: string; sha256: string } } })
    .translation.offlinePackage;
  expect(announced).toMatch(/^http:\/\/localhost:4000\/offline\//);
  const path = new URL(announced).pathname;
  const url = `${gateway.origin}${path}`;
  const whole = await fetch(url);
  expect(whole.status).toBe(200);
  expect(
    createHash('sha256')
      .update(Buffer.from(await whole.arrayBuffer()))
      .digest('hex'),
  ).toBe(sha256);
  const conditions: Record<string, string>[] = [
    {},
    { range: 'bytes=0-9' },
    { range: 'bytes=5-1' },
    { range: 'bytes=0-9', 'if-range': '"another"' },
    { 'if-none-match': `"${sha256}"` },
    { 'if-match': '"another"' },
  ];
  for (const headers of conditions) {
    const [through, direct] = await Promise.all(
      [url, `${text.origin}${path}`].map(async (each) => {
        const response = await fetch(each, { headers, method: 'HEAD' });
        const ignored = new Set(['date', 'connection', 'keep-alive']);
        return [response.status, [...response.headers].filter(([name]) => !ignored.has(name))];
      }),
    );
    expect(through).toEqual(direct);
  }
  const part = await fetch(url, { headers: { range: 'bytes=-10' } });
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10]);
});

test.each(['/offline/%2e%2e/ready', '/offline/eng-web/v1/x', '/offline/', '/offline/a//b', '/offline/%00'])(
  'the gateway responds 404 to %s, which is not the path of an offline package',
  async (path) => {
    expect(await sendRaw(gateway.origin, `GET ${path} HTTP/1.1\r\nHost: lectern\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 404 [^]*There is no such/,
    );
  },
);

test('if a subgraph is stopped, only the fields of this subgraph are null, and each has the error SUBGRAPH_UNAVAILABLE with its path', async () => {
  await processes.stop(concordance);
  const response = await client(
    '{ search(query: "wept", limit: 2, translation: "eng-kjv") { bookId words { text } } languages { code } strongs(number: "G26") { lemma } }',
  );
  expect(response.data).toMatchObject({
    search: [{ bookId: expect.any(String), words: null }, { words: null }],
    languages: expect.arrayContaining([{ code: 'eng' }, { code: 'spa' }]),
    strongs: null,
  });
  expect(
    response.errors?.map(({ path, extensions }) => `${path?.join('.')} ${String(extensions?.['code'])}`).sort(),
  ).toEqual(['search.0.words', 'search.1.words', 'strongs'].map((path) => `${path} SUBGRAPH_UNAVAILABLE`));
  concordance = await processes.serveSubgraph('concordance', { port: concordance.port });
  expect(await client('{ strongs(number: "G26") { number } }')).toEqual({ data: { strongs: { number: 'G26' } } });
});

test('a gateway that receives SIGTERM finishes its request in flight, accepts no new connection and exits with 0', async () => {
  const languages = [{ code: 'eng' }];
  const held: ServerResponse[] = [];
  const subgraph = await startFakeSubgraph((response) => held.push(response));
  const own = await processes.startGateway(
    { text: [subgraph.origin] },
    { DRAIN_MS: '0', SUBGRAPH_TIMEOUT_MS: '60000' },
  );
  const inFlight = own.client('{ languages { code } }');
  await waitUntil(() => held.length > 0);
  own.gateway.child.kill('SIGTERM');
  const error = () =>
    send(`${own.gateway.origin}/health`, { method: 'GET' }).then(
      () => '',
      ({ code }: NodeJS.ErrnoException) => code,
    );
  await waitUntil(async () => (await error()) === 'ECONNREFUSED');
  for (const response of held)
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: { languages } }));
  expect(await inFlight).toEqual({ data: { languages } });
  expect(await own.gateway.ended).toBe(0);
  await subgraph.close();
});

test("an idle keep-alive connection of the gateway does not delay a subgraph's exit on SIGTERM", async () => {
  await client('{ languages { code } }');
  const began = Date.now();
  text.child.kill('SIGTERM');
  expect(await text.ended).toBe(0);
  expect(Date.now() - began).toBeLessThan(5_000);
  text = await startText({ PORT: String(text.port) });
});

describe('startup errors', () => {
  const startupError = async (file: string, env: Record<string, string>) => {
    const { ended, output } = spawnProcess(file, env);
    return { code: await ended, lines: output().trim().split('\n') };
  };

  test('a text subgraph without data files exits with one line that names the command to run', async () => {
    await withFolder(async (empty) => {
      expect(await startupError('services/text/dist/main.js', { LECTERN_DATA: empty, PORT: '4999' })).toEqual({
        code: 1,
        lines: [expect.stringMatching(/text-catalogue\.sqlite is missing: run `npm run data`/)],
      });
    });
  });

  test('a gateway whose supergraph file is missing or whose port is taken exits with one line that names the reason', async () => {
    await withFolder(async (empty) => {
      expect(
        await startupError('gateway/dist/main.js', { LECTERN_DATA: empty, SUPERGRAPH: join(empty, 'none.graphql') }),
      ).toEqual({ code: 1, lines: [expect.stringContaining('npm run compose')] });
      expect(await startupError('gateway/dist/main.js', { LECTERN_DATA: empty, PORT: String(text.port) })).toEqual({
        code: 1,
        lines: [expect.stringContaining(`Port ${text.port} on 127.0.0.1 is taken`)],
      });
    });
  });
});
