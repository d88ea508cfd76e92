import { useStarted } from '@lectern/testing';
import { openSearchClient } from '../../test-support/search-client';

const client = useStarted(openSearchClient);

const versesOf = async (query: string, translation = 'eng-web'): Promise<Set<string>> =>
  new Set((await client.allEdges({ query, translation })).map(({ node }) => node.id));
const hintsOf = async (query: string): Promise<string[]> => {
  const { hints } = await client.execute('query ($query: String!) { searchVerses(query: $query) { totalCount } }', {
    query,
  });
  return (hints ?? []).map(({ message }) => message);
};
const without = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
  new Set([...some].filter((id) => !others.has(id)));

test.each([
  ['shepherd -sheep', 'shepherd', 'sheep'],
  ['shepherd NOT sheep', 'shepherd', 'sheep'],
  ['love NOT "the lord" ', 'love', '"the lord"'],
  ['"my god" -love', '"my god"', 'love'],
])('searchVerses finds for %j the verses for %j without those for %j', async (query, wanted, excluded) => {
  expect(await versesOf(query)).toEqual(without(await versesOf(wanted), await versesOf(excluded)));
});

test('searchVerses finds for "shepherd OR sheep NOT goats" the verses with one of two words and without a third', async () => {
  const either = new Set([...(await versesOf('shepherd')), ...(await versesOf('sheep'))]);
  expect(await versesOf('shepherd OR sheep')).toEqual(either);
  expect(await versesOf('shepherd OR sheep NOT goats')).toEqual(without(either, await versesOf('goats')));
  expect(await versesOf('"my shepherd" OR "lamb of god"')).toEqual(
    new Set([...(await versesOf('"my shepherd"')), ...(await versesOf('"lamb of god"'))]),
  );
});

test('searchVerses finds for "shepherd NEAR/3 sheep" verses with both words, of which at most two words lie between', async () => {
  const all = await client.allEdges({ query: 'shepherd sheep' });
  const near = await client.allEdges({ query: 'shepherd NEAR/3 sheep' });
  const isNear = (text: string): boolean =>
    /shepherd\w*(?:\W+\w+){0,2}\W+sheep|sheep(?:\W+\w+){0,2}\W+shepherd/i.test(text);
  const references = (edges: typeof all) => edges.map(({ node }) => node.reference).sort();
  expect(near.length).toBeGreaterThan(5);
  expect(references(near)).toEqual(references(all.filter(({ node }) => isNear(node.text.replaceAll(/[’']s/g, 's')))));
  expect((await client.page({ query: '"the lord" NEAR/1 "my shepherd"' })).totalCount).toBe(0);
});

test('searchVerses finds for "shep*" the verses with words that begin with shep', async () => {
  const edges = await client.allEdges({ query: 'shep*' });
  const words = new Set(
    edges.flatMap(({ node, matches }) =>
      matches.map((each) => node.text.slice(each.start, each.start + each.length).toLowerCase()),
    ),
  );
  expect([...words].every((word) => word.startsWith('shep'))).toBe(true);
  expect(words.size).toBeGreaterThan(3);
});

test.each(['- - OR', 'NOT', 'OR OR', ' -god', 'NOT god', 'NEAR/5', '*', '-', 'OR -'])(
  'searchVerses reads the query %j, which has only operators, as words',
  async (query) => {
    const words = query.toLowerCase().replaceAll(/[*/-]/g, ' ').trim();
    expect(await versesOf(query)).toEqual(words === '' ? new Set() : await versesOf(words));
  },
);

test.each([
  ['-sheep shepherd', 'sheep shepherd', 'A query that begins with -'],
  ['shepherd - sheep', 'shepherd sheep', '- stands directly before a letter'],
  ['well-known', 'well known', ''],
  ['THOU SHALT NOT KILL', 'thou shalt not kill', 'A query of capitals has no operators'],
  ['god AND lord', 'god and lord', 'Leave out AND'],
  ['god OR', 'god or', 'Read as words: OR'],
  ['god NEAR lord', 'god near lord', 'NEAR needs a distance'],
  ['g* god', 'g god', '* is an operator only after'],
  ['god "lord', 'god lord', 'A quotation mark has no partner'],
])('searchVerses reads %j as the words %j and says so in a hint that begins with %j', async (query, words, hint) => {
  expect(await versesOf(query)).toEqual(await versesOf(words));
  const hints = await hintsOf(query);
  expect(hint === '' ? hints.length === 0 : hints.some((each) => each.startsWith(hint))).toBe(true);
});

test('searchVerses says in a hint which words verses lack because of NOT', async () => {
  expect(await hintsOf('Thou shalt NOT kill')).toEqual(['Verses with these words are left out: kill.']);
});

test('a reference in a query with -word returns its verses, and does not make the excluded word a word to search for', async () => {
  const page = await client.page({ query: 'John 3:16 -sheep' });
  expect(page.edges.map(({ node }) => node.reference)).toEqual(['John 3:16']);
});

test('searchVerses never relaxes a query with operators, and rejects a cursor of the same words without operators', async () => {
  expect(await client.page({ query: 'shepherd xqzjkwv -sheep' })).toMatchObject({ totalCount: 0, relaxed: null });
  const { pageInfo } = await client.page({ query: 'shepherd sheep', first: 1 });
  for (const query of ['shepherd NEAR/9 sheep', 'shepherd -sheep', 'shepherd OR sheep'])
    expect(await client.pageError({ query, after: pageInfo.endCursor })).toMatchObject({ message: 'Invalid cursor' });
});

test('searchVerses answers a query of 200 characters that excludes many frequent words', async () => {
  const query = `love ${'-the -and -of -to -in -he -his -they -that -it '.repeat(4)}`.slice(0, 200);
  expect((await client.page({ query })).totalCount).toBeGreaterThan(0);
  expect(await client.pageError({ query: 'a -b '.repeat(41) })).toMatchObject({ code: 'BAD_USER_INPUT' });
});

test.each(['shepherd -sheep', 'shepherd NOT sheep', 'shepherd OR sheep', 'shepherd NEAR/3 sheep', 'shep* sheep'])(
  'the field search has no operators: it reads %j as words',
  async (query) => {
    expect(await client.search(query)).toEqual(await client.search(query.replaceAll(/[-*/]/g, ' ')));
  },
);
