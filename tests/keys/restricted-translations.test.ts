import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createSemanticOptions, semanticSettings } from '@lectern/search';
import { createGatewayToken, createLogger, readSettings, silentLogger } from '@lectern/serving';
import {
  createGraphqlClient,
  dataDir as defaultDataDir,
  graphqlHeaders,
  isLongRun,
  linkData,
  repositoryRoot,
  send,
  testSeed,
  useStarted,
} from '@lectern/testing';
import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { type GeneratedOperation, generateOperation } from '../execution/operation-generator';
import { connectOverHttp, startMcpHttpServer } from '../mcp/mcp-fixture';
import { issueKey, pepper, startEmbeddedLectern } from '../support/embedded-lectern';
import { waitUntil } from '../support/processes';
import {
  createRestrictedData,
  mark,
  restricted,
  restrictedValues,
  runCorpus,
  writeText,
} from '../support/restricted-texts';
import { type ServiceInProcess, serveSubgraphInProcess, startGatewayInProcess } from '../support/services-in-process';

const secret = 'a secret of tests as long as it has to be';
const subgraphNames = ['text', 'search', 'concordance', 'study', 'originals'];

/** Fields whose value may differ between two equal requests, and one that depends on when indexes were built. */
const uncomparedFields = new Set(['Query.randomVerse', 'Query.verseOfTheDay']);

interface Reader {
  readonly url: string;
  readonly token: string;
}

/** Sends an operation. Returns the body, with costs and hints, without what differs between two equal requests. */
async function responseTo({ url, token }: Reader, operation: GeneratedOperation): Promise<string> {
  const headers = [...graphqlHeaders(token), 'Lectern-Report', 'cost'];
  const { text } = await send(url, { headers, body: JSON.stringify(operation) });
  return text.replaceAll(/"requestId":"[^"]*"/g, '"requestId":""');
}

async function startSubgraphs(dataDir: string, options: { secrets?: string; headerSecrets?: string }) {
  const served = new Map<string, ServiceInProcess>();
  for (const name of subgraphNames) served.set(name, await serveSubgraphInProcess(name, { dataDir, ...options }));
  return served;
}

/** Starts the same graph in several ways over data with restricted texts, and over data without them. */
async function start() {
  const { dataDir, stop } = await createRestrictedData();
  // The quota of requests is off, and responses are cached.
  const reference = await startEmbeddedLectern();
  const embedded = await startEmbeddedLectern({ dataDir, keys: reference.keys });
  const issue = async (name: string, grants: readonly string[]) => {
    const { key, token } = await issueKey(reference.keys, { email: `${name}@example.org` });
    if (grants.length > 0) await reference.keys.setGrants(key.id, () => grants, 'a test');
    return { id: key.id, token };
  };
  const granted = await issue('granted', restricted);
  const denied = await issue('denied', []);
  const trusting = await startSubgraphs(dataDir, { secrets: secret });
  const open = await startSubgraphs(dataDir, {});
  const startGateway = (subgraphs: ReadonlyMap<string, ServiceInProcess>, env: Record<string, string>) =>
    startGatewayInProcess({
      LECTERN_DATA: dirname(reference.keysFile),
      KEY_PEPPER: pepper,
      SUPERGRAPH: join(repositoryRoot, 'supergraph.graphql'),
      SUBGRAPH_URLS: [...subgraphs].map(([name, { origin }]) => `${name}=${origin}/graphql`).join(','),
      RATE_PER_MINUTE: '0',
      KEY_RATE_PER_MINUTE: '0',
      RATE_PER_DAY: '0',
      REQUEST_CPU_MS: '60000',
      SUBGRAPH_TIMEOUT_MS: '60000',
      ...env,
    });
  const distributed = await startGateway(trusting, { SUBGRAPH_SECRET: secret });
  const withoutSecret = await startGateway(open, {});
  const introspected = await createGraphqlClient(reference.url, reference.token)(getIntrospectionQuery());
  const schema: GraphQLSchema = buildClientSchema(introspected.data as unknown as IntrospectionQuery);
  return {
    dataDir,
    schema,
    reference,
    embedded,
    granted,
    denied,
    distributed: { url: `${distributed.origin}/graphql` },
    withoutSecret: { url: `${withoutSecret.origin}/graphql` },
    async close() {
      for (const each of [distributed, withoutSecret, ...trusting.values(), ...open.values()]) await each.close();
      await embedded.close();
      await reference.close();
      stop();
    },
  };
}

const started = useStarted(start);

const operationsOfBlock = 250;

/** Returns the numbers of blocks of generated operations. The long run has ten times as many, 10,000 operations. */
const blocks = (count: number): number[] =>
  Array.from({ length: isLongRun ? 10 * count : count }, (_, index) => testSeed() * count + index);

/**
 * Sends generated operations, first by the key `first` and then by a key without grants. Compares the responses to the
 * second with those of a service that does not have the restricted texts. Counts the responses to `first` that have a
 * word of these texts.
 */
async function compareGenerated({ url, token: first }: Reader, block: number): Promise<number> {
  const { schema, reference, denied } = started;
  let found = 0;
  for (let seed = block * operationsOfBlock + 1; seed <= (block + 1) * operationsOfBlock; seed += 1) {
    const operation = generateOperation(schema, seed, uncomparedFields, restrictedValues);
    const body = await responseTo({ url, token: first }, operation);
    if (wordsIn(body, operation) > 0) found += 1;
    const actual = await responseTo({ url, token: denied.token }, operation);
    const expected = await responseTo({ url: reference.url, token: reference.token }, operation);
    expect({ operation, body: comparable(actual) }).toEqual({ operation, body: comparable(expected) });
    expect({ operation, words: wordsIn(actual, operation) }).toEqual({ operation, words: 0 });
  }
  return found;
}

/**
 * Returns a response as it can be compared. If `data` is null because a non-null field failed, it depends on the order
 * of loads which further errors and which hints are reported.
 */
function comparable(body: string): unknown {
  const response = JSON.parse(body) as { data?: unknown; errors?: unknown[]; extensions?: { hints?: unknown } };
  if (response.data !== null) return response;
  return {
    ...response,
    errors: response.errors?.slice(0, 1),
    extensions: { ...response.extensions, hints: undefined },
  };
}

/** Returns the number of different invented words in a response that are not in its operation. */
function wordsIn(body: string, operation: GeneratedOperation): number {
  const sent = new Set(
    JSON.stringify(operation)
      .toLowerCase()
      .match(/zqv[a-z]*/g),
  );
  return new Set(
    body
      .toLowerCase()
      .match(/zqv[a-z]*/g)
      ?.filter((word) => !sent.has(word)),
  ).size;
}

test.each(blocks(2))(
  'in one process, generated operations of a key without grants find no restricted text (block %i)',
  async (block) => {
    const { embedded, granted } = started;
    expect(await compareGenerated({ ...granted, url: embedded.url }, block)).toBeGreaterThan(10);
  },
);

test.each(blocks(1))(
  'over HTTP, generated operations of a key without grants find no restricted text (block %i)',
  async (block) => {
    const { distributed, granted } = started;
    expect(await compareGenerated({ ...granted, url: distributed.url }, block)).toBeGreaterThan(10);
  },
);

test.each(blocks(1))(
  'without SUBGRAPH_SECRET, generated operations of no key find a restricted text (block %i)',
  async (block) => {
    const { withoutSecret, granted } = started;
    expect(await compareGenerated({ ...granted, url: withoutSecret.url }, block)).toBe(0);
  },
);

const verseOf = (translation: string) =>
  `{ verse(translation: "${translation}", book: "JHN", chapter: 3, verse: 16) { text } }`;

test('a grant and its withdrawal take effect with the next request, although responses are cached', async () => {
  const { embedded, reference, distributed } = started;
  const { key, token } = await issueKey(reference.keys, { email: 'changing@example.org' });
  const clients = [embedded.url, distributed.url].map((url) => createGraphqlClient(url, token));
  const codes = async () =>
    Promise.all(clients.map(async (client) => (await client(verseOf('eng-locked'))).errors?.[0]?.extensions?.['code']));
  expect(await codes()).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  await reference.keys.setGrants(key.id, () => ['eng-locked'], 'a test');
  expect([await codes(), await codes()]).toEqual([Array(2).fill(undefined), Array(2).fill(undefined)]);
  await reference.keys.setGrants(key.id, () => ['deu-locked'], 'a test');
  expect(await codes()).toEqual(['NOT_FOUND', 'NOT_FOUND']);
});

test.each(['randomVerse { text }', 'verseOfTheDay { text }'])(
  'without a grant, the field %s of a restricted translation fails like that of an unknown translation',
  async (field) => {
    const query = (translation: string) => `{ ${field.replace(' {', `(translation: "${translation}") {`)} }`;
    const { embedded, denied } = started;
    const client = createGraphqlClient(embedded.url, denied.token);
    const [locked, unknown] = await Promise.all(['eng-locked', 'eng-absent'].map((each) => client(query(each))));
    expect(JSON.stringify(locked)).toBe(JSON.stringify(unknown).replaceAll('eng-absent', 'eng-locked'));
  },
);

test('a key with a grant for one restricted translation reads that one, and no other is in its lists', async () => {
  const { embedded, reference } = started;
  const { key, token } = await issueKey(reference.keys, { email: 'one@example.org' });
  await reference.keys.setGrants(key.id, () => ['spa-locked'], 'a test');
  const { data, errors } = await createGraphqlClient(
    embedded.url,
    token,
  )(`{ translations { identifier offlineDownloadable offlinePackage { url } } ${verseOf('spa-locked').slice(1)}`);
  expect(errors).toBeUndefined();
  const { translations } = data as { translations: { identifier: string }[] };
  expect(translations.filter(({ identifier }) => identifier.endsWith('locked'))).toEqual([
    { identifier: 'spa-locked', offlineDownloadable: false, offlinePackage: null },
  ]);
});

test('a subgraph serves restricted texts to callers whose gateway token names them, and to no other caller', async () => {
  const subgraph = await serveSubgraphInProcess('text', {
    dataDir: started.dataDir,
    secrets: secret,
    headerSecrets: `${secret} of a router`.replaceAll(' ', '-'),
  });
  const token = createGatewayToken({ secret, subgraph: 'text', now: Date.now });
  const [scheme, step, , proof] = /^(Lectern) (\d+)\.(.*)\.(.*)$/.exec(token('eng-locked'))?.slice(1) ?? [];
  const read = async (...headers: string[]) => {
    const { status, text } = await send(`${subgraph.origin}/graphql`, {
      headers: ['Content-Type', 'application/json', ...headers],
      body: JSON.stringify({ query: verseOf('eng-locked') }),
    });
    return status === 200 ? text.includes(mark) : status;
  };
  expect(await read('Authorization', token('eng-locked'))).toBe(true);
  expect(await read('Authorization', token('deu-locked eng-locked'))).toBe(true);
  expect(await read('Authorization', token('deu-locked'))).toBe(false);
  expect(await read('Authorization', token(''))).toBe(false);
  expect(await read('X-Subgraph-Secret', `${secret} of a router`.replaceAll(' ', '-'))).toBe(false);
  const proofWithoutRights = token('').split('.').at(-1);
  for (const forged of [
    `${scheme} ${step}.eng-locked.${proofWithoutRights}`,
    `${scheme} ${step}.deu-locked+eng-locked.${proof}`,
    `${scheme} ${step}.${proof}`,
    createGatewayToken({ secret, subgraph: 'search', now: Date.now })('eng-locked'),
  ])
    expect(await read('Authorization', forged)).toBe(401);
  await subgraph.close();
});

test('a subgraph without SUBGRAPH_SECRET logs its restricted translations, and /dataset and /ready name none', async () => {
  const lines: string[] = [];
  const log = createLogger({ service: 'text', level: 'warn', destination: { write: (line) => void lines.push(line) } });
  const subgraph = await serveSubgraphInProcess('text', { dataDir: started.dataDir, log });
  const bodies = await Promise.all(['/dataset', '/ready'].map((path) => send(`${subgraph.origin}${path}`)));
  await subgraph.close();
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ translations: [...restricted], msg: expect.stringContaining('without SUBGRAPH_SECRET') }),
  ]);
  for (const { text } of bodies) {
    expect(text).toContain('corpus');
    expect(text).not.toContain('locked');
  }
});

test('searches by meaning find restricted verses for a key with a grant, and name them to no other key', async () => {
  const open = async (dataDir: string, translations: string) =>
    startEmbeddedLectern({
      dataDir,
      keys: started.reference.keys,
      semantic: await createSemanticOptions({
        settings: readSettings({ SEMANTIC_TRANSLATIONS: translations, SEMANTIC_TIMEOUT_MS: '60000' }, semanticSettings),
        dataDir,
        log: silentLogger,
      }),
    });
  const subject = await open(started.dataDir, 'spa-rv1909,eng-locked');
  const reference = await open(defaultDataDir, 'spa-rv1909');
  const fields = '{ verse { id text similar(limit: 2) { verse { id } } } }';
  const queries = [
    `{ semanticSearch(query: "love of god", limit: 3, translation: "eng-locked") ${fields} }`,
    `{ semanticSearch(query: "love of god", limit: 3, translation: "eng-web") ${fields} }`,
    '{ searchVerses(query: "love of god", translations: ["eng-web", "eng-locked"], mode: BEST) { totalCount } }',
    '{ translations { identifier hasEmbeddings } semanticTopics(query: "love") { similarity } }',
  ];
  const read = ({ url }: { url: string }, token: string) =>
    Promise.all(queries.map((query) => responseTo({ url, token }, { query, variables: {} })));
  const granted = await read(subject, started.granted.token);
  expect(granted[0]).toContain(mark);
  expect(granted[1]).toContain('eng-locked');
  expect(await read(subject, started.denied.token)).toEqual(await read(reference, started.denied.token));
  await subject.close();
  await reference.close();
});

test('an MCP server lists a restricted translation only to the clients whose key may read it', async () => {
  const { embedded, granted, denied } = started;
  const server = await startMcpHttpServer(embedded.url);
  const list = async (key: string) => {
    const client = await connectOverHttp(server.url, key);
    const { content } = await client.callTool({ name: 'list_translations', arguments: {} });
    await client.close();
    return JSON.stringify(content).includes('spa-locked');
  };
  expect([await list(granted.token), await list(denied.token)]).toEqual([true, false]);
  await server.close();
});

describe('npm run corpus', () => {
  let folder = '';
  const details = async () => {
    const { translations } = JSON.parse((await runCorpus(folder, 'list', '--json')).trim()) as {
      translations: { identifier: string; restricted?: boolean }[];
    };
    return translations.filter(({ identifier }) => identifier === 'eng-locked').map((each) => each.restricted ?? false);
  };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lectern-restrict-'));
    linkData(folder);
    await runCorpus(folder, ...writeText(folder, 'eng-locked'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('restrict hides a translation in a running service and removes its offline packages, and --off undoes both', async () => {
    const lectern = await startEmbeddedLectern({ dataDir: folder });
    const hasText = async () => JSON.stringify(await lectern.client(verseOf('eng-locked'))).includes(mark);
    const hasPackage = () => existsSync(join(folder, 'translations', 'eng-locked', 'offline'));
    expect([await hasText(), hasPackage(), await details()]).toEqual([true, true, [false]]);
    await runCorpus(folder, 'restrict', 'eng-locked');
    await waitUntil(async () => !(await hasText()));
    expect([hasPackage(), await details()]).toEqual([false, [true]]);
    await runCorpus(folder, 'restrict', 'eng-locked', '--off');
    await waitUntil(hasText);
    expect([hasPackage(), await details()]).toEqual([true, [false]]);
    await lectern.close();
  });

  test('a restricted translation stays restricted when a new text replaces it without --restricted', async () => {
    await runCorpus(folder, 'restrict', 'eng-locked');
    await runCorpus(folder, ...writeText(folder, 'eng-locked'), '--replace');
    expect(await details()).toEqual([true]);
  });

  test.each([
    ['restrict', 'eng-kjv'],
    ['restrict', 'xyz-none'],
  ])('the command %s %s fails, and says why', async (...args) => {
    await expect(runCorpus(folder, ...args)).rejects.toThrow(
      args[1] === 'eng-kjv'
        ? 'eng-kjv is the name of a translation that Lectern makes by itself'
        : 'has no translation xyz-none',
    );
  });
});
