import { corpusFile } from '@lectern/testing';
import { openText } from '../test-support/text-client';

const { ask, data, fault, close } = openText({ corpusFile });
afterAll(close);

const passage = (reference: string, translation = 'eng-web') =>
  data(
    'query ($r: String!, $t: String) { passage(reference: $r, translation: $t) { reference verses { chapter verse } } }',
    { r: reference, t: translation },
  ).then((found) => found['passage']);

describe('a passage', () => {
  test('of Romans is tidy, in the order asked', async () => {
    expect(await passage('Romans 12:1,3-4 & 13:2-4')).toEqual({
      reference: 'Romans 12:1,3-4,13:2-4',
      verses: [
        [12, 1],
        [12, 3],
        [12, 4],
        [13, 2],
        [13, 3],
        [13, 4],
      ].map(([chapter, verse]) => ({ chapter, verse })),
    });
  });

  test('asked in English of a Spanish Bible is named in Spanish', async () => {
    expect(
      await data(
        '{ passage(reference: "John 3:16", translation: "spa-rv1909") { reference translationId translationName translationNote text } }',
      ),
    ).toEqual({
      passage: {
        reference: 'Juan 3:16',
        translationId: 'spa-rv1909',
        translationName: 'Reina-Valera 1909',
        translationNote: expect.stringContaining('Public Domain'),
        text: expect.stringMatching(/^Porque de tal manera amó Dios al mundo/),
      },
    });
  });

  test('joins its verses by line breaks', async () => {
    const { passage: found } = (await data(
      '{ passage(reference: "Ps 117", translation: "eng-kjv") { reference text verses { text } } }',
    )) as unknown as { passage: { reference: string; text: string; verses: { text: string }[] } };
    expect(found.reference).toBe('Psalms 117');
    expect(found.text.split('\n')).toEqual(found.verses.map((verse) => verse.text));
  });

  test.each(['John 3:999', 'John 99', 'Jude 99:1'])(
    '%s can be read and is not there: no verses, no error',
    async (reference) => {
      expect(
        await data('query ($r: String!) { passage(reference: $r) { text verses { text } } }', { r: reference }),
      ).toEqual({ passage: { text: '', verses: [] } });
    },
  );

  test('that reaches beyond the end gives the part that is there and names it', async () => {
    expect(await passage('John 21:24-40')).toMatchObject({
      reference: 'John 21:24-25',
      verses: [{ verse: 24 }, { verse: 25 }],
    });
  });

  test.each([
    ['Nonexistent 1:1', "Invalid reference: 'Nonexistent 1:1' (book not found)"],
    ['', "Invalid reference: '' (book not found)"],
    ['John 3:16 foo', "Invalid reference: 'foo' (book not found)"],
  ])('%j is read by nobody', async (reference, message) => {
    expect(await fault('query ($r: String!) { passage(reference: $r) { text } }', { r: reference })).toEqual([
      { message, code: 'NOT_FOUND', at: 'passage' },
    ]);
  });

  test('is refused when it is too long, or the whole Bible', async () => {
    expect(
      await fault(
        'query ($a: String!) { a: passage(reference: $a) { text } b: passage(reference: "Genesis 1:1 - Revelation 22:21", translation: "eng-kjv") { text } }',
        { a: 'John 3:16;'.repeat(21) },
      ),
    ).toEqual([
      { message: 'reference must be 200 characters or fewer', code: 'BAD_USER_INPUT', at: 'a' },
      { message: 'Reference covers 31102 verses; ask for at most 2500', code: 'BAD_USER_INPUT', at: 'b' },
    ]);
  });

  test('Psalms, the longest book, can be had whole; two of them and more in one request cannot', async () => {
    expect(((await passage('Psalms', 'eng-kjv')) as unknown as { verses: unknown[] }).verses).toHaveLength(2_461);
    expect(
      await fault(
        '{ a: passage(reference: "Psalms") { text } b: passage(reference: "Psalms") { text } c: passage(reference: "Genesis 1-4") { text } }',
      ),
    ).toEqual([
      {
        message: 'One request holds at most 5000 verses over all its fields; ask for less at once',
        code: 'BAD_USER_INPUT',
        at: 'c.text',
      },
    ]);
  });
});

describe('a chapter and a verse', () => {
  test('a chapter that is not there is empty, whatever its number', async () => {
    for (const chapter of [0, -1, 22, 999, 1_003, 2_147_483_647]) {
      expect(await data('query ($c: Int!) { chapter(book: "John", chapter: $c) { text } }', { c: chapter })).toEqual({
        chapter: [],
      });
    }
  });

  test('a verse that is not there is an error that names it, whatever its numbers', async () => {
    for (const [chapter, verse] of [
      [3, 999],
      [3, 0],
      [3, -1],
      [0, 1],
      [2, 1_016],
      [2_147_483_647, 2_147_483_647],
    ]) {
      expect(
        await fault('query ($c: Int!, $v: Int!) { verse(book: "John", chapter: $c, verse: $v) { text } }', {
          c: chapter,
          v: verse,
        }),
      ).toEqual([{ message: `Verse 'JHN ${chapter}:${verse}' not found`, code: 'NOT_FOUND', at: 'verse' }]);
    }
  });

  test('a verse has one id, and says where it stands', async () => {
    expect(
      await data(
        '{ verse(book: "1 Jn", chapter: 4, verse: 8, translation: "eng-kjv") { id bookId bookName chapter verse text reference } }',
      ),
    ).toEqual({
      verse: {
        id: Buffer.from('v1:eng-kjv.1JN.4.8').toString('base64url'),
        bookId: '1JN',
        bookName: '1 John',
        chapter: 4,
        verse: 8,
        text: 'He that loveth not knoweth not God; for God is love.',
        reference: '1 John 4:8',
      },
    });
  });

  test('the great fish swallows Jonah at 2:1 in the Reina-Valera and at 1:17 in the King James', async () => {
    expect(
      await data(`{
      verse(book: "Jonás", chapter: 2, verse: 1, translation: "spa-rv1909") {
        text inTranslation(identifier: "eng-kjv") { reference text inTranslation(identifier: "spa-rv1909") { reference } }
      }
    }`),
    ).toEqual({
      verse: {
        text: expect.stringContaining('un gran pez'),
        inTranslation: {
          reference: 'Jonah 1:17',
          text: expect.stringContaining('a great fish'),
          inTranslation: { reference: 'Jonás 2:1' },
        },
      },
    });
  });

  test('a verse that the other translation leaves out is null; a translation that is not served is an error', async () => {
    const query =
      '{ verse(book: "Luke", chapter: 17, verse: 36, translation: "eng-kjv") { web: inTranslation(identifier: "eng-web") { text } no: inTranslation(identifier: "no") { text } } }';
    expect(await fault(query)).toEqual([{ message: "Translation 'no' not found", code: 'NOT_FOUND', at: 'verse.no' }]);
    expect((await ask({ query })).data).toEqual({ verse: { web: null, no: null } });
  });
});
