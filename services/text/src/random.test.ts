import { dataDir } from '@lectern/testing';
import { openTextClient } from '../test-support/text-client';

const nextRandom = { value: 0 };
const { execute, queryData, queryErrors, close } = openTextClient({
  dataDir,
  now: () => new Date('2026-12-25T23:30:00-05:00'),
  random: (below) => nextRandom.value % below,
});
afterAll(close);

describe('random verses', () => {
  const randomReference = async (args: string, index = 0) => {
    nextRandom.value = index;
    return (
      (await queryData(`{ randomVerse(${args}) { reference } }`)) as unknown as { randomVerse: { reference: string } }
    ).randomVerse.reference;
  };

  test('with the argument books: "Jude", the field randomVerse can return each of the 25 verses of this book', async () => {
    expect(await randomReference('books: "Jude"')).toBe('Jude 1:1');
    expect(await randomReference('books: "Jude"', 24)).toBe('Jude 1:25');
    const all = new Set<string>();
    for (let index = 0; index < 25; index += 1) all.add(await randomReference('books: "Jude"', index));
    expect(all.size).toBe(25);
  });

  test('the argument books of randomVerse accepts codes or names, separated by commas, and overrides the argument testament', async () => {
    expect(await randomReference('books: "GEN", testament: "NT"')).toBe('Genesis 1:1');
    expect(await randomReference('books: " Obadiah , 3 John,, jud "', 21)).toBe('3 John 1:1');
    expect(await randomReference('books: "Génesis", testament: "unknown"')).toBe('Genesis 1:1');
  });

  test('randomVerse ignores books of only spaces and commas, and accepts testament in upper or lower case', async () => {
    expect(await randomReference('books: " , ", testament: "nt"')).toBe('Matthew 1:1');
    expect(await randomReference('testament: "OT"', 23_144)).toBe('Malachi 4:6');
    expect(await randomReference('testament: "OT"', 23_145)).toBe('Genesis 1:1');
  });

  test('the field randomVerse rejects an unknown book, and an argument testament other than OT and NT', async () => {
    expect(await queryErrors('{ randomVerse(testament: OLD) { text } }')).toMatchObject([
      { code: 'GRAPHQL_VALIDATION_FAILED' },
    ]);
    expect(await queryErrors('{ randomVerse(testament: "OLD") { text } }')).toEqual([
      { message: "Testament must be 'OT' or 'NT'", code: 'GRAPHQL_VALIDATION_FAILED', path: 'randomVerse' },
    ]);
    expect(await queryErrors('{ randomVerse(books: "GEN, Nope") { text } }')).toEqual([
      { message: "Book 'Nope' not found", code: 'NOT_FOUND', path: 'randomVerse' },
    ]);
  });
});

describe('daily verses', () => {
  const days = Array.from({ length: 366 }, (_, index) =>
    new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10),
  );

  test('the field verseOfTheDay returns a different passage for each day of a leap year', async () => {
    const found = await Promise.all(
      days.map(
        (date) =>
          queryData(
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

  test('the field verseOfTheDay defaults to today in UTC, and returns the same passage every year', async () => {
    // The clock of this test stands at 23:30 on 25 December in New York,
    // which is 26 December in UTC.
    expect(
      await queryData(
        '{ today: verseOfTheDay { reference } later: verseOfTheDay(date: "1999-12-26") { reference } christmas: verseOfTheDay(date: "2030-12-25", translation: "spa-rv1909") { reference } }',
      ),
    ).toEqual({
      today: { reference: 'John 1:14' },
      later: { reference: 'John 1:14' },
      christmas: { reference: 'Lucas 2:10-11' },
    });
  });

  test.each([20260101, true, ['2026-01-01'], { a: 1 }, 1.5])(
    'the field verseOfTheDay rejects the date %j, which is not a string, with BAD_USER_INPUT',
    async (date) => {
      expect(
        await queryErrors('query ($d: ISO8601Date) { verseOfTheDay(date: $d) { text } }', { d: date }),
      ).toMatchObject([{ code: 'BAD_USER_INPUT', path: 'verseOfTheDay' }]);
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
  ])('the field verseOfTheDay rejects the invalid date %j with BAD_USER_INPUT', async (date) => {
    expect(
      await queryErrors('query ($d: ISO8601Date) { verseOfTheDay(date: $d) { text } books { name } }', { d: date }),
    ).toMatchObject([{ code: 'BAD_USER_INPUT', path: 'verseOfTheDay' }]);
  });
});

test('responses of the text subgraph are cacheable for a day, but not with randomVerse or verseOfTheDay without a date', async () => {
  const maxAgeOf = async (query: string, variables?: Record<string, unknown>) =>
    (await execute({ query, variables })).maxAge;
  const daily = 'query ($d: ISO8601Date) { books { name } verseOfTheDay(date: $d) { reference } }';
  expect(await maxAgeOf('{ books { name } }')).toBe(86_400);
  expect(await maxAgeOf(daily, { d: '2026-12-25' })).toBe(86_400);
  for (const variables of [{}, { d: null }]) expect(await maxAgeOf(daily, variables)).toBe(0);
  expect(await maxAgeOf('{ books { name } ...R } fragment R on Query { a: randomVerse { id } }')).toBe(0);
});
