import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFiles } from '@lectern/corpus';
import { useStarted } from '@lectern/testing';
import { openTextClient } from '../test-support/text-client';

/** The translations of these tests: the source, and what the command line says. */
const imports: readonly (readonly [source: string, given: Record<string, string>])[] = [
  ['\\v 1 eins', { identifier: 'deu-nc', language: 'deu', name: 'Nur privat', licence: 'CC-BY-NC-ND-4.0' }],
  [
    '\\v 1 eins\\f + \\ft Note\\f*',
    { identifier: 'deu-own', language: 'deu', name: 'Eigene', licence: 'CC-BY-SA-4.0', licenceHolder: 'Ein Verlag' },
  ],
  ['\\v 1 eins', { identifier: 'deu-pd', language: 'deu', name: 'Alte', licence: 'pd' }],
  [
    '\\v 1 one\\f + \\ft Note\\f*',
    {
      identifier: 'eng-terms',
      language: 'eng',
      name: 'Terms',
      note: 'All rights reserved.',
      licence: 'LicenseRef-Terms',
      licenceMaxVerses: '500',
    },
  ],
  ['\\v 1 אחד', { identifier: 'heb-unknown', language: 'heb', name: 'תנך', note: 'Unknown.', licence: 'NOASSERTION' }],
  ['\\v 1 nuqneh', { identifier: 'qtx-none', language: 'qtx', name: 'Qtx', licence: 'CC0-1.0' }],
];

const client = useStarted(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-translations-'));
  for (const [verse, given] of imports) {
    const file = join(folder, `${given['identifier']}.usfm`);
    writeFileSync(file, `\\id GEN\n\\c 1\n\\p\n${verse}`);
    await importFiles([file], { dataDir: folder, log: () => undefined, given, replace: true });
  }
  const opened = openTextClient({ dataDir: folder });
  return {
    ...opened,
    close: async () => {
      await opened.close();
      rmSync(folder, { recursive: true });
    },
  };
});

const all = imports.map(([, { identifier }]) => identifier);

async function list(args: string): Promise<unknown> {
  const data = await client.queryData(`{ translations${args} { identifier } }`);
  return (data['translations'] as unknown as { identifier: string }[]).map(({ identifier }) => identifier);
}

test.each([
  ['', all],
  ['(language: null, licence: null, features: null, first: null, after: null)', all],
  ['(language: "deu")', ['deu-nc', 'deu-own', 'deu-pd']],
  ['(language: "DE")', ['deu-nc', 'deu-own', 'deu-pd']],
  ['(language: "spa")', []],
  ['(licence: "cc-by-sa-4.0")', ['deu-own']],
  ['(licence: "PD")', ['deu-pd']],
  ['(licence: "CC-BY-SA")', []],
  ['(features: [NOTES])', ['deu-own', 'eng-terms']],
  ['(features: [NOTES, STRONGS])', []],
  ['(features: [])', all],
  ['(language: "deu", features: [NOTES], licence: "CC-BY-SA-4.0")', ['deu-own']],
  ['(first: 2)', ['deu-nc', 'deu-own']],
  ['(first: 2, after: "deu-own")', ['deu-pd', 'eng-terms']],
  ['(first: 0)', ['deu-nc']],
  ['(first: 1000, after: "deu-pd")', ['eng-terms', 'heb-unknown', 'qtx-none']],
  ['(after: "deu-zzz")', ['eng-terms', 'heb-unknown', 'qtx-none']],
  ['(after: "")', all],
  ['(after: "zzz", first: 5)', []],
  ['(language: "deu", first: 1, after: "deu-nc")', ['deu-own']],
])('the field translations%s lists the translations %j', async (args, expected) => {
  expect(await list(args)).toEqual(expected);
});

test.each([
  ['language: "German"', 'language must be an ISO 639-3 code, such as eng or spa'],
  ['language: ""', 'language must be an ISO 639-3 code, such as eng or spa'],
  ['language: "xx"', 'language must be an ISO 639-3 code, such as eng or spa'],
  [`licence: "${'x'.repeat(65)}"`, 'licence must be 64 characters or fewer'],
  [`after: "${'x'.repeat(101)}"`, 'after must be 100 characters or fewer'],
])('the field translations rejects the argument %s with BAD_USER_INPUT', async (argument, message) => {
  expect(await client.queryErrors(`{ translations(${argument}) { identifier } }`)).toEqual([
    { message, code: 'BAD_USER_INPUT', path: 'translations' },
  ]);
});

test('Licence says what the code of the licence allows, and null where the code does not say it', async () => {
  const terms = 'commercial derivatives attributionRequired maxVerses';
  const { translations } = await client.queryData(`{ translations { identifier licence { ${terms} } } }`);
  const row = (identifier: string, ...[commercial, derivatives, attributionRequired, maxVerses]: unknown[]) => ({
    identifier,
    licence: { commercial, derivatives, attributionRequired, maxVerses },
  });
  expect(translations).toEqual([
    row('deu-nc', false, false, true, null),
    row('deu-own', true, true, true, null),
    row('deu-pd', true, true, false, null),
    row('eng-terms', null, null, null, 500),
    row('heb-unknown', null, null, null, null),
    row('qtx-none', true, true, false, null),
  ]);
});

test('Translation.attribution joins title, holder or note, and licence, and is null only if the licence asks for none', async () => {
  const { translations } = await client.queryData('{ translations { attribution } }');
  expect((translations as unknown as { attribution: string }[]).map(({ attribution }) => attribution)).toEqual([
    'Nur privat · Licence not stated; imported from deu-nc.usfm · CC BY-NC-ND 4.0',
    'Eigene · Ein Verlag · CC BY-SA 4.0',
    null,
    'Terms · All rights reserved.',
    'תנך · Unknown.',
    null,
  ]);
});

test('Language has the English name, or the code of a language without one, and the direction of its translations', async () => {
  expect(await client.queryData('{ languages { code name direction } }')).toEqual({
    languages: [
      { code: 'deu', name: 'German', direction: 'LEFT_TO_RIGHT' },
      { code: 'eng', name: 'English', direction: 'LEFT_TO_RIGHT' },
      { code: 'heb', name: 'Hebrew', direction: 'RIGHT_TO_LEFT' },
      { code: 'qtx', name: 'qtx', direction: 'LEFT_TO_RIGHT' },
    ],
  });
});

test('Verse, Passage, ReadingChapter, Note and their lists in several translations say the translation of the text', async () => {
  const place = 'book: "GEN", chapter: 1';
  const translation = 'translation { id identifier }';
  const ofTranslation = (name: string) => `
    verse: verse(${place}, verse: 1, translation: "${name}") { ${translation} notes { ${translation} } inTranslation(identifier: "deu-pd") { ${translation} } }
    passage: passage(reference: "Genesis 1:1", translation: "${name}") { ${translation} verses { ${translation} } }
    chapter: readingChapter(${place}, translation: "${name}") { ${translation} verses { ${translation} } }`;
  const of = (identifier: string) => ({
    translation: { id: Buffer.from(`v1:translation:${identifier}`).toString('base64url'), identifier },
  });
  for (const name of ['deu-own', 'eng-terms'])
    expect(await client.queryData(`{ ${ofTranslation(name)} }`)).toEqual({
      verse: { ...of(name), notes: [of(name)], inTranslation: of('deu-pd') },
      passage: { ...of(name), verses: [of(name)] },
      chapter: { ...of(name), verses: [of(name)] },
    });
});
