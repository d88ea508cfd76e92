import { lexicalBonus, rank } from './index';

test('rank returns at most `limit` verses by falling similarity (cosine plus bonus, within 0 to 1, rounded to four decimals), and equally similar verses in canonical order', () => {
  const found = [
    [0.90001, 0],
    [0.88, 0.03],
    [0.90002, 0],
    [-0.2, 0],
    [0.99, 0.03],
  ].map(([cosine = 0, bonus = 0], row) => ({ row, ordinal: 1_001_001 + row, cosine, bonus }));
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

test('lexicalBonus gives a bonus of 0.03 to a verse whose lexical overlap is 1, and of 0.015 to a verse whose lexical overlap is 0.5', () => {
  const { rows, values } = lexicalBonus({ rows: Uint32Array.of(7, 3), values: Float32Array.of(1, 0.5) });
  expect(Array.from(rows)).toEqual([7, 3]);
  expect(Array.from(values, (value) => value.toFixed(6))).toEqual(['0.030000', '0.015000']);
});
