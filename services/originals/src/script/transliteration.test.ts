import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldOriginal, foldTransliteration, withoutAccents, withoutPoints } from './fold';
import { transliterateGreek } from './greek';
import { transliterateHebrew } from './hebrew';

// Drawn from the texts and read one by one, with words that have one difficulty each. A line has a
// word, the parsing code of a Hebrew word, and its transliteration.
const lines = readFileSync(join(__dirname, '..', '..', 'fixtures', 'transliterations.txt'), 'utf8')
  .trim()
  .split('\n');

test('transliterateHebrew and transliterateGreek write known words in the academic style of the SBL Handbook', () => {
  const wrong = lines.filter((line) => {
    const [word = '', ...rest] = line.split(' ');
    const latin = rest.length === 2 ? transliterateHebrew(word, rest[0]) : transliterateGreek(word);
    return latin !== rest.at(-1);
  });
  expect(lines).toHaveLength(231);
  expect(wrong).toEqual([]);
});

test('transliterateHebrew writes the consonants of a Hebrew word without vowel points', () => {
  expect(transliterateHebrew('ו/יאמר')).toBe('wyʾmr');
});

test('withoutAccents removes the accents of a Hebrew or Greek word, and withoutPoints also removes the vowel points', () => {
  expect([withoutAccents('בָּרָ֣א'), withoutPoints('בָּרָ֣א')]).toEqual(['בָּרָא', 'ברא']);
  expect([withoutAccents('ᾅδῃ'), withoutPoints('ᾅδῃ')]).toEqual(['ᾁδῃ', 'αδη']);
});

test('foldOriginal, which makes Hebrew and Greek words comparable, ignores points, accents, capitals and final letters', () => {
  expect(['הַ/שָּׁלֹ֔ום', 'השלומ', 'הש\u200dלום', 'ﬣשלום'].map(foldOriginal)).toEqual(Array(4).fill('השלומ'));
  expect(['Λόγος', 'λογοσ', 'ΛΟΓΟΣ', 'λὸγος'].map(foldOriginal)).toEqual(Array(4).fill('λογοσ'));
});

test('foldTransliteration gives the same form to the academic and the popular transliteration of a word', () => {
  expect(['bərēʾšît', 'bereshit', 'Bereshit', "bere'shit"].map(foldTransliteration)).toEqual(Array(4).fill('beresit'));
  expect(['ʾereṣ', 'erets', 'eretz'].map(foldTransliteration)).toEqual(Array(3).fill('eres'));
});
