import type { BookCode } from '@lectern/canon';
import { verseId } from '@lectern/canon';
import { corpusFile, dataDir } from '@lectern/testing';
import { buildingMs } from '../../test-support/search-client';
import type { Near, OpenMeaning } from '../../test-support/semantic-client';
import { buildMeaning, isRanked, near, openMeaning, references } from '../../test-support/semantic-client';

let opened: OpenMeaning;
let statements: string[] = [];

beforeAll(async () => {
  await buildMeaning({ corpusFile, dataDir });
  opened = await openMeaning({ dataDir, onStatement: (statement) => statements.push(statement) });
}, buildingMs);

afterAll(() => opened.close());

const id = (book: BookCode, chapter: number, verse: number, translation = 'spa-rv1909'): string =>
  verseId({ translation, book, chapter, verse });

/** What a gateway asks for the neighbours of verses that another subgraph found. */
const similar = (ids: readonly string[], limit?: number | null) =>
  opened.ask(
    `query($representations: [_Any!]!, $limit: Int) { _entities(representations: $representations) { ... on Verse { id similar(limit: $limit) { ${near} } } } }`,
    {
      representations: ids.map((each) => ({ __typename: 'Verse', id: each })),
      ...(limit !== undefined && { limit }),
    },
  );

async function neighbours(ids: readonly string[], limit?: number | null): Promise<{ id: string; similar: Near[] }[]> {
  const { data, errors } = await similar(ids, limit);
  if (errors) throw new Error(errors.map(({ message }) => message).join('; '));
  return data?.['_entities'] as { id: string; similar: Near[] }[];
}

test.each([
  ["the widow's mite in Mark", id('MRK', 12, 42), 'Lucas 21:2'],
  ['"Judge not" in Matthew', id('MAT', 7, 1), 'Lucas 6:37'],
  ['"I am the bread of life"', id('JHN', 6, 48), 'Juan 6:51'],
  ['one genealogy of Mizraim', id('1CH', 1, 11), 'Génesis 10:13'],
])('%s leads to the same elsewhere', async (_, of, reference) => {
  expect(references((await neighbours([of]))[0]?.similar ?? [])).toContain(reference);
});

test.each([
  [undefined, 5],
  [null, 5],
  [0, 0],
  [-1, 0],
  [1, 1],
  [50, 50],
  [51, 50],
  [2_147_483_647, 50],
])('a limit of %p gives %p verses, the nearest', async (limit, count) => {
  const [whole] = await neighbours([id('ROM', 8, 28)], 50);
  const [found] = await neighbours([id('ROM', 8, 28)], limit);
  expect(found?.similar).toEqual(whole?.similar.slice(0, count));
  expect(found?.similar).toHaveLength(count);
});

test('a verse is not among its own neighbours, whatever stands twice in the Bible', async () => {
  const verses = Array.from({ length: 100 }, (_, index) => id('PSA', 119, index + 1));
  for (const { id: own, similar: found } of await neighbours(verses, 20)) {
    expect(found).toHaveLength(20);
    expect(found.map(({ verse }) => verse.id)).not.toContain(own);
    expect(isRanked(found)).toBe(true);
  }
});

test('many verses together get what each gets alone, with one statement for them and one for all their neighbours', async () => {
  const verses = [id('GEN', 1, 1), id('JHN', 3, 16), id('REV', 22, 20), id('GEN', 1, 1), id('PSA', 23, 1)];
  const alone = [];
  for (const each of verses) alone.push(...(await neighbours([each], 7)));
  statements = [];
  expect(await neighbours(verses, 7)).toEqual(alone);
  expect(statements).toHaveLength(2);
});

test('neighbours of neighbours', async () => {
  const { data, errors } = await opened.ask(
    '{ search(query: "\\"Jehová es mi pastor\\"", translation: "spa-rv1909") { reference similar(limit: 3) { verse { similar(limit: 2) { verse { reference } } } } } }',
  );
  expect(errors).toBeUndefined();
  expect(data).toMatchObject({
    search: [{ similar: Array.from({ length: 3 }, () => ({ verse: { similar: [{ verse: {} }, { verse: {} }] } })) }],
  });
});

test('a translation without vectors has no neighbours, and verses that are not there are null', async () => {
  expect(
    await neighbours([id('JHN', 3, 16, 'eng-web'), id('JHN', 3, 999), 'nonsense', id('JHN', 3, 16)], 1),
  ).toMatchObject([{ similar: [] }, null, null, { similar: [{}] }]);
});

test('one request asks it of 200 verses; the field that would pass this says so, and the others are answered', async () => {
  const verses = Array.from({ length: 201 }, (_, index) => id('PSA', 119, (index % 176) + 1));
  const { data, errors } = await similar(verses, 1);
  const found = data?.['_entities'] as { similar: Near[] | null }[];
  expect(found.filter(({ similar: each }) => each?.length === 1)).toHaveLength(200);
  expect(errors).toMatchObject([
    {
      message: 'One request asks similar verses of at most 200 verses; ask for less at once',
      path: ['_entities', 200, 'similar'],
      extensions: { code: 'BAD_USER_INPUT' },
    },
  ]);
});

test('neighbours count among the verses that a request may hold', async () => {
  const { data, errors } = await similar(
    Array.from({ length: 120 }, (_, index) => id('PSA', 119, index + 1)),
    50,
  );
  const found = data?.['_entities'] as { similar: Near[] | null }[];
  const refused = found.filter(({ similar: each }) => each === null);
  expect(refused).toHaveLength(errors?.length ?? 0);
  expect(refused).toHaveLength(120 - Math.floor((5_000 - 120) / 50));
  expect(errors?.[0]).toMatchObject({
    message: 'One request holds at most 5000 verses over all its fields; ask for less at once',
    extensions: { code: 'BAD_USER_INPUT' },
  });
});
