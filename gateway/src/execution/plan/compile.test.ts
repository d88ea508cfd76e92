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

test('the query-plan executor gives the same response as @apollo/gateway for a plan over two subgraphs that respond without errors', async () => {
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

test('the query-plan executor sends no fetch for a selection that @include excludes', async () => {
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
    strategy: 'query-plan',
  });
});

test('the query-plan executor gives the same response as @apollo/gateway for entities inside nested fragments with @include and @skip', async () => {
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
  ['the response of the first subgraph has no data', { search: {} }],
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

test('the query-plan executor gives the same response as @apollo/gateway for a long list of entities, some of which have errors', async () => {
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

test.each<[string, Partial<Responses>]>([
  ['an entity is missing from the list of entities', { text: entities([parallelVerse('uno')]) }],
  ['the entities are not a list', { text: entities({}) }],
  ['a search hit lacks its key field', { search: hits([verse('a'), { __typename: 'Verse', text: 'without an id' }]) }],
  ['a search hit has no __typename', { search: hits([{ id: 'a', text: 'x' }, verse('b')]) }],
  ['a non-null search hit is null', { search: hits([verse('a'), null]) }],
  ['a search hit has another type than Verse', { search: hits([{ ...verse('a'), __typename: 'Book' }]) }],
  ['a String field is a number', { search: hits([{ ...verse('a'), text: 7 }, verse('b')]) }],
  [
    'a non-null String field is missing',
    { text: entities([{ __typename: 'Verse', inTranslation: { verse: 1 } }, parallelVerse('dos')]) },
  ],
  [
    'a number is too large for an Int field',
    { text: entities([parallelVerse('uno'), { __typename: 'Verse', inTranslation: { t: 'dos', verse: 2 ** 40 } }]) },
  ],
  ['an entity is not an object', { text: entities([parallelVerse('uno'), 'dos']) }],
  [
    'the second subgraph responds with another id and an invalid value',
    {
      text: entities([
        { ...parallelVerse('uno'), id: 'another' },
        { __typename: 'Verse', inTranslation: { t: 2, verse: 1 } },
      ]),
    },
  ],
])(
  'if %s, and no subgraph sent an error, @apollo/gateway executes the query plan instead of the query-plan executor, and no fetch is repeated',
  async (_, responses) => {
    const [compiled, standard] = [
      await secondResponse({ ...goodResponses(), ...responses }, { executionStrategy: 'auto' }),
      await secondResponse({ ...goodResponses(), ...responses }, { executionStrategy: 'standard' }),
    ];
    expect(compiled).toEqual({ ...standard, strategy: 'apollo-gateway' });
  },
);

/** The operations below cost more than the default maximum. */
const highLimits = { tokens: 5_000, depth: 15, complexity: 10_000 };

test('two equal fetches of one query plan each get their own response, even if @apollo/gateway has to finish the plan for the query-plan executor', async () => {
  const verses = { a: [verse('a')], b: [verse('a')] };
  const responseOf = (subgraph: string, request: string): SubgraphResponse => {
    if (subgraph === 'text') return entities([{ __typename: 'Verse', other: { __typename: 'Verse', id: 'dos' } }]);
    if (subgraph === 'concordance')
      return entities([{ __typename: 'Verse', what: [{ text: 'uno' }, { text: 'dos' }] }]);
    return request.includes('_entities')
      ? entities([{ __typename: 'Verse', what: [{ similarity: 1 }] }])
      : { data: verses };
  };
  const document =
    '{ a: search(query: "love") { other: inTranslation(identifier: "spa-rv1909") { what: words { text } } } b: search(query: "love") { other: inTranslation(identifier: "spa-rv1909") { what: similar { similarity } } } }';
  const invalid = entities([{ __typename: 'Verse', what: [{ text: 1 }, { text: 'dos' }] }]);
  /**
   * Sends the document twice. The plan has five fetches, so from the sixth request on a request
   * belongs to the second execution, in which the concordance subgraph sends `later`.
   */
  const respondTwice = async (later: SubgraphResponse | null, executionStrategy: 'auto' | 'standard' = 'auto') => {
    let requests = 0;
    const strategies: string[] = [];
    const graph = await openTestGraph({
      executionStrategy,
      limits: highLimits,
      metrics: { execution: (strategy) => strategies.push(strategy) },
      async fetch(subgraph, request) {
        requests += 1;
        const isLater = later !== null && requests > 5 && subgraph === 'concordance';
        return structuredClone(isLater ? later : responseOf(subgraph, request.query));
      },
    });
    await graph.respond(document);
    const { body } = await graph.respond(document);
    await graph.close();
    return {
      requests,
      strategy: strategies.at(-1),
      body: JSON.parse(String(body)) as { data?: unknown; errors?: unknown[] },
    };
  };
  const data = {
    a: [{ other: { what: [{ text: 'uno' }, { text: 'dos' }] } }],
    b: [{ other: { what: [{ similarity: 1 }] } }],
  };
  expect(await respondTwice(null)).toEqual({ requests: 10, strategy: 'query-plan', body: { data } });
  const errors = [{ message: 'an error', path: ['_entities', 0], extensions: { code: 'NOT_FOUND' } }];
  expect(await respondTwice({ ...responseOf('concordance', ''), errors })).toEqual({
    requests: 10,
    strategy: 'query-plan',
    body: { data, errors: [expect.objectContaining({ message: 'an error' })] },
  });
  const { body } = await respondTwice(invalid, 'standard');
  expect(await respondTwice(invalid)).toEqual({ requests: 10, strategy: 'apollo-gateway', body });
  expect(body.data).toMatchObject({ b: data.b });
});

const searches = 24;
const indexes = Array.from({ length: searches }, (_, index) => index);
const manySearches = `{ ${indexes.map((index) => `s${index}: search(query: "love") { id inTranslation(identifier: "spa-rv1909") { text } }`).join(' ')} }`;
const foundVerses: SubgraphResponse = {
  data: Object.fromEntries(indexes.map((index) => [`s${index}`, [{ __typename: 'Verse', id: String(index) }]])),
};

/**
 * Sends an operation whose plan fetches the entities of 24 searches from the subgraph `text`.
 * Resolves with the response, the number of these fetches and the maximum number of them at the
 * same time.
 */
async function respondToManySearches(textResponse: () => SubgraphResponse) {
  let [fetches, inFlight, maxInFlight] = [0, 0, 0];
  const graph = await openTestGraph({
    limits: highLimits,
    async fetch(subgraph) {
      if (subgraph === 'search') return structuredClone(foundVerses);
      fetches += 1;
      inFlight += 1;
      maxInFlight = Math.max(maxInFlight, inFlight);
      await wait(2);
      inFlight -= 1;
      return textResponse();
    },
  });
  const { body } = await graph.respond(manySearches, null);
  await graph.close();
  return { response: JSON.parse(String(body)) as { data?: unknown; errors?: unknown[] }, fetches, maxInFlight };
}

test('the query-plan executor has at most 4 parallel fetches of a query plan in flight at the same time', async () => {
  const { response, fetches, maxInFlight } = await respondToManySearches(() => ({
    data: { _entities: [{ __typename: 'Verse', inTranslation: { text: 'amor' } }] },
  }));
  expect({ fetches, maxInFlight }).toEqual({ fetches: 24, maxInFlight: 4 });
  const expected = indexes.map((index) => [`s${index}`, [{ id: String(index), inTranslation: { text: 'amor' } }]]);
  expect(response).toEqual({ data: Object.fromEntries(expected) });
});

test('the query-plan executor stops sending the fetches of a query plan once the responses together have more errors than the limit', async () => {
  const error = { message: 'Translation not found', path: ['_entities', 0], extensions: { code: 'BAD_USER_INPUT' } };
  const { response, fetches } = await respondToManySearches(() => ({
    data: { _entities: [null] },
    errors: Array.from({ length: 600 }, () => error),
  }));
  expect(fetches).toBeLessThanOrEqual(7);
  expect(response.errors).toHaveLength(1);
  expect(response.data).toBeUndefined();
});
