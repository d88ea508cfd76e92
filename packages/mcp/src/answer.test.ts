import { referenceOfVerses } from './answer';

const verse = (bookId: string, chapter: number, number: number) => ({
  bookId,
  chapter,
  verse: number,
  reference: `${bookId} ${chapter}:${number}`,
});

test('referenceOfVerses joins consecutive verses of a chapter to a range, and separates ranges with semicolons', () => {
  const verses = [verse('JHN', 3, 16), verse('JHN', 3, 17), verse('JHN', 4, 1), verse('JHN', 4, 3)];
  expect(referenceOfVerses(verses)).toBe('JHN 3:16-17; JHN 4:1; JHN 4:3');
});

test('referenceOfVerses leaves out the last verses if the reference would be longer than the maximum of 200 characters', () => {
  const verses = Array.from({ length: 50 }, (_, index) => verse('GEN', index + 1, 1));
  const reference = referenceOfVerses(verses);
  expect(reference).toMatch(/^GEN 1:1; .*; GEN \d+:1$/);
  expect(reference.length).toBeLessThanOrEqual(200);
});
