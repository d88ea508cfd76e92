import { indexWords } from '../../test-support/index-words';
import { createLexicalOverlap } from './lexical-overlap';
import { lexicalBonus, lexicalOverlapOf, rankSimilar, toSimilarity } from './ranking';

const spanish = ['El amor es sufrido, es benigno', 'Dios es amor', '', 'Oh mujer'];
const english = ['Love is patient and is kind', 'God is love, and love is of God', 'God speaks', ''];

/**
 * Creates a scorer for verses that have a text in each of these languages. An empty text means that
 * the translation lacks the verse.
 */
const createScorer = (languages: readonly string[], ...texts: readonly (readonly string[])[]) => {
  const count = texts[0]?.length ?? 0;
  const lexicalOverlap = createLexicalOverlap(count);
  const translations = texts.map((verses, index) => {
    const rows = verses.flatMap((text, row) => (text === '' ? [] : [row]));
    const words = indexWords(
      languages[index] ?? '',
      rows.map((row) => verses[row] ?? ''),
    );
    return { ...words, rows: Int32Array.from(rows) };
  });
  return {
    /** Returns the overlap of each verse, or null if no verse contains a word of the query. */
    score(query: string): number[] | null {
      const { rows, values } = lexicalOverlap.score(query, translations);
      return rows.length > 0 ? Array.from({ length: count }, (_, verse) => values[rows.indexOf(verse)] ?? 0) : null;
    },
  };
};

const idf = (verses: number, frequency: number): number => Math.log(1 + (verses - frequency + 0.5) / (frequency + 0.5));
const weight = (times: number, length: number, mean: number): number =>
  Math.min(1, (2.2 * times) / (times + 1.2 * (0.25 + (0.75 * length) / mean)) / 1.4);

test("the lexical overlap of a verse is the weighted share of the query's words that the verse contains; rare words weigh more", () => {
  const found = createScorer(['spa'], spanish).score('el amor de Dios');
  // Three verses with text, of 6, 3 and 2 words; `el` and `de` are function words.
  const mean = 11 / 3;
  const whole = idf(3, 2) + idf(3, 1);
  expect(found?.[0]).toBeCloseTo((idf(3, 2) * weight(1, 6, mean)) / whole, 6);
  expect(found?.[1]).toBeCloseTo((idf(3, 2) * weight(1, 3, mean) + idf(3, 1) * weight(1, 3, mean)) / whole, 6);
  expect(found?.slice(2)).toEqual([0, 0]);
});

test('the lexical overlap of a verse decreases if the query has an additional word that no verse contains', () => {
  const found = createScorer(['spa'], spanish).score('amor computadora');
  expect(found?.[1]).toBeCloseTo((idf(3, 2) * weight(1, 3, 11 / 3)) / (idf(3, 2) + idf(3, 0)), 6);
  expect(found?.[1]).toBeLessThan(createScorer(['spa'], spanish).score('amor')?.[1] ?? 0);
});

test('the lexical overlap ignores inflection, case, accents and repeated words of the query', () => {
  const scorer = createScorer(['spa'], spanish);
  expect(scorer.score('BENIGNAS, benigno')).toEqual(scorer.score('benigno'));
  expect(scorer.score('Díos')).toEqual(scorer.score('dios'));
});

test('the lexical overlap of a verse with texts in two languages is the larger of the two overlaps', () => {
  const both = createScorer(['spa', 'eng'], spanish, english);
  const [inSpanish, inEnglish] = [
    createScorer(['spa'], spanish).score('dios speaks love'),
    createScorer(['eng'], english).score('dios speaks love'),
  ];
  const found = both.score('dios speaks love');
  for (const verse of [0, 1, 2, 3])
    expect(found?.[verse]).toBe(Math.max(inSpanish?.[verse] ?? 0, inEnglish?.[verse] ?? 0));
  expect(found?.[2]).toBeGreaterThan(0);
});

test('the lexical overlap ignores a text whose verse is not ranked (row -1)', () => {
  const words = indexWords('spa', ['Dios es amor', 'El amor de Dios']);
  const lexicalOverlap = createLexicalOverlap(1);
  const texts = [{ ...words, rows: Int32Array.of(-1, 0) }];
  const first = lexicalOverlap.score('dios', texts);
  expect(Array.from(first.rows)).toEqual([0]);
  expect(lexicalOverlap.score('dios', texts)).toEqual(first);
  expect(lexicalOverlap.score('dios', [{ ...words, rows: Int32Array.of(-1, -1) }]).rows).toHaveLength(0);
});

test('the lexical overlap has no verses for a query that has no words except function words and unknown words', () => {
  const scorer = createScorer(['spa', 'eng'], spanish, english);
  for (const query of ['', ' ', '\0', '😀', 'el de la', '\ud800', 'בראשית', 'xyzzy'])
    expect(scorer.score(query)).toBeNull();
});

test('rankSimilar sorts verses by falling similarity and then in canonical order, and returns at most `limit` of them', () => {
  const found = {
    ordinals: [1_001_001, 1_001_002, 1_001_003, 1_001_004, 1_001_005],
    similarities: [0.90001, 0.88 + 0.03, 0.90002, -0.2, 0.99 + 0.03].map(toSimilarity),
  };
  expect(rankSimilar(found, 10)).toEqual([
    { ordinal: 1_001_005, similarity: 1 },
    { ordinal: 1_001_002, similarity: 0.91 },
    { ordinal: 1_001_001, similarity: 0.9 },
    { ordinal: 1_001_003, similarity: 0.9 },
    { ordinal: 1_001_004, similarity: 0 },
  ]);
  expect(rankSimilar(found, 2).map(({ ordinal }) => ordinal)).toEqual([1_001_005, 1_001_002]);
  expect(rankSimilar(found, -1)).toEqual([]);
});

test('the bonus for shared words is 0.09 at a lexical overlap of 1, and a quarter of it at an overlap of 0.5', () => {
  const { rows, values } = lexicalBonus({ rows: Uint32Array.of(7, 3), values: Float32Array.of(1, 0.5) });
  expect(Array.from(rows)).toEqual([7, 3]);
  expect(Array.from(values, (value) => value.toFixed(6))).toEqual(['0.090000', '0.022500']);
  expect(Array.from(values, (value) => lexicalOverlapOf(value).toFixed(6))).toEqual(['1.000000', '0.500000']);
});
