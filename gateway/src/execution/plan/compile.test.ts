import { setTimeout as wait } from 'node:timers/promises';
import type { SubgraphResponse } from '@lectern/subgraph';
import { openTestGraph } from '../../../test-support/graph';

const query =
  'query ($beside: Boolean = true) { hits: search(query: "love") { id text inTranslation(identifier: "spa-rv1909") @include(if: $beside) { t: text verse } } }';

/** The response of each subgraph. Null means that the subgraph is unavailable. */
type Responses = Record<'search' | 'text', SubgraphResponse | null>;

const verse = (id: string) => ({ __typename: 'Verse', id, text: `the text of ${id}` });
const parallelVerse = (text: string) => ({ __typename: 'Verse', inTranslation: { t: text, verse: 1 } });
const hits = (list: unknown): SubgraphResponse => ({ data: { hits: list } });
const entities = (list: unknown): SubgraphResponse => ({ data: { _entities: list } });
const goodResponses = (): Responses => ({
  search: hits([verse('a'), verse('b')]),
  text: entities([parallelVerse('uno'), parallelVerse('dos')]),
});

/**
 * Sends the operation twice. For the first request all subgraphs respond without errors, and the
 * plan is stored. For the second request they respond with `responses`. Returns the second
 * response, the number of requests to subgraphs for it, and the strategy that executed it.
 */
async function secondResponse(
  responses: Responses,
  {
    executionStrategy,
    variables = null,
    sent = query,
  }: { executionStrategy: 'auto' | 'standard'; variables?: Record<string, unknown> | null; sent?: string },
) {
  let current = goodResponses();
  let requests = 0;
  const strategies: string[] = [];
  const graph = await openTestGraph({
    executionStrategy,
    metrics: { execution: (strategy) => strategies.push(strategy) },
    async fetch(subgraph) {
      requests += 1;
      const response = structuredClone(current[subgraph as keyof Responses]);
      if (!response) throw new Error('unavailable');
      return response;
    },
  });
  await graph.respond(sent, variables);
  current = responses;
  requests = 0;
  const { body } = await graph.respond(sent, variables);
  await graph.close();
  return {
    body: JSON.parse(String(body)) as { data?: unknown; errors?: unknown[] },
    requests,
    strategy: strategies.at(-1),
  };
}

test('the query-plan executor answers as @apollo/gateway if two subgraphs respond without errors', async () => {
  const expected = [
    { id: 'a', text: 'the text of a', inTranslation: { t: 'uno', verse: 1 } },
    { id: 'b', text: 'the text of b', inTranslation: { t: 'dos', verse: 1 } },
  ];
  expect(await secondResponse(goodResponses(), { executionStrategy: 'auto' })).toEqual({
    body: { data: { hits: expected } },
    requests: 2,
    strategy: 'query-plan',
  });
  expect(await secondResponse(goodResponses(), { executionStrategy: 'standard' })).toEqual({
    body: { data: { hits: expected } },
    requests: 2,
    strategy: 'apollo-gateway',
  });
});

test('the gateway sends no fetch for a selection that @include excludes', async () => {
  expect(await secondResponse(goodResponses(), { executionStrategy: 'auto', variables: { beside: false } })).toEqual({
    body: {
      data: {
        hits: [
          { id: 'a', text: 'the text of a' },
          { id: 'b', text: 'the text of b' },
        ],
      },
    },
    requests: 1,
    strategy: 'pass-through',
  });
});

test('the query-plan executor answers as @apollo/gateway for entities in nested fragments with @include and @skip', async () => {
  const sent =
    'query ($a: Boolean = true, $b: Boolean = true) { hits: search(query: "love") { ... @include(if: $a) { id text ... @include(if: $b) { inTranslation(identifier: "spa-rv1909") { t: text verse } } ... @skip(if: $b) { inTranslation(identifier: "spa-rv1909") { t: text verse } } } } }';
  const expected = await secondResponse(goodResponses(), { executionStrategy: 'standard', sent });
  expect(await secondResponse(goodResponses(), { executionStrategy: 'auto', sent })).toEqual({
    ...expected,
    strategy: 'query-plan',
  });
});

test.each<[string, Partial<Responses>]>([
  ['a search without hits', { search: hits([]) }],
  [
    'a verse that is null in a second translation',
    { text: entities([{ __typename: 'Verse', inTranslation: null }, parallelVerse('dos')]) },
  ],
  ['an entity that the second subgraph does not know', { text: entities([null, parallelVerse('dos')]) }],
])('the query-plan executor gives the same response as @apollo/gateway for %s', async (_, responses) => {
  const [compiled, standard] = [
    await secondResponse({ ...goodResponses(), ...responses }, { executionStrategy: 'auto' }),
    await secondResponse({ ...goodResponses(), ...responses }, { executionStrategy: 'standard' }),
  ];
  expect(compiled).toEqual({ ...standard, strategy: 'query-plan' });
});

const fieldError = {
  message: 'an error',
  path: ['_entities', 1, 'inTranslation'],
  extensions: { code: 'VERSE_NOT_FOUND' },
};

test.each<[string, Partial<Responses>]>([
  ['the first subgraph is unavailable', { search: null }],
  ['the second subgraph is unavailable', { text: null }],
  [
    'the first subgraph responds with an error',
    {
      search: { data: null, errors: [{ message: 'no words', path: ['hits'], extensions: { code: 'BAD_USER_INPUT' } }] },
    },
  ],
  [
    'the second subgraph responds with an error and data',
    {
      text: {
        data: { _entities: [parallelVerse('uno'), { __typename: 'Verse', inTranslation: null }] },
        errors: [fieldError],
      },
    },
  ],
  ['the second subgraph responds with an error and no data', { text: { errors: [{ message: 'an error' }] } }],
  [
    'one of three entities is null and has an error',
    {
      search: hits([verse('a'), verse('b'), verse('c')]),
      text: {
        data: { _entities: [parallelVerse('uno'), null, parallelVerse('tres')] },
        errors: [{ ...fieldError, path: ['_entities', 1] }],
      },
    },
  ],
  [
    'a field of a non-null type is null and has an error',
    {
      text: {
        data: { _entities: [parallelVerse('uno'), { __typename: 'Verse', inTranslation: { t: null, verse: 1 } }] },
        errors: [{ ...fieldError, path: ['_entities', 1, 'inTranslation', 't'] }],
      },
    },
  ],
  [
    'an error of the second subgraph has no path',
    { text: { ...entities([null, null]), errors: [{ message: 'an error' }] } },
  ],
])('the query-plan executor gives the same response as @apollo/gateway if %s', async (_, responses) => {
  const [compiled, standard] = [
    await secondResponse({ ...goodResponses(), ...responses }, { executionStrategy: 'auto' }),
    await secondResponse({ ...goodResponses(), ...responses }, { executionStrategy: 'standard' }),
  ];
  expect(compiled).toEqual({ ...standard, strategy: 'query-plan' });
});

test('the query-plan executor answers as @apollo/gateway for a long list of entities, some of which have errors', async () => {
  const list = Array.from({ length: 3_000 }, (_, index) => verse(`v${index}`));
  const isWrong = (index: number) => index % 700 === 1;
  const responses: Responses = {
    search: hits(list),
    text: {
      data: { _entities: list.map(({ id }, index) => (isWrong(index) ? null : parallelVerse(id))) },
      errors: list.flatMap((_, index) => (isWrong(index) ? [{ ...fieldError, path: ['_entities', index] }] : [])),
    },
  };
  const [compiled, standard] = [
    await secondResponse(responses, { executionStrategy: 'auto' }),
    await secondResponse(responses, { executionStrategy: 'standard' }),
  ];
  expect(standard.body.errors).toHaveLength(5);
  expect(compiled).toEqual({ ...standard, strategy: 'query-plan' });
});

/** Each misfit with the paths of the errors that the client gets. */
const misfits: [string, Partial<Responses>, string[]][] = [
  [
    'an entity is missing from the list of entities',
    { text: entities([parallelVerse('uno')]) },
    ['hits.0.inTranslation', 'hits.1.inTranslation'],
  ],
  ['the entities are not a list', { text: entities({}) }, ['hits.0.inTranslation', 'hits.1.inTranslation']],
  [
    'a non-null search hit is null',
    { search: hits([verse('a'), null]), text: entities([parallelVerse('uno')]) },
    ['hits.1'],
  ],
  ['a search hit has another type than Verse', { search: hits([{ ...verse('a'), __typename: 'Book' }]) }, ['hits.0']],
  ['the response of the first subgraph has no data', { search: {} }, ['hits']],
  ['an entity lacks a nullable field', { text: entities([{}, parallelVerse('dos')]) }, ['hits.0.inTranslation']],
  ['a String field is a number', { search: hits([{ ...verse('a'), text: 7 }, verse('b')]) }, ['hits.0.text']],
  [
    'a non-null String field is missing',
    { text: entities([{ __typename: 'Verse', inTranslation: { verse: 1 } }, parallelVerse('dos')]) },
    ['hits.0.inTranslation.t'],
  ],
  [
    'a number is too large for an Int field',
    { text: entities([parallelVerse('uno'), { __typename: 'Verse', inTranslation: { t: 'dos', verse: 2 ** 40 } }]) },
    ['hits.1.inTranslation.verse'],
  ],
];

test.each(misfits)(
  'if %s, and no subgraph sent an error, the value is null and the client gets SUBGRAPH_UNAVAILABLE at its path',
  async (_, responses, paths) => {
    const { body } = await secondResponse({ ...goodResponses(), ...responses }, { executionStrategy: 'auto' });
    const found = body.errors as { path: unknown[]; extensions: { code: string } }[];
    expect(found.map(({ path }) => path.join('.'))).toEqual(paths);
    expect(new Set(found.map(({ extensions }) => extensions.code))).toEqual(new Set(['SUBGRAPH_UNAVAILABLE']));
  },
);

const rootFields: Readonly<Record<string, string>> = {
  text: 'languages { code }',
  search: 'semanticSearch(query: "love") { similarity }',
  study: 'topic(name: "LOVE") { name }',
  concordance: 'strongs(number: "G26") { number }',
};

/**
 * Sends an operation with a field of each of four subgraphs. Resolves with the response, the number of fetches and the
 * maximum number of them at the same time.
 */
async function respondToFourFields(response: SubgraphResponse, maxParallelNodes?: number) {
  let [fetches, inFlight, maxInFlight] = [0, 0, 0];
  const graph = await openTestGraph({
    maxParallelNodes,
    async fetch() {
      fetches += 1;
      inFlight += 1;
      maxInFlight = Math.max(maxInFlight, inFlight);
      await wait(2);
      inFlight -= 1;
      return structuredClone(response);
    },
  });
  const { body } = await graph.respond(`{ ${Object.values(rootFields).join(' ')} }`, null);
  await graph.close();
  return { response: JSON.parse(String(body)) as { data?: unknown; errors?: unknown[] }, fetches, maxInFlight };
}

test('the fetches of a query plan that do not depend on each other are in flight at the same time', async () => {
  expect(await respondToFourFields({ data: {} })).toMatchObject({ fetches: 4, maxInFlight: 4 });
});

test('a query plan has at most as many parallel fetches in flight as the maximum number of parallel plan nodes', async () => {
  expect(await respondToFourFields({ data: {} }, 2)).toMatchObject({ fetches: 4, maxInFlight: 2 });
});

test('the query-plan executor sends no more fetches once the responses together have more errors than the limit', async () => {
  const error = { message: 'Translation not found', path: ['languages'], extensions: { code: 'BAD_USER_INPUT' } };
  const { response, fetches } = await respondToFourFields({ errors: Array.from({ length: 600 }, () => error) }, 1);
  expect(fetches).toBe(2);
  expect(response.errors).toHaveLength(1);
  expect(response.data).toBeUndefined();
});

test.each([
  ['once', query.replace('t: text', 't: reference'), ['a', 'b']],
  ['as often as the response has its text', query, ['a', 'b', 'a']],
])(
  'an entity at several places in a list is requested %s, and each place has its fields and its errors',
  async (_, query, ids) => {
    let sent: unknown;
    const respond = async (executionStrategy: 'auto' | 'standard') => {
      const graph = await openTestGraph({
        executionStrategy,
        async fetch(subgraph, { variables }) {
          if (subgraph === 'search') return hits([verse('a'), verse('b'), verse('a')]);
          const representations = variables?.['representations'] as { id: string }[];
          if (executionStrategy === 'auto') sent = representations;
          return {
            data: {
              _entities: representations.map(({ id }) => (id === 'a' ? { inTranslation: null } : parallelVerse(id))),
            },
            errors: representations.flatMap(({ id }, index) =>
              id === 'a' ? [{ ...fieldError, path: ['_entities', index, 'inTranslation'] }] : [],
            ),
          };
        },
      });
      const { body } = await graph.respond(query, null);
      await graph.close();
      return JSON.parse(String(body)) as { errors: { path: unknown }[] };
    };
    const received = await respond('auto');
    expect(sent).toEqual(ids.map((id) => ({ __typename: 'Verse', id })));
    const expected = await respond('standard');
    expect(received).toEqual({ ...expected, errors: expect.arrayContaining(expected.errors) });
    expect(received.errors.map(({ path }) => path)).toEqual([
      ['hits', 0, 'inTranslation'],
      ['hits', 2, 'inTranslation'],
    ]);
  },
);
