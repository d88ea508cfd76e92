import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNeeds } from './needs';

const needs = createNeeds();
const lines = readFileSync(join(__dirname, '..', 'needs.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(2);
const ids = lines.map((line) => line.split('\t')[0] ?? '');
const recognized = (id: string, group: 'DISTRESS' | 'OCCASION') => needs.find('my', { id, group, probability: 0.9 });

test('the table of needs has at least 24 kinds of distress and 7 occasions, each with at least 10 verses to give', () => {
  const groups = ids.map((id) => recognized(id, 'DISTRESS')?.group);
  expect(groups.filter((group) => group === 'DISTRESS').length).toBeGreaterThanOrEqual(24);
  expect(groups.filter((group) => group === 'OCCASION').length).toBeGreaterThanOrEqual(7);
  expect(ids.filter((id) => (recognized(id, 'DISTRESS')?.give.length ?? 0) < 10)).toEqual([]);
});

test('a search by meaning has at least 50 harmless verses for each kind of distress', () => {
  const counts = ids.map((id) => recognized(id, 'DISTRESS')?.harmless?.verses.size ?? 50);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(50);
});

test('clear words show a need without the embedding model, and no occasion', () => {
  const found = lines.flatMap((line) => {
    const [id, group, , , , , words = ''] = line.split('\t');
    return words.split('|').map((phrase) => [phrase, phrase === '' ? undefined : needs.find(phrase)?.group, id, group]);
  });
  expect(found.filter(([phrase, group]) => phrase !== '' && group !== 'DISTRESS')).toEqual([]);
});

test('clear words of a need are found in none of more than 100 ordinary queries with similar words', () => {
  const file = join(__dirname, '..', 'fixtures', 'care-lookalikes.tsv');
  const queries = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
  expect(queries.length).toBeGreaterThan(100);
  expect(queries.filter((line) => needs.find(line.split('\t')[1] ?? '') !== null)).toEqual([]);
});

test.each([
  'La serpiente me engañó, y comí',
  '',
  '?!',
  '太初有道',
  'x'.repeat(200),
  'God is love',
  'Ahitophel suicide',
])('clear words of a need are not found in %j', (query) => {
  expect(needs.find(query)).toBeNull();
});

test.each([
  ["I don't want to live, I want to die", 'WISH_TO_DIE', true],
  ['me hago daño', 'SELF_HARM', true],
  ['extraño mucho a mi mamá', 'PARENT_DEATH', false],
  ['mi esposo me engañó', 'BETRAYAL', false],
  ['dos años sin empleo', 'JOB_LOSS', false],
  ['ich will nicht mehr leben', 'WISH_TO_DIE', true],
  ["j'ai avorté", 'ABORTION', false],
  ['mio marito mi picchia', 'SPOUSE_ABUSE', true],
  ['fui estuprada', 'RAPE', true],
])('the words "%s" show the need %s without the embedding model', (query, id, isCry) => {
  expect(needs.find(query)).toMatchObject({ id, isCry });
});

test.each([
  ['WISH_TO_DIE', 'Job 7:15', 18007015],
  ['WISH_TO_DIE', 'Philippians 1:23', 50001023],
  ['SPOUSE_ABUSE', '1 Peter 3:1', 60003001],
  ['CHILD_ADDICTION', 'Deuteronomy 21:18', 5021018],
  ['RAPE', 'Genesis 38:15', 1038015],
  ['PREGNANCY_LOSS', '1 Kings 3:19', 11003019],
  ['INFERTILITY', 'Psalm 127:3', 19127003],
  ['JOB_LOSS', '2 Thessalonians 3:10', 53003010],
])('a person with the need %s is not shown %s', (id, _, ordinal) => {
  expect(recognized(id, 'DISTRESS')?.harmless?.verses.has(ordinal)).toBe(false);
});

test('the words alone show possible distress in most queries of people in distress, and in few that resemble them', () => {
  const share = (fixture: string, column: number): number => {
    const file = readFileSync(join(__dirname, '..', 'fixtures', fixture), 'utf8');
    const queries = file.trimEnd().split('\n').slice(1);
    const shown = queries.filter((line) => needs.mayShowDistress(line.split('\t')[column] ?? ''));
    return shown.length / queries.length;
  };
  expect(share('care.tsv', 2)).toBeGreaterThan(0.8);
  expect(share('care-lookalikes.tsv', 1)).toBeLessThan(0.2);
});

test('an unlikely distress of nobody in particular counts as none', () => {
  const unlikely = { id: 'ABORTION', group: 'DISTRESS', probability: 0.6 } as const;
  expect(needs.find('abortion in the Bible', unlikely)).toBeNull();
  expect(needs.find('after my abortion', { ...unlikely, id: 'GRIEF' })).toMatchObject({ id: 'ABORTION' });
});
