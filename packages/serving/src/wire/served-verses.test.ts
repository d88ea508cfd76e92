import { parseVerseReport, ServedVerses } from './served-verses';

test('a subgraph reports the verses of a response by translation, in any order in which it counted them', () => {
  const served = new ServedVerses();
  served.add('eng-web');
  served.add('spa-rv1909', 2);
  served.add('eng-web', 30);
  expect(served.report()).toBe('eng-web=31,spa-rv1909=2');
});

test('the reports of several subgraphs are added to the verses of this process', () => {
  const served = new ServedVerses();
  served.addReport('eng-web=31,spa-rv1909=2');
  expect(served.report()).toBe('eng-web=31,spa-rv1909=2');
  served.addReport('eng-web=1');
  served.add('spa-rv1909');
  expect(served.report()).toBe('eng-web=32,spa-rv1909=3');
});

test('a response without texts has an empty report of verses', () => {
  const served = new ServedVerses();
  served.add('eng-web', 0);
  expect(served.report()).toBe('');
});

test('a response of 1,000 translations has a report of 5,000 characters at most, which counts the rest as (other)', () => {
  const served = new ServedVerses();
  for (let number = 0; number < 1_000; number += 1) served.add(`translation-${number}`, 3);
  const report = served.report();
  expect(report.length).toBeLessThan(5_000);
  const read = parseVerseReport(report);
  expect(read.reduce((sum, { verses }) => sum + verses, 0)).toBe(3_000);
  expect(read.at(-1)?.translation).toBe('(other)');
});

test.each(['', 'eng-web', 'eng-web=', 'eng-web=-1', 'eng-web=1.5', 'ENG=1', 'a b=1', 'eng-web=1,', 'eng-web=1e99'])(
  'a gateway counts no verses if a subgraph reports %j',
  (value) => {
    expect(parseVerseReport(value)).toEqual([]);
  },
);
