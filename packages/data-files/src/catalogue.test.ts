import {
  chmodSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { damageHeader, damages } from '../test-support/damage';
import { createDataDir, fileOf, kind, log, openTranslations, write } from '../test-support/small-data-folder';
import { catalogueFile, isFolderChanged, translationFolder, updateCatalogue } from './index';

test.each(damages.filter(([description]) => description !== 'has a changed byte'))(
  'if the file of a translation %s, isFolderChanged returns true and updateCatalogue leaves out the translation',
  async (_, damage) => {
    const dataDir = await createDataDir();
    expect(isFolderChanged(dataDir, kind)).toBe(false);
    await damage(fileOf(dataDir, 'b'));
    expect(isFolderChanged(dataDir, kind)).toBe(true);
    await updateCatalogue(dataDir, kind, { log });
    expect(openTranslations(dataDir).names()).toEqual(['a', 'c']);
  },
);

test('isFolderChanged and updateCatalogue read only file headers, so they do not notice a changed byte near the end of a file', async () => {
  const dataDir = await createDataDir();
  const changeByte = damages.find(([description]) => description === 'has a changed byte')?.[1];
  await changeByte?.(fileOf(dataDir, 'b'));
  expect(isFolderChanged(dataDir, kind)).toBe(false);
  await updateCatalogue(dataDir, kind, { log });
  expect(openTranslations(dataDir).names()).toEqual(['a', 'b', 'c']);
});

test('updateCatalogue adds the translations `written`, removes those `without`, and reads no other file', async () => {
  const dataDir = await createDataDir();
  chmodSync(catalogueFile(dataDir, kind), 0o440);
  damageHeader(fileOf(dataDir, 'a'));
  await write(dataDir, 'd', 'text of d');
  await write(dataDir, 'b', 'another text');
  const lines: string[] = [];
  const options = { log: (line: string) => lines.push(line), check: 'sizes' } as const;
  const keys = await updateCatalogue(dataDir, kind, { ...options, written: ['b', 'd'], without: new Set(['c']) });
  expect(keys.map(({ identifier, textDigest }) => [identifier, textDigest])).toEqual([
    ['a', 'text of a'],
    ['b', 'another text'],
    ['d', 'text of d'],
  ]);
  expect(lines).toEqual([]);
  expect((statSync(catalogueFile(dataDir, kind)).mode & 0o777).toString(8)).toBe('640');
  const files = openTranslations(dataDir);
  expect(['a', 'b', 'c', 'd'].map(files.read)).toEqual([null, 'another text', null, 'text of d']);
  expect(files.lines).toEqual([expect.stringMatching(/^a is not served: .* is not a text of Lectern/)]);
  files.close();
});

test('updateCatalogue with `sizes` notices a replaced file that has the same size and an old modification time', async () => {
  const dataDir = await createDataDir();
  const update = () => updateCatalogue(dataDir, kind, { log, check: 'sizes' });
  await write(dataDir, 'a', 'new text a');
  expect((await update()).map(({ textDigest }) => textDigest)).toEqual(['new text a', 'text of b', 'text of c']);
  // `cp -p`, `rsync` and `tar` give a copy the old time of modification, so the new file may look
  // old.
  await write(dataDir, 'b', 'new text b');
  utimesSync(fileOf(dataDir, 'b'), new Date(0), new Date(0));
  expect((await update()).map(({ textDigest }) => textDigest)).toEqual(['new text a', 'new text b', 'text of c']);
});

test('isFolderChanged with the option `sizes` reads only the headers of files that are newer than the catalogue', async () => {
  const dataDir = await createDataDir();
  const isChanged = () => (['sizes', 'headers'] as const).map((check) => isFolderChanged(dataDir, kind, check));
  expect(isChanged()).toEqual([false, false]);
  damageHeader(fileOf(dataDir, 'a'));
  expect(isChanged()).toEqual([true, true]);
  utimesSync(catalogueFile(dataDir, kind), new Date(Date.now() + 60_000), new Date(Date.now() + 60_000));
  expect(isChanged()).toEqual([false, true]);
  await updateCatalogue(dataDir, kind, { log });
  expect(isChanged()).toEqual([true, true]);
  rmSync(fileOf(dataDir, 'a'));
  expect(isChanged()).toEqual([false, false]);
  rmSync(fileOf(dataDir, 'c'));
  expect(isChanged()).toEqual([true, true]);
  await updateCatalogue(dataDir, kind, { log });
  expect(isChanged()).toEqual([false, false]);
  truncateSync(fileOf(dataDir, 'b'), 8_192);
  expect(isChanged()).toEqual([true, true]);
});

test('updateCatalogue rebuilds a damaged catalogue from the files of all translations', async () => {
  const dataDir = await createDataDir();
  const file = catalogueFile(dataDir, kind);
  const bytes = readFileSync(file);
  bytes.fill(0xff, 8_192);
  writeFileSync(file, bytes);
  await updateCatalogue(dataDir, kind, { log, written: ['b'], check: 'sizes' });
  expect(openTranslations(dataDir).names()).toEqual(['a', 'b', 'c']);
});

test('updateCatalogue adds a translation whose folder was moved here from another data folder', async () => {
  const dataDir = await createDataDir();
  const otherDataDir = `${dataDir}-other`;
  await write(otherDataDir, 'x', 'text of x');
  renameSync(translationFolder(otherDataDir, 'x'), translationFolder(dataDir, 'x'));
  expect(isFolderChanged(dataDir, kind)).toBe(true);
  await updateCatalogue(dataDir, kind, { log });
  const files = openTranslations(dataDir);
  expect(files.read('x')).toBe('text of x');
  files.close();
});
