import { createRowProperties, requiredRows, rerank } from './ranking';

/** The chapter of each verse is its row divided by ten. */
const properties: Parameters<typeof rerank>[1] = {
  chapterOf: (row) => Math.floor(row / 10),
  prominenceOf: () => 0,
  wordCountOf: () => 0,
};

/** Reranks rows with these cosines and no bonus. Returns the new score of each row. */
function scoresOf(cosines: Readonly<Record<number, number>>, changed: Partial<typeof properties> = {}) {
  const indices = Uint32Array.from(Object.keys(cosines), Number);
  const matches = {
    indices,
    cosines: Float64Array.from(Object.values(cosines)),
    bonuses: new Float32Array(indices.length),
  };
  const { bonuses } = rerank(matches, { ...properties, ...changed });
  return new Map(Array.from(indices, (row, at) => [row, (matches.cosines[at] ?? 0) + (bonuses[at] ?? 0)]));
}

const rank = (scores: ReadonlyMap<number, number>): number[] =>
  [...scores].sort(([, a], [, b]) => b - a).map(([row]) => row);

test('reranking puts the best verse of a chapter with several near verses before a slightly nearer verse that is alone', () => {
  expect(rank(scoresOf({ 1: 0.81, 21: 0.8, 22: 0.79, 23: 0.79, 50: 0.7 }))[0]).toBe(21);
});

test('reranking does not put all verses of a chapter before a verse of another chapter that is nearly as near as the best', () => {
  expect(rank(scoresOf({ 1: 0.8, 21: 0.8, 22: 0.77, 23: 0.77, 50: 0.7 }))).toEqual([21, 1, 22, 23, 50]);
});

test('of two equally near verses, reranking puts the more prominent verse and the longer verse first', () => {
  const cosines = { 1: 0.8, 11: 0.8, 50: 0.7 };
  expect(rank(scoresOf(cosines, { prominenceOf: (row) => (row === 11 ? 1 : 0) }))[0]).toBe(11);
  expect(rank(scoresOf(cosines, { wordCountOf: (row) => (row === 11 ? 30 : 10) }))[0]).toBe(11);
});

test('reranking leaves the scores of all verses but the best 100 unchanged, and these remain below the best', () => {
  const cosines = Object.fromEntries(Array.from({ length: 150 }, (_, row) => [row, 0.9 - row / 1_000]));
  const scores = scoresOf(cosines, { prominenceOf: () => 2 });
  const others = Array.from(scores.values()).slice(requiredRows - 1);
  expect(others).toEqual(Object.values(cosines).slice(requiredRows - 1));
  expect(Math.min(...Array.from(scores.values()).slice(0, requiredRows - 1))).toBeGreaterThan(Math.max(...others));
});

test('reranking of no verse, of one verse, and of verses that the translation lacks changes no score', () => {
  const lists: Record<number, number>[] = [{}, { 3: 0.8 }, { 3: 0.8, 4: -9.2, 5: -9.3 }];
  for (const cosines of lists) expect([...scoresOf(cosines).values()]).toEqual(Object.values(cosines));
});

test('the chapter of a row comes from the numbering of the vectors, and its prominence from the standard numbering', () => {
  const { chapterOf, prominenceOf } = createRowProperties(
    [32_002_001],
    { standardOf: () => 32_001_017 },
    (verse) => verse,
  );
  expect([chapterOf(0), prominenceOf(0)]).toEqual([32_002, 32_001_017]);
});
