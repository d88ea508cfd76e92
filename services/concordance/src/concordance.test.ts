import { itemsOfThisRun, useStarted } from '@lectern/testing';
import { stemmerFor, tokenize } from '@lectern/words';
import { type ConcordanceData, concordanceQueries, openConcordanceClient } from '../test-support/concordance-client';
import { type ScannedVerse, scanTranslation } from '../test-support/read-verse-words-from-corpus';

const client = useStarted(openConcordanceClient);

const { concordance, concordanceError } = concordanceQueries(() => client);

describe('words of the Reina-Valera 1909', () => {
  test.each([
    ['misericordia', 398, 424, 327, 71],
    ['Espíritu', 560, 616, 241, 319],
    ['AMOR', 170, 187, 91, 79],
  ])(
    'the concordance of %s counts %i verses, %i occurrences, %i verses of the Old and %i of the New Testament',
    async (word, verseCount, totalOccurrences, old, fresh) => {
      const { totalCount, entry } = await concordance({ word });
      expect(totalCount).toBe(verseCount);
      expect(entry).toMatchObject({ verseCount, totalOccurrences, occurrencesByTestament: { old, new: fresh } });
      expect(entry.occurrencesByBook.reduce((sum, { count }) => sum + count, 0)).toBe(verseCount);
    },
  );

  test("the concordance entry of the Spanish word misericordia has the word's stem as the lemma, and lists four surface forms", async () => {
    const { entry } = await concordance({ word: 'misericordia' });
    expect(entry.lemma).toBe('misericordi');
    expect(entry.surfaceForms).toEqual(['misericordia', 'misericordias', 'misericordioso', 'misericordiosos']);
    expect(entry.occurrencesByBook).toContainEqual({ bookId: 'PSA', bookName: 'Salmos', count: 164 });
    expect(entry.occurrencesByBook).toContainEqual({ bookId: 'RUT', bookName: 'Rut', count: 1 });
  });

  test('the concordance entry of the Spanish function word de (of) counts its verses, occurrences and forms', async () => {
    const { entry } = await concordance({ word: 'de', first: 1 });
    expect(entry).toMatchObject({
      lemma: 'de',
      verseCount: 21_458,
      totalOccurrences: 44_727,
      surfaceForms: ['de', 'dé'],
    });
  });

  test('the field concordance distinguishes ñ from n: it finds verses for the Spanish word año and none for ano', async () => {
    const [year, anus] = [await concordance({ word: 'año', first: 1 }), await concordance({ word: 'ano', first: 1 })];
    expect(year.totalCount).toBeGreaterThan(300);
    expect(anus.totalCount).toBe(0);
  });
});

describe('words that one stem of Snowball confuses', () => {
  test.each([
    ['spa-rv1909', 'peces', 'pez', 44],
    ['spa-rv1909', 'pecado', 'pec', 581],
    ['spa-rv1909', 'Manasés', 'manases', 138],
    ['eng-web', 'evening', 'evening', 149],
    ['eng-web', 'one', 'one', 2_323],
  ])('in %s the concordance of %s has the lemma %s and %i verses', async (translation, word, lemma, verseCount) => {
    expect((await concordance({ translation, word, first: 1 })).entry).toMatchObject({ lemma, verseCount });
  });

  test.each([
    ['spa-rv1909', 'jos', 'José', 'josé'],
    ['spa-rv1909', 'babiloni', 'Babilonia', 'babilonia'],
    ['eng-kjv', 'habit', 'habitation', 'habitation'],
    ['eng-web', 'even', 'even', 'even'],
    ['spa-rv1909', 'pec', 'pecado', 'pecado'],
  ])(
    'in %s the concordance accepts the stem %s, which %s once had, and finds its form %s',
    async (translation, word, _, form) => {
      const { entry } = await concordance({ translation, word, first: 1 });
      expect(entry.surfaceForms.map((each) => each.toLowerCase())).toContain(form);
    },
  );

  test('the concordance brings no words together that Snowball keeps apart: die and died are two entries', async () => {
    const [die, died] = [
      await concordance({ translation: 'eng-web', word: 'die' }),
      await concordance({ translation: 'eng-web', word: 'died' }),
    ];
    expect(die.entry.surfaceForms).not.toEqual(died.entry.surfaceForms);
  });
});

test('the concordance of an English contraction counts it as one word, with either apostrophe', async () => {
  for (const word of ["don't", 'don’t'])
    for (const match of ['STEM', 'FORM']) {
      const { entry } = await concordance({ translation: 'eng-web', word, match });
      expect([word, match, entry.surfaceForms, entry.totalOccurrences]).toEqual([word, match, ['don’t'], 1_372]);
    }
  const { totalCount } = await concordance({ translation: 'eng-web', word: 'don' });
  expect(totalCount).toBe(0);
});

const scans = [
  { translation: 'spa-rv1909', language: 'spa', words: ['amor de Dios', 'hijos'] },
  { translation: 'eng-kjv', language: 'eng', words: ['love', 'the LORD said'] },
  { translation: 'eng-web', language: 'eng', words: ['God', 'running, raced'] },
];

describe.each(itemsOfThisRun(scans, scans.length))('scan of $translation', ({ translation, language, words }) => {
  const stemOf = stemmerFor(language, 'distinct');
  let verses: ScannedVerse[] = [];
  beforeAll(() => {
    verses = scanTranslation(translation);
  });
  afterAll(() => {
    verses = [];
  });

  test.each(words)(
    `the concordance of "%s" in ${translation} has the same counts and matches as a scan of every verse`,
    async (word) => {
      const stems = new Set(tokenize(word).map(({ folded }) => stemOf(folded)));
      const expected: { place: string; spans: { start: number; length: number }[] }[] = [];
      const forms = new Map<string, number>();
      for (const { place, words: verseWords } of verses) {
        const matches = verseWords.filter(({ stem }) => stems.has(stem));
        if (new Set(matches.map(({ stem }) => stem)).size < stems.size) continue;
        expected.push({ place, spans: matches.map(({ start, length }) => ({ start, length })) });
        for (const { text } of matches) forms.set(text.toLowerCase(), (forms.get(text.toLowerCase()) ?? 0) + 1);
      }

      const found: typeof expected = [];
      let after: string | null = null;
      let page: ConcordanceData;
      do {
        page = await concordance({ translation, word, first: 100, after });
        found.push(
          ...page.edges.map(({ node: { verse, matches } }) => ({
            place: `${verse.bookId}:${verse.chapter}:${verse.verse}`,
            spans: matches,
          })),
        );
        after = page.pageInfo.endCursor;
      } while (page.pageInfo.hasNextPage);

      expect(found).toEqual(expected);
      expect(page.entry.lemma).toBe([...stems].join(' '));
      expect(page.entry.verseCount).toBe(expected.length);
      expect(page.entry.totalOccurrences).toBe(expected.reduce((sum, { spans }) => sum + spans.length, 0));
      const counted = [...forms].sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
      expect(page.entry.surfaceForms.map((form) => form.toLowerCase())).toEqual(
        counted.slice(0, 10).map(([form]) => form),
      );
    },
    60_000,
  );
});

describe('the argument word', () => {
  test('concordance trims its argument word, and rejects an empty word, only spaces and more than 100 characters', async () => {
    expect(await concordance({ word: '  amor\n', first: 1 })).toEqual(await concordance({ word: 'amor', first: 1 }));
    expect(await concordanceError({ word: ' \t ' })).toEqual({
      message: 'word must not be blank',
      code: 'BAD_USER_INPUT',
    });
    expect(await concordanceError({ word: '' })).toEqual({ message: 'word must not be blank', code: 'BAD_USER_INPUT' });
    expect(await concordanceError({ word: 'a'.repeat(101) })).toEqual({
      message: 'word must be 100 characters or fewer',
      code: 'BAD_USER_INPUT',
    });
    expect((await concordance({ word: ` ${'a'.repeat(100)} ` })).totalCount).toBe(0);
    expect((await concordance({ word: '😀'.repeat(100) })).totalCount).toBe(0);
  });

  test('for a word that no verse contains, the field concordance returns an empty page and an entry with zero counts', async () => {
    expect(await concordance({ word: 'computadoras' })).toEqual({
      totalCount: 0,
      entry: {
        lemma: 'comput',
        surfaceForms: [],
        totalOccurrences: 0,
        verseCount: 0,
        occurrencesByBook: [],
        occurrencesByTestament: { old: 0, new: 0 },
      },
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
    expect((await concordance({ word: 'amor computadora' })).entry).toMatchObject({
      lemma: 'amor comput',
      totalOccurrences: 0,
      surfaceForms: [],
    });
  });

  test.each([
    ['a combining mark', '\u0301'],
    ['a NUL', '\0'],
    ['marks of direction', '\u200f\u202e'],
    ['an emoji', '😀'],
    ['punctuation', '*"(-'],
    ['half a surrogate', '\ud83d'],
  ])(
    'the field concordance returns no hits and an empty lemma if the argument word has no letters or digits (%s)',
    async (_, word) => {
      expect(await concordance({ word })).toMatchObject({
        totalCount: 0,
        edges: [],
        entry: { lemma: '', totalOccurrences: 0 },
      });
    },
  );

  test.each([
    ["'; DROP TABLE verse; --", 'drop table verse'],
    ['amor OR 1=1', 'amor or 1 1'],
    ['" OR ""="', 'or'],
    ['NEAR(amor)', 'near amor'],
    ['amor*', 'amor'],
    ['-amor', 'amor'],
  ])(
    'the field concordance treats operators in the argument word as plain text: %s means the words %s',
    async (word, plain) => {
      const page = await concordance({ word });
      expect(page).toEqual(await concordance({ word: plain }));
      expect(page.entry.lemma).toMatch(/^[a-z0-9 ]+$/);
      expect((await concordance({ word: 'amor' })).totalCount).toBe(170);
    },
  );
});
