import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readExamples, repositoryRoot, useStarted } from '@lectern/testing';
import { clientOperations, variables } from '../operations/client-operations';
import { edgeCaseOperations } from './edge-case-operations';
import { startExecutionStrategies } from './start-execution-strategies';

const strategies = useStarted(startExecutionStrategies);

/**
 * Returns whether all responses to the document are equal. Responses with randomVerse differ, and
 * responses with verseOfTheDay change at midnight.
 */
const hasConstantResponse = (document: string) =>
  !['randomVerse', 'verseOfTheDay'].some((field) => document.includes(field));

test('every execution strategy of the gateway gives the same responses as @apollo/gateway to the examples of each subgraph', async () => {
  const examples = readdirSync(join(repositoryRoot, 'services'))
    .flatMap((name) => readExamples(join(repositoryRoot, 'services', name, 'examples.graphql')))
    .filter(({ query }) => hasConstantResponse(query));
  expect(examples.length).toBeGreaterThan(20);
  for (const { query } of examples) expect((await strategies.compare({ query })).differences).toEqual([]);
});

test('each execution strategy answers the operations in tests/operations as @apollo/gateway does', async () => {
  const operations = clientOperations.filter(({ document }) => hasConstantResponse(document));
  expect(operations.length).toBeGreaterThan(10);
  for (const { name, document } of operations) {
    const body = { query: document, variables: variables[name], operationName: name };
    expect((await strategies.compare(body)).differences).toEqual([]);
  }
});

test.each(edgeCaseOperations)(
  'each execution strategy answers an operation with a special case as @apollo/gateway does: %s',
  async (_, body) => {
    expect((await strategies.compare(body)).differences).toEqual([]);
    expect((await strategies.compare(body, 'application/graphql-response+json')).differences).toEqual([]);
  },
);

test('each execution strategy accepts a variable whose name @apollo/gateway also generates for its own', async () => {
  const query =
    'query ($representations: String!, $representations_: Int) { search(query: "grace mercy peace", limit: $representations_, translation: "eng-kjv") { reference inTranslation(identifier: $representations) { reference } } }';
  for (const lectern of [strategies.standard, strategies.auto, strategies.auto, strategies.cached]) {
    const { text } = await strategies.sendTo(lectern, {
      query,
      variables: { representations: 'spa-rv1909', representations_: 1 },
    });
    expect(JSON.parse(text)).toEqual({
      data: { search: [{ reference: '2 Timothy 1:2', inTranslation: { reference: '2 Timoteo 1:2' } }] },
    });
  }
});

test('every execution strategy of the gateway ignores the value of an undeclared variable', async () => {
  const query =
    'query ($representations: String = "spa-rv1909") { verse(book: "JHN", chapter: 3, verse: 16, translation: $representations) { reference } }';
  for (const lectern of [strategies.standard, strategies.auto, strategies.auto, strategies.cached, strategies.cached]) {
    const { text } = await strategies.sendTo(lectern, { query, variables: { representations_: 'eng-kjv' } });
    expect(JSON.parse(text)).toEqual({ data: { verse: { reference: 'Juan 3:16' } } });
  }
});

describe('aliases that equal the name of a key field', () => {
  // In this translation, a verse has words of the concordance subgraph.
  const verse = 'verse(book: "JHN", chapter: 3, verse: 16, translation: "eng-kjv")';
  test.each<[string, string, unknown]>([
    [
      "the name of an entity's key field",
      `{ ${verse} { id: reference chapter: verse words { id: start } inTranslation(identifier: "spa-rv1909") { id: bookName similar(limit: 0) { similarity } } } }`,
      { verse: { id: 'John 3:16', chapter: 16 } },
    ],
    [
      "the name of an entity's key field, although the two fields have different types",
      `{ ${verse} { id: chapter words { start } } }`,
      { verse: { id: 3 } },
    ],
    [
      'the name of the key field of the entities in a list',
      '{ translations { identifier: abbrev hasEmbeddings concordanceIndexedAt } }',
      {
        translations: expect.arrayContaining(
          ['KJV', 'WEB', 'RV1909'].map((identifier) => expect.objectContaining({ identifier })),
        ),
      },
    ],
    [
      '__typename',
      `{ ${verse} { __typename: text words { __typename: start } } }`,
      { verse: { __typename: expect.stringMatching(/^For God so loved/) } },
    ],
    [
      '__typename, in an operation of one subgraph',
      '{ ...T } fragment T on Query { translation(identifier: "spa-rv1909") { __typename: hasStemming name } }',
      { translation: { __typename: true } },
    ],
  ])(
    'every execution strategy gives the same response as @apollo/gateway if a field has an alias that equals %s',
    async (_, query, shown) => {
      const { differences, expected } = await strategies.compare({ query });
      expect(differences).toEqual([]);
      expect((JSON.parse(expected.body) as { data: unknown }).data).toMatchObject(shown as object);
    },
  );

  test('in each execution strategy, the path of an error has the alias of the field, even if it equals a key field', async () => {
    const { differences, expected } = await strategies.compare({
      query: `{ ${verse} { words { start } id: inTranslation(identifier: "nope") { id } } }`,
    });
    expect(differences).toEqual([]);
    expect(JSON.parse(expected.body)).toMatchObject({
      data: { verse: { id: null } },
      errors: [{ path: ['verse', 'id'], extensions: { code: 'NOT_FOUND' } }],
    });
  });
});

test("the gateway sorts the errors of several subgraphs by the order of their fields in the client's operation", async () => {
  const query = `{
    a: semanticSearch(query: "") { similarity } b: verse(book: "Nope", chapter: 1, verse: 1) { text } c: concordance(translation: "eng-web", word: " ") { totalCount }
    ...F e: search(query: " ") { id }
  } fragment F on Query { d: chapter(book: "Nope", chapter: 1) { text } }`;
  for (const lectern of [strategies.standard, strategies.auto, strategies.auto]) {
    const { errors = [] } = JSON.parse((await strategies.sendTo(lectern, { query })).text) as {
      errors?: { path: string[] }[];
    };
    expect(errors.map(({ path }) => path[0])).toEqual(['a', 'b', 'c', 'd', 'e']);
  }
});
