import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { storeChecksum } from '@lectern/data-files';
import Database from 'better-sqlite3';
import { writeDefaultModules } from '../test-support/default-modules';
import { writeSmallBible } from '../test-support/small-bible';
import { temporaryFolder } from '../test-support/temporary-folder';
import { buildDefaultTranslations, isUpToDate, requiredDefaults } from './build-corpus';
import { corpusFile } from './corpus-schema';
import { withDataLock } from './data-lock';
import { importFiles, removeTranslation } from './import-files';
import { openCorpus } from './open-corpus';
import { verifyCorpus } from './verify-corpus';

const folder = temporaryFolder();
const sources = writeDefaultModules(join(folder, 'sword'));
let count = 0;

const log = (): void => undefined;
const createDataDir = (): string => {
  count += 1;
  const dataDir = join(folder, `data${count}`);
  mkdirSync(dataDir);
  return dataDir;
};
const importSmall = (dataDir: string, name: string, replace = false): Promise<string[]> =>
  importFiles([writeSmallBible(folder, name)], { dataDir, log, given: {}, replace });
const identifiers = (dataDir: string): string[] => {
  const corpus = openCorpus(corpusFile(dataDir));
  corpus.close();
  return corpus.translations.map(({ identifier }) => identifier);
};
const digest = (dataDir: string): string => {
  const corpus = openCorpus(corpusFile(dataDir));
  corpus.close();
  return corpus.manifest.digest;
};

test('buildDefaultTranslations renames an unreadable corpus, and two builds give the same digest', async () => {
  const dataDir = createDataDir();
  writeFileSync(corpusFile(dataDir), 'not a corpus');
  expect(isUpToDate(sources, dataDir)).toBe(false);
  const lines: string[] = [];
  const first = await buildDefaultTranslations(sources, {
    dataDir,
    log: (line) => lines.push(line),
    now: () => new Date(0),
  });
  expect(lines.join('\n')).toContain('put aside as');
  expect(readFileSync(`${corpusFile(dataDir)}.unreadable`, 'utf8')).toBe('not a corpus');
  expect(isUpToDate(sources, dataDir)).toBe(true);
  const second = await buildDefaultTranslations(sources, { dataDir, log });
  expect(second.digest).toBe(first.digest);
  expect([first.builtAt, second.builtAt === first.builtAt]).toEqual(['1970-01-01T00:00:00.000Z', false]);
  expect(readdirSync(dataDir).sort()).toEqual(['corpus.sqlite', 'corpus.sqlite.unreadable']);
});

test('buildDefaultTranslations keeps imported translations, and an import replaces the default translation with the same identifier', async () => {
  const dataDir = createDataDir();
  await importSmall(dataDir, 'deu-klein.usfx.xml');
  await importFiles([writeSmallBible(folder, 'eng-web.xml', { language: 'eng' })], {
    dataDir,
    log,
    given: {},
    replace: true,
  });
  expect(requiredDefaults(corpusFile(dataDir)).map(({ identifier }) => identifier)).toEqual(['eng-kjv', 'spa-rv1909']);
  await buildDefaultTranslations(sources, { dataDir, log });
  expect(identifiers(dataDir)).toEqual(['deu-klein', 'eng-kjv', 'eng-web', 'spa-rv1909']);
  const corpus = openCorpus(corpusFile(dataDir));
  expect(corpus.translation('eng-web')).toMatchObject({ verseCount: 3, complete: false });
  corpus.close();
  await removeTranslation('eng-web', { dataDir, log });
  expect(identifiers(dataDir)).toEqual(['deu-klein', 'eng-kjv', 'spa-rv1909']);
  await expect(removeTranslation('eng-kjv', { dataDir, log })).rejects.toThrow('cannot be removed');
  await expect(removeTranslation('xyz', { dataDir, log })).rejects.toThrow('the corpus has no translation xyz');
});

test('importFiles rejects a taken identifier without `replace`, and a failed import does not change the corpus', async () => {
  const dataDir = createDataDir();
  await importSmall(dataDir, 'deu-klein.xml');
  const before = readFileSync(corpusFile(dataDir));
  await expect(importSmall(dataDir, 'deu-klein.xml')).rejects.toThrow('has a translation deu-klein already; --replace');
  // The identifiers of the default translations are taken even before these are built.
  await expect(
    importFiles([writeSmallBible(folder, 'eng-kjv.xml', { language: 'eng' })], {
      dataDir,
      log,
      given: {},
      replace: false,
    }),
  ).rejects.toThrow('has a translation eng-kjv already');
  const broken = join(folder, 'deu-kaputt.xml');
  writeFileSync(broken, '<usfx><book id="GEN"><c id="1"/><v id="1"/>Am Anfang</book>');
  await expect(
    importFiles([writeSmallBible(folder, 'deu-neu.xml'), broken], { dataDir, log, given: {}, replace: false }),
  ).rejects.toThrow('deu-kaputt.xml, line 1');
  expect(readFileSync(corpusFile(dataDir)).equals(before)).toBe(true);
  expect(await importSmall(dataDir, 'deu-klein.xml', true)).toEqual(['deu-klein']);
});

test('verifyCorpus reports a changed verse under the old digest, which a valid checksum does not reveal', async () => {
  const dataDir = createDataDir();
  await importSmall(dataDir, 'deu-klein.xml');
  const file = corpusFile(dataDir);
  const db = new Database(file);
  db.exec(`UPDATE verse SET text = 'Anders' WHERE ordinal = 19001001`);
  db.close();
  storeChecksum(file);
  const options = { dataDir, env: {}, swordRoots: [], log };
  expect(verifyCorpus(options).map(({ subject, failure }) => [subject, failure])).toEqual([
    ['deu-klein', 'its verses are not those that were imported'],
    ['corpus', expect.stringMatching(/^its contents have digest [0-9a-f]{64}, the manifest says [0-9a-f]{64}$/)],
  ]);
});

test('importFiles rejects an unreadable corpus and leaves it as it is', async () => {
  const dataDir = createDataDir();
  writeFileSync(corpusFile(dataDir), 'not a corpus');
  await expect(importSmall(dataDir, 'deu-klein.xml')).rejects.toThrow('is not a corpus of Lectern');
  expect(readFileSync(corpusFile(dataDir), 'utf8')).toBe('not a corpus');
});

test('importFiles stores the translations of all concurrent imports', async () => {
  const dataDir = createDataDir();
  const names = ['deu-a', 'deu-b', 'deu-c', 'deu-d'];
  await Promise.all(names.map((name) => importSmall(dataDir, `${name}.xml`)));
  expect(identifiers(dataDir)).toEqual(names);
});

test('importFiles leaves the old corpus if its process is killed, and the next import deletes the unfinished file', async () => {
  const dataDir = createDataDir();
  await importSmall(dataDir, 'deu-klein.xml');
  const before = digest(dataDir);
  const big = writeSmallBible(folder, 'deu-gross.xml', { verses: 30_000 });
  const child = spawn(process.execPath, [resolve(__dirname, '../dist/cli.js'), 'import', big, '--data', dataDir], {
    stdio: 'ignore',
  });
  const ended = new Promise((done) => child.on('close', done));
  const part = (): string[] => readdirSync(dataDir).filter((name) => name.endsWith('.part'));
  while (child.exitCode === null && part().length === 0) await new Promise((wake) => setTimeout(wake, 1));
  child.kill('SIGKILL');
  await ended;
  expect(part()).toHaveLength(1);
  expect(digest(dataDir)).toBe(before);
  await withDataLock(dataDir, { log, waitMs: 1_000 }, async () => expect(part()).toEqual([]));
  await importFiles([big], { dataDir, log, given: {}, replace: false });
  expect(identifiers(dataDir)).toEqual(['deu-gross', 'deu-klein']);
});

test('withDataLock deletes unfinished downloads', async () => {
  const dataDir = createDataDir();
  mkdirSync(join(dataDir, 'sources', 'debian.part'), { recursive: true });
  writeFileSync(join(dataDir, 'my.part'), '');
  await withDataLock(dataDir, { log }, async () => undefined);
  expect(readdirSync(dataDir).sort()).toEqual(['.lock', 'my.part', 'sources']);
  expect(readdirSync(join(dataDir, 'sources'))).toEqual([]);
});
