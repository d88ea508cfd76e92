import { useStarted, withFolder } from '@lectern/testing';
import { buildSmallStudy, importSmallTranslation } from '../test-support/small-study-data';
import { openRealStudyClient, openStudyClient } from '../test-support/study-client';

const client = useStarted(openRealStudyClient);

interface Named {
  id: string;
  name: string;
  language: string;
  otherNames: string[];
  kind: string;
  passages: { reference: string; verseCount: number }[];
}
interface Page {
  totalCount: number;
  edges: { cursor: string; node: Named }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const fields = 'id name language otherNames kind passages { reference verseCount }';
const document = `query ($query: String, $language: String, $first: Int, $after: String) {
  namedPassages(query: $query, language: $language, first: $first, after: $after) {
    totalCount edges { cursor node { ${fields} } } pageInfo { hasNextPage endCursor }
  }
}`;
const page = async (variables: Record<string, unknown>): Promise<Page> =>
  (await client.data<{ namedPassages: Page }>(document, variables)).namedPassages;
const idsOf = ({ edges }: Page): string[] => edges.map(({ node }) => node.id);

test('namedPassages finds the passage "Golden Rule" by its English name, with its references in Matthew and Luke', async () => {
  const { edges } = await page({ query: 'the Golden Rule' });
  expect(edges[0]?.node).toMatchObject({
    id: 'golden-rule',
    name: 'Golden Rule',
    language: 'eng',
    kind: 'SAYING',
    passages: [
      { reference: 'Matthew 7:12', verseCount: 1 },
      { reference: 'Luke 6:31', verseCount: 1 },
    ],
  });
  expect(edges[0]?.node.otherNames).toContain('Do unto others');
});

test.each(['es', 'spa', 'ES-mx'])('namedPassages returns Spanish names for the language code %s', async (language) => {
  const { edges } = await page({ query: 'burning bush', language });
  expect(edges[0]?.node).toMatchObject({ id: 'burning-bush', name: 'La zarza ardiente', language: 'spa' });
});

test.each(['fr', '', 'x'.repeat(5_000)].map((language) => [language.slice(0, 20), language]))(
  'namedPassages returns English names for the unsupported language code %j',
  async (_, language) => {
    expect((await page({ query: 'la zarza ardiente', language })).edges[0]?.node).toMatchObject({
      name: 'Burning bush',
      language: 'eng',
    });
  },
);

test('namedPassages writes a reference to whole chapters without verse numbers, such as Matthew 5-7', async () => {
  const { edges } = await page({ query: 'Sermon on the Mount', first: 1 });
  expect(edges[0]?.node.passages).toEqual([{ reference: 'Matthew 5-7', verseCount: 111 }]);
});

test('the pages of namedPassages without a query contain each named passage once, in canonical order', async () => {
  const { totalCount } = await page({});
  const nodes: Named[] = [];
  for (let after: string | null = null, isLast = false; !isLast; ) {
    const next: Page = await page({ first: 100, after });
    nodes.push(...next.edges.map(({ node }) => node));
    ({ endCursor: after } = next.pageInfo);
    isLast = !next.pageInfo.hasNextPage;
  }
  expect(totalCount).toBeGreaterThan(600);
  expect(nodes).toHaveLength(totalCount);
  expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
  expect(nodes[0]?.id).toBe('creation');
  expect(nodes.at(-1)?.id).toBe('come-lord-jesus');
  expect(nodes.filter(({ passages }) => passages.some(({ verseCount }) => !(verseCount > 0)))).toEqual([]);
  expect(nodes.filter(({ otherNames, passages }) => otherNames.length > 15 || passages.length > 10)).toEqual([]);
});

test('two pages of namedPassages together contain the same passages as one page of twice the size', async () => {
  const both = await page({ query: 'Moses', first: 6 });
  const first = await page({ query: 'Moses', first: 3 });
  const second = await page({ query: 'Moses', first: 3, after: first.pageInfo.endCursor });
  expect([...idsOf(first), ...idsOf(second)]).toEqual(idsOf(both));
});

const otherQueries = ['asdfgh', '%%%', '😀', '信仰', 'x'.repeat(200), 'what does the Bible say about marriage'];
test.each(otherQueries.map((query) => [query.slice(0, 40), query]))(
  'namedPassages returns an empty page for %j, which names no passage',
  async (_, query) => {
    expect(await page({ query })).toEqual({
      totalCount: 0,
      edges: [],
      pageInfo: { hasNextPage: false, endCursor: null },
    });
  },
);

test.each([
  ['a query of 201 characters', { query: 'x'.repeat(201) }, 'query must be 200 characters or fewer'],
  ['an invalid cursor', { after: 'abc' }, 'Invalid cursor'],
])('namedPassages rejects %s with BAD_USER_INPUT', async (_, variables, message) => {
  expect(await client.error(document, variables)).toEqual([message, 'BAD_USER_INPUT']);
});

test("Verse.namedPassages lists the passages that contain the verse, in the translation's language, the shortest first", async () => {
  const places = ['eng-web MAT 7:12', 'spa-rv1909 MAT 7:12', 'eng-web 1CH 23:30'];
  const verses = await client.verses<{ namedPassages: Named[] }>('namedPassages(first: 2) { name language }', places);
  expect(verses.map((verse) => verse?.namedPassages)).toEqual([
    [
      { name: 'Golden Rule', language: 'eng' },
      { name: 'Sermon on the Mount', language: 'eng' },
    ],
    [
      { name: 'Regla de oro', language: 'spa' },
      { name: 'Sermón del monte', language: 'spa' },
    ],
    [],
  ]);
});

test('the field Verse.namedPassages finds the right passages of a verse that the translation numbers differently', async () => {
  const [verse] = await client.verses<{ namedPassages: Named[] }>('namedPassages { id }', ['spa-rv1909 JOB 40:10']);
  expect(verse?.namedPassages).toEqual([{ id: 'behemoth' }]);
});

test('_entities of the study subgraph returns a named passage by its id, and null for an unknown id', async () => {
  const representations = ['golden-rule', 'nothing', '__proto__', ''].map((id) => ({ __typename: 'NamedPassage', id }));
  const query = 'query ($r: [_Any!]!) { found: _entities(representations: $r) { ... on NamedPassage { name } } }';
  expect(await client.data(query, { r: representations })).toEqual({
    found: [{ name: 'Golden Rule' }, null, null, null],
  });
});

test('namedPassages works without any installed SWORD module', async () => {
  await withFolder(async (folder) => {
    await importSmallTranslation(folder);
    await buildSmallStudy(folder);
    const small = openStudyClient(folder);
    const found = await small.data<{ namedPassages: Page }>(document, { query: 'Noah’s ark', first: 1 });
    await small.close();
    expect(found.namedPassages.edges[0]?.node.passages[0]?.reference).toBe('Genesis 6:9-8:22');
  });
});
