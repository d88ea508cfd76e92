import { dataDir } from '@lectern/testing';
import { openTextClient } from '../test-support/text-client';

const { execute, queryData, queryErrors, close } = openTextClient({ dataDir });
afterAll(close);

const fetchPassage = (reference: string, translation = 'eng-web') =>
  queryData(
    'query ($r: String!, $t: String) { passage(reference: $r, translation: $t) { reference verses { chapter verse } } }',
    { r: reference, t: translation },
  ).then((data) => data['passage']);

describe('passages', () => {
  test('the field passage returns the normalized reference, and the verses in the requested order', async () => {
    expect(await fetchPassage('Romans 12:1,3-4 & 13:2-4')).toEqual({
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
    expect(await fetchPassage('Romans 13:2; 12:1')).toMatchObject({
      reference: 'Romans 13:2,12:1',
      verses: [
        { chapter: 13, verse: 2 },
        { chapter: 12, verse: 1 },
      ],
    });
  });

  test('the field passage in a Spanish translation returns the Spanish reference and text for an English reference', async () => {
    expect(
      await queryData(
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

  test('the text of a passage has a line break between its verses', async () => {
    const { passage: found } = (await queryData(
      '{ passage(reference: "Ps 117", translation: "eng-kjv") { reference text verses { text } } }',
    )) as unknown as { passage: { reference: string; text: string; verses: { text: string }[] } };
    expect(found.reference).toBe('Psalms 117');
    expect(found.text.split('\n')).toEqual(found.verses.map((verse) => verse.text));
  });

  test.each([
    ['the Sermon on the Mount', 'eng-web', 'Matthew 5-7'],
    ["the Lord's prayer", 'eng-web', 'Matthew 6:9-13'],
    ['the Lord’s Prayer', 'eng-kjv', 'Matthew 6:9-13'],
    ['La oración del Padre Nuestro', 'spa-rv1909', 'Mateo 6:9-13'],
    ['la zarza ardiente', 'eng-web', 'Exodus 3:1-4:17'],
    ['the burning bush', 'spa-rv1909', 'Éxodo 3:1-4:17'],
    ['the beattitudes', 'eng-web', 'Matthew 5:3-12'],
    ['the seven last words', 'eng-web', 'Luke 23:34,43; John 19:26-27; Matthew 27:46; John 19:28,30; Luke 23:46'],
    // RV1909 begins Job 40 with a verse that is Job 40:6 in other translations.
    ['Behemoth and Leviathan', 'eng-web', 'Job 40:15-41:34'],
    ['Behemoth and Leviathan', 'spa-rv1909', 'Job 40:10-41:34'],
  ])('the field passage reads the passage name %j in %s as the reference %s', async (name, translation, reference) => {
    expect(await fetchPassage(name, translation)).toMatchObject({ reference });
  });

  test.each([
    ['Job', 'Job'],
    ['Mark', 'Mark'],
    ['Numbers', 'Numbers'],
    ['Jonah', 'Jonah'],
    ['Mark 3', 'Mark 3'],
  ])(
    "the field passage reads %j as a reference, although its book name is also a common word or a person's name",
    async (text, reference) => {
      expect(await fetchPassage(text)).toMatchObject({ reference });
    },
  );

  test.each(['John 3:999', 'John 99', 'Jude 99:1'])(
    'the field passage returns no verses and no error for %s, which the translation lacks',
    async (reference) => {
      expect(
        await queryData('query ($r: String!) { passage(reference: $r) { text verses { text } } }', { r: reference }),
      ).toEqual({ passage: { text: '', verses: [] } });
    },
  );

  test('the field passage ends a range at the last existing verse, and returns the shortened reference', async () => {
    expect(await fetchPassage('John 21:24-40')).toMatchObject({
      reference: 'John 21:24-25',
      verses: [{ verse: 24 }, { verse: 25 }],
    });
  });

  test.each([
    ['Nonexistent 1:1', "Invalid reference: 'Nonexistent 1:1' (book not found)"],
    ['', "Invalid reference: '' (book not found)"],
    ['love', "Invalid reference: 'love' (book not found)"],
    ['sermon', "Invalid reference: 'sermon' (book not found)"],
    ['the Sermon on the Mount; John 3:16', "Invalid reference: 'the Sermon on the Mount' (book not found)"],
    ['John 3:16 foo', "Invalid reference: 'foo' (book not found)"],
    ['John 3:16-1', "Invalid reference: 'John 3:16-1' (range not found)"],
  ])('the field passage rejects the invalid reference %j with NOT_FOUND and the reason', async (reference, message) => {
    expect(await queryErrors('query ($r: String!) { passage(reference: $r) { text } }', { r: reference })).toEqual([
      { message, code: 'NOT_FOUND', path: 'passage' },
    ]);
  });

  test('passage rejects a reference of more than 200 characters or 2500 verses with BAD_USER_INPUT', async () => {
    expect(
      await queryErrors(
        'query ($a: String!) { a: passage(reference: $a) { text } b: passage(reference: "Genesis 1:1 - Revelation 22:21", translation: "eng-kjv") { text } }',
        { a: 'John 3:16;'.repeat(21) },
      ),
    ).toEqual([
      { message: 'reference must be 200 characters or fewer', code: 'BAD_USER_INPUT', path: 'a' },
      { message: 'Reference covers 31102 verses; ask for at most 2500', code: 'BAD_USER_INPUT', path: 'b' },
    ]);
  });

  test('passage can return all 2461 verses of the Psalms, and fails if a request has more than 5000 verses', async () => {
    expect(((await fetchPassage('Psalms', 'eng-kjv')) as unknown as { verses: unknown[] }).verses).toHaveLength(2_461);
    expect(
      await queryErrors(
        '{ a: passage(reference: "Psalms") { text } b: passage(reference: "Psalms") { text } c: passage(reference: "Genesis 1-4") { text } }',
      ),
    ).toEqual([
      {
        message: 'One request holds at most 5000 verses over all its fields; ask for less at once',
        code: 'BAD_USER_INPUT',
        path: 'c.text',
      },
    ]);
  });

  test('the field Chapter.verses of all chapters fails because a request holds at most 5000 verses', async () => {
    expect((await queryErrors('{ bibleIndex { chapters { verses { id } } } }'))[0]).toMatchObject({
      message: 'One request holds at most 5000 verses over all its fields; ask for less at once',
      code: 'BAD_USER_INPUT',
    });
  });
});

describe('chapter and verse', () => {
  test('the field chapter returns an empty list for a chapter number that the book lacks', async () => {
    for (const chapter of [0, -1, 22, 999, 1_003, 2_147_483_647]) {
      expect(
        await queryData('query ($c: Int!) { chapter(book: "John", chapter: $c) { text } }', { c: chapter }),
      ).toEqual({
        chapter: [],
      });
    }
  });

  test('the field verse rejects a chapter or verse number that the book lacks with NOT_FOUND', async () => {
    for (const [chapter, verse] of [
      [3, 999],
      [3, 0],
      [3, -1],
      [0, 1],
      [2, 1_016],
      [2_147_483_647, 2_147_483_647],
    ]) {
      expect(
        await queryErrors('query ($c: Int!, $v: Int!) { verse(book: "John", chapter: $c, verse: $v) { text } }', {
          c: chapter,
          v: verse,
        }),
      ).toEqual([{ message: `Verse 'JHN ${chapter}:${verse}' not found`, code: 'NOT_FOUND', path: 'verse' }]);
    }
  });

  test('the field verse returns the id, book, chapter number, verse number, text and reference of a verse', async () => {
    expect(
      await queryData(
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

  test('the field Verse.inTranslation maps Jonah 2:1 of the Reina-Valera 1909 to Jonah 1:17 of the King James Version and back', async () => {
    expect(
      await queryData(`{
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

  test('Verse.inTranslation maps Romans 16:25 of the King James Version to Romans 14:24 of WEB and back', async () => {
    expect(
      await queryData(`{
      verse(book: "Romans", chapter: 16, verse: 25, translation: "eng-kjv") {
        inTranslation(identifier: "eng-web") { reference text inTranslation(identifier: "eng-kjv") { reference } }
      }
    }`),
    ).toEqual({
      verse: {
        inTranslation: {
          reference: 'Romans 14:24',
          text: expect.stringMatching(/^Now to him who is able/),
          inTranslation: { reference: 'Romans 16:25' },
        },
      },
    });
  });

  test('Verse.inTranslation is null for a verse that the other translation omits, and rejects an unknown translation', async () => {
    const query =
      '{ verse(book: "Luke", chapter: 17, verse: 36, translation: "eng-kjv") { web: inTranslation(identifier: "eng-web") { text } no: inTranslation(identifier: "no") { text } } }';
    expect(await queryErrors(query)).toEqual([
      { message: "Translation 'no' not found", code: 'NOT_FOUND', path: 'verse.no' },
    ]);
    expect((await execute({ query })).data).toEqual({ verse: { web: null, no: null } });
  });
});
