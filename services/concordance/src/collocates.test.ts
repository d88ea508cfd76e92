import { createRandomChoices, itemsOfThisRun, testSeed, useStarted } from '@lectern/testing';
import { stemmerFor, verseWords } from '@lectern/words';
import { openConcordanceClient } from '../test-support/concordance-client';
import { type ScannedVerse, scanTranslation } from '../test-support/read-verse-words-from-corpus';
import { memoizeByWord } from './data/words';

interface Collocate {
  lemma: string;
  displayForm: string;
  together: number;
  expected: number;
  logLikelihood: number;
  before: number;
  after: number;
}

const document = `query C($translation: String!, $word: String!, $window: Int, $minOccurrences: Int, $includeFunctionWords: Boolean, $first: Int) {
  collocates(translation: $translation, word: $word, window: $window, minOccurrences: $minOccurrences, includeFunctionWords: $includeFunctionWords, first: $first) {
    lemma displayForm together expected logLikelihood before after
  }
}`;

const client = useStarted(openConcordanceClient);

const execute = (variables: Record<string, unknown>) =>
  client.execute(document, { translation: 'spa-rv1909', ...variables });

async function collocates(variables: Record<string, unknown>): Promise<Collocate[]> {
  const { data, errors } = await execute(variables);
  expect(errors).toBeUndefined();
  return data?.['collocates'] as Collocate[];
}

/** Reads every stem of the word index, page by page. */
async function stemsOfIndex(translation: string): Promise<string[]> {
  const stems: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const { data } = await client.execute(
      'query I($translation: String!, $after: String) { concordanceIndex(translation: $translation, first: 200, after: $after) { lemma cursor } }',
      { translation, after },
    );
    const page = data?.['concordanceIndex'] as { lemma: string; cursor: string }[];
    stems.push(...page.map(({ lemma }) => lemma));
    after = page.at(-1)?.cursor ?? null;
  }
  return stems;
}

type CountedCollocate = Omit<Collocate, 'displayForm'>;

/**
 * Finds the verses of each stem, how often the stem occurs, one spelling of the stem, and the
 * number of all words.
 */
function countTranslation(verses: readonly ScannedVerse[]) {
  const versesByStem = new Map<string, Set<ScannedVerse>>();
  const occurrences = new Map<string, number>();
  const spellings = new Map<string, string>();
  for (const verse of verses)
    for (const { stem, text } of verse.words) {
      versesByStem.set(stem, (versesByStem.get(stem) ?? new Set()).add(verse));
      occurrences.set(stem, (occurrences.get(stem) ?? 0) + 1);
      spellings.set(stem, text);
    }
  return { versesByStem, occurrences, spellings, words: [...occurrences.values()].reduce((a, b) => a + b, 0) };
}

type CountedTranslation = ReturnType<typeof countTranslation>;

/**
 * Counts the collocates in the text itself, by comparing each word with each occurrence of the
 * query's stem.
 */
function countInText(translation: CountedTranslation, query: string, window: number): CountedCollocate[] {
  const near = new Map<string, { before: number; after: number }>();
  let nearWords = 0;
  for (const { words } of translation.versesByStem.get(query) ?? []) {
    const occurrences = [...words.keys()].filter((index) => words[index]?.stem === query);
    for (const [index, { stem }] of words.entries()) {
      const nearest = Math.min(...occurrences.map((occurrence) => Math.abs(occurrence - index)));
      if (stem === query || nearest > window) continue;
      nearWords += 1;
      const counts = near.get(stem) ?? { before: 0, after: 0 };
      near.set(stem, counts);
      if (occurrences.includes(index - nearest)) counts.after += 1;
      else counts.before += 1;
    }
  }
  const allWords = translation.words - (translation.occurrences.get(query) ?? 0);
  return Array.from(near, ([lemma, { before, after }]) => {
    const together = before + after;
    const total = translation.occurrences.get(lemma) ?? 0;
    const table = [
      [together, nearWords - together],
      [total - together, allWords - nearWords - total + together],
    ];
    const expected = (nearWords * total) / allWords;
    return { lemma, together, expected, logLikelihood: likelihoodRatio(table), before, after };
  });
}

/**
 * Returns the log-likelihood ratio of a table: twice the sum of O ln(O / E) over its cells, where O
 * is the count of a cell and E the count that its row and column let expect.
 */
function likelihoodRatio(table: readonly (readonly number[])[]): number {
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  const all = sum(table.map(sum));
  let ratio = 0;
  for (const row of table)
    for (const [column, observed] of row.entries())
      if (observed > 0)
        ratio += 2 * observed * Math.log(observed / ((sum(row) * sum(table.map((each) => each[column] ?? 0))) / all));
  return ratio;
}

const rounded = (collocate: CountedCollocate) => ({
  ...collocate,
  expected: collocate.expected.toFixed(6),
  logLikelihood: collocate.logLikelihood.toFixed(4),
});

const countedTranslations = [
  ['spa-rv1909', 'spa'],
  ['eng-web', 'eng'],
] as const;

test.each(itemsOfThisRun(countedTranslations, countedTranslations.length))(
  'the field collocates (words near a word) returns the same counts for 25 random words of %s as a direct count in the text',
  async (translation, language) => {
    const counted = countTranslation(scanTranslation(translation));
    const choices = createRandomChoices(testSeed());
    const stems = await stemsOfIndex(translation);
    const stemOf = memoizeByWord(stemmerFor(language, 'distinct'));
    const frequent = stems.filter((stem) => (counted.occurrences.get(stem) ?? 0) >= 10);
    const inIndex = new Set(stems);
    for (let count = 0; count < 25; count += 1) {
      const query = choices.pick(frequent);
      const [window, includeFunctionWords] = [1 + (count % 10), count % 3 === 0];
      const word = counted.spellings.get(query);
      const expected = countInText(counted, query, window)
        .filter((each) => each.together >= 2 && each.together > each.expected)
        .filter(({ lemma }) => includeFunctionWords || inIndex.has(lemma))
        .sort((a, b) => b.logLikelihood - a.logLikelihood);
      const found = await collocates({
        translation,
        word,
        window,
        minOccurrences: 2,
        includeFunctionWords,
        first: 100,
      });
      expect(found).toHaveLength(Math.min(100, expected.length));
      const expectedByLemma = new Map(expected.map((each) => [each.lemma, each]));
      for (const { displayForm, ...collocate } of found) {
        const [shown] = verseWords(displayForm, language);
        expect(stemOf(shown?.folded ?? '')).toBe(collocate.lemma);
        expect(rounded(collocate)).toEqual(rounded(expectedByLemma.get(collocate.lemma) as CountedCollocate));
      }
      // Compares only the values, because another test checks the order of words with equal values.
      expect(found.map(({ logLikelihood }) => logLikelihood.toFixed(4))).toEqual(
        expected.slice(0, 100).map(({ logLikelihood }) => logLikelihood.toFixed(4)),
      );
    }
  },
);

test('the field collocates sorts the words near amor by log-likelihood, and leaves out function words by default', async () => {
  const found = await collocates({ word: 'amor', first: 100 });
  expect(found.map(({ displayForm }) => displayForm)).not.toContain('por');
  expect(
    found.slice(0, 3).map(({ displayForm, together, before, after }) => [displayForm, together, before, after]),
  ).toEqual([
    ['Cristo', 10, 1, 9],
    ['fraternal', 3, 0, 3],
    ['siervo', 13, 2, 11],
  ]);
  const values = found.map(({ logLikelihood }) => logLikelihood);
  expect(values).toEqual(values.toSorted((a, b) => b - a));
  const withFunctionWords = await collocates({ word: 'amor', includeFunctionWords: true, first: 100 });
  expect(withFunctionWords.map(({ displayForm }) => displayForm)).toEqual(expect.arrayContaining(['por', 'Cristo']));
});

test('the field collocates sorts words with equal logLikelihood by the field together, then by first occurrence', async () => {
  const found = await collocates({
    translation: 'eng-web',
    word: 'Bethlehem',
    minOccurrences: 1,
    window: 10,
    first: 100,
  });
  const firstOccurrences = new Map<string, number>();
  let position = 0;
  for (const { words } of scanTranslation('eng-web'))
    for (const { stem } of words) if (!firstOccurrences.has(stem)) firstOccurrences.set(stem, (position += 1));
  const keys = found.map(({ lemma, ...counts }) => [
    -counts.logLikelihood,
    -counts.together,
    firstOccurrences.get(lemma) ?? 0,
  ]);
  expect(keys).toEqual(
    keys.toSorted(([a0 = 0, a1 = 0, a2 = 0], [b0 = 0, b1 = 0, b2 = 0]) => a0 - b0 || a1 - b1 || a2 - b2),
  );
  expect(new Set(keys.map(([value]) => value)).size).toBeLessThan(keys.length);
});

test.each([
  [{ minOccurrences: null }, { minOccurrences: 3 }],
  [
    { minOccurrences: -1, first: 100 },
    { minOccurrences: 1, first: 100 },
  ],
  [{ includeFunctionWords: null }, { includeFunctionWords: false }],
])('the field collocates treats the invalid or null arguments %j as %j', async (given, used) => {
  expect(await collocates({ word: 'Dios', ...given })).toEqual(await collocates({ word: 'Dios', ...used }));
});

test('the field collocates for the words "cielos tierra" leaves out cielos and tierra themselves', async () => {
  const found = await collocates({ word: 'cielos tierra', first: 100, window: 10 });
  const lemmas = found.map(({ lemma }) => lemma);
  expect(lemmas.slice(0, 2)).toEqual(['aves', 'besti']);
  for (const stem of ['ciel', 'tierr']) expect(lemmas).not.toContain(stem);
});

test.each(['xyzzy', '愛', 'אהבה', '!?', '\0', '😀', "'; DROP TABLE stem", '<script>', 'amor xyzzy'])(
  'the field collocates returns an empty list for %j, which no verse contains',
  async (word) => {
    expect(await collocates({ word, minOccurrences: 0 })).toEqual([]);
  },
);

test.each([
  [{ word: ' ' }, 'word must not be blank', 'BAD_USER_INPUT'],
  [{ word: 'a'.repeat(101) }, 'word must be 100 characters or fewer', 'BAD_USER_INPUT'],
  [{ word: 'amor', translation: 'spa-none' }, "Translation 'spa-none' not found", 'NOT_FOUND'],
])('the field collocates rejects the arguments %j with the message "%s"', async (variables, message, code) => {
  expect(await execute(variables)).toMatchObject({
    data: { collocates: null },
    errors: [{ message, extensions: { code } }],
  });
});
