import { referenceOfVerses } from './answer';

const verse = (bookId: string, chapter: number, number: number) => ({
  bookId,
  chapter,
  verse: number,
  reference: `${bookId} ${chapter}:${number}`,
});

test('referenceOfVerses joins consecutive verses of one chapter to a range, and separates other verses with semicolons', () => {
  const verses = [verse('JHN', 3, 16), verse('JHN', 3, 17), verse('JHN', 4, 1), verse('JHN', 4, 3)];
  expect(referenceOfVerses(verses)).toBe('JHN 3:16-17; JHN 4:1; JHN 4:3');
});

test('referenceOfVerses omits the last ranges if the reference would have more than 200 characters', () => {
  const verses = Array.from({ length: 50 }, (_, index) => verse('GEN', index + 1, 1));
  const reference = referenceOfVerses(verses);
  expect(reference).toMatch(/^GEN 1:1; .*; GEN \d+:1$/);
  expect(reference.length).toBeLessThanOrEqual(200);
});
