import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { freePort, repositoryRoot, waitForPort } from '@lectern/testing';
import type { Page } from 'playwright-core';
import { issueKey } from '../support/embedded-lectern';
import type { OpenOptions, TestBrowser } from '../support/headless-browser';
import { findBrowser, startBrowser } from '../support/headless-browser';
import type { ClientFolder, ClientServices } from './client-examples-fixture';
import { startClientServices } from './client-examples-fixture';
import { serveBundle } from './serve-script';

/**
 * The sections of examples/clients/README.md whose example `passage.js` runs on a server and in a
 * browser.
 */
const libraries = [
  '@lectern/client',
  'Apollo Client',
  'Apollo Client with automatic persisted queries',
  'urql',
  'urql with automatic persisted queries',
  'graphql-request',
  'Relay',
];

const program = findBrowser();
const testInstalled = program === null ? test.skip : test;

let services: ClientServices;
let browser: TestBrowser;
let restrictedKey: string;
beforeAll(async () => {
  services = await startClientServices();
  ({ token: restrictedKey } = await issueKey(services.lectern.keys, {
    email: 'app@example.org',
    documents: 'trusted',
  }));
  if (program !== null) browser = await startBrowser(program);
});
afterAll(async () => {
  await browser?.close();
  await services.close();
});

/**
 * Creates a folder with the files of these sections of examples/clients/README.md, and runs the
 * commands of the sections, which generate files that `passage.js` imports. A file of a later
 * section replaces a file of an earlier section with the same name.
 */
async function openLibrary(...sections: string[]): Promise<ClientFolder> {
  const folder = services.openFolder('examples/clients/README.md', ...sections, 'On a server, in a browser');
  for (const command of folder.commands.filter((each) => !each.startsWith('node server.js')))
    expect(await folder.run(command)).toMatchObject({ status: 0 });
  return folder;
}

/**
 * Bundles a script of the folder, serves it with the page `html` on its own origin, and opens the
 * page.
 */
async function openOnOtherOrigin(folder: ClientFolder, script: string, html: string, options?: OpenOptions) {
  const server = await serveBundle(folder.path, script, html);
  const { page, problems, close } = await browser.open(server.origin, options);
  return {
    page,
    /** The problems that Chromium reports, without the expected requests of the page to Lectern. */
    problems: () => problems.filter((problem) => problem !== `other origin: ${services.lectern.url}`),
    async close() {
      await close();
      await server.close();
    },
  };
}

/**
 * Enters an API key in the page of the example, reads a passage, and waits until the page shows
 * `text`.
 */
async function readInBrowser(page: Page, key: string, text: string): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Read' }).click();
  await page.getByRole('status').filter({ hasText: text }).waitFor();
}

describe.each(libraries)('%s, set up as in examples/clients/README.md', (library) => {
  let folder: ClientFolder;
  beforeAll(async () => {
    folder = await openLibrary(library);
  });

  test(`${library} reads a passage on a server`, async () => {
    expect(await folder.run('node server.js')).toEqual({ status: 0, output: 'Jesus wept.\n' });
  });

  testInstalled(`${library} in a page of another origin reads a passage, and shows why a wrong key fails`, async () => {
    const { page, problems, close } = await openOnOtherOrigin(folder, 'main.js', folder.read('index.html'));
    await readInBrowser(page, services.lectern.token, 'Jesus wept.');
    expect(problems()).toEqual([]);
    await readInBrowser(page, 'svc_test_wrong', 'Invalid or missing API key');
    await close();
  });
});

/** A module that prints the headers and the body of every request. */
const printRequests = `
const send = globalThis.fetch;
globalThis.fetch = (url, { headers, body, ...options }) => {
  console.log(JSON.stringify({ headers, body: JSON.parse(body) }));
  return send(url, { headers, body, ...options });
};
`;

test('Apollo Client, set up as in examples/clients/README.md, sends the name and the version of the application in headers', async () => {
  const folder = await openLibrary('Apollo Client');
  folder.write('print-requests.js', printRequests);
  const { output } = await folder.run('node --import ./print-requests.js server.js');
  expect(JSON.parse(output.split('\n')[0] ?? '')).toMatchObject({
    headers: { 'apollographql-client-name': 'my-app', 'apollographql-client-version': '1.0.0' },
  });
});

test.each(['Apollo Client with automatic persisted queries', 'urql with automatic persisted queries'])(
  '%s sends only the hash of a query, and not its text, once the service has executed the query',
  async (section) => {
    const folder = await openLibrary(section);
    await folder.run('node server.js');
    folder.write('print-requests.js', printRequests);
    const { output } = await folder.run('node --import ./print-requests.js server.js');
    const [request = '', ...rest] = output.split('\n');
    expect(rest).toEqual(['Jesus wept.', '']);
    expect((JSON.parse(request) as { body: object }).body).toEqual({
      operationName: 'Passage',
      variables: { reference: 'John 11:35' },
      extensions: expect.objectContaining({
        persistedQuery: { version: 1, sha256Hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      }),
    });
  },
);

test.each([
  ['Apollo Client with trusted documents', [], 'persisted-query-manifest.json'],
  ['Relay with trusted documents', ['Relay'], 'persisted-queries.json'],
])(
  '%s reads a passage with a restricted key after the operator has published the manifest of the client',
  async (section, before, manifest) => {
    const folder = await openLibrary(...before, section);
    const run = () => folder.run('node server.js', { LECTERN_KEY: restrictedKey });
    expect((await run()).output).toContain('trusted documents');
    await services.publishManifest(folder.read(manifest));
    expect(await run()).toEqual({ status: 0, output: 'Jesus wept.\n' });
  },
);

test('urql without the option preferGetMethod: false gets an error from the service that names this option', async () => {
  const folder = await openLibrary('urql');
  folder.write('passage.js', folder.read('passage.js').replace('    preferGetMethod: false,\n', ''));
  expect((await folder.run('node server.js')).output).toMatch(/CombinedError: .*preferGetMethod: false/);
});

test("Relay's directive @connection merges the pages of the fields concordance and searchVerses", async () => {
  const folder = await openLibrary('Relay');
  folder.write('occurrences.js', readTwoPages('concordance', 'queriesOccurrencesQuery', { word: 'shepherd' }));
  folder.write('search.js', readTwoPages('searchVerses', 'queriesSearchQuery', { text: 'shepherd' }));
  const merged = { status: 0, output: '20 merged, 20 different\n' };
  expect(await Promise.all([folder.run('node occurrences.js'), folder.run('node search.js')])).toEqual([
    merged,
    merged,
  ]);
});

const readTwoPages = (field: string, query: string, variables: object) => `
import relay from 'relay-runtime';
import query from './__generated__/${query}.graphql.js';
import { createEnvironment } from './passage.js';

const { createOperationDescriptor, fetchQuery } = relay;
const environment = createEnvironment(process.env.LECTERN_URL, process.env.LECTERN_KEY);
const first = { ...${JSON.stringify(variables)}, first: 10, after: null };
const { ${field}: page } = await fetchQuery(environment, query, first).toPromise();
environment.retain(createOperationDescriptor(query, first));
await fetchQuery(environment, query, { ...first, after: page.pageInfo.endCursor }).toPromise();
const { edges } = environment.lookup(createOperationDescriptor(query, first).fragment).data.${field};
const references = edges.map(({ node }) => (node.verse ?? node).reference);
console.log(\`\${references.length} merged, \${new Set(references).size} different\`);
`;

test('the example proxy adds its key to the operations on its list, and rejects other operations and long bodies', async () => {
  const folder = services.openFolder(
    'examples/clients/README.md',
    'A server that adds the key',
    'urql',
    'On a server, in a browser',
  );
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [, text = ''] = /Passage: '(.*)'/.exec(folder.read('proxy.js')) ?? [];
  await services.publishManifest(JSON.stringify({ passage: text }));
  folder.start(`LECTERN_KEY=${restrictedKey} PORT=${port} node proxy.js`);
  await waitForPort(port);
  expect(await folder.run(`LECTERN_URL=${url} LECTERN_KEY=none node server.js`)).toMatchObject({
    output: 'Jesus wept.\n',
  });

  const statusOf = async (body: string) => (await fetch(url, { method: 'POST', body })).status;
  const invalid = ['{ "query": "{ translations { name } }" }', '{"operationName":"toString"}', 'null', '{', ''];
  expect(await Promise.all(invalid.map(statusOf))).toEqual(invalid.map(() => 400));
  expect(await statusOf(' '.repeat(10_001))).toBe(413);

  const body = Buffer.from('{"operationName":"Passage","variables":{"reference":"Génesis 1:1"}}');
  const middleOfLetter = body.indexOf('é') + 1;
  const parts = Readable.from([body.subarray(0, middleOfLetter), body.subarray(middleOfLetter)]);
  const response = await fetch(url, { method: 'POST', body: parts, duplex: 'half' } as RequestInit);
  expect(await response.json()).toMatchObject({ data: { passage: { reference: 'Genesis 1:1' } } });
});

testInstalled('GraphiQL 5 loads the schema and runs a query in a page of another origin', async () => {
  const folder = services.openFolder('examples/clients/README.md', 'GraphiQL');
  const html =
    '<!doctype html><link rel="stylesheet" href="graphiql.css"><body><script type="module" src="graphiql.js"></script>';
  const opened = await openOnOtherOrigin(folder, 'graphiql.jsx', html, { promptAnswer: services.lectern.token });
  await opened.page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  await opened.page.getByRole('link', { name: 'Query', exact: true }).click();
  await opened.page.getByRole('link', { name: 'verseOfTheDay' }).waitFor();
  await opened.page.locator('.graphiql-query-editor .view-lines').first().waitFor();
  // The global __MONACO of GraphiQL has the editors of the page.
  await opened.page.evaluate(
    `__MONACO.editor.getModels().find(({ uri }) => uri.path.endsWith('.graphql')).setValue('{ verse(book: "John", chapter: 11, verse: 35) { text } }')`,
  );
  await opened.page.getByRole('button', { name: /^Execute query/ }).click();
  await opened.page.locator('.result-window').getByText('Jesus wept.').waitFor();
  await opened.close();
});

describe('the typed client in a browser page', () => {
  let folder: ClientFolder;
  beforeAll(() => {
    folder = services.openFolder('examples/clients/README.md', 'A typed client in a browser page');
    installTypescript6(folder);
  });

  test('the commands of the typed client generate its types, and the compiler finds a field that the query lacks', async () => {
    const source = folder.read('src/main.ts').replace('{ reference text }', '{ reference }');
    folder.write('src/missing-field.ts', source.replace(/^.*passage\?\.text/m, '  // @ts-expect-error\n$&'));
    expect(await folder.run(folder.commands[0] ?? '')).toMatchObject({ status: 0 });
  });

  test('gql.tada check reports an unknown argument in the page of the typed client, which the TypeScript compiler does not', async () => {
    const source = folder.read('src/main.ts');
    folder.write(
      'src/main.ts',
      source.replace('passage(reference: $reference)', 'passage(reference: $reference, unknown: 1)'),
    );
    const compiled = await folder.run('npx tsc');
    const checked = await folder.run('npx gql.tada check');
    folder.write('src/main.ts', source);
    expect(compiled).toEqual({ status: 0, output: '' });
    expect(checked).toMatchObject({ status: 1, output: expect.stringContaining('unknown') });
  });

  testInstalled(
    'the page of the typed client shows a passage, and no response that the page receives contains the API key',
    async () => {
      const address = await folder.start(folder.commands[1] ?? '').waitFor(/http:\/\/localhost:\d+/);
      const { page, close } = await browser.open(address);
      const bodies: Promise<string>[] = [];
      page.on('response', (response) => bodies.push(response.text().catch(() => '')));
      await page.reload();
      await page.getByRole('button', { name: 'Read' }).click();
      await page.getByRole('status').getByText('Jesus wept.').waitFor();
      const texts = await Promise.all(bodies);
      await close();
      expect(texts.length).toBeGreaterThan(3);
      expect(texts.filter((text) => text.includes(services.lectern.token))).toEqual([]);
    },
  );
});

testInstalled(
  'the page of packages/client/README.md shows a psalm, and neither its HTML nor its script contains the API key',
  async () => {
    const folder = services.openFolder('packages/client/README.md', 'In a browser page');
    const address = await folder.start(folder.commands[0] ?? '').waitFor(/http:\/\/localhost:\d+/);
    const { page, close } = await browser.open(address);
    await page.getByRole('main').getByText('Yahweh is my shepherd').waitFor();
    const scripts = await Promise.all(
      ['/', '/main.js'].map(async (path) => (await fetch(new URL(path, address))).text()),
    );
    await close();
    expect(scripts.join('')).toContain('readingChapter');
    expect(scripts.join('')).not.toContain(services.lectern.token);
  },
);

/**
 * Installs TypeScript 6 in the node_modules of the folder, as the example does. The repository has a
 * newer version. Copies gql.tada instead of linking it, because gql.tada loads the TypeScript of
 * the node_modules that contain its real path.
 */
function installTypescript6({ path }: ClientFolder): void {
  const modules = join(path, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync(join(repositoryRoot, 'tools/checks/node_modules/typescript'), join(modules, 'typescript'));
  for (const name of ['gql.tada', '@gql.tada', '@0no-co'])
    cpSync(join(repositoryRoot, 'node_modules', name), join(modules, name), { recursive: true });
  symlinkSync('../typescript/bin/tsc', join(modules, '.bin', 'tsc'));
  symlinkSync('../gql.tada/bin/cli.js', join(modules, '.bin', 'gql.tada'));
}
