import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Numbering, numberings, type Place, renumber } from '@lectern/canon';
import { importFiles, openCorpus } from '@lectern/corpus';
import { dataDir } from '@lectern/testing';
import { openTextClient } from '../test-support/text-client';

const { queryData, queryErrors, close } = openTextClient({ dataDir });
afterAll(close);

interface Cell {
  readonly translation: { readonly identifier: string };
  readonly verses: readonly {
    readonly bookId: string;
    readonly chapter: number;
    readonly verse: number;
    readonly text: string;
  }[];
  readonly absence: string | null;
  readonly elsewhere: { readonly reference: string } | null;
}
interface Row {
  readonly cells: readonly Cell[];
  readonly differences: readonly { readonly kind: string; readonly text: string }[];
}

const parallel = async (
  reference: string,
  translations: string[],
  { numbering = null, query = queryData }: { numbering?: string | null; query?: typeof queryData } = {},
) => {
  const data = (await query(
    `query ($reference: String!, $translations: [String!]!, $numbering: String, $from: String!, $to: String!) {
      parallel(reference: $reference, translations: $translations, numbering: $numbering) {
        reference
        rows {
          cells { translation { identifier } verses { bookId chapter verse text } absence elsewhere { reference } }
          differences(from: $from, to: $to) { kind text }
        }
      }
    }`,
    { reference, translations, numbering, from: translations[0], to: translations[1] },
  )) as unknown as { parallel: { reference: string; rows: Row[] } };
  return data.parallel;
};
const describeRows = (rows: readonly Row[]): string[] =>
  rows.map(({ cells }) =>
    cells
      .map(({ verses, absence, elsewhere }) =>
        verses.length > 0
          ? verses.map(({ chapter, verse }) => `${chapter}:${verse}`).join('+')
          : [absence, elsewhere?.reference].filter(Boolean).join(' '),
      )
      .join(' | '),
  );

describe('the field parallel', () => {
  test.each([
    ['Romans 16:24-26', ['eng-kjv', 'eng-web'], null, ['16:24 | 16:24', '16:25 | 14:24', '16:26 | 14:25']],
    [
      'Números 13:32-33',
      ['spa-rv1909', 'eng-kjv'],
      null,
      ['13:32 | 13:31', '13:33 | 13:32', 'MERGED Números 13:33 | 13:33'],
    ],
    ['Numbers 13:32', ['eng-kjv', 'spa-rv1909'], 'rv1909', ['13:31 | 13:32']],
    ['John 3:16', ['eng-web', 'eng-kjv', 'spa-rv1909'], null, ['3:16 | 3:16 | 3:16']],
  ])('returns the rows of %s in %j with the numbering %j', async (reference, translations, numbering, rows) => {
    expect(describeRows((await parallel(reference, translations, { numbering })).rows)).toEqual(rows);
  });

  test('reads the name of a passage, and normalizes the reference in the language of the first translation', async () => {
    const { reference, rows } = await parallel('the Sermon on the Mount', ['spa-rv1909', 'eng-web']);
    expect(reference).toBe('Mateo 5-7');
    expect(rows).toHaveLength(111);
  });

  test('the differences of two texts join to the text of `from`, and to that of `to` apart from case and punctuation', async () => {
    const { rows } = await parallel('Psalm 23', ['eng-kjv', 'eng-web']);
    const words = (text: string) =>
      text
        .toLowerCase()
        .match(/[a-z’']+/g)
        ?.map((word) => word.replaceAll('’', "'"));
    for (const { cells, differences } of rows) {
      const [from, to] = cells.map(({ verses }) => verses.map(({ text }) => text).join(' '));
      const joined = (kind: string) =>
        differences
          .filter((each) => each.kind !== kind)
          .map(({ text }) => text)
          .join('');
      expect(joined('ADDED')).toBe(from);
      expect(
        words(
          differences
            .filter(({ kind }) => kind !== 'REMOVED')
            .map(({ text }) => text)
            .join(' '),
        ),
      ).toEqual(words(to ?? ''));
    }
    const { differences } = (await parallel('John 11:35', ['eng-kjv', 'eng-web'])).rows[0] as Row;
    expect(differences).toEqual([{ kind: 'SAME', text: 'Jesus wept.' }]);
  });

  test('tells a joined verse, an omitted verse, and a chapter that the translation lacks', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-parallel-'));
    const versions = {
      'deu-own': '\\v 1-2 eins zwei\n\\v 4 vier',
      'deu-all': '\\v 1 a\n\\v 2 b\n\\v 3 c\n\\v 4 d\n\\c 2\n\\p\n\\v 1 e',
    };
    for (const [identifier, verses] of Object.entries(versions)) {
      const file = join(folder, `${identifier}.usfm`);
      writeFileSync(file, `\\id RUT\n\\c 1\n\\p\n${verses}`);
      const given = { identifier, language: 'deu', numbering: 'standard' };
      await importFiles([file], { dataDir: folder, log: () => undefined, given, replace: false });
    }
    const client = openTextClient({ dataDir: folder });
    const { rows } = await parallel('Rut 1-2', ['deu-all', 'deu-own'], { query: client.queryData });
    client.close();
    rmSync(folder, { recursive: true, force: true });
    expect(describeRows(rows)).toEqual([
      '1:1 | 1:1',
      '1:2 | MERGED Ruth 1:1',
      '1:3 | OMITTED',
      '1:4 | 1:4',
      '2:1 | NOT_IN_TRANSLATION',
    ]);
  });

  const three = ['eng-web', 'eng-kjv', 'spa-rv1909'];
  test.each([
    ['John 3:16', ['eng-web'], null, 'translations has 1 identifiers; send 2 to 10 different ones', 'BAD_USER_INPUT'],
    ['John 3:16', [], null, 'translations has 0 identifiers; send 2 to 10 different ones', 'BAD_USER_INPUT'],
    [
      'John 3:16',
      ['eng-web', 'eng-kjv', 'eng-web'],
      null,
      'translations names eng-web twice; name each once',
      'BAD_USER_INPUT',
    ],
    [
      'John 3:16',
      Array.from({ length: 11 }, (_, index) => `eng-${index}`),
      null,
      'translations has 11 identifiers; send 2 to 10 different ones',
      'BAD_USER_INPUT',
    ],
    ['John 3:16', ['eng-web', 'eng-none'], null, "Translation 'eng-none' not found", 'NOT_FOUND'],
    [
      'Genesis 1-8',
      three,
      null,
      'reference covers 206 rows; name at most 200 rows, such as one chapter',
      'BAD_USER_INPUT',
    ],
    [
      'Genesis',
      three,
      null,
      'reference covers 1533 verses; name at most 200 rows, such as one chapter',
      'BAD_USER_INPUT',
    ],
    ['Genesis-Exodus; Psalms', three, null, 'Reference covers 5207 verses; ask for at most 2500', 'BAD_USER_INPUT'],
    ['', three, null, "Invalid reference: '' (book not found)", 'NOT_FOUND'],
    ['x'.repeat(201), three, null, 'reference must be 200 characters or fewer', 'BAD_USER_INPUT'],
    [
      'Tobit 1:1',
      three,
      null,
      "Invalid reference: 'Tobit 1:1' (book not found: this translation does not have Tobit)",
      'NOT_FOUND',
    ],
    ['John 3:16', three, 'Hebrew', `numbering is none of ${numberings.join(', ')}`, 'BAD_USER_INPUT'],
  ])(
    'rejects the reference %j in %j with the numbering %j',
    async (reference, translations, numbering, message, code) => {
      expect(
        await queryErrors(
          'query ($r: String!, $t: [String!]!, $n: String) { parallel(reference: $r, translations: $t, numbering: $n) { reference } }',
          { r: reference, t: translations, n: numbering },
        ),
      ).toEqual([{ message, code, path: 'parallel' }]);
    },
  );

  test('differences rejects a translation that is none of the field parallel', async () => {
    const found = await queryErrors(
      '{ parallel(reference: "John 3:16", translations: ["eng-web", "eng-kjv"]) { rows { differences(from: "eng-web", to: "spa-rv1909") { kind } } } }',
    );
    const message = 'from and to must be translations of the field parallel';
    expect(found).toEqual([{ message, code: 'BAD_USER_INPUT', path: 'parallel.rows.0.differences' }]);
  });
});

describe('parallel texts of all installed translations', () => {
  const corpus = openCorpus(dataDir);
  afterAll(corpus.close);
  const isAll = process.env['TEST_SEED'] === 'all';
  const pairs = corpus.translations.flatMap((first) => corpus.translations.map((second) => [first, second] as const));
  const pairsOfTest = pairs.filter(([first, second]) => first !== second);

  test.each(pairsOfTest.map(([first, second]) => [first.identifier, second.identifier, first, second] as const))(
    'with %s and %s, each verse is in one row, and the numberings lead from each verse of a row to another',
    async (firstId, secondId, first, second) => {
      const sides = [first, second];
      const numberingOf = (side: number): Numbering => (sides[side] ?? first).numbering;
      const rowOfVerse = [new Map<string, string>(), new Map<string, string>()];
      const problems: string[] = [];
      const keyOf = ({ book, chapter, verse }: Place) => `${book} ${chapter}:${verse}`;
      const books = isAll
        ? first.books
        : first.books.filter(({ code }) => ['JON', 'MAL', 'PHP', '3JN', 'OBA'].includes(code));
      for (const book of books)
        for (let chapter = 1; chapter <= book.chapters.length; chapter += 1) {
          const { parallel: found } = (await queryData(
            `query ($r: String!, $t: [String!]!) { parallel(reference: $r, translations: $t) { rows { cells { verses { bookId chapter verse } } } } }`,
            { r: `${book.code} ${chapter}`, t: [firstId, secondId] },
          )) as unknown as {
            parallel: { rows: { cells: { verses: { bookId: string; chapter: number; verse: number }[] }[] }[] };
          };
          const rows = found.rows.map(({ cells }) =>
            cells.map(({ verses }) => verses.map(({ bookId, ...place }) => ({ book: bookId, ...place }) as Place)),
          );
          const inChapter = [new Set<string>(), new Set<string>()];
          for (const row of rows) {
            const name = row.map((places) => places.map(keyOf).join('+')).join(' | ');
            for (const [side, places] of row.entries())
              for (const place of places) {
                const key = keyOf(place);
                const known = rowOfVerse[side]?.get(key) ?? name;
                if (known !== name || inChapter[side]?.has(key)) problems.push(`in two rows: ${known} and ${name}`);
                rowOfVerse[side]?.set(key, name);
                inChapter[side]?.add(key);
              }
            for (const [side, places] of row.entries()) {
              const others = row[1 - side] ?? [];
              const leads = places.some((place) => {
                const place2 = renumber(place, numberingOf(side), numberingOf(1 - side));
                return place2 && others.map(keyOf).includes(keyOf(place2));
              });
              if (places.length > 0 && others.length > 0 && !leads) problems.push(`not each other: ${name}`);
            }
          }
        }
      // A translation of a part of the Bible names only the books that it has.
      for (const [side, { books: all }] of sides.entries())
        for (const { code, chapters } of all)
          if (books.some((book) => book.code === code))
            for (const [index, verses] of chapters.entries())
              for (const verse of verses) {
                const key = keyOf({ book: code, chapter: index + 1, verse });
                if (!rowOfVerse[side]?.has(key)) problems.push(`in no row: ${sides[side]?.identifier} ${key}`);
              }
      expect(problems).toEqual([]);
    },
  );
});
