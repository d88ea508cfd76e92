import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findMisquotation, parseReference } from '@lectern/canon';

const lines = readFileSync(join(__dirname, '..', 'misquotations.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'));

const sayingOf = (text: string): string | null => findMisquotation(text)?.saying ?? null;

test('findMisquotation finds every wording in the file misquotations.tsv, in which every Bible reference is valid', () => {
  expect(lines.length).toBeGreaterThanOrEqual(60);
  for (const [kind, english = '', spanish = '', , references = ''] of lines) {
    for (const wordings of [english.split('|'), spanish.split('|')])
      for (const wording of wordings)
        expect([wording, findMisquotation(wording)]).toEqual([
          wording,
          expect.objectContaining({ kind, references, saying: wordings[0] }),
        ]);
    expect([references, parseReference(references).kind]).toEqual([references, 'reference']);
  }
});

test.each([
  ['does the bible say god helps those who help themselves?', 'God helps those who help themselves'],
  ['“GOD HELPS THEM WHO HELP THEMSELVES”', 'God helps those who help themselves'],
  ['where is cleanliness next to godlines in scripture', 'Cleanliness is next to godliness'],
  ['And this too shall pass', 'This too shall pass'],
  ['¿Dónde dice la Biblia "ayudate que Dios te ayudara"?', 'Ayúdate que Dios te ayudará'],
  ['the money is the root of all evils', 'Money is the root of all evil'],
  ['God won’t give you more than you can handle', 'God will not give you more than you can handle'],
])('findMisquotation finds the misquotation in %j', (text, saying) => {
  expect(sayingOf(text)).toBe(saying);
});

test.each([
  'the love of money is the root of all evil',
  'love of money root of all evil',
  'porque el amor del dinero es la raíz de todos los males',
  'the wolf shall dwell with the lamb',
  'pride goes before destruction',
  'it is more blessed to give than to receive',
  'all they that take the sword shall perish with the sword',
  'there is no peace for the wicked',
  'a merry heart doeth good like a medicine',
  'god helps',
  'love is patient, love is kind',
  'money',
  '',
  '?!',
  '太初有道',
])('findMisquotation returns null for %j, which is not a misquotation', (text) => {
  expect(sayingOf(text)).toBeNull();
});

test('findMisquotation returns null for a long text that repeats a misquotation', () => {
  expect(sayingOf('God helps those who help themselves '.repeat(8))).toBeNull();
  expect(sayingOf('God helps those who help themselves '.repeat(100_000))).toBeNull();
});

test('the message of findMisquotation says what is wrong with the quotation, and names the nearest verses', () => {
  expect(findMisquotation('money is the root of all evil')?.message).toBe(
    '"Money is the root of all evil" is often quoted as Scripture, but the Bible has other words. ' +
      '1 Timothy 6:10 says this of the love of money. Nearest verses: 1 Timothy 6:10; Hebrews 13:5; Ecclesiastes 5:10.',
  );
  expect(findMisquotation('this too shall pass')?.message).toBe(
    '"This too shall pass" is often quoted as Scripture, but no verse says it. ' +
      'Nearest verses: Psalms 30:5; 2 Corinthians 4:17-18; 1 Peter 5:10.',
  );
});
