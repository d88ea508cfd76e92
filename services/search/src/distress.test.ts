import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recognizeDistress } from './distress';

test('recognizeDistress, which recognizes queries of people in distress, finds no distress in more than 100 ordinary queries with similar words', () => {
  const file = join(__dirname, '..', 'fixtures', 'care-lookalikes.tsv');
  const queries = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
  expect(queries.length).toBeGreaterThan(100);
  expect(queries.filter((line) => recognizeDistress(line.split('\t')[1] ?? '') !== null)).toEqual([]);
});

test.each(
  ['La serpiente me engañó, y comí', '', '?!', '太初有道', 'x'.repeat(200), 'God is love', 'Ahitophel suicide'].map(
    (query) => [query.slice(0, 40), query],
  ),
)('recognizeDistress finds no distress in %j', (_, query = '') => {
  expect(recognizeDistress(query)).toBeNull();
});

test.each([
  ["I don't want to live, I want to die", 'SUICIDE'],
  ['me hago daño', 'SELF_HARM'],
  ['extraño mucho a mi mamá', 'GRIEF'],
  ['mi esposo me engañó', 'INFIDELITY'],
  ['dos años sin empleo', 'JOB_LOSS'],
])('recognizeDistress recognizes from the query "%s" that the person is in distress (%s)', (query, distress) => {
  expect(recognizeDistress(query)).toBe(distress);
});
