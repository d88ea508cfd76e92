import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BookCode } from '@lectern/canon';
import { verseId } from '@lectern/canon';
import { linkData, spawnProcess } from '@lectern/testing';

/** Each invented word of a restricted text has this text, which is in no word of another text. */
export const mark = 'zqv';

/** The identifiers of the restricted translations. No identifier has an invented word, because errors repeat it. */
export const restricted = ['deu-locked', 'eng-locked', 'spa-locked'] as const;

/** The chapters of the restricted texts. Each has the verses 1 to 16. */
const chapters: readonly (readonly [book: BookCode, chapter: number])[] = [
  ['GEN', 1],
  ['RUT', 1],
  ['PSA', 23],
  ['OBA', 1],
  ['JHN', 3],
  ['ROM', 8],
  ['JUD', 1],
];

/** Words that are also in public texts, so that a search which reads a restricted text has another total. */
const commonWords = 'love in the beginning shepherd god covenant misericordia amor Liebe';

function usfm(identifier: string, book: BookCode, chapter: number): string {
  const word = (name: string) => `${mark}${name}${identifier.slice(0, 3)}`;
  const verses = Array.from(
    { length: 16 },
    (_, index) =>
      `\\v ${index + 1} \\w ${word('love')}|strong="G26"\\w* ${word(`${book.toLowerCase()}x`)} ${commonWords} \\w ${word('god')}|strong="H430"\\w*.\\f + \\ft ${word('note')} John 3:16\\f*`,
  );
  return [
    `\\id ${book}`,
    `\\h ${word('book')}`,
    `\\ip ${word('introduction')}`,
    `\\c ${chapter}`,
    `\\s1 ${word('heading')}`,
    '\\p',
    ...verses,
  ].join('\n');
}

/** Runs the program of `npm run corpus` with this data folder. Rejects with its output if it fails. */
export async function runCorpus(folder: string, ...args: string[]): Promise<string> {
  const env = { LECTERN_DATA: folder, SEMANTIC_TRANSLATIONS: '', OFFLINE_TRANSLATIONS: `free,${restricted.join(',')}` };
  const { ended, output } = spawnProcess('packages/standalone/dist/corpus-main.js', env, args);
  if ((await ended) !== 0) throw new Error(output());
  return output();
}

/** Writes the files of an invented translation into a folder, and returns the arguments of its import. */
export function writeText(folder: string, identifier: string): string[] {
  const source = join(folder, 'restricted-sources', identifier);
  mkdirSync(source, { recursive: true });
  for (const [book, chapter] of chapters) writeFileSync(join(source, `${book}.usfm`), usfm(identifier, book, chapter));
  const glossary = `\\id GLO\n\\h ${mark}glossary\n\\p \\k ${mark}keyword\\k* ${mark}entry`;
  writeFileSync(join(source, 'GLO.usfm'), glossary);
  const details = {
    identifier,
    language: identifier.slice(0, 3),
    name: `${mark}name`,
    note: `${mark}note`,
    licence: 'PD',
  };
  return ['import', source, ...Object.entries(details).flatMap(([name, value]) => [`--${name}`, value])];
}

/** Creates a data folder with the default translations and the restricted ones. */
export async function createRestrictedData() {
  const dataDir = mkdtempSync(join(tmpdir(), 'lectern-restricted-'));
  linkData(dataDir);
  for (const identifier of restricted) await runCorpus(dataDir, ...writeText(dataDir, identifier), '--restricted');
  return { dataDir, stop: () => rmSync(dataDir, { recursive: true, force: true }) };
}

/** Values of arguments with which generated operations read the restricted texts. */
export const restrictedValues: Readonly<Record<string, readonly unknown[]>> = {
  book: ['JHN', 'Genesis', 'Psa', 'Juan', `${mark}bookdeu`],
  chapter: [1, 3, 8, 23],
  verse: [1, 3, 16],
  identifier: [...restricted, 'eng-web', 'klingon'],
  translation: [...restricted, ...restricted, 'eng-web', null],
  translations: [['eng-web', 'eng-locked'], ['spa-locked'], ['deu-locked', 'eng-kjv', 'spa-rv1909'], ['eng-kjv']],
  ids: [
    restricted.map((translation) => verseId({ translation, book: 'JHN', chapter: 3, verse: 16 })),
    ['eng-web', 'eng-locked'].map((translation) => verseId({ translation, book: 'PSA', chapter: 23, verse: 1 })),
  ],
  reference: ['John 3:1-4', 'Ps 23', 'Jude 5', 'Juan 3:16', 'Gen 1'],
  query: [
    `${mark}loveeng`,
    `${mark}lov`,
    'love',
    '"in the beginning"',
    'covenant misericordia amor',
    `${mark}loveemg god`,
  ],
  word: [`${mark}loveeng`, `${mark}godspa`, 'love', 'misericordia', 'Liebe'],
  prefix: [mark, 'lo', ''],
  number: ['G26', 'H430', 'G9999'],
  text: [`${mark}loveeng ${mark}jhnxeng love in the beginning shepherd god covenant`, 'See John 3:16 and Ps 1.'],
  code: ['GLO', 'JHN', 'GEN'],
  language: ['deu', 'eng', 'spa'],
};
