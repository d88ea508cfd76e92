import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics, noTelemetry } from '@lectern/telemetry';
import type { GraphqlClient, HttpResponse } from '@lectern/testing';
import { createGraphqlClient, graphqlHeaders, metricValue, readExamples, repositoryRoot, send } from '@lectern/testing';
import { buildSchema } from 'graphql';
import { generateFederatedOperation } from './execution/federated-operation-generator';
import type { GeneratedOperation } from './execution/operation-generator';
import { generateOperation } from './execution/operation-generator';
import { recorded, variables } from './operations/recorded';
import type { EmbeddedLectern } from './support/embedded-lectern';
import { startEmbeddedLectern } from './support/embedded-lectern';

const operations = 2_000;
const joinedOperations = 300;
/** What differs from one call to the next by its nature. */
const volatileFields = new Set(['Query.randomVerse', 'Query.verseOfTheDay']);
const schema = buildSchema(readFileSync(join(__dirname, 'contract.graphql'), 'utf8'), { assumeValid: true });
const metrics = createMetrics({ service: 'gateway' });

let full: EmbeddedLectern;
let fast: EmbeddedLectern;
/** Fast, and with answers that are given again. */
let keeping: EmbeddedLectern;
let client: GraphqlClient;
beforeAll(async () => {
  const off = { direct: false, keptBytes: 0, keptSeconds: 0 };
  full = await startEmbeddedLectern({ fast: off });
  fast = await startEmbeddedLectern({
    keys: full.keys,
    fast: { direct: true, keptBytes: 0, keptSeconds: 0 },
    telemetry: { ...noTelemetry, metrics },
  });
  keeping = await startEmbeddedLectern({ keys: full.keys });
  client = createGraphqlClient(keeping.url, full.token);
});
afterAll(async () => {
  await keeping.close();
  await fast.close();
  await full.close();
});

const sendTo = (lectern: EmbeddedLectern, body: unknown, accept: string): Promise<HttpResponse> =>
  send(lectern.url, { headers: [...graphqlHeaders(full.token), 'Accept', accept], body: JSON.stringify(body) });

/** All that a client can see, but what names this one request. */
function visible({ status, headers, text }: HttpResponse) {
  const { date: _date, 'x-request-id': _id, 'content-length': _length, ...rest } = headers;
  return { status, headers: rest, body: text.replaceAll(/"requestId":"[^"]*"/g, '"requestId":""') };
}

/** Once on the full path; on the fast one when nothing is known of the document and when its plan is; and where answers are kept, before and after. */
async function differences(
  body: { query: string; variables?: unknown; operationName?: string | null },
  accept = 'application/json',
) {
  const expected = visible(await sendTo(full, body, accept));
  const seen = [];
  for (const [way, lectern] of Object.entries({
    'at first': fast,
    'by its plan': fast,
    'before it is kept': keeping,
    kept: keeping,
  })) {
    const got = visible(await sendTo(lectern, body, accept));
    if (JSON.stringify(got) !== JSON.stringify(expected)) seen.push({ way, body, expected, got });
  }
  return { different: seen, expected };
}

/** How many of the operations of these many seeds have data alone, data beside errors, and nothing but errors; each has the same answer on all ways. */
async function outcomesOf(seeds: number, generate: (seed: number) => GeneratedOperation) {
  const outcomes = { data: 0, partial: 0, refused: 0 };
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { query, variables } = generate(seed);
    const { different, expected } = await differences(
      { query, variables },
      seed % 3 === 0 ? 'application/graphql-response+json' : 'application/json',
    );
    expect(different).toEqual([]);
    const { data, errors } = JSON.parse(expected.body) as { data?: unknown; errors?: unknown[] };
    outcomes[errors === undefined ? 'data' : data === undefined ? 'refused' : 'partial'] += 1;
  }
  return outcomes;
}

test(`${operations} generated operations have the same answers on both paths, to the byte`, async () => {
  const outcomes = await outcomesOf(operations, (seed) => generateOperation(schema, seed, volatileFields));
  // The generator is worth something only while all three happen often.
  expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(operations / 20);
}, 300_000);

test(`so have ${joinedOperations} that mostly succeed over several subgraphs`, async () => {
  const planned = async () => metricValue(await metrics.text(), 'lectern_executions_total', 'way="planned"');
  const before = await planned();
  const outcomes = await outcomesOf(joinedOperations, (seed) =>
    generateFederatedOperation(schema, seed, { wild: seed % 5 === 0 }),
  );
  const after = await planned();
  expect(outcomes.data).toBeGreaterThan(joinedOperations * 0.7);
  // Sent twice, an operation goes by its plan once: the first time finds it.
  expect(after - before).toBeGreaterThan(joinedOperations / 3);
}, 120_000);

test('so have the operations that the subgraphs show as examples', async () => {
  const subgraphs = readdirSync(join(repositoryRoot, 'services'));
  const examples = subgraphs.flatMap((name) =>
    readExamples(join(repositoryRoot, 'services', name, 'examples.graphql')),
  );
  const steady = examples.filter(
    ({ query }) => ![...volatileFields].some((field) => query.includes(field.slice('Query.'.length))),
  );
  expect(steady.length).toBeGreaterThan(20);
  for (const { query } of steady) expect((await differences({ query })).different).toEqual([]);
});

test('so have the operations that were recorded from applications', async () => {
  const steady = recorded.filter(
    ({ document }) => ![...volatileFields].some((field) => document.includes(field.slice('Query.'.length))),
  );
  expect(steady.length).toBeGreaterThan(10);
  for (const { name, document } of steady)
    expect((await differences({ query: document, variables: variables[name], operationName: name })).different).toEqual(
      [],
    );
});

test.each<[string, { query: string; variables?: unknown; operationName?: string | null }]>([
  ['introspection', { query: '{ __schema { queryType { name fields { name } } } books { name } }' }],
  [
    'a type asked for beside data',
    {
      query:
        '{ __type(name: "Verse") { name } verse(book: "JHN", chapter: 3, verse: 16) { __typename t: __typename text } }',
    },
  ],
  [
    'one operation of several',
    { query: 'query A { books { name } } query B { languages { code } }', operationName: 'B' },
  ],
  ['no operation of several', { query: 'query A { books { name } } query B { languages { code } }' }],
  ['a variable that is not declared', { query: '{ books { name } }', variables: { nobody: 1 } }],
  [
    'a variable coerced from a list of one',
    { query: 'query ($v: Int!) { verse(book: "JHN", chapter: 3, verse: $v) { text } }', variables: { v: [16] } },
  ],
  [
    'a null for a default',
    {
      query: 'query ($t: String = "eng-kjv") { verse(book: "JHN", chapter: 3, verse: 16, translation: $t) { text } }',
      variables: { t: null },
    },
  ],
  [
    'names out of a prototype',
    { query: '{ __proto__: books { constructor: name toString: usfm } hasOwnProperty: languages { code } }' },
  ],
  [
    "another subgraph's field that is skipped for good",
    {
      query:
        '{ verse(book: "JHN", chapter: 3, verse: 16) { text ... @skip(if: true) { words { text } } } search(query: "love") @include(if: false) { id } }',
    },
  ],
  [
    "another subgraph's field that one variable includes and skips",
    {
      query:
        'query ($a: Boolean = true) { verse(book: "JHN", chapter: 3, verse: 16) { text words @include(if: $a) @skip(if: $a) { text } } }',
    },
  ],
  [
    'the same within one another',
    {
      query:
        'query ($a: Boolean = true) { verse(book: "JHN", chapter: 3, verse: 16) { text ... @skip(if: $a) { reference ...W } } } fragment W on Verse { ... @include(if: $a) { words { text } } }',
    },
  ],
  [
    'many conditions',
    {
      query:
        'query ($a: Boolean = true, $b: Boolean = true, $c: Boolean = true, $d: Boolean = true, $e: Boolean = true) { books { name @skip(if: $a) id @skip(if: $b) bookId @include(if: $c) position @include(if: $d) testament @include(if: $e) } }',
    },
  ],
  [
    'fields that meet in fragments within fragments',
    {
      query:
        '{ a: verse(book: "JHN", chapter: 3, verse: 16) { ...A ...B } a: verse(book: "JHN", chapter: 3, verse: 16) { inTranslation(identifier: "spa-rv1909") { verse } } } fragment A on Verse { inTranslation(identifier: "spa-rv1909") { text } ...B } fragment B on Verse { id inTranslation(identifier: "spa-rv1909") { reference } }',
    },
  ],
  [
    'fields of one type that stand in several fragments with others between',
    {
      query:
        'query ($y: Boolean = true) { search(query: "love", limit: 1) { ... on Verse { id } text ... on Verse { words { start ... { text } length ... { start text } } } ... @include(if: $y) { verse } chapter ... @include(if: $y) { bookId } } }',
    },
  ],
  [
    'a condition out of a prototype',
    {
      query:
        'query ($__proto__: Boolean!) { books { name bookId @include(if: $__proto__) } search(query: "love", limit: 1) { id words @skip(if: $__proto__) { text } } }',
      variables: JSON.parse('{"__proto__":true}'),
    },
  ],
  [
    'variables out of a prototype',
    {
      query:
        'query ($__proto__: Int, $constructor: Int) { a: search(query: "love", limit: $__proto__) { id } b: search(query: "love", limit: $constructor) { id } }',
      variables: JSON.parse('{"__proto__":2}'),
    },
  ],
  [
    'a scalar that is anything',
    { query: 'query ($d: ISO8601Date) { verseOfTheDay(date: $d) { reference } }', variables: { d: { a: [1] } } },
  ],
  ['a mutation', { query: 'mutation { testField }' }],
  [
    'a field that fails beside one that does not',
    {
      query:
        '{ a: verse(book: "Nope", chapter: 1, verse: 1) { text } b: verse(book: "JHN", chapter: 3, verse: 16) { text } }',
    },
  ],
])('%s', async (_, body) => {
  expect((await differences(body)).different).toEqual([]);
  expect((await differences(body, 'application/graphql-response+json')).different).toEqual([]);
});

test('a client may call a variable what the engine calls its own', async () => {
  const query =
    'query ($representations: String!, $representations_: Int) { search(query: "grace mercy peace", limit: $representations_, translation: "eng-kjv") { reference inTranslation(identifier: $representations) { reference } } }';
  for (const lectern of [full, fast, fast, keeping]) {
    const { text } = await sendTo(
      lectern,
      { query, variables: { representations: 'spa-rv1909', representations_: 1 } },
      'application/json',
    );
    expect(JSON.parse(text)).toEqual({
      data: { search: [{ reference: '2 Timothy 1:2', inTranslation: { reference: '2 Timoteo 1:2' } }] },
    });
  }
});

test('nor is what it sends under a name that is not declared taken for the value of one that is', async () => {
  const query =
    'query ($representations: String = "spa-rv1909") { verse(book: "JHN", chapter: 3, verse: 16, translation: $representations) { reference } }';
  for (const lectern of [full, fast, fast, keeping, keeping]) {
    const { text } = await sendTo(lectern, { query, variables: { representations_: 'eng-kjv' } }, 'application/json');
    expect(JSON.parse(text)).toEqual({ data: { verse: { reference: 'Juan 3:16' } } });
  }
});

describe('a field may go by the name of', () => {
  const verse = 'verse(book: "JHN", chapter: 3, verse: 16)';
  test.each<[string, string, unknown]>([
    [
      "an entity's key",
      `{ ${verse} { id: reference chapter: verse words { id: start } inTranslation(identifier: "spa-rv1909") { id: bookName similar(limit: 0) { similarity } } } }`,
      { verse: { id: 'John 3:16', chapter: 16 } },
    ],
    ["an entity's key, of another type", `{ ${verse} { id: chapter words { start } } }`, { verse: { id: 3 } }],
    [
      'the key of what a list holds',
      '{ translations { identifier: abbrev hasEmbeddings concordanceIndexedAt } }',
      { translations: [{ identifier: 'KJV' }, { identifier: 'WEB' }, { identifier: 'RV1909' }] },
    ],
    [
      'the type',
      `{ ${verse} { __typename: text words { __typename: start } } }`,
      { verse: { __typename: expect.stringMatching(/^For God so loved/) } },
    ],
    [
      'the type, in one subgraph',
      '{ ...T } fragment T on Query { translation(identifier: "spa-rv1909") { __typename: hasStemming name } }',
      { translation: { __typename: true } },
    ],
  ])('%s, on every way', async (_, query, shown) => {
    const { different, expected } = await differences({ query });
    expect(different).toEqual([]);
    expect((JSON.parse(expected.body) as { data: unknown }).data).toMatchObject(shown as object);
  });

  test('the key, and its errors say so', async () => {
    const { different, expected } = await differences({
      query: `{ ${verse} { words { start } id: inTranslation(identifier: "nope") { id } } }`,
    });
    expect(different).toEqual([]);
    expect(JSON.parse(expected.body)).toMatchObject({
      data: { verse: { id: null } },
      errors: [{ path: ['verse', 'id'], extensions: { code: 'NOT_FOUND' } }],
    });
  });
});

test('errors stand in the order of their fields, whichever subgraph answers first', async () => {
  const query = `{
    a: semanticSearch(query: "") { similarity } b: verse(book: "Nope", chapter: 1, verse: 1) { text } c: concordance(translation: "eng-web", word: " ") { totalCount }
    ...F e: search(query: " ") { id }
  } fragment F on Query { d: chapter(book: "Nope", chapter: 1) { text } }`;
  for (const lectern of [full, fast, fast]) {
    const { errors = [] } = JSON.parse((await sendTo(lectern, { query }, 'application/json')).text) as {
      errors?: { path: string[] }[];
    };
    expect(errors.map(({ path }) => path[0])).toEqual(['a', 'b', 'c', 'd', 'e']);
  }
});

describe('an answer that is kept', () => {
  const drawn = async (query: string, variables: Record<string, unknown> = {}) =>
    new Set(await Promise.all(Array.from({ length: 12 }, async () => JSON.stringify(await client(query, variables)))))
      .size;

  test('is never that of a field that varies, wherever it stands', async () => {
    expect(await drawn('{ randomVerse { id } }')).toBeGreaterThan(3);
    expect(
      await drawn(
        '{ books { name } ...R } fragment R on Query { ... on Query { a: randomVerse(books: "PSA") { id } } }',
      ),
    ).toBeGreaterThan(3);
  });

  test('does not outlive the key, nor what the key may ask', async () => {
    const query = '{ verse(book: "JHN", chapter: 3, verse: 17) { text } }';
    const { key, token } = await full.keys.issue(
      { email: 'leaving@example.org', name: 'Leaving', environment: 'test' },
      'a test',
    );
    const again = () => send(keeping.url, { headers: graphqlHeaders(token), body: JSON.stringify({ query }) });
    expect([(await again()).status, (await again()).status]).toEqual([200, 200]);
    await full.keys.revoke(key.id, 'a test');
    expect((await again()).status).toBe(401);
  });

  test('is not given for other variables, another operation or another document', async () => {
    const query =
      'query V($v: Int!) { verse(book: "JHN", chapter: 3, verse: $v) { verse } } query W($v: Int!) { verse(book: "GEN", chapter: 3, verse: $v) { verse bookId } }';
    const asked = async (variables: Record<string, unknown>, name: string) =>
      (await client(query, variables, name)).data;
    for (let time = 0; time < 2; time += 1) {
      expect(await asked({ v: 1 }, 'V')).toEqual({ verse: { verse: 1 } });
      expect(await asked({ v: 2 }, 'V')).toEqual({ verse: { verse: 2 } });
      expect(await asked({ v: 2 }, 'W')).toEqual({ verse: { verse: 2, bookId: 'GEN' } });
    }
  });

  test('costs the caller what any answer costs', async () => {
    const limited = await startEmbeddedLectern({ rates: { perMinute: 0, perDay: 2, keyRequestsPerHour: 0 } });
    const statuses = [];
    for (let time = 0; time < 3; time += 1)
      statuses.push(
        (await send(limited.url, { headers: graphqlHeaders(limited.token), body: '{"query":"{ books { name } }"}' }))
          .status,
      );
    expect(statuses).toEqual([200, 200, 429]);
    await limited.close();
  });
});
