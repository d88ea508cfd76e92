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

/** Makes a data folder with the translations a, b and c. */
async function createDataDir(): Promise<string> {
  folders += 1;
  const dataDir = join(folder, `data${folders}`);
  for (const identifier of ['a', 'b', 'c']) await write(dataDir, identifier, `text of ${identifier}`);
  await updateCatalogue(dataDir, kind, { log });
  return dataDir;
}

const fileOf = (dataDir: string, identifier: string): string => translationFile(dataDir, kind, identifier);

/** Opens the translations. `lines` receives the reports. */
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
  'openTranslationFiles does not list a translation whose file %s, reports one line, and serves the others',
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

test.each(damages)(
  'updateCatalogue leaves out a translation whose file %s, and isFolderChanged is true until then',
  async (description, damage) => {
    const dataDir = await createDataDir();
    expect(isFolderChanged(dataDir, kind)).toBe(false);
    await damage(fileOf(dataDir, 'b'));
    // A changed byte is only noticed by reading the whole file.
    expect(isFolderChanged(dataDir, kind)).toBe(description !== 'has a changed byte');
    await updateCatalogue(dataDir, kind, { log });
    expect(open(dataDir).names()).toEqual(description === 'has a changed byte' ? ['a', 'b', 'c'] : ['a', 'c']);
  },
);

test('openTranslationFiles fails if the catalogue is missing, and if no translation of the catalogue can be used', async () => {
  const dataDir = await createDataDir();
  for (const identifier of ['a', 'b', 'c']) rmSync(translationFolder(dataDir, identifier), { recursive: true });
  expect(() => open(dataDir)).toThrow(/a\/text\.sqlite is missing: run `npm run data`/);
  rmSync(catalogueFile(dataDir, kind));
  expect(() => open(dataDir)).toThrow(/text-catalogue\.sqlite is missing: run `npm run data`/);
});

test('openTranslationFiles serves new, replaced and removed translations when a new catalogue is in place', async () => {
  const dataDir = await createDataDir();
  const files = open(dataDir);
  let changes = 0;
  files.onChange(() => (changes += 1));
  expect(['a', 'b', 'c', 'd'].map(files.read)).toEqual(['text of a', 'text of b', 'text of c', null]);
  const before = files.datasetVersion();
  await write(dataDir, 'b', 'another text');
  await write(dataDir, 'd', 'text of d');
  // Until there is a new catalogue, the open file is read.
  expect(files.read('b')).toBe('text of b');
  rmSync(translationFolder(dataDir, 'c'), { recursive: true });
  await updateCatalogue(dataDir, kind, { log });
  await waitUntil(() => changes > 0);
  expect(['a', 'b', 'c', 'd'].map(files.read)).toEqual(['text of a', 'another text', null, 'text of d']);
  expect(files.names()).toEqual(['a', 'b', 'd']);
  expect(files.datasetVersion()).not.toBe(before);
  files.close();
});

test('openTranslationFiles keeps the translations if a new catalogue is damaged, and serves a repaired translation again', async () => {
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

test('the cache of translation files closes the files that were not used for the longest time, and a closed file is opened again', async () => {
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

test('a translation above the memory bound is served alone', async () => {
  const dataDir = await createDataDir();
  const memory = createTranslationFileCache({ maxBytes: 1 });
  const files = open(dataDir, { memory });
  expect(['a', 'b', 'b'].map(files.read)).toEqual(['text of a', 'text of b', 'text of b']);
  expect(memory.usage().get('text')).toEqual({ open: 1, bytes: expect.any(Number) });
  files.close();
});

/** Damages a file without changing its size, so that its header no longer is that of a text. */
function damageHeader(file: string): void {
  const bytes = readFileSync(file);
  bytes.fill(0, 0, 100);
  writeFileSync(file, bytes);
}

test('updateCatalogue adds a written translation and replaces and removes others, without a look at the rest of the files', async () => {
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

test('the check `sizes` finds a new file of the same size that a killed process has not added to the catalogue', async () => {
  const dataDir = await createDataDir();
  const update = () => updateCatalogue(dataDir, kind, { log, check: 'sizes' });
  await write(dataDir, 'a', 'new text a');
  expect((await update()).map(({ textDigest }) => textDigest)).toEqual(['new text a', 'text of b', 'text of c']);
  // A copy of a file keeps its time of modification if it was made with `cp -p`, `rsync` or `tar`.
  await write(dataDir, 'b', 'new text b');
  utimesSync(fileOf(dataDir, 'b'), new Date(0), new Date(0));
  expect((await update()).map(({ textDigest }) => textDigest)).toEqual(['new text a', 'new text b', 'text of c']);
});

test('the check `sizes` notices files that are missing or cut off, and reads no header of a file that is older than the catalogue', async () => {
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

test('updateCatalogue makes a damaged catalogue anew from the files, also if the caller names the written files', async () => {
  const dataDir = await createDataDir();
  const file = catalogueFile(dataDir, kind);
  const bytes = readFileSync(file);
  bytes.fill(0xff, 8_192);
  writeFileSync(file, bytes);
  await updateCatalogue(dataDir, kind, { log, written: ['b'], check: 'sizes' });
  expect(open(dataDir).names()).toEqual(['a', 'b', 'c']);
});

test('a new catalogue makes openTranslationFiles look at the files of changed translations only', async () => {
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

test('openTranslationFiles with `only` lists these translations of the catalogue', async () => {
  const dataDir = await createDataDir();
  const files = open(dataDir, { only: ['b', 'x'] });
  expect([files.names(), files.read('b'), files.read('a'), files.read('x')]).toEqual([['b'], 'text of b', null, null]);
  files.close();
});

test('updateCatalogue adds a folder that was copied from another machine', async () => {
  const dataDir = await createDataDir();
  await write(join(folder, 'other'), 'x', 'text of x');
  renameSync(translationFolder(join(folder, 'other'), 'x'), translationFolder(dataDir, 'x'));
  expect(isFolderChanged(dataDir, kind)).toBe(true);
  await updateCatalogue(dataDir, kind, { log });
  const files = open(dataDir);
  expect(files.read('x')).toBe('text of x');
  files.close();
});
