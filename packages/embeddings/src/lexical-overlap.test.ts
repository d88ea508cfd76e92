import { createLexicalOverlap, indexStems, lexicalBonus, rank } from '.';

const spanish = ['El amor es sufrido, es benigno', 'Dios es amor', '', 'Oh mujer'];
const english = ['Love is patient and is kind', 'God is love, and love is of God', 'God speaks', ''];

const coverageOf = (languages: readonly string[], ...texts: readonly (readonly string[])[]) => {
  const { indexes, count } = indexStems(
    languages,
    (texts[0] ?? []).map((_, verse) => texts.map((text) => text[verse] ?? '')),
  );
  const coverage = createLexicalOverlap(indexes, count);
  return {
    /** A number for every verse. */
    of(question: string): number[] | null {
      const found = coverage.score(question);
      return found && Array.from({ length: count }, (_, verse) => found.values[found.positions.indexOf(verse)] ?? 0);
    },
  };
};

const idf = (verses: number, frequency: number): number => Math.log(1 + (verses - frequency + 0.5) / (frequency + 0.5));
const weight = (times: number, length: number, mean: number): number =>
  Math.min(1, (2.2 * times) / (times + 1.2 * (0.25 + (0.75 * length) / mean)) / 1.4);

test("coverage is the share of the question's weight that stands in the verse", () => {
  const found = coverageOf(['spa'], spanish).of('el amor de Dios');
  // Three verses with text, of 6, 3 and 2 words; `el` and `de` are function words.
  const mean = 11 / 3;
  const whole = idf(3, 2) + idf(3, 1);
  expect(found?.[0]).toBeCloseTo((idf(3, 2) * weight(1, 6, mean)) / whole, 6);
  expect(found?.[1]).toBeCloseTo((idf(3, 2) * weight(1, 3, mean) + idf(3, 1) * weight(1, 3, mean)) / whole, 6);
  expect(found?.slice(2)).toEqual([0, 0]);
});

test('a word that no verse has counts in the whole', () => {
  const found = coverageOf(['spa'], spanish).of('amor computadora');
  expect(found?.[1]).toBeCloseTo((idf(3, 2) * weight(1, 3, 11 / 3)) / (idf(3, 2) + idf(3, 0)), 6);
});

test('forms of a word, capitals and accents are one; a word twice in the question counts once', () => {
  const coverage = coverageOf(['spa'], spanish);
  expect(coverage.of('BENIGNAS, benigno')).toEqual(coverage.of('benigno'));
  expect(coverage.of('Díos')).toEqual(coverage.of('dios'));
});

test('of two languages the better counts, verse by verse', () => {
  const both = coverageOf(['spa', 'eng'], spanish, english);
  const [inSpanish, inEnglish] = [
    coverageOf(['spa'], spanish).of('dios speaks love'),
    coverageOf(['eng'], english).of('dios speaks love'),
  ];
  const found = both.of('dios speaks love');
  for (const verse of [0, 1, 2, 3])
    expect(found?.[verse]).toBe(Math.max(inSpanish?.[verse] ?? 0, inEnglish?.[verse] ?? 0));
  expect(found?.[2]).toBeGreaterThan(0);
});

test('a question without words, or with none that any verse has, covers nothing', () => {
  const coverage = coverageOf(['spa', 'eng'], spanish, english);
  for (const question of ['', ' ', '\0', '😀', 'el de la', '\ud800', 'בראשית', 'xyzzy'])
    expect(coverage.of(question)).toBeNull();
});

test('scores are sums within 0..1 with four decimals, best first, ties in canonical order', () => {
  const found = [
    [0.90001, 0],
    [0.88, 0.03],
    [0.90002, 0],
    [-0.2, 0],
    [0.99, 0.03],
  ].map(([cosine = 0, bonus = 0], position) => ({ position, ordinal: 1_001_001 + position, cosine, bonus }));
  expect(rank(found, 10)).toEqual([
    { ordinal: 1_001_005, similarity: 1 },
    { ordinal: 1_001_002, similarity: 0.91 },
    { ordinal: 1_001_001, similarity: 0.9 },
    { ordinal: 1_001_003, similarity: 0.9 },
    { ordinal: 1_001_004, similarity: 0 },
  ]);
  expect(rank(found, 2).map(({ ordinal }) => ordinal)).toEqual([1_001_005, 1_001_002]);
  expect(rank(found, -1)).toEqual([]);
});

test('a verse with all the words of a question gains three hundredths', () => {
  const { positions, values } = lexicalBonus({ positions: Uint32Array.of(7, 3), values: Float32Array.of(1, 0.5) });
  expect(Array.from(positions)).toEqual([7, 3]);
  expect(Array.from(values, (value) => value.toFixed(6))).toEqual(['0.030000', '0.015000']);
});
