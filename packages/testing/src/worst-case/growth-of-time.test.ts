import { generateTexts, textsWithNonlinearTime } from './growth-of-time';

/** Takes a time that is proportional to the square of the number of spaces. */
function quadraticInSpaces(text: string): number {
  let pairs = 0;
  const spaces = text.split(' ').length;
  for (let one = 0; one < spaces; one += 1) for (let other = 0; other < spaces; other += 1) pairs ^= one * other;
  return pairs;
}

const spaces = { name: 'spaces', ofLength: (length: number) => ' '.repeat(length) };
const letters = { name: 'letters', ofLength: (length: number) => 'x'.repeat(length) };

test('textsWithNonlinearTime names the text for which a function takes quadratic time, and no other text', () => {
  expect(textsWithNonlinearTime([spaces, letters], quadraticInSpaces)).toEqual([
    expect.stringMatching(/^spaces: 10000 characters take 1\d\.\d times as long as 2500$/),
  ]);
});

test('generateTexts makes texts of exactly the requested length', () => {
  for (const { ofLength } of generateTexts(1)) expect(ofLength(2_500)).toHaveLength(2_500);
});
