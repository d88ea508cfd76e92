import { useStarted } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { graphqlStatus } from '../support/graphql-status';

const lectern = useStarted(startEmbeddedLectern);

/** Sends a query 12 times, one after another. Returns the number of different responses. */
const countDifferentResponses = async (query: string): Promise<number> => {
  const responses = new Set<string>();
  for (let time = 0; time < 12; time += 1) responses.add(JSON.stringify(await lectern.client(query)));
  return responses.size;
};

test('the response cache serves no response with the uncacheable randomVerse, even if only a fragment selects it', async () => {
  expect(await countDifferentResponses('{ randomVerse { id } }')).toBeGreaterThan(3);
  expect(
    await countDifferentResponses(
      '{ books { name } ...R } fragment R on Query { ... on Query { a: randomVerse(books: "PSA") { id } } }',
    ),
  ).toBeGreaterThan(3);
});

test('the response cache serves a response only to a request with the same variables and the same operation of the document', async () => {
  const query =
    'query V($v: Int!) { verse(book: "JHN", chapter: 3, verse: $v) { verse } } query W($v: Int!) { verse(book: "GEN", chapter: 3, verse: $v) { verse bookId } }';
  const fetchData = async (variables: Record<string, unknown>, name: string) =>
    (await lectern.client(query, variables, name)).data;
  for (let time = 0; time < 2; time += 1) {
    expect(await fetchData({ v: 1 }, 'V')).toEqual({ verse: { verse: 1 } });
    expect(await fetchData({ v: 2 }, 'V')).toEqual({ verse: { verse: 2 } });
    expect(await fetchData({ v: 2 }, 'W')).toEqual({ verse: { verse: 2, bookId: 'GEN' } });
  }
});

test('a request that is served from the response cache counts against the rate limit', async () => {
  const limited = await startEmbeddedLectern({
    rates: { perMinute: 0, keyPerMinute: 0, perDay: 2, keyRequestsPerHour: 0 },
  });
  const statuses = [];
  for (let time = 0; time < 3; time += 1) statuses.push(await graphqlStatus(limited.url, limited.token));
  expect(statuses).toEqual([200, 200, 429]);
  await limited.close();
});
