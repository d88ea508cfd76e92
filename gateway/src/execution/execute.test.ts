import type { SubgraphResponse } from '@lectern/subgraph';
import { openTestGraph } from '../../test-support/graph';

interface Operation {
  query: string;
  variables?: Record<string, unknown>;
}

/**
 * Sends the operation twice. The subgraph's first response has no errors, and the gateway stores
 * the plan. The subgraph's second response is `response`; null makes the subgraph unavailable.
 * Returns the second response of the gateway, and how many requests the subgraph received.
 */
async function secondResponse(
  executionStrategy: 'auto' | 'standard',
  response: SubgraphResponse | null,
  { query, variables }: Operation = { query: '{ languages { code } }' },
) {
  let requests = 0;
  const graph = await openTestGraph({
    executionStrategy,
    async fetch() {
      requests += 1;
      if (requests === 1) return { data: { languages: [{ code: 'eng' }], verseOfTheDay: null } };
      if (!response) throw new Error('unavailable');
      return response;
    },
  });
  await graph.respond(query, variables);
  const { body, codes } = await graph.respond(query, variables);
  await graph.close();
  return { body: String(body), codes, requests };
}

test.each<[string, SubgraphResponse]>([
  ['data', { data: { languages: [{ code: 'spa' }] } }],
  [
    'data and errors',
    {
      data: { languages: null },
      errors: [{ message: 'busy', path: ['languages'], extensions: { code: 'RATE_LIMITED' } }],
    },
  ],
  [
    'a validation error and no data',
    {
      errors: [
        {
          message: 'Cannot query field "languages" on type "Query".',
          extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
        },
      ],
    },
  ],
  ['an error and data that is null', { data: null, errors: [{ message: 'an error' }] }],
])(
  'if a subgraph responds with %s, a passed-through operation gets the same response as from @apollo/gateway',
  async (_, response) => {
    const passThrough = await secondResponse('auto', response);
    expect(passThrough).toEqual(await secondResponse('standard', response));
    expect(passThrough.requests).toBe(2);
  },
);

test.each(['auto', 'standard'] as const)(
  'with EXECUTION_STRATEGY=%s, a variable named representations does not change the error of an unavailable subgraph',
  async (executionStrategy) => {
    const { body } = await secondResponse(executionStrategy, null, {
      query: 'query ($representations: ISO8601Date) { verseOfTheDay(date: $representations) { text } }',
      variables: { representations: [1, 2, 3] },
    });
    expect(JSON.parse(body)).toEqual({
      data: { verseOfTheDay: null },
      errors: [
        {
          message: expect.stringMatching(/unavailable/),
          locations: [{ line: 1, column: 41 }],
          path: ['verseOfTheDay'],
          extensions: { code: 'SUBGRAPH_UNAVAILABLE' },
        },
      ],
    });
  },
);

test('while an expensive operation of a key hangs, a second one of the key gets RATE_LIMITED after maxKeyWaitMs', async () => {
  let respondToAll: (response: SubgraphResponse) => void = () => {};
  const responded = new Promise<SubgraphResponse>((resolve) => (respondToAll = resolve));
  let requests = 0;
  const graph = await openTestGraph({
    maxKeyWaitMs: 100,
    fetch(_subgraph, { query }) {
      requests += 1;
      return query.includes('a0') ? responded : { data: { languages: [{ code: 'eng' }] } };
    },
  });
  // The expensive operation costs 200, and the operations of a key that cost more than 30 may cost
  // 150 together while they are in flight. So no other expensive operation runs beside this one.
  // Cheaper operations have a limit of their own.
  const expensive = `{ ${Array.from({ length: 100 }, (_, index) => `a${index}: languages { code }`).join(' ')} }`;
  const data = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`a${index}`, [{ code: 'eng' }]]));
  const inFlight = graph.respond(expensive);
  const error = graph.respond(expensive).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect((await graph.respond('{ languages { code } }')).codes).toEqual([]);
  expect(await error).toMatchObject({ extensions: { code: 'RATE_LIMITED', retryAfter: 1 } });
  respondToAll({ data });
  expect((await inFlight).codes).toEqual([]);
  expect(requests).toBe(2);
  await graph.close();
});

test.each(['auto', 'standard'] as const)(
  'with EXECUTION_STRATEGY=%s, the gateway counts each reported embedding call once, even in a response with errors',
  async (executionStrategy) => {
    const responses: SubgraphResponse[] = [
      { data: { semanticSearch: [] }, embeddingCalls: 1 },
      { data: { semanticSearch: [] } },
      { errors: [{ message: 'busy' }], embeddingCalls: 2 },
      { data: null, errors: [{ message: 'busy' }], embeddingCalls: 3 },
    ];
    const counted: unknown[] = [];
    const sent = responses.values();
    const graph = await openTestGraph({
      executionStrategy,
      fetch: () => sent.next().value ?? { data: { semanticSearch: [] }, embeddingCalls: 100 },
      onEmbeddingCalls: (...call) => counted.push(call),
    });
    for (const _ of responses) await graph.respond('{ semanticSearch(query: "peace") { similarity } }');
    await graph.close();
    expect(counted).toEqual([
      ['a key', 1],
      ['a key', 2],
      ['a key', 3],
    ]);
  },
);

test.each(['auto', 'standard'] as const)(
  'with EXECUTION_STRATEGY=%s, a hint that a subgraph sends twice is once in the response, which is not cached',
  async (executionStrategy) => {
    const hint = { coordinate: 'Query.semanticSearch', message: 'No vectors.' };
    let requests = 0;
    const graph = await openTestGraph({
      executionStrategy,
      responseCache: { maxBytes: 1_000_000, maxSeconds: 60 },
      async fetch(subgraph) {
        requests += 1;
        return subgraph === 'search'
          ? { data: { semanticSearch: [], __typename: 'Query' }, hints: [hint, hint] }
          : { data: { languages: [] } };
      },
    });
    const operations: [string, number][] = [
      ['{ semanticSearch(query: "peace") { similarity } }', 1],
      ['{ semanticSearch(query: "peace") { similarity } languages { code } }', 2],
      ['{ semanticSearch(query: "peace") { similarity } __schema { queryType { name } } }', 1],
    ];
    for (const [query, requestsEach] of operations) {
      requests = 0;
      for (let time = 0; time < 3; time += 1) expect((await graph.respond(query)).hints).toEqual([hint]);
      expect(requests).toBe(3 * requestsEach);
    }
    await graph.close();
  },
);

test.each(['auto', 'standard'] as const)(
  'with EXECUTION_STRATEGY=%s, the gateway sends no further fetch once subgraphs report REQUEST_CPU_MS of computing time',
  async (executionStrategy) => {
    const requested: [string, number | undefined][] = [];
    let cpuMs = 0;
    const graph = await openTestGraph({
      executionStrategy,
      async fetch(subgraph, { variables }, { work }) {
        requested.push([subgraph, work && Math.round(work.remainingMs())]);
        if (subgraph !== 'text') return { data: { _entities: [{ similar: [] }] }, cpuMs };
        const verse = { __typename: 'Verse', id: 'eng-web.JHN.3.16', reference: 'John 3:16' };
        return { data: variables?.['representations'] ? { _entities: [verse] } : { verse }, cpuMs };
      },
    });
    const query = '{ verse(book: "John", chapter: 3, verse: 16) { reference similar { similarity } } }';
    const respond = async (ms: number) => {
      cpuMs = ms;
      requested.length = 0;
      return JSON.parse(String((await graph.respond(query)).body)) as unknown;
    };
    const complete = { data: { verse: { reference: 'John 3:16', similar: [] } } };
    expect(await respond(1)).toEqual(complete);
    expect(await respond(2_000)).toEqual({
      data: { verse: { reference: 'John 3:16', similar: null } },
      errors: [
        {
          message: expect.stringContaining('more than 2000 ms'),
          locations: [{ line: 1, column: 58 }],
          path: ['verse', 'similar'],
          extensions: { code: 'REQUEST_TOO_EXPENSIVE' },
        },
      ],
    });
    expect(requested).toEqual([['text', 2_000]]);
    expect(await respond(1_000)).toEqual(complete);
    expect(requested).toEqual([
      ['text', 2_000],
      ['search', 1_000],
    ]);
    await graph.close();
  },
);
