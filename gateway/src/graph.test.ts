import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@lectern/serving';
import { noSpan, silentMetrics } from '@lectern/telemetry';
import { createGraph } from './graph';
import { createObservations } from './observations';
import type { SubgraphAnswer } from './subgraphs/subgraph-fetch';

const supergraphSdl = readFileSync(join(__dirname, '..', '..', 'supergraph.graphql'), 'utf8');

/** What a client is told when subgraphs answer so, after a first question that they answered well, and how often they were asked. */
async function told(direct: boolean, answer: SubgraphAnswer) {
  const good: SubgraphAnswer = { data: { languages: [{ code: 'eng' }] } };
  const answers = [good, answer];
  let asked = 0;
  const graph = await createGraph({
    supergraphSdl, limits: { tokens: 5_000, depth: 15, complexity: 300 }, fast: { direct, keptBytes: 0, keptSeconds: 0 }, observations: createObservations(silentMetrics), log: silentLogger,
    subgraphs: {
      subgraph: () => async () => {
        asked += 1;
        return answers.shift() ?? good;
      },
      replicas: () => [], checkNames: () => {}, mixedCorpora: () => null, corporaSeen: () => 0, close: async () => {},
    },
  });
  const ask = async () => graph.execute({ query: '{ languages { code } }', variables: null, operationName: null, requestId: 'request', span: noSpan });
  await ask();
  const { body, codes } = await ask();
  await graph.close();
  return { body: String(body), codes, asked };
}

test.each<[string, SubgraphAnswer]>([
  ['data', { data: { languages: [{ code: 'spa' }] } }],
  ['data and errors', { data: { languages: null }, errors: [{ message: 'busy', path: ['languages'], extensions: { code: 'RATE_LIMITED' } }] }],
  ['errors alone, as one of another version that lacks the field', { errors: [{ message: 'Cannot query field "languages" on type "Query".', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] }],
  ['errors and null', { data: null, errors: [{ message: 'a fault' }] }],
])('a subgraph that answers with %s is told the same on both ways, and asked once', async (_, answer) => {
  const [directly, planned] = [await told(true, answer), await told(false, answer)];
  expect(directly).toEqual(planned);
  expect(directly.asked).toBe(2);
});
