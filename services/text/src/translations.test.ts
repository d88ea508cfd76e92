import { books as canonBooks } from '@lectern/canon';
import { dataDir } from '@lectern/testing';
import { openTextClient } from '../test-support/text-client';

const { queryData, queryErrors, close } = openTextClient({ dataDir });
afterAll(close);

/** Leaves out other translations, such as the Hebrew and Greek texts, which not each machine has. */
const isDefault = ({ identifier }: { identifier: string }): boolean =>
  ['eng-kjv', 'eng-web', 'spa-rv1909'].includes(identifier);

const defaultTranslations = async (fields: string): Promise<{ identifier: string }[]> => {
  const { translations } = (await queryData(`{ translations { identifier ${fields} } }`)) as unknown as {
    translations: { identifier: string }[];
  };
  return translations.filter(isDefault);
};

describe('translations', () => {
  test('the field translations returns the metadata of each translation, sorted by identifier', async () => {
    expect(await defaultTranslations('abbrev language languageName direction verseCount complete')).toEqual([
      {
        identifier: 'eng-kjv',
        abbrev: 'KJV',
        language: 'eng',
        languageName: 'English',
        direction: 'LTR',
        verseCount: 31_102,
        complete: true,
      },
      {
        identifier: 'eng-web',
        abbrev: 'WEB',
        language: 'eng',
        languageName: 'English',
        direction: 'LTR',
        verseCount: 31_098,
        complete: true,
      },
      {
        identifier: 'spa-rv1909',
        abbrev: 'RV1909',
        language: 'spa',
        languageName: 'Spanish',
        direction: 'LTR',
        verseCount: 31_084,
        complete: true,
      },
    ]);
  });

  test("the field hasStrongsTagging is false only for the World English Bible, because its Strong's numbers are not reliable", async () => {
    expect(await defaultTranslations('hasStrongsTagging hasStemming offlineDownloadable')).toMatchObject(
      [true, false, true].map((hasStrongsTagging) => ({
        hasStrongsTagging,
        hasStemming: true,
        offlineDownloadable: true,
      })),
    );
  });

  test('the field translation returns the licence note, and an id that encodes the identifier', async () => {
    const { translation } = (await queryData('{ translation(identifier: "eng-web") { id note } }')) as unknown as {
      translation: { id: string; note: string };
    };
    expect(translation.id).toBe(Buffer.from('v1:translation:eng-web').toString('base64url'));
    expect(translation.note).toContain('Public Domain');
  });

  test.each(['web', 'ENG-WEB', '', ' eng-web', 'eng-web\u0000'])(
    'every root field with a translation argument rejects the unknown identifier %j with NOT_FOUND',
    async (identifier) => {
      const expected = { message: `Translation '${identifier}' not found`, code: 'NOT_FOUND' };
      const found = await queryErrors(
        `query ($t: String!) {
      translation(identifier: $t) { id } bibleIndex(translation: $t) { name } passage(reference: "John 3:16", translation: $t) { text }
      chapter(book: "John", chapter: 3, translation: $t) { text } verse(book: "John", chapter: 3, verse: 16, translation: $t) { text }
      randomVerse(translation: $t) { text } verseOfTheDay(translation: $t) { text } references(text: "John 3:16", translation: $t) { start }
      readingChapter(book: "John", chapter: 3, translation: $t) { number }
    }`,
        { t: identifier },
      );
      expect(found).toHaveLength(9);
      for (const each of found) expect(each).toMatchObject(expected);
    },
  );

  test('the field languages sorts languages by code, and counts the translations of each language', async () => {
    const { languages } = (await queryData(
      '{ languages { code translationCount translations { identifier } } }',
    )) as unknown as { languages: { translations: { identifier: string }[] }[] };
    expect(languages.filter(({ translations }) => translations.some(isDefault))).toEqual([
      { code: 'eng', translationCount: 2, translations: [{ identifier: 'eng-kjv' }, { identifier: 'eng-web' }] },
      { code: 'spa', translationCount: 1, translations: [{ identifier: 'spa-rv1909' }] },
    ]);
  });
});

describe('books', () => {
  test('the field books returns the 66 books in canonical order', async () => {
    const { books } = (await queryData('{ books { bookId name testament position } }')) as unknown as {
      books: { bookId: string; name: string; testament: string; position: number }[];
    };
    expect(books.map((book) => book.position)).toEqual(Array.from({ length: 66 }, (_, index) => index + 1));
    expect([books[0], books[38], books[39], books[65]]).toEqual([
      { bookId: 'GEN', name: 'Genesis', testament: 'OT', position: 1 },
      { bookId: 'MAL', name: 'Malachi', testament: 'OT', position: 39 },
      { bookId: 'MAT', name: 'Matthew', testament: 'NT', position: 40 },
      { bookId: 'REV', name: 'Revelation', testament: 'NT', position: 66 },
    ]);
  });

  test('the field bibleIndex returns the book names and the chapter lengths of the Spanish translation', async () => {
    const { bibleIndex } = (await queryData(
      '{ bibleIndex(translation: "spa-rv1909") { bookId name chapterCount chapters { number verseCount } } }',
    )) as unknown as {
      bibleIndex: {
        bookId: string;
        name: string;
        chapterCount: number;
        chapters: { number: number; verseCount: number }[];
      }[];
    };
    expect(bibleIndex).toHaveLength(66);
    expect(bibleIndex.map((book) => book.name)).toEqual(
      expect.arrayContaining([
        'Génesis',
        'Rut',
        'Eclesiastés',
        'Cantares',
        'Nahúm',
        'Hageo',
        'Mateo',
        '1 Corintios',
        'Filemón',
        'Apocalipsis',
      ]),
    );
    expect(bibleIndex.find((book) => book.bookId === 'JON')?.chapters).toEqual([
      { number: 1, verseCount: 16 },
      { number: 2, verseCount: 10 },
      { number: 3, verseCount: 10 },
      { number: 4, verseCount: 11 },
    ]);
  });

  test.each([
    ['JHN', 'eng-web'],
    ['jhn', 'eng-web'],
    ['John', 'eng-web'],
    ['  jOHN ', 'eng-web'],
    ['Jn', 'eng-web'],
    ['Juan', 'spa-rv1909'],
    ['San Juan', 'spa-rv1909'],
    ['JUAN', 'spa-rv1909'],
    ['John', 'spa-rv1909'],
  ])(
    'the field verse accepts the book argument %j for the Gospel of John in the translation %s',
    async (book, translation) => {
      expect(
        await queryData(
          'query ($b: String!, $t: String) { verse(book: $b, chapter: 11, verse: 35, translation: $t) { bookId } }',
          { b: book, t: translation },
        ),
      ).toEqual({ verse: { bookId: 'JHN' } });
    },
  );

  test.each(['Nope', '', '   ', 'John 3', 'Tobit', '💥'])(
    'the field chapter rejects the book argument %j, which names no book, with NOT_FOUND',
    async (book) => {
      expect(await queryErrors('query ($b: String!) { chapter(book: $b, chapter: 1) { text } }', { b: book })).toEqual([
        { message: `Book '${book}' not found`, code: 'NOT_FOUND', path: 'chapter' },
      ]);
    },
  );

  test('the field chapter rejects a book name of 5000 characters with an error that quotes only its first 300 characters', async () => {
    expect(
      await queryErrors('query ($b: String!) { chapter(book: $b, chapter: 1) { text } }', { b: 'x'.repeat(5_000) }),
    ).toEqual([{ message: `Book '${'x'.repeat(300)}…' not found`, code: 'NOT_FOUND', path: 'chapter' }]);
  });
});

describe('default arguments', () => {
  test('in the text schema, null for an argument with a default means the default, such as eng-web for the argument translation', async () => {
    expect(
      await queryData(
        `query ($t: String) {
      bibleIndex(translation: $t) { bookId } passage(reference: "John 3:16", translation: null) { translationId } chapter(book: "Jude", chapter: 1, translation: $t) { id }
      randomVerse(books: null, testament: null, translation: $t) { id } verseOfTheDay(date: null, translation: $t) { translationId } references(text: "", translation: $t) { start }
      verse(book: "Jude", chapter: 1, verse: 1, translation: $t) { id } readingChapter(book: "Jude", chapter: 1, translation: $t) { translation { identifier offlinePackage(schemaVersion: null) { sha256 } } }
    }`,
        { t: null },
      ),
    ).toMatchObject({
      passage: { translationId: 'eng-web' },
      verseOfTheDay: { translationId: 'eng-web' },
      references: [],
      verse: { id: Buffer.from('v1:eng-web.JUD.1.1').toString('base64url') },
      readingChapter: { translation: { identifier: 'eng-web' } },
    });
  });
});

test('the field references finds references in a text with their offsets, and rejects a text of more than 10000 characters', async () => {
  const text = '🙂 Compare Juan 3:16 with Rom 8:28-99 and John 99.';
  const { references } = (await queryData(
    'query ($x: String!) { references(text: $x) { reference bookId status verseCount start length } }',
    { x: text },
  )) as unknown as { references: { start: number; length: number }[] };
  expect(references).toMatchObject([
    { reference: 'John 3:16', bookId: 'JHN', status: 'OK', verseCount: 1 },
    { reference: 'Romans 8:28-39', bookId: 'ROM', status: 'PARTIAL', verseCount: 12 },
    { reference: 'John 99', bookId: 'JHN', status: 'OUT_OF_RANGE', verseCount: 0 },
  ]);
  expect(references.map(({ start, length }) => text.slice(start, start + length))).toEqual([
    'Juan 3:16',
    'Rom 8:28-99',
    'John 99',
  ]);
  expect(
    await queryErrors('query ($x: String!) { references(text: $x) { start } }', { x: 'a'.repeat(10_001) }),
  ).toEqual([{ message: 'text must be 10000 characters or fewer', code: 'BAD_USER_INPUT', path: 'references' }]);
});

test('the field books returns the same book codes as the package @lectern/canon', async () => {
  const { books } = (await queryData('{ books { bookId } }')) as unknown as { books: { bookId: string }[] };
  expect(books.map((book) => book.bookId)).toEqual(canonBooks.map((book) => book.code));
});
