import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSaying, parseReference } from '@lectern/canon';

const lines = readFileSync(join(__dirname, '..', 'sayings.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));

const sayingOf = (text: string): string | null => findSaying(text)?.text ?? null;

test('findSaying finds every wording in the file sayings.tsv', () => {
  expect(lines.length).toBeGreaterThanOrEqual(250);
  for (const [status, references, , , ...languages] of lines)
    for (const wordings of languages.filter((each) => each !== '').map((each) => each.split('|')))
      for (const wording of wordings)
        expect([wording, findSaying(wording)]).toEqual([wording, expect.objectContaining({ status, references })]);
});

test('each Bible reference in the file sayings.tsv is valid, and each saying has wordings in English and Spanish', () => {
  for (const [, references = '', , , english, spanish] of lines)
    expect([references, parseReference(references).kind, english !== '', spanish !== '']).toEqual([
      references,
      'reference',
      true,
      true,
    ]);
});

test.each([
  ['does the bible say god helps those who help themselves?', 'God helps those who help themselves'],
  ['“GOD HELPS THEM WHO HELP THEMSELVES”', 'God helps those who help themselves'],
  ['where is cleanliness next to godlines in scripture', 'Cleanliness is next to godliness'],
  ['And this too shall pass', 'This too shall pass'],
  ['¿Dónde dice la Biblia "ayudate que Dios te ayudara"?', 'Ayúdate que Dios te ayudará'],
  ['the money is the root of all evils', 'Money is the root of all evil'],
  [
    "show me your friends and I'll tell you who you are",
    'Tell me who your friends are and I will tell you who you are',
  ],
  ['Hilf dir selbst, dann hilft dir Gott', 'Hilf dir selbst, dann hilft dir Gott'],
  ['qui vole un oeuf vole un boeuf', 'Qui vole un œuf vole un bœuf'],
  ['ŒIL POUR ŒIL, dent pour dent', 'Œil pour œil, dent pour dent'],
  ['où est-il écrit: aide-toi et le ciel t’aidera', "Aide-toi et le ciel t'aidera"],
  ['dove dice la Bibbia aiutati che Dio ti aiuta', 'Aiutati che Dio ti aiuta'],
  ['a voz do povo é a voz de Deus', 'A voz do povo é a voz de Deus'],
  ['God won’t give you more than you can handle', 'God will not give you more than you can handle'],
])('findSaying finds the saying in %j', (text, saying) => {
  expect(sayingOf(text)).toBe(saying);
});

test.each([
  'the wolf shall dwell with the lamb',
  'all they that take the sword shall perish with the sword',
  'there is no peace for the wicked',
  'a merry heart doeth good like a medicine',
  'god helps',
  'love is patient, love is kind',
  'money',
  '',
  '?!',
  '太初有道',
])('findSaying returns null for %j, which is no saying', (text) => {
  expect(sayingOf(text)).toBeNull();
});

test('findSaying returns null for a long text that repeats a saying', () => {
  expect(sayingOf('God helps those who help themselves '.repeat(8))).toBeNull();
  expect(sayingOf('God helps those who help themselves '.repeat(100_000))).toBeNull();
});

test.each([
  ['the love of money is the root of all evil', 'IN_BIBLE'],
  ['it is more blessed to give than to receive', 'IN_BIBLE'],
  ['pride goes before destruction', 'IN_BIBLE'],
  ['money is the root of all evil', 'ALTERED'],
  ['this too shall pass', 'NOT_IN_BIBLE'],
])('findSaying tells whether "%s" is in the Bible (%s)', (text, status) => {
  expect(findSaying(text)?.status).toBe(status);
});

test('the note of findSaying is in the language of the saying, and in English also tells its origin', () => {
  expect(findSaying('money is the root of all evil')?.note).toBe(
    '"Money is the root of all evil" is often quoted as Scripture, but the Bible has other words. ' +
      '1 Timothy 6:10 says this of the love of money.',
  );
  expect(findSaying('El dinero es la raíz de todos los males')?.note).toContain('se cita a menudo');
  expect(findSaying('Geld ist die Wurzel allen Übels')?.note).toContain('wird oft als Bibelwort zitiert');
});
