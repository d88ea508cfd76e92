import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { storeChecksum } from '@lectern/data-files';
import Database from 'better-sqlite3';
import { fetchingMs, realSources } from '../test-support/real-corpus';
import { writeSmallBible } from '../test-support/small-bible';
import { temporaryFolder } from '../test-support/temporary-folder';
import { buildDefaultTranslations, corpusFile, isUpToDate, requiredDefaults } from './build-corpus';
import { withDataLock } from './data-lock';
import type { ModuleSources } from './fetch/find-modules';
import { importFiles, removeTranslation } from './import-files';
import { openCorpus } from './open-corpus';
import { verifyCorpus } from './verify-corpus';

const folder = temporaryFolder();
let sources: ModuleSources;
let count = 0;
beforeAll(async () => {
  sources = await realSources();
}, fetchingMs);

const log = (): void => undefined;
const freshFolder = (): string => {
  count += 1;
  const made = join(folder, `data${count}`);
  mkdirSync(made);
  return made;
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

test('a corpus that cannot be read is put aside by a build, and building twice gives the same digest', async () => {
  const dataDir = freshFolder();
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
}, 60_000);

test('imports stay when the default translations are made anew, and stand in for one of the same name', async () => {
  const dataDir = freshFolder();
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
}, 60_000);

test('an identifier that is taken needs --replace, and a failing import leaves the corpus as it was', async () => {
  const dataDir = freshFolder();
  await importSmall(dataDir, 'deu-klein.xml');
  const before = readFileSync(corpusFile(dataDir));
  await expect(importSmall(dataDir, 'deu-klein.xml')).rejects.toThrow('has a translation deu-klein already; --replace');
  // The names of the default translations are taken before they are there.
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

test('verifying finds what a checksum cannot know: other words under the old digest', async () => {
  const dataDir = freshFolder();
  await importSmall(dataDir, 'deu-klein.xml');
  const file = corpusFile(dataDir);
  const db = new Database(file);
  db.exec(`UPDATE verse SET text = 'Anders' WHERE ordinal = 19001001`);
  db.close();
  storeChecksum(file);
  const options = { dataDir, env: process.env, log };
  expect(verifyCorpus(options).map(({ subject, fault }) => [subject, fault])).toEqual([
    ['deu-klein', 'its verses are not those that were imported'],
    ['corpus', expect.stringMatching(/^its contents have digest [0-9a-f]{64}, the manifest says [0-9a-f]{64}$/)],
  ]);
});

test('a corpus that cannot be read is no ground to import on', async () => {
  const dataDir = freshFolder();
  writeFileSync(corpusFile(dataDir), 'not a corpus');
  await expect(importSmall(dataDir, 'deu-klein.xml')).rejects.toThrow('is no corpus of Lectern');
  expect(readFileSync(corpusFile(dataDir), 'utf8')).toBe('not a corpus');
});

test('imports at the same time all arrive', async () => {
  const dataDir = freshFolder();
  const names = ['deu-a', 'deu-b', 'deu-c', 'deu-d'];
  await Promise.all(names.map((name) => importSmall(dataDir, `${name}.xml`)));
  expect(identifiers(dataDir)).toEqual(names);
});

test('an import that is killed leaves the old corpus, and the next one clears what it left', async () => {
  const dataDir = freshFolder();
  await importSmall(dataDir, 'deu-klein.xml');
  const before = digest(dataDir);
  const big = writeSmallBible(folder, 'deu-gross.xml', { verses: 30_000 });
  const child = spawn(
    process.execPath,
    [
      resolve(__dirname, '../test-support/run-source.cjs'),
      resolve(__dirname, 'cli.ts'),
      'import',
      big,
      '--data',
      dataDir,
    ],
    { stdio: 'ignore' },
  );
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
}, 60_000);

test('what was half fetched is cleared', async () => {
  const dataDir = freshFolder();
  mkdirSync(join(dataDir, 'sources', 'debian.part'), { recursive: true });
  writeFileSync(join(dataDir, 'my.part'), '');
  await withDataLock(dataDir, { log }, async () => undefined);
  expect(readdirSync(dataDir).sort()).toEqual(['.lock', 'my.part', 'sources']);
  expect(readdirSync(join(dataDir, 'sources'))).toEqual([]);
});
