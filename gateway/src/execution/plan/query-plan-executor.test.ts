import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@lectern/serving';
import { noSpan, silentMetrics } from '@lectern/telemetry';
import { createGraph } from '../../graph';
import { createGatewayMetrics } from '../../metrics';
import type { SubgraphResponse } from '../../transport/subgraph-fetch';

const supergraphSdl = readFileSync(join(__dirname, '..', '..', '..', '..', 'supergraph.graphql'), 'utf8');
const query =
  'query ($beside: Boolean = true) { hits: search(query: "love") { id text inTranslation(identifier: "spa-rv1909") @include(if: $beside) { t: text verse } } }';

type Answers = Record<'search' | 'text', SubgraphResponse | null>;

const verse = (id: string) => ({ __typename: 'Verse', id, text: `the text of ${id}` });
const beside = (text: string) => ({ __typename: 'Verse', inTranslation: { t: text, verse: 1 } });
const hits = (list: unknown): SubgraphResponse => ({ data: { hits: list } });
const entities = (list: unknown): SubgraphResponse => ({ data: { _entities: list } });
const good = (): Answers => ({
  search: hits([verse('a'), verse('b')]),
  text: entities([beside('uno'), beside('dos')]),
});

/** What a client is told of these answers (null: none came), once the plan is known, how often subgraphs were asked for it, and which way it went. */
async function told(
  answers: Answers,
  { direct, variables = null }: { direct: boolean; variables?: Record<string, unknown> | null },
) {
  let given = good();
  let asked = 0;
  const ways: string[] = [];
  const observations = createGatewayMetrics(silentMetrics);
  const graph = await createGraph({
    supergraphSdl,
    limits: { tokens: 5_000, depth: 15, complexity: 300 },
    fast: { direct, keptBytes: 0, keptSeconds: 0 },
    log: silentLogger,
    metrics: { ...observations, route: (way) => ways.push(way) },
    subgraphs: {
      subgraph: (name) => async () => {
        asked += 1;
        const answer = structuredClone(given[name as keyof Answers]);
        if (!answer) throw new Error('away');
        return answer;
      },
      replicas: () => [],
      checkNames: () => {},
      versionSkew: () => null,
      datasetVersion: () => null,
      datasetGeneration: () => 0,
      close: async () => {},
    },
  });
  const ask = async () => graph.execute({ query, variables, operationName: null, requestId: 'request', span: noSpan });
  await ask();
  given = answers;
  asked = 0;
  const { body } = await ask();
  await graph.close();
  return { body: JSON.parse(String(body)) as { data?: unknown; errors?: unknown[] }, asked, way: ways.at(-1) };
}

test('a plan over two subgraphs whose answers are good is run without the engine', async () => {
  const shown = [
    { id: 'a', text: 'the text of a', inTranslation: { t: 'uno', verse: 1 } },
    { id: 'b', text: 'the text of b', inTranslation: { t: 'dos', verse: 1 } },
  ];
  expect(await told(good(), { direct: true })).toEqual({ body: { data: { hits: shown } }, asked: 2, way: 'planned' });
  expect(await told(good(), { direct: false })).toEqual({ body: { data: { hits: shown } }, asked: 2, way: 'engine' });
});

test('what a condition leaves out is not asked for', async () => {
  expect(await told(good(), { direct: true, variables: { beside: false } })).toEqual({
    body: {
      data: {
        hits: [
          { id: 'a', text: 'the text of a' },
          { id: 'b', text: 'the text of b' },
        ],
      },
    },
    asked: 1,
    way: 'planned',
  });
});

test.each<[string, Partial<Answers>]>([
  ['no hits', { search: hits([]) }],
  [
    'a verse that the other edition lacks',
    { text: entities([{ __typename: 'Verse', inTranslation: null }, beside('dos')]) },
  ],
  ['an entity that the other subgraph does not know', { text: entities([null, beside('dos')]) }],
])('so is one with %s', async (_, answers) => {
  const [run, engine] = [
    await told({ ...good(), ...answers }, { direct: true }),
    await told({ ...good(), ...answers }, { direct: false }),
  ];
  expect(run).toEqual({ ...engine, way: 'planned' });
});

const fault = { message: 'a fault', path: ['_entities', 1, 'inTranslation'], extensions: { code: 'VERSE_NOT_FOUND' } };

test.each<[string, Partial<Answers>]>([
  ['the first does not answer', { search: null }],
  ['the second does not answer', { text: null }],
  [
    'the first answers with an error',
    {
      search: { data: null, errors: [{ message: 'no words', path: ['hits'], extensions: { code: 'BAD_USER_INPUT' } }] },
    },
  ],
  [
    'the second has an error beside its data',
    { text: { data: { _entities: [beside('uno'), { __typename: 'Verse', inTranslation: null }] }, errors: [fault] } },
  ],
  ['the second has nothing but an error', { text: { errors: [{ message: 'a fault' }] } }],
  ['there is an entity too few', { text: entities([beside('uno')]) }],
  ['the entities are no list', { text: entities({}) }],
  ['a hit has no key', { search: hits([verse('a'), { __typename: 'Verse', text: 'without an id' }]) }],
  ['a hit does not say what it is', { search: hits([{ id: 'a', text: 'x' }, verse('b')]) }],
  ['a hit is null where none may be', { search: hits([verse('a'), null]) }],
  ['a hit is another type', { search: hits([{ ...verse('a'), __typename: 'Book' }]) }],
  ['a text is a number', { search: hits([{ ...verse('a'), text: 7 }, verse('b')]) }],
  ['a text is missing', { text: entities([{ __typename: 'Verse', inTranslation: { verse: 1 } }, beside('dos')]) }],
  [
    'a number is too large',
    { text: entities([beside('uno'), { __typename: 'Verse', inTranslation: { t: 'dos', verse: 2 ** 40 } }]) },
  ],
  ['there is no data at all', { search: {} }],
  ['an entity is no object', { text: entities([beside('uno'), 'dos']) }],
  [
    'the second calls what it was asked for by another name, and gives something that it may not',
    {
      text: entities([
        { ...beside('uno'), id: 'another' },
        { __typename: 'Verse', inTranslation: { t: 2, verse: 1 } },
      ]),
    },
  ],
])('where %s, the engine tells the client, and nobody is asked twice', async (_, answers) => {
  const [run, engine] = [
    await told({ ...good(), ...answers }, { direct: true }),
    await told({ ...good(), ...answers }, { direct: false }),
  ];
  expect(run).toEqual({ ...engine, way: 'engine' });
});

test('where the engine has to tell, two fetches that ask the same get an answer each', async () => {
  const verses = { a: [verse('a')], b: [verse('a')] };
  const answerOf = (subgraph: string, asked: string): SubgraphResponse => {
    if (subgraph === 'text') return entities([{ __typename: 'Verse', other: { __typename: 'Verse', id: 'dos' } }]);
    if (subgraph === 'concordance')
      return entities([{ __typename: 'Verse', what: [{ text: 'uno' }, { text: 'dos' }] }]);
    return asked.includes('_entities')
      ? entities([{ __typename: 'Verse', what: [{ similarity: 1 }] }])
      : { data: verses };
  };
  const document =
    '{ a: search(query: "love") { other: inTranslation(identifier: "spa-rv1909") { what: words { text } } } b: search(query: "love") { other: inTranslation(identifier: "spa-rv1909") { what: similar { similarity } } } }';
  const shown = async (direct: boolean, fails: boolean) => {
    let asked = 0;
    const graph = await createGraph({
      supergraphSdl,
      limits: { tokens: 5_000, depth: 15, complexity: 300 },
      fast: { direct, keptBytes: 0, keptSeconds: 0 },
      log: silentLogger,
      metrics: createGatewayMetrics(silentMetrics),
      subgraphs: {
        subgraph: (name) => async (request) => {
          asked += 1;
          const answer = structuredClone(answerOf(name, request.query));
          return fails && asked > 5 && name === 'concordance'
            ? { ...answer, errors: [{ message: 'a fault', path: ['_entities', 0], extensions: { code: 'NOT_FOUND' } }] }
            : answer;
        },
        replicas: () => [],
        checkNames: () => {},
        versionSkew: () => null,
        datasetVersion: () => null,
        datasetGeneration: () => 0,
        close: async () => {},
      },
    });
    const ask = async () =>
      graph.execute({ query: document, variables: null, operationName: null, requestId: 'request', span: noSpan });
    await ask();
    const { body } = await ask();
    await graph.close();
    return { asked, body: JSON.parse(String(body)) as { data?: unknown; errors?: unknown[] } };
  };
  const data = {
    a: [{ other: { what: [{ text: 'uno' }, { text: 'dos' }] } }],
    b: [{ other: { what: [{ similarity: 1 }] } }],
  };
  expect(await shown(true, false)).toEqual({ asked: 10, body: { data } });
  expect(await shown(true, true)).toEqual({
    asked: 10,
    body: { data, errors: [expect.objectContaining({ message: 'a fault' })] },
  });
});
