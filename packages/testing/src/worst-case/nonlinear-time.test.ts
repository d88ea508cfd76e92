import { generateTexts, textsWithNonlinearTime } from './nonlinear-time';

const spaces = { name: 'spaces', ofLength: (length: number) => ' '.repeat(length) };
const letters = { name: 'letters', ofLength: (length: number) => 'x'.repeat(length) };

test('the test helper textsWithNonlinearTime returns only the text for which a function takes quadratic time', () => {
  let timeMs = 0;
  /**
   * Takes 1 ms for each 100 letters. For spaces, takes the square of this number of milliseconds.
   */
  const work = (text: string): void => {
    const hundreds = text.length / 100;
    timeMs += text.startsWith(' ') ? hundreds ** 2 : hundreds;
  };
  expect(textsWithNonlinearTime([spaces, letters], work, () => timeMs)).toEqual([
    'spaces: 10000 characters take 16.0 times as long as 2500',
  ]);
});

test('the test helper textsWithNonlinearTime does not report a function with linear time whose last characters take longer', () => {
  let timeMs = 0;
  const work = (text: string): void => {
    for (const character of text) timeMs += character === 'y' ? 1 : 0.01;
  };
  const rising = { name: 'rising', ofLength: (length: number) => 'x'.repeat(2_500).padEnd(length, 'y') };
  expect(textsWithNonlinearTime([rising], work, () => timeMs)).toEqual([]);
});

test('the test helper generateTexts makes texts of exactly the requested length', () => {
  for (const { ofLength } of generateTexts(1))
    for (const length of [100, 2_500, 10_000]) expect(ofLength(length)).toHaveLength(length);
});
