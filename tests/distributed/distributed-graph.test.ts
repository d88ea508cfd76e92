import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { GraphqlClient, StartedProcess } from '@lectern/testing';
import { dataDir, freePort, send, spawnProcess, withFolder } from '@lectern/testing';
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

test('a gateway redirects a download to OFFLINE_BASE_URL, where the text subgraph sends it to pages of any origin', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const own = await startText({ OFFLINE_PORT: new URL(url).port, OFFLINE_BASE_URL: url });
  const { gateway: redirecting, client: ask } = await processes.serveGateway(
    { text: [own.origin] },
    { OFFLINE_BASE_URL: `${url}/` },
  );
  const { data } = await ask('{ translation(identifier: "eng-web") { offlinePackage { url sha256 } } }');
  const { url: announced, sha256 } = (data as { translation: { offlinePackage: { url: string; sha256: string } } })
    .translation.offlinePackage;
  expect(announced).toBe(`${url}/offline/eng-web/v1/${sha256}.sqlite.gz`);
  const { pathname } = new URL(announced);
  const first = await send(`${redirecting.origin}${pathname}`, { method: 'HEAD' });
  expect(first).toMatchObject({
    status: 308,
    headers: { location: announced, 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' },
  });
  const part = await fetch(`${redirecting.origin}${pathname}`, { headers: { range: 'bytes=0-9' } });
  expect([part.status, part.url, part.headers.get('etag')]).toEqual([206, announced, `"${sha256}"`]);
  const preflight = await send(`${redirecting.origin}${pathname}`, { method: 'OPTIONS' });
  expect(preflight).toMatchObject({
    status: 204,
    headers: { 'access-control-allow-headers': 'Range, If-Range, If-Match, If-None-Match' },
  });
  // The port for clients serves offline packages only.
  for (const path of ['/graphql', '/ready', '/dataset', '/offline/', '/offline/%2e%2e/ready'])
    expect(await send(`${url}${path}`, { method: 'GET' })).toMatchObject({ status: 404 });
  for (const service of [own, redirecting]) await processes.stop(service);
});

test.each(['', 'http://packages.example'])(
  'a gateway with OFFLINE_BASE_URL "%s" responds 404 to a download, and says what the operator can set',
  async (base) => {
    const own = await processes.serveGateway({ text: [text.origin] }, { OFFLINE_BASE_URL: base });
    expect(
      await sendRaw(
        own.gateway.origin,
        `GET /offline/x HTTP/1.1\r\nHost: packages.example\r\nConnection: close\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1\.1 404 [^]*This gateway has no offline packages\.[^]*OFFLINE_BASE_URL/);
    await processes.stop(own.gateway);
  },
);

test('the offline port of the text subgraph limits each address to OFFLINE_RATE_PER_MINUTE, also behind a trusted proxy', async () => {
  const port = await freePort();
  const own = await startText({
    OFFLINE_PORT: String(port),
    OFFLINE_RATE_PER_MINUTE: '2',
    TRUSTED_PROXIES: 'loopback',
  });
  const get = (address: string) =>
    send(`http://127.0.0.1:${port}/offline/x`, { method: 'GET', headers: ['X-Forwarded-For', address] });
  const statuses = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await get('203.0.113.9')).status);
  expect(statuses).toEqual([404, 404, 429]);
  const limited = await get('203.0.113.9');
  expect(limited.text).toBe(`Rate limit exceeded. Retry after ${limited.headers['retry-after']} seconds.\n`);
  expect(await get('203.0.113.10')).toMatchObject({ status: 404 });
  await processes.stop(own);
});

test('if a subgraph is stopped, only its fields are null, each with SUBGRAPH_UNAVAILABLE and its path', async () => {
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

  test('a text subgraph whose OFFLINE_PORT is taken exits with one line that names this setting', async () => {
    const env = { LECTERN_DATA: dataDir, PORT: String(await freePort()), OFFLINE_PORT: String(text.port) };
    expect(await startupError('services/text/dist/main.js', { ...env, LOG_LEVEL: 'silent' })).toEqual({
      code: 1,
      lines: [`Port ${text.port} on 127.0.0.1 is taken. Stop what listens there, or set OFFLINE_PORT to another.`],
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
