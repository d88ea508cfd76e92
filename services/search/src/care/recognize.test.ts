import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recognizeDistress } from './recognize';

const lines = (file: string): string[][] =>
  readFileSync(join(__dirname, '..', '..', 'fixtures', file), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));

test('recognizeDistress recognizes at least 190 of 200 questions of people in distress', () => {
  const missed = lines('care.tsv').filter(([, , query = '']) => recognizeDistress(query) === null);
  expect(missed.length).toBeLessThanOrEqual(10);
});

test('recognizeDistress takes at most 4 of 400 queries that only look alike for distress', () => {
  const wrong = lines('care-lookalikes.tsv').filter(([, query = '']) => recognizeDistress(query) !== null);
  expect(wrong.length).toBeLessThanOrEqual(4);
});

test.each(['La serpiente me engañó, y comí', '', '?!', '太初有道', 'x'.repeat(200), 'God is love'])(
  'recognizeDistress finds no distress in %j',
  (query) => {
    expect(recognizeDistress(query)).toBeNull();
  },
);

test.each([
  ['me hago daño', 'SELF_HARM'],
  ['extraño mucho a mi mamá', 'GRIEF'],
  ['mi esposo me engañó', 'INFIDELITY'],
  ['dos años sin empleo', 'JOB_LOSS'],
])('recognizeDistress reads ñ as n: "%s" is %s', (query, distress) => {
  expect(recognizeDistress(query)).toBe(distress);
});
