import { books as canonBooks } from '@lectern/canon';
import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import { corpusFile } from '@lectern/testing';
import { createTextSubgraph } from './text';

const statements: string[] = [];
const drawn: { next: number } = { next: 0 };
const subgraph = createTextSubgraph({
  corpusFile,
  now: () => new Date('2026-12-25T23:30:00-05:00'),
  random: (below) => drawn.next % below,
  onStatement: (statement) => statements.push(statement),
});
const ask = executeInProcess(subgraph, silentLogger);
afterAll(() => subgraph.close());

// What a test reads is whatever it asked for; the schema's types are the schema's own tests.
type Data = Record<string, never>;
const data = async (query: string, variables?: Record<string, unknown>): Promise<Data> => {
  const answer = await ask({ query, variables });
  expect(answer.errors).toBeUndefined();
  return JSON.parse(JSON.stringify(answer.data)) as Data;
};
const fault = async (query: string, variables?: Record<string, unknown>) => {
  const { errors = [] } = await ask({ query, variables });
  return errors.map(({ message, extensions, path }) => ({ message, code: extensions?.['code'], at: path?.join('.') }));
};
const passage = (reference: string, translation = 'eng-web') =>
  data('query ($r: String!, $t: String) { passage(reference: $r, translation: $t) { reference verses { chapter verse } } }', { r: reference, t: translation }).then((found) => found['passage']);

describe('translations', () => {
  test('are sorted by identifier and count their own verses', async () => {
    expect(await data('{ translations { identifier abbrev language languageName direction verseCount complete } }')).toEqual({
      translations: [
        { identifier: 'eng-kjv', abbrev: 'KJV', language: 'eng', languageName: 'English', direction: 'LTR', verseCount: 31_102, complete: true },
        { identifier: 'eng-web', abbrev: 'WEB', language: 'eng', languageName: 'English', direction: 'LTR', verseCount: 31_098, complete: true },
        { identifier: 'spa-rv1909', abbrev: 'RV1909', language: 'spa', languageName: 'Spanish', direction: 'LTR', verseCount: 31_084, complete: true },
      ],
    });
  });

  test('say what they are trusted for: the tags of the World English Bible are not', async () => {
    expect(await data('{ translations { hasStrongsTagging hasStemming offlineDownloadable offlinePackage { url } } }')).toEqual({
      translations: [true, false, true].map((hasStrongsTagging) => ({ hasStrongsTagging, hasStemming: true, offlineDownloadable: false, offlinePackage: null })),
    });
  });

  test('have ids that do not depend on the process, and a note to show', async () => {
    const { translation } = await data('{ translation(identifier: "eng-web") { id note } }') as unknown as { translation: { id: string; note: string } };
    expect(translation.id).toBe(Buffer.from('v1:translation:eng-web').toString('base64url'));
    expect(translation.note).toContain('Public Domain');
  });

  test.each(['web', 'ENG-WEB', '', ' eng-web', 'eng-web\u0000'])('%j is not served, and every field says so in the same words', async (identifier) => {
    const expected = { message: `Translation '${identifier}' not found`, code: 'NOT_FOUND' };
    const found = await fault(`query ($t: String!) {
      translation(identifier: $t) { id } bibleIndex(translation: $t) { name } passage(reference: "John 3:16", translation: $t) { text }
      chapter(book: "John", chapter: 3, translation: $t) { text } verse(book: "John", chapter: 3, verse: 16, translation: $t) { text }
      randomVerse(translation: $t) { text } verseOfTheDay(translation: $t) { text } references(text: "John 3:16", translation: $t) { start }
    }`, { t: identifier });
    expect(found).toHaveLength(8);
    for (const each of found) expect(each).toMatchObject(expected);
  });

  test('languages are sorted by code and count their translations', async () => {
    expect(await data('{ languages { code translationCount translations { identifier } } }')).toEqual({
      languages: [
        { code: 'eng', translationCount: 2, translations: [{ identifier: 'eng-kjv' }, { identifier: 'eng-web' }] },
        { code: 'spa', translationCount: 1, translations: [{ identifier: 'spa-rv1909' }] },
      ],
    });
  });
});

describe('books', () => {
  test('are the 66 in canonical order', async () => {
    const { books } = await data('{ books { bookId name testament position } }') as unknown as { books: { bookId: string; name: string; testament: string; position: number }[] };
    expect(books.map((book) => book.position)).toEqual(Array.from({ length: 66 }, (_, index) => index + 1));
    expect([books[0], books[38], books[39], books[65]]).toEqual([
      { bookId: 'GEN', name: 'Genesis', testament: 'OT', position: 1 },
      { bookId: 'MAL', name: 'Malachi', testament: 'OT', position: 39 },
      { bookId: 'MAT', name: 'Matthew', testament: 'NT', position: 40 },
      { bookId: 'REV', name: 'Revelation', testament: 'NT', position: 66 },
    ]);
  });

  test('have Spanish names in a Spanish Bible, and its own chapter divisions', async () => {
    const { bibleIndex } = await data('{ bibleIndex(translation: "spa-rv1909") { bookId name chapterCount chapters { number verseCount } } }') as unknown as
      { bibleIndex: { bookId: string; name: string; chapterCount: number; chapters: { number: number; verseCount: number }[] }[] };
    expect(bibleIndex).toHaveLength(66);
    expect(bibleIndex.map((book) => book.name)).toEqual(expect.arrayContaining(['Génesis', 'Rut', 'Eclesiastés', 'Cantares', 'Nahúm', 'Hageo', 'Mateo', '1 Corintios', 'Filemón', 'Apocalipsis']));
    expect(bibleIndex.find((book) => book.bookId === 'JON')?.chapters).toEqual([{ number: 1, verseCount: 16 }, { number: 2, verseCount: 11 }, { number: 3, verseCount: 10 }, { number: 4, verseCount: 11 }].map((each) => expect.objectContaining({ number: each.number })));
  });

  test.each([
    ['JHN', 'eng-web'], ['jhn', 'eng-web'], ['John', 'eng-web'], ['  jOHN ', 'eng-web'], ['Jn', 'eng-web'], ['Juan', 'spa-rv1909'], ['San Juan', 'spa-rv1909'], ['JUAN', 'spa-rv1909'], ['John', 'spa-rv1909'],
  ])('%j names the Gospel of John in %s', async (book, translation) => {
    expect(await data('query ($b: String!, $t: String) { verse(book: $b, chapter: 11, verse: 35, translation: $t) { bookId } }', { b: book, t: translation })).toEqual({ verse: { bookId: 'JHN' } });
  });

  test.each(['Nope', '', '   ', 'John 3', 'Tobit', '💥', 'x'.repeat(5_000)])('%j is no book', async (book) => {
    expect(await fault('query ($b: String!) { chapter(book: $b, chapter: 1) { text } }', { b: book })).toEqual([{ message: `Book '${book}' not found`, code: 'NOT_FOUND', at: 'chapter' }]);
  });
});

describe('a passage', () => {
  test('of Romans is tidy, in the order asked', async () => {
    expect(await passage('Romans 12:1,3-4 & 13:2-4')).toEqual({ reference: 'Romans 12:1,3-4,13:2-4', verses: [[12, 1], [12, 3], [12, 4], [13, 2], [13, 3], [13, 4]].map(([chapter, verse]) => ({ chapter, verse })) });
  });

  test('asked in English of a Spanish Bible is named in Spanish', async () => {
    expect(await data('{ passage(reference: "John 3:16", translation: "spa-rv1909") { reference translationId translationName translationNote text } }')).toEqual({
      passage: { reference: 'Juan 3:16', translationId: 'spa-rv1909', translationName: 'Reina-Valera 1909', translationNote: expect.stringContaining('Public Domain'), text: expect.stringMatching(/^Porque de tal manera amó Dios al mundo/) },
    });
  });

  test('joins its verses by line breaks', async () => {
    const { passage: found } = await data('{ passage(reference: "Ps 117", translation: "eng-kjv") { reference text verses { text } } }') as unknown as { passage: { reference: string; text: string; verses: { text: string }[] } };
    expect(found.reference).toBe('Psalms 117');
    expect(found.text.split('\n')).toEqual(found.verses.map((verse) => verse.text));
  });

  test.each(['John 3:999', 'John 99', 'Jude 99:1'])('%s can be read and is not there: no verses, no error', async (reference) => {
    expect(await data('query ($r: String!) { passage(reference: $r) { text verses { text } } }', { r: reference })).toEqual({ passage: { text: '', verses: [] } });
  });

  test('that reaches beyond the end gives the part that is there and names it', async () => {
    expect(await passage('John 21:24-40')).toMatchObject({ reference: 'John 21:24-25', verses: [{ verse: 24 }, { verse: 25 }] });
  });

  test.each([
    ['Nonexistent 1:1', "Invalid reference: 'Nonexistent 1:1' (book not found)"],
    ['', "Invalid reference: '' (book not found)"],
    ['John 3:16 foo', "Invalid reference: 'foo' (book not found)"],
  ])('%j is read by nobody', async (reference, message) => {
    expect(await fault('query ($r: String!) { passage(reference: $r) { text } }', { r: reference })).toEqual([{ message, code: 'NOT_FOUND', at: 'passage' }]);
  });

  test('is refused when it is too long, or the whole Bible', async () => {
    expect(await fault('query ($a: String!) { a: passage(reference: $a) { text } b: passage(reference: "Genesis 1:1 - Revelation 22:21", translation: "eng-kjv") { text } }', { a: 'John 3:16;'.repeat(21) })).toEqual([
      { message: 'reference must be 200 characters or fewer', code: 'BAD_USER_INPUT', at: 'a' },
      { message: 'Reference covers 31102 verses; ask for at most 2500', code: 'BAD_USER_INPUT', at: 'b' },
    ]);
  });

  test('Psalms, the longest book, can be had whole; two of them and more in one request cannot', async () => {
    expect((await passage('Psalms', 'eng-kjv') as unknown as { verses: unknown[] }).verses).toHaveLength(2_461);
    expect(await fault('{ a: passage(reference: "Psalms") { text } b: passage(reference: "Psalms") { text } c: passage(reference: "Genesis 1-4") { text } }')).toEqual([
      { message: 'One request holds at most 5000 verses over all its fields; ask for less at once', code: 'BAD_USER_INPUT', at: 'c.text' },
    ]);
  });
});

describe('a chapter and a verse', () => {
  test('a chapter that is not there is empty, whatever its number', async () => {
    for (const chapter of [0, -1, 22, 999, 1_003, 2_147_483_647]) {
      expect(await data('query ($c: Int!) { chapter(book: "John", chapter: $c) { text } }', { c: chapter })).toEqual({ chapter: [] });
    }
  });

  test('a verse that is not there is an error that names it, whatever its numbers', async () => {
    for (const [chapter, verse] of [[3, 999], [3, 0], [3, -1], [0, 1], [2, 1_016], [2_147_483_647, 2_147_483_647]]) {
      expect(await fault('query ($c: Int!, $v: Int!) { verse(book: "John", chapter: $c, verse: $v) { text } }', { c: chapter, v: verse })).toEqual([{ message: `Verse 'JHN ${chapter}:${verse}' not found`, code: 'NOT_FOUND', at: 'verse' }]);
    }
  });

  test('a verse has one id, and says where it stands', async () => {
    expect(await data('{ verse(book: "1 Jn", chapter: 4, verse: 8, translation: "eng-kjv") { id bookId bookName chapter verse text reference } }')).toEqual({
      verse: { id: Buffer.from('v1:eng-kjv.1JN.4.8').toString('base64url'), bookId: '1JN', bookName: '1 John', chapter: 4, verse: 8, text: 'He that loveth not knoweth not God; for God is love.', reference: '1 John 4:8' },
    });
  });

  test('the great fish swallows Jonah at 2:1 in the Reina-Valera and at 1:17 in the King James', async () => {
    expect(await data(`{
      verse(book: "Jonás", chapter: 2, verse: 1, translation: "spa-rv1909") {
        text inTranslation(identifier: "eng-kjv") { reference text inTranslation(identifier: "spa-rv1909") { reference } }
      }
    }`)).toEqual({
      verse: {
        text: expect.stringContaining('un gran pez'),
        inTranslation: { reference: 'Jonah 1:17', text: expect.stringContaining('a great fish'), inTranslation: { reference: 'Jonás 2:1' } },
      },
    });
  });

  test('a verse that the other translation leaves out is null; a translation that is not served is an error', async () => {
    const query = '{ verse(book: "Luke", chapter: 17, verse: 36, translation: "eng-kjv") { web: inTranslation(identifier: "eng-web") { text } no: inTranslation(identifier: "no") { text } } }';
    expect(await fault(query)).toEqual([{ message: "Translation 'no' not found", code: 'NOT_FOUND', at: 'verse.no' }]);
    expect((await ask({ query })).data).toEqual({ verse: { web: null, no: null } });
  });
});

describe('null stands for the default of an argument', () => {
  test('wherever there is one', async () => {
    expect(await data(`query ($t: String) {
      bibleIndex(translation: $t) { bookId } passage(reference: "John 3:16", translation: null) { translationId } chapter(book: "Jude", chapter: 1, translation: $t) { id }
      randomVerse(books: null, testament: null, translation: $t) { id } verseOfTheDay(date: null, translation: $t) { translationId } references(text: "", translation: $t) { start }
    }`, { t: null })).toMatchObject({ passage: { translationId: 'eng-web' }, verseOfTheDay: { translationId: 'eng-web' }, references: [] });
  });
});

describe('a random verse', () => {
  const draw = async (args: string, index = 0) => {
    drawn.next = index;
    return (await data(`{ randomVerse(${args}) { reference } }`) as unknown as { randomVerse: { reference: string } }).randomVerse.reference;
  };

  test('is each verse of the filter once, from the first to the last', async () => {
    expect(await draw('books: "Jude"')).toBe('Jude 1:1');
    expect(await draw('books: "Jude"', 24)).toBe('Jude 1:25');
    const all = new Set<string>();
    for (let index = 0; index < 25; index += 1) all.add(await draw('books: "Jude"', index));
    expect(all.size).toBe(25);
  });

  test('books win over testament, and may be codes or names in a list', async () => {
    expect(await draw('books: "GEN", testament: "NT"')).toBe('Genesis 1:1');
    expect(await draw('books: " Obadiah , 3 John,, jud "', 21)).toBe('3 John 1:1');
    expect(await draw('books: "Génesis", testament: "nonsense"')).toBe('Genesis 1:1');
  });

  test('a blank list is no list; testaments are read in either case', async () => {
    expect(await draw('books: " , ", testament: "nt"')).toBe('Matthew 1:1');
    expect(await draw('testament: "OT"', 23_000)).not.toMatch(/^(Matthew|Mark|Luke|John) /);
  });

  test('an enum literal fails by its type, another text by its value', async () => {
    expect(await fault('{ randomVerse(testament: OLD) { text } }')).toMatchObject([{ code: 'GRAPHQL_VALIDATION_FAILED' }]);
    expect(await fault('{ randomVerse(testament: "OLD") { text } }')).toEqual([{ message: "Testament must be 'OT' or 'NT'", code: 'GRAPHQL_VALIDATION_FAILED', at: 'randomVerse' }]);
    expect(await fault('{ randomVerse(books: "GEN, Nope") { text } }')).toEqual([{ message: "Book 'Nope' not found", code: 'NOT_FOUND', at: 'randomVerse' }]);
  });
});

describe('the verse of the day', () => {
  const days = Array.from({ length: 366 }, (_, index) => new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10));

  test('has 366 distinct passages, each whole in every translation and the same text in each', async () => {
    const found = await Promise.all(days.map((date) => data(`query ($d: ISO8601Date) {
      web: verseOfTheDay(date: $d) { reference verses { id } } kjv: verseOfTheDay(date: $d, translation: "eng-kjv") { reference verses { id } } rv: verseOfTheDay(date: $d, translation: "spa-rv1909") { reference verses { id } }
    }`, { d: date }) as unknown as Promise<Record<'web' | 'kjv' | 'rv', { reference: string; verses: unknown[] }>>));
    expect(new Set(found.map(({ kjv }) => kjv.reference)).size).toBe(366);
    for (const { web, kjv, rv } of found) {
      expect(kjv.verses.length).toBeGreaterThan(0);
      expect([web.verses.length, rv.verses.length]).toEqual([kjv.verses.length, kjv.verses.length]);
      expect(web.reference).toBe(kjv.reference);
    }
  });

  test('is today in UTC when no day is given, and the same every year', async () => {
    // 25 December, half past eleven in the evening in New York, is the 26th in UTC.
    expect(await data('{ today: verseOfTheDay { reference } later: verseOfTheDay(date: "1999-12-26") { reference } christmas: verseOfTheDay(date: "2030-12-25", translation: "spa-rv1909") { reference } }'))
      .toEqual({ today: { reference: 'John 1:14' }, later: { reference: 'John 1:14' }, christmas: { reference: 'Lucas 2:10-11' } });
  });

  test.each([20260101, true, ['2026-01-01'], { a: 1 }, 1.5])('%j is no day either, and no fault of ours', async (date) => {
    expect(await fault('query ($d: ISO8601Date) { verseOfTheDay(date: $d) { text } }', { d: date })).toMatchObject([{ code: 'BAD_USER_INPUT', at: 'verseOfTheDay' }]);
  });

  test.each(['2026-02-30', '2025-02-29', '2026-13-01', '20260101', '2026-1-1', 'today', '', '2026-01-01T00:00:00Z', '+002026-01-01'])('%j is no day', async (date) => {
    expect(await fault('query ($d: ISO8601Date) { verseOfTheDay(date: $d) { text } books { name } }', { d: date })).toMatchObject([{ code: 'BAD_USER_INPUT', at: 'verseOfTheDay' }]);
  });
});

test('references are found in a text, with their place in it', async () => {
  const text = '🙂 Compare Juan 3:16 with Rom 8:28-99 and John 99.';
  const { references } = await data('query ($x: String!) { references(text: $x) { reference bookId status verseCount start length } }', { x: text }) as unknown as { references: { start: number; length: number }[] };
  expect(references).toMatchObject([
    { reference: 'John 3:16', bookId: 'JHN', status: 'OK', verseCount: 1 },
    { reference: 'Romans 8:28-39', bookId: 'ROM', status: 'PARTIAL', verseCount: 12 },
    { reference: 'John 99', bookId: 'JHN', status: 'OUT_OF_RANGE', verseCount: 0 },
  ]);
  expect(references.map(({ start, length }) => text.slice(start, start + length))).toEqual(['Juan 3:16', 'Rom 8:28-99', 'John 99']);
  expect(await fault('query ($x: String!) { references(text: $x) { start } }', { x: 'a'.repeat(10_001) })).toEqual([{ message: 'text must be 10000 characters or fewer', code: 'BAD_USER_INPUT', at: 'references' }]);
});

describe('what other subgraphs ask', () => {
  const entities = 'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Verse { text reference inTranslation(identifier: "spa-rv1909") { text } } ... on Translation { name } } }';
  const verse = (place: string) => ({ __typename: 'Verse', id: Buffer.from(`v1:${place}`).toString('base64url') });

  test('a hundred verses of two translations, each beside its Spanish text, take three statements', async () => {
    const places = Array.from({ length: 50 }, (_, index) => `PSA.119.${3 * index + 1}`);
    const representations = [...places.map((place) => verse(`eng-web.${place}`)), ...places.map((place) => verse(`eng-kjv.${place}`))];
    statements.length = 0;
    const { _entities } = await data(entities, { r: representations }) as unknown as { _entities: { text: string; inTranslation: { text: string } }[] };
    expect(_entities).toHaveLength(100);
    expect(_entities.every((each) => each.text !== '' && each.inTranslation.text !== '')).toBe(true);
    expect(statements).toHaveLength(3);
  });

  test('what is not there, or is no id, is null', async () => {
    const representations = [verse('eng-web.JHN.3.16'), verse('eng-web.JHN.3.999'), verse('gone.JHN.3.16'), { __typename: 'Verse', id: 'x' }, { __typename: 'Translation', identifier: 'gone' }, { __typename: 'Translation', identifier: 'eng-kjv' }];
    const { _entities } = await data(entities, { r: representations }) as unknown as { _entities: unknown[] };
    expect(_entities.map((each) => each !== null)).toEqual([true, false, false, false, false, true]);
  });

  test('a whole chapter is one statement, and so are its text and verses together', async () => {
    statements.length = 0;
    await data('{ passage(reference: "Psalm 119") { text verses { text reference bookName id } } }');
    expect(statements).toHaveLength(1);
    statements.length = 0;
    await data('{ bibleIndex { bookId } chapter(book: "PSA", chapter: 119) { text } verse(book: "JHN", chapter: 3, verse: 16) { text } }');
    expect(statements).toHaveLength(1);
  });
});

test('the canon and the schema agree on what a book is', async () => {
  const { books } = await data('{ books { bookId } }') as unknown as { books: { bookId: string }[] };
  expect(books.map((book) => book.bookId)).toEqual(canonBooks.map((book) => book.code));
});
