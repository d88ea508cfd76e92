import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { TranslationFileKind, TranslationFilesOptions } from './index';
import {
  catalogueFile,
  createTranslationFileCache,
  isFolderChanged,
  openTranslationFiles,
  storeChecksum,
  translationFile,
  translationFolder,
  updateCatalogue,
  writeChecksummedFile,
  writeTranslationFile,
} from './index';

const kind: TranslationFileKind = { name: 'text', fileName: 'text', applicationId: 0x54657374, formatVersion: '1' };
const folder = mkdtempSync(join(tmpdir(), 'lectern-translation-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const log = (): void => undefined;
let folders = 0;

const write = (dataDir: string, identifier: string, text: string) =>
  writeTranslationFile(dataDir, kind, identifier, (db) => {
    db.exec('CREATE TABLE text (text TEXT)');
    db.prepare('INSERT INTO text VALUES (?)').run(text.padEnd(20_000));
    return { identifier, textDigest: text, entry: JSON.stringify({ name: identifier }), builtAt: '2026-01-01' };
  });

/** Creates a data folder with the translations a, b and c, and returns its path. */
async function createDataDir(): Promise<string> {
  folders += 1;
  const dataDir = join(folder, `data${folders}`);
  for (const identifier of ['a', 'b', 'c']) await write(dataDir, identifier, `text of ${identifier}`);
  await updateCatalogue(dataDir, kind, { log });
  return dataDir;
}

const fileOf = (dataDir: string, identifier: string): string => translationFile(dataDir, kind, identifier);

/** Opens the translations. `lines` collects the lines that `openTranslationFiles` reports. */
function open(dataDir: string, options: Partial<TranslationFilesOptions<{ name: string }, { read(): string }>> = {}) {
  const lines: string[] = [];
  const files = openTranslationFiles<{ name: string }, { read(): string }>({
    dataDir,
    kind,
    toEntry: ({ entry }) => JSON.parse(entry) as { name: string },
    readContent(db) {
      const select = db.prepare<[], string>('SELECT text FROM text').pluck();
      return { content: { read: () => (select.get() ?? '').trim() }, bytes: 1_000_000 };
    },
    report: (line) => lines.push(line),
    ...options,
  });
  const names = () => files.entries().map(({ name }) => name);
  const read = (identifier: string) => files.use(identifier)?.read() ?? null;
  return { ...files, names, read, lines };
}

const waitUntil = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 20));
};

const damages: readonly (readonly [description: string, damage: (file: string) => unknown, message: RegExp])[] = [
  ['is missing', (file) => rmSync(file), /is missing: run `npm run data`/],
  ['is empty', (file) => writeFileSync(file, ''), /is not a text of Lectern: run `npm run data`/],
  [
    'is a folder',
    (file) => {
      rmSync(file);
      mkdirSync(file);
    },
    /is a folder, not a text: move it away and run `npm run data`/,
  ],
  ['is cut off', (file) => truncateSync(file, 8_192), /is damaged \(8192 bytes\): run `npm run data`/],
  ['is too long', (file) => appendFileSync(file, 'x'), /is damaged \(\d+ bytes\): run `npm run data`/],
  [
    'has a changed byte',
    (file) => {
      const bytes = readFileSync(file);
      bytes[bytes.length - 20] = (bytes.at(-20) ?? 0) ^ 1;
      writeFileSync(file, bytes);
    },
    /is damaged \(\d+ bytes\): run `npm run data`/,
  ],
  [
    'is of another kind',
    async (file) => {
      rmSync(file);
      await writeChecksummedFile(file, { ...kind, applicationId: 1 }, () => ({}));
    },
    /is not a text of Lectern: run `npm run data`/,
  ],
  [
    'is of another translation',
    (file) => copyFileSync(file.replace('/b/', '/a/'), file),
    /is of the translation a, not of b: run `npm run data`/,
  ],
  [
    'is of an older format',
    (file) => {
      const db = new Database(file);
      db.exec("UPDATE manifest SET value = '0' WHERE key = 'formatVersion'");
      db.close();
      storeChecksum(file);
    },
    /has format 0, this version of Lectern reads 1: run `npm run data`/,
  ],
];

test.each(damages)(
  'openTranslationFiles does not list a translation whose file %s, reports it in one line, and serves the others',
  async (_, damage, message) => {
    const dataDir = await createDataDir();
    await damage(fileOf(dataDir, 'b'));
    const files = open(dataDir);
    expect(['a', 'b', 'c'].map(files.read)).toEqual(['text of a', null, 'text of c']);
    expect(files.lines).toEqual([expect.stringMatching(message)]);
    expect(files.lines[0]).not.toContain('\n');
    expect([files.names(), files.find('b'), files.unavailable()]).toEqual([['a', 'c'], null, ['b']]);
    files.close();
  },
);

test.each(damages.filter(([description]) => description !== 'has a changed byte'))(
  'isFolderChanged returns true and updateCatalogue leaves out the translation if the file of a translation %s',
  async (_, damage) => {
    const dataDir = await createDataDir();
    expect(isFolderChanged(dataDir, kind)).toBe(false);
    await damage(fileOf(dataDir, 'b'));
    expect(isFolderChanged(dataDir, kind)).toBe(true);
    await updateCatalogue(dataDir, kind, { log });
    expect(open(dataDir).names()).toEqual(['a', 'c']);
  },
);

test('isFolderChanged and updateCatalogue do not notice a changed byte, because they compare only the headers of files', async () => {
  const dataDir = await createDataDir();
  const changeByte = damages.find(([description]) => description === 'has a changed byte')?.[1];
  await changeByte?.(fileOf(dataDir, 'b'));
  expect(isFolderChanged(dataDir, kind)).toBe(false);
  await updateCatalogue(dataDir, kind, { log });
  expect(open(dataDir).names()).toEqual(['a', 'b', 'c']);
});

test('openTranslationFiles throws an error if the catalogue is missing, or if no translation of the catalogue can be used', async () => {
  const dataDir = await createDataDir();
  for (const identifier of ['a', 'b', 'c']) rmSync(translationFolder(dataDir, identifier), { recursive: true });
  expect(() => open(dataDir)).toThrow(/a\/text\.sqlite is missing: run `npm run data`/);
  rmSync(catalogueFile(dataDir, kind));
  expect(() => open(dataDir)).toThrow(/text-catalogue\.sqlite is missing: run `npm run data`/);
});

test('openTranslationFiles serves new and replaced translations, and no removed ones, after the catalogue was replaced', async () => {
  const dataDir = await createDataDir();
  const files = open(dataDir);
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

test('openTranslationFiles keeps its translations if a new catalogue is damaged, and serves a repaired translation again', async () => {
  const dataDir = await createDataDir();
  writeFileSync(fileOf(dataDir, 'b'), '');
  const files = open(dataDir);
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

test('createTranslationFileCache closes the least recently used file above its memory bound, and the next request opens the file again', async () => {
  const dataDir = await createDataDir();
  const events: string[] = [];
  const memory = createTranslationFileCache({
    maxBytes: 4_000_000,
    onOpened: () => events.push('opened'),
    onClosed: () => events.push('closed'),
  });
  const files = open(dataDir, { memory });
  expect(['a', 'b', 'a', 'c', 'a'].map(files.read)).toEqual(['a', 'b', 'a', 'c', 'a'].map((name) => `text of ${name}`));
  expect(events).toEqual(['opened', 'opened', 'closed', 'opened']);
  expect(memory.usage().get('text')).toMatchObject({ open: 2 });
  expect(files.read('b')).toBe('text of b');
  expect(events).toEqual(['opened', 'opened', 'closed', 'opened', 'closed', 'opened']);
  files.close();
  expect(memory.usage().size).toBe(0);
});

test('createTranslationFileCache keeps one file open that is larger than its memory bound, and closes all others', async () => {
  const dataDir = await createDataDir();
  const memory = createTranslationFileCache({ maxBytes: 1 });
  const files = open(dataDir, { memory });
  expect(['a', 'b', 'b'].map(files.read)).toEqual(['text of a', 'text of b', 'text of b']);
  expect(memory.usage().get('text')).toEqual({ open: 1, bytes: expect.any(Number) });
  files.close();
});

/** Overwrites the SQLite header of a file with zeros. The size stays the same, but the file cannot be used. */
function damageHeader(file: string): void {
  const bytes = readFileSync(file);
  bytes.fill(0, 0, 100);
  writeFileSync(file, bytes);
}

test('updateCatalogue with `written` and `without` adds, replaces and removes these translations, and reads no other file', async () => {
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
  const files = open(dataDir);
  expect(['a', 'b', 'c', 'd'].map(files.read)).toEqual([null, 'another text', null, 'text of d']);
  expect(files.lines).toEqual([expect.stringMatching(/^a is not served: .* is not a text of Lectern/)]);
  files.close();
});

test('updateCatalogue with the check `sizes` adds a new file of the same size that a killed process left out of the catalogue', async () => {
  const dataDir = await createDataDir();
  const update = () => updateCatalogue(dataDir, kind, { log, check: 'sizes' });
  await write(dataDir, 'a', 'new text a');
  expect((await update()).map(({ textDigest }) => textDigest)).toEqual(['new text a', 'text of b', 'text of c']);
  // `cp -p`, `rsync` and `tar` give a copy the old time of modification, so the new file may look old.
  await write(dataDir, 'b', 'new text b');
  utimesSync(fileOf(dataDir, 'b'), new Date(0), new Date(0));
  expect((await update()).map(({ textDigest }) => textDigest)).toEqual(['new text a', 'new text b', 'text of c']);
});

test('isFolderChanged with the check `sizes` notices missing and truncated files, and reads the header only of files that are newer than the catalogue', async () => {
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
  truncateSync(fileOf(dataDir, 'b'), 8_192);
  expect(isChanged()).toEqual([true, true]);
});

test('updateCatalogue rebuilds a damaged catalogue from all files, even if `written` names only one translation', async () => {
  const dataDir = await createDataDir();
  const file = catalogueFile(dataDir, kind);
  const bytes = readFileSync(file);
  bytes.fill(0xff, 8_192);
  writeFileSync(file, bytes);
  await updateCatalogue(dataDir, kind, { log, written: ['b'], check: 'sizes' });
  expect(open(dataDir).names()).toEqual(['a', 'b', 'c']);
});

test('openTranslationFiles checks only the files of changed translations after the catalogue was replaced', async () => {
  const dataDir = await createDataDir();
  const files = open(dataDir);
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

test('openTranslationFiles with `only` serves just the translations that `only` names and the catalogue has', async () => {
  const dataDir = await createDataDir();
  const files = open(dataDir, { only: ['b', 'x'] });
  expect([files.names(), files.read('b'), files.read('a'), files.read('x')]).toEqual([['b'], 'text of b', null, null]);
  files.close();
});

test('updateCatalogue adds the translation of a folder that was copied from another data folder', async () => {
  const dataDir = await createDataDir();
  await write(join(folder, 'other'), 'x', 'text of x');
  renameSync(translationFolder(join(folder, 'other'), 'x'), translationFolder(dataDir, 'x'));
  expect(isFolderChanged(dataDir, kind)).toBe(true);
  await updateCatalogue(dataDir, kind, { log });
  const files = open(dataDir);
  expect(files.read('x')).toBe('text of x');
  files.close();
});
