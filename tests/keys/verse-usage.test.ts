import type { StandaloneOptions } from '@lectern/standalone';
import type { GraphqlClient } from '@lectern/testing';
import { createGraphqlClient, idOf, send } from '@lectern/testing';
import { hashOf, persistedQuery, post } from '../documents/operations-and-responses';
import { call, connectOverHttp, startMcpHttpServer } from '../mcp/mcp-fixture';
import { issueKey, pepper, startEmbeddedLectern } from '../support/embedded-lectern';
import { keyStores, startSqlite, useKeyStore } from '../support/key-stores';
import { runKeysWithEnv } from '../support/keys-command';
import { openProcesses } from '../support/processes';
import { createRestrictedData } from '../support/restricted-texts';
import { subgraphNames } from '../support/supergraph-yaml';

const verse = 'verseText: text translation { identifier }';
const john = (translation: string) => idOf(`${translation} JHN 3:16`);

/** Operations that return texts in each form, and the aliases by which `logVerses` recognizes the texts. */
const operations = [
  `{ verse(translation: "eng-web", book: "John", chapter: 3, verse: 16) { ${verse} } }`,
  `{ chapter(translation: "eng-kjv", book: "Ruth", chapter: 1) { ${verse} } }`,
  `{ readingChapter(translation: "spa-rv1909", book: "Rut", chapter: 2) { verses { ${verse} notes { text } } } }`,
  `{ passage(reference: "Ps 23:1-6") { translation { identifier } passageText: text verses { ${verse} } } }`,
  `{ searchVerses(query: "shepherd", translations: ["eng-web", "eng-kjv"], first: 7) { edges { node { ${verse} } } } }`,
  `{ verses(ids: ["${john('eng-web')}", "${john('eng-kjv')}", "${john('spa-rv1909')}"]) { id ${verse} } }`,
  `{ verses(ids: ["${john('eng-web')}", "${john('eng-kjv')}"]) { id reference translation { identifier } } }`,
  `{ concordance(translation: "eng-kjv", word: "mercy", first: 5) { edges { node { translation { identifier } context } } } }`,
  `{ verse(translation: "eng-kjv", book: "John", chapter: 1, verse: 1) { translation { identifier } words { text } } }`,
  `{ parallel(reference: "Ruth 1:1-3", translations: ["eng-web", "spa-rv1909"]) { rows { cells { verses { ${verse} } } } } }`,
  `{ verse(book: "John", chapter: 3, verse: 16) { ${verse} crossReferences(first: 3) { verses { ${verse} } } } }`,
  // Several verses of Ruth 1 have the same cross references.
  `{ chapter(book: "Ruth", chapter: 1) { crossReferences(first: 5) { verses { ${verse} inTranslation(identifier: "eng-kjv") { ${verse} } } } } }`,
  `{ one: verse(book: "John", chapter: 11, verse: 35) { ...Text } two: verse(book: "John", chapter: 11, verse: 35) { ...Text ... on Verse { ${verse} again: text next { ...Text } } } }
   fragment Text on Verse { ${verse} }`,
  `{ parallel(reference: "Ps 3:1-2", translations: ["eng-kjv", "eng-web"]) { rows { differences(from: "eng-kjv", to: "eng-web") { text } cells { translation { identifier } verses { id } } } } }`,
  `{ verse(translation: "eng-kjv", book: "Genesis", chapter: 1, verse: 1) { translation { identifier } interlinear { rendering } } }`,
  `{ verse(book: "Genesis", chapter: 1, verse: 1) { similar(limit: 2) { verse { ${verse} } } } }`,
];

/** This operation has a partial error, which removes no text. */
const withError = `{ verse(book: "John", chapter: 3, verse: 16) { ${verse} } missing: verse(book: "John", chapter: 3, verse: 99) { text } }`;

/** Adds the verses whose text a response has to `log`, by translation. */
function logVerses(value: unknown, log: Map<string, number>): void {
  if (typeof value !== 'object' || value === null) return;
  const { verseText, again, passageText, context, words, interlinear, translation, differences, cells } =
    value as Readonly<Record<string, unknown>>;
  const isList = (list: unknown): list is unknown[] => Array.isArray(list) && list.length > 0;
  const verses =
    [verseText, again, context].filter((text) => text !== undefined).length +
    (typeof passageText === 'string' ? passageText.split('\n').length : 0) +
    [words, interlinear].filter(isList).length;
  const add = (texts: unknown, count: number): void => {
    const { identifier } = (texts ?? {}) as { identifier?: string };
    if (identifier !== undefined && count > 0) log.set(identifier, (log.get(identifier) ?? 0) + count);
  };
  add(translation, verses);
  if (isList(differences))
    for (const cell of cells as { translation: unknown; verses: unknown[] }[])
      add(cell.translation, cell.verses.length);
  for (const part of Object.values(value)) logVerses(part, log);
}

/** Sends each operation three times. Returns the verses of the responses as lines of CSV. */
async function readEverything(client: GraphqlClient): Promise<string> {
  const log = new Map<string, number>();
  for (const operation of [...operations, withError])
    for (let time = 0; time < 3; time += 1) {
      const { data, errors = [] } = await client(operation);
      expect({ operation, errors }).toMatchObject({ operation, errors: { length: operation === withError ? 1 : 0 } });
      logVerses(data, log);
    }
  return ['translation,verses', ...[...log].sort().map((count) => count.join(','))].join('\n');
}

const month = new Date().toISOString().slice(0, 7);

const usage = async (env: Record<string, string>, ...args: string[]): Promise<string> =>
  (await runKeysWithEnv(env, 'usage', '--month', month, ...args)).stdout.trimEnd();

describe.each(keyStores)('the verses that keys have read, in %s', (_, start) => {
  const used = useKeyStore(start);

  test.each<[string, Partial<StandaloneOptions>]>([
    ['with a response cache', {}],
    ['without a response cache', { responseCache: { maxBytes: 0, maxSeconds: 300 } }],
    ['if @apollo/gateway executes them', { executionStrategy: 'standard' }],
  ])('equal by translation those of all responses, %s', async (_, options) => {
    const { token } = await issueKey(used.keys);
    const lectern = await startEmbeddedLectern({ keys: used.keys, ...options });
    const expected = await readEverything(createGraphqlClient(lectern.url, token));
    await lectern.close();
    expect(await usage(used.deployment.env)).toBe(expected);
  });

  test('are summed by translation, by day or by key, and only in the month that keys usage names', async () => {
    const count = { key: 'one', translation: 'eng-web', day: `${month}-02`, verses: 5 };
    await used.keys.addServedVerses([count, { ...count, key: 'two', day: `${month}-01` }]);
    await used.otherKeys.addServedVerses([
      { ...count, verses: 3_000_000_000 },
      { ...count, translation: 'eng-kjv' },
      { ...count, day: '2001-01-31' },
    ]);
    const { env } = used.deployment;
    expect(await usage(env)).toBe('translation,verses\neng-kjv,5\neng-web,3000000010');
    expect(await usage(env, '--by', 'day')).toBe(
      `day,translation,verses\n${month}-01,eng-web,5\n${month}-02,eng-kjv,5\n${month}-02,eng-web,3000000005`,
    );
    expect(JSON.parse(await usage(env, '--by', 'key', '--json'))).toEqual([
      { key: 'one', translation: 'eng-kjv', verses: 5 },
      { key: 'one', translation: 'eng-web', verses: 3_000_000_005 },
      { key: 'two', translation: 'eng-web', verses: 5 },
    ]);
  });
});

describe('verses count for the key', () => {
  const used = useKeyStore(startSqlite);

  /** Starts the single process, calls `use`, stops the process, and returns the use by key as lines of CSV. */
  async function usageAfter(
    use: (lectern: { origin: string; url: string; token: string; client: GraphqlClient }) => Promise<unknown>,
    options: Partial<StandaloneOptions> = {},
  ): Promise<string[]> {
    const { key, token } = await issueKey(used.keys);
    await used.keys.setGrants(key.id, () => ['eng-locked'], 'a test');
    const lectern = await startEmbeddedLectern({ keys: used.keys, ...options });
    const { origin, url } = lectern;
    await use({ origin, url, token, client: createGraphqlClient(url, token) });
    await lectern.close();
    const [, ...lines] = (await usage(used.deployment.env, '--by', 'key')).split('\n');
    return lines.map((line) => line.replace(key.id, 'KEY'));
  }

  test('that calls an MCP tool', async () => {
    const lines = await usageAfter(async ({ url, token }) => {
      const server = await startMcpHttpServer(url);
      const client = await connectOverHttp(server.url, token);
      await call(client, 'look_up_passage', { reference: 'John 11:35-36' });
      await client.close();
      await server.close();
    });
    expect(lines).toEqual(['KEY,eng-web,2']);
  });

  test('that reads a persisted document by GET, but not in a response to HEAD or with the status 304', async () => {
    const body = '{ verse(book: "John", chapter: 3, verse: 16) { text } }';
    const read = async ({ origin, token, method = 'GET', etag = '' }: Record<string, string>) => {
      const headers = ['Authorization', `Bearer ${token}`, ...(etag ? ['If-None-Match', etag] : [])];
      return send(`${origin}/documents/${hashOf(body)}`, { method, headers });
    };
    const lines = await usageAfter(
      async (lectern) => {
        await post(lectern, lectern.token, { query: body, ...persistedQuery(hashOf(body)) });
        const { origin, token } = lectern;
        const { status, headers } = await read({ origin, token });
        expect(status).toBe(200);
        expect((await read({ origin, token, method: 'HEAD' })).status).toBe(200);
        expect((await read({ origin, token, etag: String(headers['etag']) })).status).toBe(304);
      },
      { documentGet: { caches: 'private', maxSeconds: 60 } },
    );
    expect(lines).toEqual(['KEY,eng-web,2']);
  });

  test('with a grant that reads a restricted translation', async () => {
    const { dataDir, stop } = await createRestrictedData();
    const chapter = '{ chapter(translation: "eng-locked", book: "Ruth", chapter: 1) { text } }';
    const lines = await usageAfter(
      async ({ client }) => {
        for (let time = 0; time < 2; time += 1)
          expect((await client(chapter)).data).toMatchObject({ chapter: { length: 16 } });
      },
      { dataDir },
    );
    stop();
    expect(lines).toEqual(['KEY,eng-locked,32']);
  });

  test('not if the operation does not select their text', async () => {
    expect(await usageAfter(({ client }) => client('{ chapter(book: "Ruth", chapter: 1) { id reference } }'))).toEqual(
      [],
    );
  });
});

test.each([
  ['with', '32000000'],
  ['without', '0'],
])(
  'a gateway of separate subgraphs %s a response cache stores at its stop the verses of all responses by translation',
  async (_, bytes) => {
    const processes = await openProcesses();
    try {
      const origins = await processes.serveSubgraphs(subgraphNames);
      const { gateway, client } = await processes.serveGateway(origins, { RESPONSE_CACHE_BYTES: bytes });
      const expected = await readEverything(client);
      await processes.stop(gateway);
      expect(await usage({ LECTERN_DATA: processes.folder, KEY_PEPPER: pepper }, '--by', 'translation')).toBe(expected);
    } finally {
      await processes.close();
    }
  },
);

test.each([
  [['usage'], /usage needs --month YYYY-MM/],
  [['usage', '--month', '2026-13'], /--month must be a year and a month, such as 2026-11, not '2026-13'/],
  [['usage', '--month', '2026-11', '--by', 'book'], /--by must be translation, day or key, not 'book'/],
])('keys %j exits with 2 and says what to change', async (args, message) => {
  const { code, stderr } = await runKeysWithEnv({}, ...args);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});
