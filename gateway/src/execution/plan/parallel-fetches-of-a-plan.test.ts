import { setTimeout as wait } from 'node:timers/promises';
import type { SubgraphResponse } from '@lectern/subgraph';
import { openTestGraph } from '../../../test-support/open-graph-with-simulated-subgraphs';

const searches = 24;
const indexes = Array.from({ length: searches }, (_, index) => index);
const query = `{ ${indexes.map((index) => `s${index}: search(query: "love") { id inTranslation(identifier: "spa-rv1909") { text } }`).join(' ')} }`;
const found: SubgraphResponse = {
  data: Object.fromEntries(indexes.map((index) => [`s${index}`, [{ __typename: 'Verse', id: String(index) }]])),
};

/**
 * Sends an operation whose plan fetches the entities of 24 searches from the subgraph `text`. Resolves with
 * the response, the number of these fetches and the maximum number of them at the same time.
 */
async function respondWith(textResponse: () => SubgraphResponse) {
  let [fetches, inFlight, maxInFlight] = [0, 0, 0];
  const graph = await openTestGraph({
    async fetch(subgraph) {
      if (subgraph === 'search') return structuredClone(found);
      fetches += 1;
      inFlight += 1;
      maxInFlight = Math.max(maxInFlight, inFlight);
      await wait(2);
      inFlight -= 1;
      return textResponse();
    },
  });
  const { body } = await graph.respond(query, null);
  await graph.close();
  return { response: JSON.parse(String(body)) as { data?: unknown; errors?: unknown[] }, fetches, maxInFlight };
}

test('the query-plan executor sends the 24 parallel fetches of a plan, at most 4 of them at the same time', async () => {
  const { response, fetches, maxInFlight } = await respondWith(() => ({
    data: { _entities: [{ __typename: 'Verse', inTranslation: { text: 'amor' } }] },
  }));
  expect({ fetches, maxInFlight }).toEqual({ fetches: 24, maxInFlight: 4 });
  const expected = indexes.map((index) => [`s${index}`, [{ id: String(index), inTranslation: { text: 'amor' } }]]);
  expect(response).toEqual({ data: Object.fromEntries(expected) });
});

test('the query-plan executor sends at most 7 of 24 parallel fetches if each response has 600 errors, because a response with more than 1,000 errors has no data', async () => {
  const error = { message: 'Translation not found', path: ['_entities', 0], extensions: { code: 'BAD_USER_INPUT' } };
  const { response, fetches } = await respondWith(() => ({
    data: { _entities: [null] },
    errors: Array.from({ length: 600 }, () => error),
  }));
  expect(fetches).toBeLessThanOrEqual(7);
  expect(response.errors).toHaveLength(1);
  expect(response.data).toBeUndefined();
});
