import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFiles } from '@lectern/corpus';
import { dataDir } from '@lectern/testing';
import { openTextClient } from '../test-support/text-client';

const statements: string[] = [];
const { queryData, queryErrors, close } = openTextClient({
  dataDir,
  onStatement: (statement) => statements.push(statement),
});
afterAll(close);

const layoutFields =
  'verse text breaks { kind start indent } marks { kind start length } notes { kind start text references { reference status start length } } headings { kind text start }';

interface LayoutVerse {
  verse: number;
  text: string;
  breaks: { kind: string; start: number; indent: number }[];
  marks: { kind: string; start: number; length: number }[];
  notes: { kind: string; start: number; text: string; references: { reference: string; start: number }[] }[];
  headings: { kind: string; text: string; start: number }[];
}

const readChapter = async (book: string, chapter: number, translation: string): Promise<LayoutVerse[]> => {
  const { readingChapter } = (await queryData(
    `query ($b: String!, $c: Int!, $t: String) { readingChapter(book: $b, chapter: $c, translation: $t) { verses { ${layoutFields} } } }`,
    { b: book, c: chapter, t: translation },
  )) as unknown as { readingChapter: { verses: LayoutVerse[] } };
  return readingChapter.verses;
};

describe('chapters for reading', () => {
  test('the field readingChapter returns the title of Psalm 23 as a heading, and the lines of its poetry as breaks', async () => {
    const [first, second] = await readChapter('Psalms', 23, 'eng-web');
    const secondLine = first?.text.indexOf('I shall') ?? -1;
    expect(first).toMatchObject({
      headings: [{ kind: 'PSALM_TITLE', text: 'A Psalm by David.', start: 0 }],
      breaks: [
        { kind: 'STANZA', start: 0, indent: 0 },
        { kind: 'LINE', start: 0, indent: 0 },
        { kind: 'LINE', start: secondLine, indent: 1 },
      ],
      marks: [],
      notes: [],
    });
    expect(second?.breaks.map(({ kind, indent }) => [kind, indent])).toEqual([
      ['LINE', 0],
      ['LINE', 1],
    ]);
  });

  test('readingChapter of John 3 marks the words of Jesus in verse 3, and returns the note on it with its references', async () => {
    const verse = (await readChapter('JHN', 3, 'eng-web')).find((each) => each.verse === 3);
    const marked = verse?.marks.map(({ kind, start, length }) => [kind, verse.text.slice(start, start + length)]);
    expect(marked).toEqual([
      ['WORDS_OF_JESUS', expect.stringMatching(/^“Most certainly/)],
      ['WORDS_OF_JESUS', expect.stringMatching(/Kingdom\.”$/)],
    ]);
    expect(verse?.breaks).toEqual([{ kind: 'PARAGRAPH', start: 0, indent: 0 }]);
    const [note] = verse?.notes ?? [];
    expect(verse?.text.slice(0, note?.start)).toMatch(/anew,$/);
    expect(note).toMatchObject({ kind: 'TRANSLATION', text: expect.stringContaining('John 3:7') });
    expect(note?.references).toEqual([
      { reference: 'John 3:7', status: 'OK', start: note?.text.indexOf('John 3:7'), length: 8 },
    ]);
  });

  test('Note.references returns the verses to which its source links, and the references in the text between the links', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-links-'));
    const file = join(folder, 'deu-links.usfm');
    const links = '\\xt oben|GEN 1:2-3\\xt* und Gen 1:1 (\\xt Gen 1:2|GEN 1:3\\xt*; \\xt Joh 3|JHN 3:16\\xt*)';
    writeFileSync(file, `\\id GEN\n\\c 1\n\\p\n\\v 1 eins\\x - ${links}\\x*\n\\v 2 zwei\n\\v 3 drei`);
    await importFiles([file], { dataDir: folder, log: () => undefined, given: { language: 'deu' }, replace: false });
    const client = openTextClient({ dataDir: folder });
    const data = await client.queryData(
      '{ verse(book: "GEN", chapter: 1, verse: 1, translation: "deu-links") { notes { text references { reference bookId status verseCount start length } } } }',
    );
    await client.close();
    rmSync(folder, { recursive: true });
    expect(data['verse']).toEqual({
      notes: [
        {
          text: 'oben und Gen 1:1 (Gen 1:2; Joh 3)',
          references: [
            { reference: 'Genesis 1:2-3', bookId: 'GEN', status: 'OK', verseCount: 2, start: 0, length: 4 },
            { reference: 'Genesis 1:1', bookId: 'GEN', status: 'OK', verseCount: 1, start: 9, length: 7 },
            { reference: 'Genesis 1:3', bookId: 'GEN', status: 'OK', verseCount: 1, start: 18, length: 7 },
            { reference: 'John 3:16', bookId: 'JHN', status: 'OUT_OF_RANGE', verseCount: 0, start: 27, length: 5 },
          ],
        },
      ],
    });
  });

  test('the field bibleIndex lists only the chapters of which a translation of parts of a book has verses', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-parts-'));
    const file = join(folder, 'deu-parts.usfm');
    writeFileSync(file, '\\id GEN\n\\c 2\n\\p\n\\v 1 eins\n\\v 2 zwei\n\\c 5\n\\p\n\\v 3 drei');
    await importFiles([file], { dataDir: folder, log: () => undefined, given: { language: 'deu' }, replace: false });
    const client = openTextClient({ dataDir: folder });
    const data = await client.queryData(
      '{ bibleIndex(translation: "deu-parts") { chapterCount chapters { number verseCount } } }',
    );
    await client.close();
    rmSync(folder, { recursive: true });
    const chapters = [
      { number: 2, verseCount: 2 },
      { number: 5, verseCount: 1 },
    ];
    expect(data['bibleIndex']).toEqual([{ chapterCount: 5, chapters }]);
  });

  test('the field readingChapter of Psalm 23 marks the words that the translators added and the divine name in verse 1', async () => {
    const [verse] = await readChapter('PSA', 23, 'eng-kjv');
    expect(verse?.marks.map(({ kind, start, length }) => [kind, verse.text.slice(start, start + length)])).toEqual([
      ['DIVINE_NAME', 'LORD'],
      ['ADDED_WORDS', 'is'],
    ]);
  });

  test('the field readingChapter of Psalm 119 returns an ACROSTIC heading for each of the 22 letters of the Hebrew alphabet', async () => {
    const verses = await readChapter('PSA', 119, 'eng-kjv');
    expect(verses.flatMap(({ headings }) => headings.map(({ kind }) => kind))).toEqual(
      Array.from({ length: 22 }, () => 'ACROSTIC'),
    );
  });

  test('the field readingChapter reads the texts and layouts of a long chapter with two SQL statements', async () => {
    statements.length = 0;
    expect(await readChapter('PSA', 119, 'eng-web')).toHaveLength(176);
    expect(statements).toHaveLength(2);
  });

  test('the field readingChapter does not read layouts from the database if the query selects only the texts of the verses', async () => {
    statements.length = 0;
    await queryData('{ readingChapter(book: "PSA", chapter: 119) { verses { text } } }');
    expect(statements).toHaveLength(1);
    expect(statements.join()).not.toContain('layout');
  });

  test('the fields previous and next of readingChapter return the neighbouring chapters, or null at the ends of a translation', async () => {
    const beside = 'previous { bookId bookName number } next { bookId bookName number }';
    expect(
      await queryData(`{
        first: readingChapter(book: "GEN", chapter: 1, translation: "spa-rv1909") { ${beside} }
        middle: readingChapter(book: "MAL", chapter: 4, translation: "spa-rv1909") { book { name } number translation { identifier } ${beside} }
        last: readingChapter(book: "REV", chapter: 22, translation: "spa-rv1909") { ${beside} }
      }`),
    ).toEqual({
      first: { previous: null, next: { bookId: 'GEN', bookName: 'Génesis', number: 2 } },
      middle: {
        book: { name: 'Malaquías' },
        number: 4,
        translation: { identifier: 'spa-rv1909' },
        previous: { bookId: 'MAL', bookName: 'Malaquías', number: 3 },
        next: { bookId: 'MAT', bookName: 'Mateo', number: 1 },
      },
      last: { previous: { bookId: 'REV', bookName: 'Apocalipsis', number: 21 }, next: null },
    });
  });

  test.each([0, -1, 151, 2_147_483_647])(
    'the field readingChapter rejects chapter %i of Psalms with NOT_FOUND',
    async (chapter) => {
      expect(
        await queryErrors('query ($c: Int!) { readingChapter(book: "Psalms", chapter: $c) { number } }', {
          c: chapter,
        }),
      ).toEqual([{ message: `Chapter 'PSA ${chapter}' not found`, code: 'NOT_FOUND', path: 'readingChapter' }]);
    },
  );

  test('the field readingChapter rejects an unknown book with NOT_FOUND', async () => {
    expect(await queryErrors('{ readingChapter(book: "Nope", chapter: 1) { number } }')).toMatchObject([
      { message: "Book 'Nope' not found", code: 'NOT_FOUND' },
    ]);
  });
});

describe('neighbouring verses', () => {
  const references = (place: string, field: 'previous' | 'next') =>
    queryData(`{ verse(${place}) { ${field} { reference ${field} { reference } } } }`);

  test('the fields Verse.previous and Verse.next return the neighbouring verses, also across books', async () => {
    expect(await references('book: "EXO", chapter: 1, verse: 1', 'previous')).toEqual({
      verse: { previous: { reference: 'Genesis 50:26', previous: { reference: 'Genesis 50:25' } } },
    });
    expect(await references('book: "MAL", chapter: 4, verse: 5', 'next')).toEqual({
      verse: { next: { reference: 'Malachi 4:6', next: { reference: 'Matthew 1:1' } } },
    });
  });

  test('the fields Verse.previous and Verse.next skip a verse that the translation omits', async () => {
    expect(await references('book: "LUK", chapter: 17, verse: 35', 'next')).toMatchObject({
      verse: { next: { reference: 'Luke 17:37' } },
    });
    expect(await references('book: "LUK", chapter: 17, verse: 37', 'previous')).toMatchObject({
      verse: { previous: { reference: 'Luke 17:35' } },
    });
  });

  test('the fields Verse.previous and Verse.next are null at the ends of a translation', async () => {
    expect(await references('book: "GEN", chapter: 1, verse: 1', 'previous')).toEqual({ verse: { previous: null } });
    expect(await references('book: "REV", chapter: 22, verse: 21', 'next')).toEqual({ verse: { next: null } });
  });
});

describe('verses by id', () => {
  const idOf = (place: string) => Buffer.from(`v1:${place}`).toString('base64url');

  test('the field verses returns verses in the order of its argument ids, and null for an id that names no verse', async () => {
    const ids = ['eng-web.JHN.3.16', 'spa-rv1909.GEN.1.1', 'eng-web.JHN.3.999', 'gone.JHN.3.16', 'eng-web.JHN.3.16'];
    expect(
      await queryData('query ($ids: [ID!]!) { verses(ids: $ids) { reference text } }', {
        ids: [...ids.map(idOf), 'x', ''],
      }),
    ).toEqual({
      verses: [
        { reference: 'John 3:16', text: expect.stringContaining('God so loved') },
        { reference: 'Génesis 1:1', text: expect.stringContaining('principio') },
        null,
        null,
        { reference: 'John 3:16', text: expect.stringContaining('God so loved') },
        null,
        null,
      ],
    });
  });

  test('the field verses accepts 200 ids and rejects 201 ids with BAD_USER_INPUT', async () => {
    const ids = Array.from({ length: 201 }, () => idOf('eng-web.JHN.3.16'));
    const query = 'query ($ids: [ID!]!) { verses(ids: $ids) { verse } }';
    expect((await queryData(query, { ids: ids.slice(1) }))['verses']).toHaveLength(200);
    expect(await queryErrors(query, { ids })).toEqual([
      { message: 'ids has 201 items; send at most 200', code: 'BAD_USER_INPUT', path: 'verses' },
    ]);
  });
});

test('the fields Translation.features and Translation.licence return the markup features and the licence of each translation', async () => {
  const { translations } = (await queryData(
    '{ translations { identifier features licence { code holder url attribution } note } }',
  )) as unknown as { translations: { identifier: string }[] };
  const defaults = translations.filter(({ identifier }) => /^(?:eng-|spa-)/.test(identifier));
  expect({ translations: defaults }).toEqual({
    translations: [
      {
        identifier: 'eng-kjv',
        features: [
          'PARAGRAPHS',
          'POETRY',
          'NOTES',
          'WORDS_OF_JESUS',
          'ADDED_WORDS',
          'DIVINE_NAME',
          'HEADINGS',
          'STRONGS',
        ],
        licence: { code: 'PD', holder: null, url: null, attribution: expect.stringContaining('Public Domain') },
        note: expect.stringContaining('Public Domain'),
      },
      {
        identifier: 'eng-web',
        features: ['PARAGRAPHS', 'POETRY', 'NOTES', 'WORDS_OF_JESUS', 'HEADINGS'],
        licence: { code: 'PD', holder: null, url: null, attribution: expect.stringContaining('trademark') },
        note: expect.stringContaining('trademark'),
      },
      {
        identifier: 'spa-rv1909',
        features: ['PARAGRAPHS', 'ADDED_WORDS', 'STRONGS'],
        licence: { code: 'PD', holder: null, url: null, attribution: expect.stringContaining('dominio') },
        note: expect.stringContaining('dominio'),
      },
    ],
  });
});
