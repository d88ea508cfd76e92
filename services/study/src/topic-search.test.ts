import { useStarted } from '@lectern/testing';
import { openRealStudyClient } from '../test-support/study-client';

const client = useStarted(openRealStudyClient);

interface Page {
  totalCount: number;
  edges: { cursor: string; node: { id: string; name: string } }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const document =
  'query ($query: String, $first: Int, $after: String) { topics(query: $query, first: $first, after: $after) { totalCount edges { cursor node { id name } } pageInfo { hasNextPage endCursor } } }';
const page = async (variables: Record<string, unknown>): Promise<Page> =>
  (await client.data<{ topics: Page }>(document, variables)).topics;
const namesOf = ({ edges }: Page): string[] => edges.map(({ node }) => node.name);

test('the pages of topics without a query contain each topic once, in alphabetical order', async () => {
  const names: string[] = [];
  for (let after: string | null = null, isLast = false; !isLast; ) {
    const next: Page = await page({ first: 100, after });
    expect(next.totalCount).toBe(5_322);
    names.push(...namesOf(next));
    ({ endCursor: after } = next.pageInfo);
    isLast = !next.pageInfo.hasNextPage;
  }
  expect(names).toHaveLength(5_322);
  expect(names).toEqual([...new Set(names)].sort());
});

test('topics sorts exact matches of the name first, then partial matches of the name, then matches of headings', async () => {
  const names = namesOf(await page({ query: 'faith' }));
  expect(names.slice(0, 3)).toEqual(['FAITH', 'FIGHT OF FAITH', 'FAITHFULNESS']);
  // The topic TRIAL has the word faith only in a heading.
  expect(names.indexOf('TRIAL')).toBeGreaterThan(names.map((name) => name.includes('FAITH')).lastIndexOf(true));
});

test('the field topics ignores case and accents, and completes the last word of the query if it has three letters or more', async () => {
  const expected = await page({ query: 'FORGIVENESS OF' });
  expect(namesOf(await page({ query: ' fórgivéness  OF ' }))).toEqual(namesOf(expected));
  expect(namesOf(await page({ query: 'forgiven' }))).toContain('FORGIVENESS');
  expect(namesOf(await page({ query: 'fo' }))).not.toContain('FORGIVENESS');
});

test.each([
  ['100%', '100'],
  ['"faith"', 'faith'],
  ['faith* OR god', 'faith or god'],
  ['headings:faith', 'headings faith'],
  ["o'", 'o'],
  ['((((', '-'],
  ['faith\u0000', 'faith'],
  ['-faith', 'faith'],
  ['AND', 'and'],
  ['NEAR(faith hope)', 'near faith hope'],
])('the field topics reads the query %j as plain words without search operators', async (query, words) => {
  expect(await page({ query })).toEqual(await page({ query: words }));
});

test.each(['信仰', 'вера', 'x'.repeat(200)].map((query) => [query.slice(0, 20), query]))(
  'the field topics returns nothing for the query %j, which occurs in no topic',
  async (_, query) => {
    expect((await page({ query })).totalCount).toBe(0);
  },
);

test('the field topics returns an empty page for a query of punctuation only', async () => {
  expect(await page({ query: '%%%' })).toEqual({
    totalCount: 0,
    edges: [],
    pageInfo: { hasNextPage: false, endCursor: null },
  });
});

test.each([
  [
    'a query of 201 characters',
    { query: 'x'.repeat(201) },
    ['query must be 200 characters or fewer', 'BAD_USER_INPUT'],
  ],
  ['an invalid cursor', { after: 'abc' }, ['Invalid cursor', 'BAD_USER_INPUT']],
  ['a long cursor', { after: 'x'.repeat(500) }, ['Invalid cursor', 'BAD_USER_INPUT']],
])('the field topics rejects %s with BAD_USER_INPUT', async (_, variables, error) => {
  expect(await client.error(document, variables)).toEqual(error);
});

test('the field topics returns an empty page for a cursor after the last topic', async () => {
  const after = Buffer.from('t999999').toString('base64url');
  expect(await page({ after })).toMatchObject({ totalCount: 5_322, edges: [], pageInfo: { hasNextPage: false } });
});

const topic = 'query ($name: String!) { topic(name: $name) { id name verseCount source { id } } }';

test.each(['ANGEL (a spirit)', 'angel (A SPIRIT)', '  Angel  (a spirit) '])(
  'the field topic ignores case and extra spaces in the name %j',
  async (name) => {
    expect(await client.data(topic, { name })).toMatchObject({
      topic: { name: 'ANGEL (a spirit)', source: { id: 'naves' } },
    });
  },
);

test.each(['', 'Nobody', '%', '_', "'; DROP TABLE topic; --", 'Вера'])(
  'the field topic rejects the unknown name %j with NOT_FOUND',
  async (name) => {
    expect(await client.error(topic, { name })).toEqual([`Topic '${name}' not found`, 'NOT_FOUND']);
  },
);

test('the field topic rejects a name of 201 characters with BAD_USER_INPUT', async () => {
  expect(await client.error(topic, { name: 'x'.repeat(201) })).toEqual([
    'name must be 200 characters or fewer',
    'BAD_USER_INPUT',
  ]);
});

test('the field topic returns sections, entries and references, with references in the requested language', async () => {
  const { topic: abba } = await client.data<{ topic: unknown }>(
    '{ topic(name: "ABBA") { verseCount seeAlso { name } sections { heading entries { text references { reference spanish: reference(language: "spa") other: reference(language: "xyz") bookId verseCount verses(translation: "spa-rv1909") { id } } } } } }',
  );
  expect(abba).toMatchObject({
    verseCount: 3,
    seeAlso: [],
    sections: [
      {
        heading: null,
        entries: [
          {
            text: 'Father',
            references: [
              { reference: 'Mark 14:36', spanish: 'Marcos 14:36', other: 'Mark 14:36', bookId: 'MRK', verseCount: 1 },
              { reference: 'Romans 8:15' },
              { reference: 'Galatians 4:6' },
            ],
          },
        ],
      },
    ],
  });
});

test('the field StudyReference.verses rejects an unknown translation with NOT_FOUND', async () => {
  const query = '{ topic(name: "ABBA") { sections { entries { references { verses(translation: "xyz") { id } } } } } }';
  expect(await client.error(query)).toEqual(["Translation 'xyz' not found", 'NOT_FOUND']);
});

test('_entities of the study subgraph returns a topic by its id, and null for an unknown id', async () => {
  const { topics } = await client.data<{ topics: Page }>('{ topics(first: 1) { edges { node { id name } } } }');
  const id = topics.edges[0]?.node.id;
  const ids = [id, 'x', `${id}A`, Buffer.from('v1:topic:Nobody').toString('base64url'), ''];
  const representations = ids.map((each) => ({ __typename: 'Topic', id: each }));
  const { found } = await client.data<{ found: unknown[] }>(
    'query ($r: [_Any!]!) { found: _entities(representations: $r) { ... on Topic { name } } }',
    { r: representations },
  );
  expect(found).toEqual([{ name: topics.edges[0]?.node.name }, null, null, null, null]);
});

test('the study subgraph reads the sections of 50 topics with ten SQL statements', async () => {
  client.statements.length = 0;
  await client.data('{ topics(first: 50) { edges { node { name sections { entries { text } } seeAlso { name } } } } }');
  expect(client.statements).toHaveLength(10);
});

test('the study subgraph rejects a request whose references return more than 5,000 verses', async () => {
  const query =
    '{ topic(name: "JESUS, THE CHRIST") { sections { entries { references { verses(first: 50) { id } } } } } }';
  const [message] = await client.error(query);
  expect(message).toBe('One request holds at most 5000 verses over all its fields; ask for less at once');
});
