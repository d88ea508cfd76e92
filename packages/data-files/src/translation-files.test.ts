import { copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { damageHeader, damages } from '../test-support/damage';
import {
  createDataDir,
  fileOf,
  kind,
  log,
  openTranslations,
  waitUntil,
  write,
} from '../test-support/small-data-folder';
import { catalogueFile, createTranslationFileCache, translationFolder, updateCatalogue } from './index';

test.each(damages)(
  'openTranslationFiles serves the other translations if the file of a translation %s, and reports the damage in one line',
  async (_, damage, message) => {
    const dataDir = await createDataDir();
    await damage(fileOf(dataDir, 'b'));
    const files = openTranslations(dataDir);
    expect(['a', 'b', 'c'].map(files.read)).toEqual(['text of a', null, 'text of c']);
    expect(files.lines).toEqual([expect.stringMatching(message)]);
    expect(files.lines[0]).not.toContain('\n');
    expect([files.names(), files.find('b'), files.unavailable()]).toEqual([['a', 'c'], null, ['b']]);
    files.close();
  },
);

test('openTranslationFiles throws an error if the catalogue is missing, or if no translation in the catalogue is usable', async () => {
  const dataDir = await createDataDir();
  for (const identifier of ['a', 'b', 'c']) rmSync(translationFolder(dataDir, identifier), { recursive: true });
  expect(() => openTranslations(dataDir)).toThrow(/a\/text\.sqlite is missing: run `npm run data`/);
  rmSync(catalogueFile(dataDir, kind));
  expect(() => openTranslations(dataDir)).toThrow(/text-catalogue\.sqlite is missing: run `npm run data`/);
});

test('openTranslationFiles serves new and changed translations, but no removed ones, after the catalogue file is replaced', async () => {
  const dataDir = await createDataDir();
  const files = openTranslations(dataDir);
  let changes = 0;
  files.onChange(() => (changes += 1));
  expect(['a', 'b', 'c', 'd'].map(files.read)).toEqual(['text of a', 'text of b', 'text of c', null]);
  const before = files.datasetVersion();
  await write(dataDir, 'b', 'another text');
  await write(dataDir, 'd', 'text of d');
  // The translation is still read from the open file, because the catalogue was not replaced yet.
  expect(files.read('b')).toBe('text of b');
  rmSync(translationFolder(dataDir, 'c'), { recursive: true });
  await updateCatalogue(dataDir, kind, { log });
  await waitUntil(() => changes > 0);
  expect(['a', 'b', 'c', 'd'].map(files.read)).toEqual(['text of a', 'another text', null, 'text of d']);
  expect(files.names()).toEqual(['a', 'b', 'd']);
  expect(files.datasetVersion()).not.toBe(before);
  files.close();
});

test('openTranslationFiles keeps its translations when the catalogue file is replaced by a damaged file', async () => {
  const dataDir = await createDataDir();
  writeFileSync(fileOf(dataDir, 'b'), '');
  const files = openTranslations(dataDir);
  expect(files.names()).toEqual(['a', 'c']);
  writeFileSync(join(dataDir, 'next'), 'damaged');
  renameSync(join(dataDir, 'next'), catalogueFile(dataDir, kind));
  await waitUntil(() => files.lines.length > 1);
  expect(files.lines[1]).toMatch(
    /^the translations stay as they were: .*text-catalogue\.sqlite is not a text catalogue/,
  );
  expect(files.names()).toEqual(['a', 'c']);
  await write(dataDir, 'b', 'text of b');
  await updateCatalogue(dataDir, kind, { log });
  await waitUntil(() => files.names().length === 3);
  expect([files.read('b'), files.unavailable()]).toEqual(['text of b', []]);
  files.close();
});

test('createTranslationFileCache closes the least recently used file above its limit, and reopens it on the next read', async () => {
  const dataDir = await createDataDir();
  const events: string[] = [];
  const memory = createTranslationFileCache({
    maxBytes: 4_000_000,
    onOpened: () => events.push('opened'),
    onClosed: () => events.push('closed'),
  });
  const files = openTranslations(dataDir, { memory });
  expect(['a', 'b', 'a', 'c', 'a'].map(files.read)).toEqual(['a', 'b', 'a', 'c', 'a'].map((name) => `text of ${name}`));
  expect(events).toEqual(['opened', 'opened', 'closed', 'opened']);
  expect(memory.usage().get('text')).toMatchObject({ open: 2 });
  expect(files.read('b')).toBe('text of b');
  expect(events).toEqual(['opened', 'opened', 'closed', 'opened', 'closed', 'opened']);
  files.close();
  expect(memory.usage().size).toBe(0);
});

test('createTranslationFileCache keeps only one file open if that file alone exceeds the memory limit', async () => {
  const dataDir = await createDataDir();
  const memory = createTranslationFileCache({ maxBytes: 1 });
  const files = openTranslations(dataDir, { memory });
  expect(['a', 'b', 'b'].map(files.read)).toEqual(['text of a', 'text of b', 'text of b']);
  expect(memory.usage().get('text')).toEqual({ open: 1, bytes: expect.any(Number) });
  files.close();
});

test('after a change of the catalogue, openTranslationFiles checks only the files of changed translations', async () => {
  const dataDir = await createDataDir();
  const files = openTranslations(dataDir);
  let changes = 0;
  files.onChange(() => (changes += 1));
  expect(files.read('a')).toBe('text of a');
  damageHeader(fileOf(dataDir, 'b'));
  await write(dataDir, 'c', 'another text');
  await updateCatalogue(dataDir, kind, { log, written: ['c'], check: 'sizes' });
  await waitUntil(() => changes > 0);
  expect([files.names(), files.lines]).toEqual([['a', 'b', 'c'], []]);
  expect(['a', 'b', 'c'].map(files.read)).toEqual(['text of a', null, 'another text']);
  expect(files.lines).toEqual([expect.stringMatching(/^b is not served: /)]);
  files.close();
});

const restrictedEntry = JSON.stringify({ name: 'b', restricted: true });

test('a restricted file that replaced a public one is read only with a grant, and only after the catalogue is updated', async () => {
  const dataDir = await createDataDir();
  const files = openTranslations(dataDir);
  const [stranger, granted] = [files.withRights(new Set()), files.withRights(new Set(['b']))];
  await write(dataDir, 'b', 'restricted text', restrictedEntry);
  expect([stranger.use('b'), granted.use('b')]).toEqual([null, null]);
  expect(files.lines).toEqual([expect.stringMatching(/^b is not served: .*text\.sqlite is restricted/)]);
  await updateCatalogue(dataDir, kind, { log });
  await waitUntil(() => files.restricted().has('b'));
  expect(stranger.use('b')).toBeNull();
  expect(granted.use('b')?.read()).toBe('restricted text');
  files.close();
});

test('a view without rights does not read a text whose new catalogue, with a restriction, is loaded during the read', async () => {
  const dataDir = await createDataDir();
  const files = openTranslations(dataDir);
  const stranger = files.withRights(new Set());
  await write(dataDir, 'b', 'restricted text', restrictedEntry);
  await updateCatalogue(dataDir, kind, { log });
  expect(files.restricted().size).toBe(0);
  expect(stranger.use('b')).toBeNull();
  expect([files.restricted().has('b'), files.read('b')]).toEqual([true, 'restricted text']);
  files.close();
});

test('openTranslationFiles with the option `only` serves only the translations in this list', async () => {
  const dataDir = await createDataDir();
  const files = openTranslations(dataDir, { only: ['b', 'x'] });
  expect([files.names(), files.read('b'), files.read('a'), files.read('x')]).toEqual([['b'], 'text of b', null, null]);
  files.close();
});

test('openTranslationFiles does not load the metadata of a translation before its first use', async () => {
  const dataDir = await createDataDir();
  const entry = JSON.stringify({ name: 'x'.repeat(4_000_000) });
  for (const identifier of ['a', 'b', 'c']) await write(dataDir, identifier, `new text of ${identifier}`, entry);
  await updateCatalogue(dataDir, kind, { log });
  const before = process.memoryUsage().heapUsed;
  const files = openTranslations(dataDir);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(4_000_000);
  expect(files.names().map((name) => name.length)).toEqual([4_000_000, 4_000_000, 4_000_000]);
  files.close();
});

test('openTranslationFiles finds an unchanged translation that is first used after the catalogue file is replaced', async () => {
  const dataDir = await createDataDir();
  const files = openTranslations(dataDir);
  let changes = 0;
  files.onChange(() => (changes += 1));
  await write(dataDir, 'd', 'text of d');
  await updateCatalogue(dataDir, kind, { log });
  expect(files.find('b')).toEqual({ name: 'b' });
  await waitUntil(() => changes > 0);
  expect([files.find('a'), files.read('a'), files.names()]).toEqual([{ name: 'a' }, 'text of a', ['a', 'b', 'c', 'd']]);
  files.close();
});

test('openTranslationFiles reports a truncated catalogue, and serves its translations again from an intact one', async () => {
  const dataDir = await createDataDir();
  // Large entries, because SQLite reads a small catalogue as a whole when it opens it.
  for (const name of ['b', 'c'])
    await write(dataDir, name, `new text of ${name}`, JSON.stringify({ name, note: 'x'.repeat(100_000) }));
  await updateCatalogue(dataDir, kind, { log });
  const catalogue = catalogueFile(dataDir, kind);
  copyFileSync(catalogue, `${catalogue}.copy`);
  const files = openTranslations(dataDir);
  expect(files.find('a')).toEqual({ name: 'a' });
  truncateSync(catalogue, 8_192);
  expect([files.find('b'), files.names(), files.read('a')]).toEqual([null, ['a'], 'text of a']);
  expect(files.lines).toEqual([
    expect.stringMatching(/^the translations stay as they were: .*text-catalogue\.sqlite is damaged \(8192 bytes\)/),
    expect.stringMatching(
      /^b is not served: .*text-catalogue\.sqlite is damaged \([^\n]+\): run `npm run data`[^\n]*$/,
    ),
    expect.stringMatching(/^c is not served: /),
  ]);
  renameSync(`${catalogue}.copy`, catalogue);
  await waitUntil(() => files.names().length === 3);
  expect([files.find('b')?.name, files.unavailable()]).toEqual(['b', []]);
  files.close();
});
