import { corpusFile } from '@lectern/testing';
import { openText } from '../test-support/text-client';

const drawn: { next: number } = { next: 0 };
const { data, fault, close } = openText({
  corpusFile,
  now: () => new Date('2026-12-25T23:30:00-05:00'),
  random: (below) => drawn.next % below,
});
afterAll(close);

describe('a random verse', () => {
  const draw = async (args: string, index = 0) => {
    drawn.next = index;
    return ((await data(`{ randomVerse(${args}) { reference } }`)) as unknown as { randomVerse: { reference: string } })
      .randomVerse.reference;
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
    expect(await fault('{ randomVerse(testament: OLD) { text } }')).toMatchObject([
      { code: 'GRAPHQL_VALIDATION_FAILED' },
    ]);
    expect(await fault('{ randomVerse(testament: "OLD") { text } }')).toEqual([
      { message: "Testament must be 'OT' or 'NT'", code: 'GRAPHQL_VALIDATION_FAILED', at: 'randomVerse' },
    ]);
    expect(await fault('{ randomVerse(books: "GEN, Nope") { text } }')).toEqual([
      { message: "Book 'Nope' not found", code: 'NOT_FOUND', at: 'randomVerse' },
    ]);
  });
});

describe('the verse of the day', () => {
  const days = Array.from({ length: 366 }, (_, index) =>
    new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10),
  );

  test('has 366 distinct passages, each whole in every translation and the same text in each', async () => {
    const found = await Promise.all(
      days.map(
        (date) =>
          data(
            `query ($d: ISO8601Date) {
      web: verseOfTheDay(date: $d) { reference verses { id } } kjv: verseOfTheDay(date: $d, translation: "eng-kjv") { reference verses { id } } rv: verseOfTheDay(date: $d, translation: "spa-rv1909") { reference verses { id } }
    }`,
            { d: date },
          ) as unknown as Promise<Record<'web' | 'kjv' | 'rv', { reference: string; verses: unknown[] }>>,
      ),
    );
    expect(new Set(found.map(({ kjv }) => kjv.reference)).size).toBe(366);
    for (const { web, kjv, rv } of found) {
      expect(kjv.verses.length).toBeGreaterThan(0);
      expect([web.verses.length, rv.verses.length]).toEqual([kjv.verses.length, kjv.verses.length]);
      expect(web.reference).toBe(kjv.reference);
    }
  });

  test('is today in UTC when no day is given, and the same every year', async () => {
    // 25 December, half past eleven in the evening in New York, is the 26th in UTC.
    expect(
      await data(
        '{ today: verseOfTheDay { reference } later: verseOfTheDay(date: "1999-12-26") { reference } christmas: verseOfTheDay(date: "2030-12-25", translation: "spa-rv1909") { reference } }',
      ),
    ).toEqual({
      today: { reference: 'John 1:14' },
      later: { reference: 'John 1:14' },
      christmas: { reference: 'Lucas 2:10-11' },
    });
  });

  test.each([20260101, true, ['2026-01-01'], { a: 1 }, 1.5])(
    '%j is no day either, and no fault of ours',
    async (date) => {
      expect(await fault('query ($d: ISO8601Date) { verseOfTheDay(date: $d) { text } }', { d: date })).toMatchObject([
        { code: 'BAD_USER_INPUT', at: 'verseOfTheDay' },
      ]);
    },
  );

  test.each([
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '20260101',
    '2026-1-1',
    'today',
    '',
    '2026-01-01T00:00:00Z',
    '+002026-01-01',
  ])('%j is no day', async (date) => {
    expect(
      await fault('query ($d: ISO8601Date) { verseOfTheDay(date: $d) { text } books { name } }', { d: date }),
    ).toMatchObject([{ code: 'BAD_USER_INPUT', at: 'verseOfTheDay' }]);
  });
});
