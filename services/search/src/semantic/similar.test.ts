import { type BookCode, verseId } from '@lectern/canon';
import { useStarted } from '@lectern/testing';
import type { SimilarVerseData } from '../../test-support/semantic-client';
import {
  ensureSemanticFiles,
  isRanked,
  openSemanticClient,
  referencesOf,
  similarVerseFields,
} from '../../test-support/semantic-client';

let statements: string[] = [];
const client = useStarted(async () => {
  await ensureSemanticFiles();
  return openSemanticClient({ onStatement: (statement) => statements.push(statement) });
});

const id = (book: BookCode, chapter: number, verse: number, translation = 'spa-rv1909'): string =>
  verseId({ translation, book, chapter, verse });

/** Requests `similar` through `_entities`, as a gateway does for verses of another subgraph. */
const similarResponse = (ids: readonly string[], limit?: number | null) =>
  client.execute(
    `query($representations: [_Any!]!, $limit: Int) { _entities(representations: $representations) { ... on Verse { id similar(limit: $limit) { ${similarVerseFields} } } } }`,
    {
      representations: ids.map((each) => ({ __typename: 'Verse', id: each })),
      ...(limit !== undefined && { limit }),
    },
  );

async function similarVerses(
  ids: readonly string[],
  limit?: number | null,
): Promise<{ id: string; similar: SimilarVerseData[] }[]> {
  const { data, errors } = await similarResponse(ids, limit);
  if (errors) throw new Error(errors.map(({ message }) => message).join('; '));
  return data?.['_entities'] as { id: string; similar: SimilarVerseData[] }[];
}

test.each([
  ["Mark 12:42 (the widow's mite)", 'Lucas 21:2', id('MRK', 12, 42)],
  ['Matthew 7:1', 'Lucas 6:37', id('MAT', 7, 1)],
  ['John 6:48 (the bread of life)', 'Juan 6:51', id('JHN', 6, 48)],
  ['1 Chronicles 1:11 (the sons of Mizraim)', 'Génesis 10:13', id('1CH', 1, 11)],
])('the field Verse.similar of %s contains the similar verse %s', async (_, reference, of) => {
  expect(referencesOf((await similarVerses([of]))[0]?.similar ?? [])).toContain(reference);
});

test('the field Verse.similar of a verse never contains the verse itself', async () => {
  const verses = Array.from({ length: 100 }, (_, index) => id('PSA', 119, index + 1));
  for (const { id: own, similar: found } of await similarVerses(verses, 20)) {
    expect(found).toHaveLength(20);
    expect(found.map(({ verse }) => verse.id)).not.toContain(own);
    expect(isRanked(found)).toBe(true);
  }
});

test('the field Verse.similar of five verses is read with two SQL statements', async () => {
  const verses = [id('GEN', 1, 1), id('JHN', 3, 16), id('REV', 22, 20), id('GEN', 1, 1), id('PSA', 23, 1)];
  const alone = [];
  for (const each of verses) alone.push(...(await similarVerses([each], 7)));
  statements = [];
  expect(await similarVerses(verses, 7)).toEqual(alone);
  expect(statements).toHaveLength(2);
});

test('the field Verse.similar can be selected inside another Verse.similar', async () => {
  const { data, errors } = await client.execute(
    '{ search(query: "\\"Jehová es mi pastor\\"", translation: "spa-rv1909") { reference similar(limit: 3) { verse { similar(limit: 2) { verse { reference } } } } } }',
  );
  expect(errors).toBeUndefined();
  expect(data).toMatchObject({
    search: [{ similar: Array.from({ length: 3 }, () => ({ verse: { similar: [{ verse: {} }, { verse: {} }] } })) }],
  });
});

test('Verse.similar is empty in a translation without vectors, and _entities of search is null for a missing verse', async () => {
  expect(
    await similarVerses([id('JHN', 3, 16, 'eng-web'), id('JHN', 3, 999), 'not-an-id', id('JHN', 3, 16)], 1),
  ).toMatchObject([{ similar: [] }, null, null, { similar: [{}] }]);
});

test('a request can select the field Verse.similar of at most 200 verses, and the field fails for each further verse', async () => {
  const verses = Array.from({ length: 201 }, (_, index) => id('PSA', 119, (index % 176) + 1));
  const { data, errors } = await similarResponse(verses, 1);
  const found = data?.['_entities'] as { similar: SimilarVerseData[] | null }[];
  expect(found.filter(({ similar: each }) => each?.length === 1)).toHaveLength(200);
  expect(errors).toMatchObject([
    {
      message: 'One request asks similar verses of at most 200 verses; ask for less at once',
      path: ['_entities', 200, 'similar'],
      extensions: { code: 'BAD_USER_INPUT' },
    },
  ]);
});

test('if the Verse.similar fields of a request return more than 5000 verses together, only the fields beyond the limit fail', async () => {
  const { data, errors } = await similarResponse(
    Array.from({ length: 120 }, (_, index) => id('PSA', 119, index + 1)),
    50,
  );
  const found = data?.['_entities'] as { similar: SimilarVerseData[] | null }[];
  const failed = found.filter(({ similar: each }) => each === null);
  expect(failed).toHaveLength(errors?.length ?? 0);
  expect(failed).toHaveLength(120 - Math.floor((5_000 - 120) / 50));
  expect(errors?.[0]).toMatchObject({
    message: 'One request holds at most 5000 verses over all its fields; ask for less at once',
    extensions: { code: 'BAD_USER_INPUT' },
  });
});
