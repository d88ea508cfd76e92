import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, strToU8, zipSync } from 'fflate';
import { temporaryFolder } from '../../test-support/temporary-folder';
import { importSource } from '../import';
import type { DraftTranslation } from '../translation';

const folder = temporaryFolder();
const given = { identifier: 'tst-file', language: 'deu', note: 'Public Domain' };

function read(content: Uint8Array): Promise<DraftTranslation> {
  const file = join(folder, 'bible.zip');
  writeFileSync(file, content);
  return importSource(file, given);
}
const genesis = (body: string): string => `\\id GEN Kleine Bibel\n\\c 1\n${body}`;
const texts = (draft: DraftTranslation): Record<number, string> =>
  Object.fromEntries(draft.verses.map(({ ordinal, text }) => [ordinal % 1_000_000, text]));

test('importing rejects a folder or a zip file without books, and a damaged zip file', async () => {
  mkdirSync(join(folder, 'nothing'));
  await expect(importSource(join(folder, 'nothing'), given)).rejects.toThrow(
    /nothing is a folder without books in USFM, USX or OSIS and without a SWORD module \(mods\.d\)$/,
  );
  const zip = zipSync({ 'a.txt': strToU8('x') });
  await expect(read(zip)).rejects.toThrow(
    /is a zip file without books in USFM, USX or OSIS; if it holds another format, unpack it$/,
  );
  await expect(read(zip.subarray(0, 20))).rejects.toThrow(/ is damaged \(.*\); pack the zip file again, or import/);
});

test('importing a zip file reads its books in any folder, and rejects a path such as ../../outside.usfm', async () => {
  const book = strToU8(genesis('\\p\n\\v 1 Anfang'));
  expect(texts(await read(zipSync({ 'deep/folder/01.usfm': book, 'read.me': strToU8('x') })))).toEqual({
    1001: 'Anfang',
  });
  await expect(read(zipSync({ '../../outside.usfm': book }))).rejects.toThrow(
    /is damaged \(invalid relative path: \.\.\/\.\.\/outside\.usfm\); pack the zip file again, or import the unpacked folder$/,
  );
});

test('importing rejects a zip file whose contents do not have their checksum', async () => {
  const zip = zipSync({ '01GEN.usfm': [strToU8(genesis('\\p\n\\v 1 Anfang')), { level: 0 }] });
  zip.set(strToU8('B'), Buffer.from(zip).indexOf('Anfang'));
  await expect(read(zip)).rejects.toThrow('01GEN.usfm is damaged (wrong checksum); pack the zip file again');
});

test('importing a zip file leaves out the folder __MACOSX', async () => {
  const book = (text: string) => strToU8(genesis(`\\p\n\\v 1 ${text}`));
  const draft = await read(zipSync({ '__MACOSX/01GEN.usfm': book('Schatten'), '01GEN.usfm': book('Anfang') }));
  expect([texts(draft), draft.findings.filter(({ kind }) => kind === 'doubled-verse')]).toEqual([
    { 1001: 'Anfang' },
    [],
  ]);
});

test.each([
  ['a gzip file', gzipSync(strToU8(genesis('\\v 1 A')))],
  ['an empty zip file', zipSync({})],
  ['a file of 7-Zip', Buffer.from('7z\xbc\xaf\x27\x1c', 'latin1')],
])('importing says that %s must be unpacked', async (_, bytes) =>
  expect(read(bytes)).rejects.toThrow('is an archive of a kind that is not read, or empty; unpack it'),
);

test('importing rejects a zip file with two files of one name, and names the file', async () => {
  const zip = Buffer.from(
    zipSync({ '01GEN.usfm': strToU8(genesis('\\p\n\\v 1 A')), '02GEN.usfm': strToU8(genesis('\\p\n\\v 1 B')) }),
  );
  for (let at = zip.indexOf('02GEN'); at >= 0; at = zip.indexOf('02GEN')) zip.write('01GEN', at);
  await expect(read(zip)).rejects.toThrow(/has two files named 01GEN\.usfm; pack it again with one of them$/);
});

test('importing rejects a zip file that would unpack to more data than a Bible has', async () => {
  const bomb = zipSync({ '01GEN.usfm': [new Uint8Array(40_000_000), { level: 1 }] });
  expect(bomb.length).toBeLessThan(400_000);
  await expect(read(bomb)).rejects.toThrow(
    /unpacks to more than a Bible has: 01GEN\.usfm with 40000000 bytes; at most 32000000 a file and 256000000 in all are read$/,
  );
});

test.each([
  [1_000, 'too many bytes in the stream'],
  [30_000_000, 'not enough bytes in the stream'],
])(
  'importing rejects a zip file whose directory says that a book of 20,000,000 bytes has %d bytes, and names the book',
  async (size, reason) => {
    const lying = Buffer.from(zipSync({ '01GEN.usfm': [new Uint8Array(20_000_000), { level: 1 }] }));
    lying.writeUInt32LE(size, lying.lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1')) + 24);
    await expect(read(lying)).rejects.toThrow(
      new RegExp(
        `: 01GEN\\.usfm is damaged \\(${reason}.*\\); pack the zip file again, or import the unpacked folder$`,
      ),
    );
  },
);
