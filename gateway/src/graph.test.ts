import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@lectern/serving';
import { noSpan, silentMetrics } from '@lectern/telemetry';
import { createGraph } from './graph';
import { createGatewayMetrics } from './metrics';
import type { SubgraphResponse } from './transport/subgraph-fetch';

const supergraphSdl = readFileSync(join(__dirname, '..', '..', 'supergraph.graphql'), 'utf8');

interface Question {
  query: string;
  variables?: Record<string, unknown>;
}

/** What a client is told when a subgraph answers so (null: not at all), after a first question that it answered well, and how often it was asked. */
async function told(
  direct: boolean,
  answer: SubgraphResponse | null,
  { query, variables }: Question = { query: '{ languages { code } }' },
) {
  const good: SubgraphResponse = { data: { languages: [{ code: 'eng' }], verseOfTheDay: null } };
  let asked = 0;
  const graph = await createGraph({
    supergraphSdl,
    limits: { tokens: 5_000, depth: 15, complexity: 300 },
    fast: { direct, keptBytes: 0, keptSeconds: 0 },
    metrics: createGatewayMetrics(silentMetrics),
    log: silentLogger,
    subgraphs: {
      subgraph: () => async () => {
        asked += 1;
        if (asked === 1) return good;
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
  const ask = async () =>
    graph.execute({ query, variables: variables ?? null, operationName: null, requestId: 'request', span: noSpan });
  await ask();
  const { body, codes } = await ask();
  await graph.close();
  return { body: String(body), codes, asked };
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
    'errors alone, as one of another version that lacks the field',
    {
      errors: [
        {
          message: 'Cannot query field "languages" on type "Query".',
          extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
        },
      ],
    },
  ],
  ['errors and null', { data: null, errors: [{ message: 'a fault' }] }],
])('a subgraph that answers with %s is told the same on both ways, and asked once', async (_, answer) => {
  const [directly, planned] = [await told(true, answer), await told(false, answer)];
  expect(directly).toEqual(planned);
  expect(directly.asked).toBe(2);
});

test.each([true, false])(
  "a variable of a client's that is named like one of the engine's changes nothing of what is told when a subgraph is away",
  async (direct) => {
    const { body } = await told(direct, null, {
      query: 'query ($representations: ISO8601Date) { verseOfTheDay(date: $representations) { text } }',
      variables: { representations: [1, 2, 3] },
    });
    expect(JSON.parse(body)).toEqual({
      data: { verseOfTheDay: null },
      errors: [
        {
          message: expect.stringMatching(/unavailable/),
          path: ['verseOfTheDay'],
          extensions: { code: 'SUBGRAPH_UNAVAILABLE' },
        },
      ],
    });
  },
);
