import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as client from '@lectern/client';
import { repositoryRoot } from '@lectern/testing';
import { build } from 'esbuild';
import { buildSchema, isObjectType, parse, print, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { issueKey } from '../support/embedded-lectern';
import type { ClientServices } from './client-examples-fixture';
import { startClientServices } from './client-examples-fixture';

const folder = join(repositoryRoot, 'packages/client');

let services: ClientServices;
let lectern: client.LecternClient;
beforeAll(async () => {
  services = await startClientServices();
  lectern = client.createLecternClient({ url: services.lectern.url, key: services.lectern.token });
});
afterAll(() => services.close());

/** Creates a client, and records the bodies of its requests in `bodies`. */
function recordRequests(options: Partial<client.ClientOptions> = {}) {
  const bodies: { query?: string; operationName?: string; extensions?: object }[] = [];
  const recorded = client.createLecternClient({
    url: services.lectern.url,
    key: services.lectern.token,
    fetch: (url, init) => {
      bodies.push(JSON.parse(String(init?.body)));
      return fetch(url, init);
    },
    ...options,
  });
  return { recorded, bodies };
}

const john316 = { book: 'John', chapter: 3, verse: 16 };
const shepherd = { translation: 'eng-kjv', word: 'shepherd' };

/**
 * A call of each function that reads the API, with the largest page. `offlinePackage`, `verses`
 * and those of documents have tests of their own below. The functions that need semantic search are tested in
 * tests/operations/http-examples.test.ts.
 */
const calls: Record<string, () => Promise<unknown>> = {
  translations: () => client.translations(lectern),
  translation: () => client.translation(lectern, { identifier: 'eng-web' }),
  textVersions: () => client.textVersions(lectern, { translation: 'eng-web' }),
  parallelTexts: () => {
    const [from, to] = ['eng-web', 'eng-kjv'] as const;
    return client.parallelTexts(lectern, { reference: 'John 3:16', translations: [from, to], from, to });
  },
  languages: () => client.languages(lectern),
  books: () => client.books(lectern),
  bibleIndex: () => client.bibleIndex(lectern, { translation: 'spa-rv1909' }),
  passage: () => client.passage(lectern, { reference: 'Romans 12:1,3-4' }),
  chapter: () => client.chapter(lectern, { book: 'Psalms', chapter: 23 }),
  readingChapter: () => client.readingChapter(lectern, { book: 'Psalms', chapter: 23 }),
  verse: () => client.verse(lectern, john316),
  verseInTranslation: () => client.verseInTranslation(lectern, { ...john316, other: 'spa-rv1909' }),
  verseWords: () => client.verseWords(lectern, { ...john316, translation: 'eng-kjv' }),
  randomVerse: () => client.randomVerse(lectern, { testament: 'OT' }),
  verseOfTheDay: () => client.verseOfTheDay(lectern, { date: '2026-12-25' }),
  references: () => client.references(lectern, { text: 'Compare John 3:16 with Rom 5:8.' }),
  search: () => client.search(lectern, { query: 'shepherd', limit: 100 }),
  searchVerses: () => client.searchVerses(lectern, { query: 'shepherd', testament: 'NEW', first: 100 }),
  concordance: () => client.concordance(lectern, { ...shepherd, order: 'WORD_AFTER', first: 100 }),
  strongsConcordance: () => client.strongsConcordance(lectern, { translation: 'eng-kjv', number: 'G26', first: 100 }),
  wordDistribution: () => client.wordDistribution(lectern, shepherd),
  concordanceIndex: () => client.concordanceIndex(lectern, { translation: 'eng-kjv', prefix: 'mer', first: 200 }),
  collocates: () => client.collocates(lectern, { ...shepherd, first: 100 }),
  strongs: () => client.strongs(lectern, { number: 'H2617' }),
  topics: () => client.topics(lectern, { query: 'faith', first: 100 }),
  topic: () => client.topic(lectern, { name: 'Abba' }),
  verseTopics: () => client.verseTopics(lectern, { ...john316, first: 100 }),
  namedPassages: () => client.namedPassages(lectern, { query: 'the golden rule', first: 100 }),
  verseNamedPassages: () => client.verseNamedPassages(lectern, { ...john316, first: 100 }),
  crossReferences: () => client.crossReferences(lectern, { ...john316, first: 100 }),
  commentary: () => client.commentary(lectern, { ...john316, first: 20 }),
  commentaries: () => client.commentaries(lectern),
  originalTexts: () => client.originalTexts(lectern),
  originalVerses: () => client.originalVerses(lectern, { book: 'Joel', chapter: 2, verse: 28 }),
  interlinear: () => client.interlinear(lectern, { ...john316, translation: 'eng-kjv' }),
  interlinearPassage: () => client.interlinearPassage(lectern, { reference: 'Psalms 119:1-8', translation: 'eng-kjv' }),
  searchOriginals: () => client.searchOriginals(lectern, { words: [{ lemma: 'agapao' }], first: 100 }),
  lexiconEntry: () => client.lexiconEntry(lectern, { id: 'abbott-smith:ἀγάπη' }),
  strongsLexicons: () => client.strongsLexicons(lectern, { number: 'G26', translation: 'eng-kjv', first: 100 }),
};

test.each(Object.keys(calls))(
  'the function %s of @lectern/client returns data, for functions with pages with the largest page size',
  async (name) => {
    const value = await calls[name]?.();
    expect(value).toEqual(expect.anything());
    expect(value).not.toEqual([]);
  },
);

test('the function offlinePackage of @lectern/client returns the package of a translation with its size', async () => {
  const value = await client.offlinePackage(lectern, { identifier: 'eng-web' });
  expect(value?.sizeBytes).toBeGreaterThan(1_000_000);
});

test('the function verses of @lectern/client returns null for an id that belongs to no verse', async () => {
  const { id } = await client.verse(lectern, { book: 'John', chapter: 11, verse: 35 });
  expect(await client.verses(lectern, { ids: [id, 'unknown'] })).toEqual([
    expect.objectContaining({ text: 'Jesus wept.' }),
    null,
  ]);
});

test('translationDocuments of @lectern/client is empty for eng-web, and translationDocument throws NOT_FOUND', async () => {
  expect(await client.translationDocuments(lectern, {})).toEqual([]);
  await expect(client.translationDocument(lectern, { code: 'GLO', first: 100 })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining("Document 'GLO' not found"),
  });
});

test('a function of @lectern/client throws the GraphQL error of its field, with the error code, the path and the request id', async () => {
  await expect(client.verse(lectern, { book: 'John', chapter: 3, verse: 999 })).rejects.toMatchObject({
    name: 'ResponseError',
    code: 'NOT_FOUND',
    path: ['verse'],
    requestId: expect.stringMatching(/./),
  });
});

test('each function of @lectern/client that reads the API has a test in this file or in the list of tests elsewhere', () => {
  const tools = new Set(['createLecternClient', 'documentText', 'edges', 'pages']);
  const functions = Object.entries(client)
    .filter(([name, value]) => typeof value === 'function' && !name.endsWith('Error') && !tools.has(name))
    .map(([name]) => name);
  const elsewhere = [
    'offlinePackage',
    'verses',
    'translationDocuments',
    'translationDocument',
    'semanticSearch',
    'semanticTopics',
    'similarVerses',
  ];
  expect(functions.sort()).toEqual([...Object.keys(calls), ...elsewhere].sort());
});

describe('pages', () => {
  test.each([2, 7, 100])(
    'the function edges of @lectern/client with pages of %i entries yields each verse of a concordance once',
    async (first) => {
      const word = { translation: 'eng-kjv', word: 'shepherds' };
      const { totalCount } = await client.concordance(lectern, word);
      const references: string[] = [];
      for await (const { node } of client.edges(lectern, client.concordance, { ...word, first }))
        references.push(node.verse.reference);
      expect(references).toHaveLength(totalCount);
      expect(new Set(references).size).toBe(totalCount);
    },
  );

  test('the function edges of @lectern/client yields the entries of several pages of concordanceIndex', async () => {
    const lemmas: string[] = [];
    const index = { translation: 'eng-kjv', prefix: 'mer', first: 5 };
    for await (const { lemma } of client.edges(lectern, client.concordanceIndex, index)) lemmas.push(lemma);
    const all = await client.concordanceIndex(lectern, { ...index, first: 200 });
    expect(lemmas).toEqual(all.map(({ lemma }) => lemma));
    expect(lemmas.length).toBeGreaterThan(5);
  });

  test('the function pages of @lectern/client requests no further page after its loop is left with break', async () => {
    const { recorded, bodies } = recordRequests({ persistedQueries: false });
    for await (const page of client.pages(recorded, client.searchVerses, { query: 'love', first: 5 }))
      if (page.edges.length === 5) break;
    expect(bodies).toHaveLength(1);
  });

  test('the function pages of @lectern/client yields one empty page for a search without hits', async () => {
    const counts: number[] = [];
    for await (const { totalCount } of client.pages(lectern, client.searchVerses, { query: 'xyzzyplugh' }))
      counts.push(totalCount);
    expect(counts).toEqual([0]);
  });
});

describe('documents', () => {
  const query =
    'query Two { good: verse(book: "John", chapter: 11, verse: 35) { text } bad: strongs(number: "G0") { number } }';

  test('the method query of @lectern/client throws if a field failed, and the error has the data of the other fields', async () => {
    await expect(lectern.query(query)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      path: ['bad'],
      data: { good: { text: 'Jesus wept.' }, bad: null },
    });
  });

  test('the method execute of @lectern/client returns both the data and the errors of failed fields', async () => {
    const { data, errors } = await lectern.execute(query);
    expect(data).toEqual({ good: { text: 'Jesus wept.' }, bad: null });
    expect(errors).toEqual([expect.objectContaining({ path: ['bad'] })]);
  });

  test('query of @lectern/client accepts a parsed document without source text only with the option print', async () => {
    const text = '{ verse(book: "John", chapter: 11, verse: 35) { text } }';
    const expected = { verse: { text: 'Jesus wept.' } };
    expect(await lectern.query(parse(text) as client.TypedDocument<unknown, object>)).toEqual(expected);
    const tree = parse(text, { noLocation: true }) as client.TypedDocument<unknown, object>;
    expect(await recordRequests({ print }).recorded.query(tree)).toEqual(expected);
    await expect(lectern.query(tree)).rejects.toThrow('option `print` of graphql');
  });

  test('query of @lectern/client throws a ResponseError with GRAPHQL_VALIDATION_FAILED for an invalid document', async () => {
    await expect(lectern.query('{ verseText }')).rejects.toMatchObject({
      name: 'ResponseError',
      code: 'GRAPHQL_VALIDATION_FAILED',
      status: 400,
    });
  });
});

describe('persisted queries', () => {
  test('@lectern/client sends the hash of a query, and sends the whole query only if the service does not know the hash', async () => {
    const { recorded, bodies } = recordRequests();
    const text = `query Hashed { verse(book: "John", chapter: 11, verse: 35) { ${'text '.repeat(30)} } }`;
    for (const _ of [1, 2]) expect(await recorded.query(text)).toEqual({ verse: { text: 'Jesus wept.' } });
    expect(bodies.map((body) => [body.query === undefined, body.extensions !== undefined])).toEqual([
      [true, true],
      [false, true],
      [true, true],
    ]);
    expect(bodies.map(({ operationName }) => operationName)).toEqual(['Hashed', 'Hashed', 'Hashed']);
  });

  test("a restricted key can execute the queries of @lectern/client after the package's manifest is published", async () => {
    const { token } = await issueKey(services.lectern.keys, { email: 'app@example.org', documents: 'trusted' });
    const restricted = client.createLecternClient({ url: services.lectern.url, key: token });
    await expect(client.passage(restricted, { reference: 'John 11:35' })).rejects.toMatchObject({
      code: 'QUERY_NOT_IN_SAFELIST',
      status: 403,
    });
    await services.publishManifest(readFileSync(join(folder, 'dist/trusted-documents.json'), 'utf8'));
    expect(await client.passage(restricted, { reference: 'John 11:35' })).toMatchObject({ text: 'Jesus wept.' });
  });
});

test('@lectern/client throws an AuthenticationError for a wrong key', async () => {
  const stranger = client.createLecternClient({ url: services.lectern.url, key: 'svc_test_wrong' });
  await expect(client.books(stranger)).rejects.toBeInstanceOf(client.AuthenticationError);
  await expect(client.books(stranger)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
    status: 401,
    message: 'Invalid or missing API key',
  });
});

test.each([
  ['the landing page', '/', 'INVALID_RESPONSE'],
  ['an unknown path', '/graphq', 'UNKNOWN_PATH'],
])('@lectern/client with the URL of %s throws an error with the code %s', async (_, path, code) => {
  const lost = client.createLecternClient({ url: `${services.lectern.origin}${path}`, key: services.lectern.token });
  await expect(client.books(lost)).rejects.toMatchObject({ code });
});

describe('packages/client/README.md', () => {
  test.each([
    ['First answer', ['Jesus wept.\n', 'Jesus wept.\n']],
    ['Pages', ['Psalms 23:1\n']],
    ['Any other query', ['Psalms 119\n']],
    ['Errors', ["NOT_FOUND [ 'verse' ]\n"]],
    ['Cancel and limit the time', ['AbortError\ntrue\n']],
  ])(
    'the examples of the section "%s" of packages/client/README.md print the documented output',
    async (section, outputs) => {
      const readme = services.openFolder('packages/client/README.md', section);
      const results = [];
      for (const command of readme.commands) results.push({ command, ...(await readme.run(command)) });
      expect(results.filter(({ status }) => status !== 0)).toEqual([]);
      expect(results.filter(({ command }) => command.startsWith('node')).map(({ output }) => output)).toEqual(outputs);
    },
  );

  test('packages/client/README.md states the gzip size of the client, which is below 7 kB', () => {
    const bytes = gzipSync(readFileSync(join(folder, 'dist/esm/index.js')), { level: 9 }).byteLength;
    expect(bytes).toBeLessThan(7_000);
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    const [, stated] = /The whole client is ([\d.]+) kB/.exec(readme) ?? [];
    // The sizes may differ by less than 100 bytes, because the README rounds, and versions of zlib
    // compress a little differently.
    expect(Math.abs(Number(stated) * 1_000 - bytes)).toBeLessThan(100);
  });

  test('packages/client/README.md lists every function and every error class', () => {
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    const names = Object.keys(client);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(readme))).toEqual([]);
  });
});

test('a bundle with one function of @lectern/client contains no document of the functions that it does not import', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: "export { books, createLecternClient } from './packages/client/dist/esm/index.js';",
      resolveDir: repositoryRoot,
    },
    bundle: true,
    write: false,
    format: 'esm',
  });
  const [bundle] = outputFiles;
  expect(bundle?.text).toContain('query Books');
  expect(bundle?.text.match(/query [A-Z]\w+/g)).toEqual(['query Books']);
});

test('the npm package of the client has ESM and CommonJS builds with declarations, README.md and package.json alone', () => {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const [{ files }] = JSON.parse(output) as [{ files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['dist/esm/index.js', 'dist/esm/index.d.ts', 'dist/cjs/index.js', 'dist/cjs/index.d.ts']),
  );
  expect(paths.filter((path) => !/^dist\/|^README\.md$|^package\.json$/.test(path))).toEqual([]);
});

test('publish-client.mjs writes a package with the version of the tag, the licence and the repository', () => {
  const packed = mkdtempSync(join(tmpdir(), 'lectern-packed-'));
  try {
    const run = (tag: string) =>
      execFileSync(process.execPath, ['scripts/publish-client.mjs', tag, '--pack', packed], {
        cwd: repositoryRoot,
        env: { ...process.env, REPOSITORY: 'https://git.example.org/lectern' },
        stdio: 'pipe',
      });
    run('client-v1.2.3-beta.1');
    execFileSync('tar', ['-xzf', join(packed, 'lectern-client-1.2.3-beta.1.tgz'), '-C', packed]);
    expect(JSON.parse(readFileSync(join(packed, 'package/package.json'), 'utf8'))).toMatchObject({
      version: '1.2.3-beta.1',
      repository: { type: 'git', url: 'git+https://git.example.org/lectern.git', directory: 'packages/client' },
    });
    expect(existsSync(join(packed, 'package/LICENSE'))).toBe(true);
    expect(() => run('v1.2.3')).toThrow('must be such as client-v1.2.3');
  } finally {
    rmSync(packed, { recursive: true, force: true });
  }
});

test('the functions of @lectern/client together select at least 90 % of the fields of the API', async () => {
  const response = await fetch(`${services.lectern.origin}/schema.graphql`);
  const schema = buildSchema(await response.text());
  const fields = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) && !type.name.startsWith('__') && type !== schema.getMutationType())
    .flatMap((type) =>
      isObjectType(type) ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`) : [],
    );
  const selected = new Set<string>();
  const document = readFileSync(join(folder, 'documents.graphql'), 'utf8');
  const info = new TypeInfo(schema);
  visit(
    parse(document),
    visitWithTypeInfo(info, { Field: ({ name }) => void selected.add(`${info.getParentType()?.name}.${name.value}`) }),
  );
  const missing = fields.filter((field) => !selected.has(field));
  expect(fields.length).toBeGreaterThan(100);
  expect(missing.length).toBeLessThan(fields.length / 10);
});
