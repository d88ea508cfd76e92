import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dataDir as realDataDir, fetchingMs, realSources } from '../test-support/real-corpus';
import { writeSmallBible } from '../test-support/small-bible';
import { temporaryFolder } from '../test-support/temporary-folder';
import { buildDefaults, corpusFile, isUpToDate, neededDefaults } from './build';
import type { DefaultSources } from './default-editions';
import { withFolderLock } from './folder-lock';
import { importFiles, removeEdition } from './import-files';
import { openCorpus } from './reader';
import { verifyCorpus } from './verify';

const folder = temporaryFolder();
let sources: DefaultSources;
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
const importSmall = (dataDir: string, name: string, replace = false): Promise<string[]> => importFiles([writeSmallBible(folder, name)], { dataDir, log, given: {}, replace });
const identifiers = (dataDir: string): string[] => {
  const corpus = openCorpus(corpusFile(dataDir));
  corpus.close();
  return corpus.editions.map(({ identifier }) => identifier);
};
const digest = (dataDir: string): string => {
  const corpus = openCorpus(corpusFile(dataDir));
  corpus.close();
  return corpus.manifest.digest;
};

test('building twice gives the same digest, and nothing to do in between', () => {
  const dataDir = freshFolder();
  const first = buildDefaults(sources, { dataDir, log, now: () => new Date(0) });
  expect(isUpToDate(sources, dataDir)).toBe(true);
  const second = buildDefaults(sources, { dataDir, log });
  expect(second.digest).toBe(first.digest);
  expect([first.builtAt, second.builtAt === first.builtAt]).toEqual(['1970-01-01T00:00:00.000Z', false]);
  expect(readdirSync(dataDir)).toEqual(['corpus.sqlite']);
}, 60_000);

test('imports stay when the default editions are made anew, and stand in for one of the same name', async () => {
  const dataDir = freshFolder();
  await importSmall(dataDir, 'deu-klein.usfx.xml');
  buildDefaults(sources, { dataDir, log });
  expect(identifiers(dataDir)).toEqual(['deu-klein', 'eng-kjv', 'eng-web', 'spa-rv1909']);
  expect(verifyCorpus({ dataDir, env: { ...process.env, SWORD_PATH: '' }, log }).map(({ fault }) => fault)).not.toContainEqual(expect.any(String));

  await importFiles([writeSmallBible(folder, 'eng-web.xml', { language: 'eng' })], { dataDir, log, given: {}, replace: true });
  expect(neededDefaults(corpusFile(dataDir)).map(({ identifier }) => identifier)).toEqual(['eng-kjv', 'spa-rv1909']);
  buildDefaults(sources, { dataDir, log });
  const corpus = openCorpus(corpusFile(dataDir));
  expect(corpus.edition('eng-web')).toMatchObject({ verseCount: 3, complete: false });
  corpus.close();
  await removeEdition('eng-web', { dataDir, log });
  expect(identifiers(dataDir)).toEqual(['deu-klein', 'eng-kjv', 'spa-rv1909']);
  await expect(removeEdition('eng-kjv', { dataDir, log })).rejects.toThrow('cannot be removed');
  await expect(removeEdition('xyz', { dataDir, log })).rejects.toThrow('the corpus has no edition xyz');
}, 60_000);

test('an identifier that is taken needs --replace, and a failing import leaves the corpus as it was', async () => {
  const dataDir = freshFolder();
  await importSmall(dataDir, 'deu-klein.xml');
  const before = readFileSync(corpusFile(dataDir));
  await expect(importSmall(dataDir, 'deu-klein.xml')).rejects.toThrow('has an edition deu-klein already; --replace');
  await expect(importSmall(dataDir, 'eng-kjv.xml')).rejects.toThrow(/has an edition eng-kjv already|language/);
  const broken = join(folder, 'deu-kaputt.xml');
  writeFileSync(broken, '<usfx><book id="GEN"><c id="1"/><v id="1"/>Am Anfang</book>');
  await expect(importFiles([writeSmallBible(folder, 'deu-neu.xml'), broken], { dataDir, log, given: {}, replace: false })).rejects.toThrow('deu-kaputt.xml, line 1');
  expect(readFileSync(corpusFile(dataDir)).equals(before)).toBe(true);
  expect(await importSmall(dataDir, 'deu-klein.xml', true)).toEqual(['deu-klein']);
});

test('a corpus that cannot be read is no ground to import on, and is put aside by a build', async () => {
  const dataDir = freshFolder();
  writeFileSync(corpusFile(dataDir), 'not a corpus');
  await expect(importSmall(dataDir, 'deu-klein.xml')).rejects.toThrow('is no corpus of Lectern');
  const lines: string[] = [];
  buildDefaults(sources, { dataDir, log: (line) => lines.push(line) });
  expect(identifiers(dataDir)).toHaveLength(3);
  expect(readFileSync(`${corpusFile(dataDir)}.unreadable`, 'utf8')).toBe('not a corpus');
  expect(lines[0]).toContain('put aside');
}, 60_000);

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
  const child = spawn(process.execPath, [resolve(__dirname, '../test-support/run-source.cjs'), resolve(__dirname, 'cli.ts'), 'import', big, '--data', dataDir], { stdio: 'ignore' });
  const ended = new Promise((done) => child.on('close', done));
  const part = (): string[] => readdirSync(dataDir).filter((name) => name.endsWith('.part'));
  while (child.exitCode === null && part().length === 0) await new Promise((wake) => setTimeout(wake, 1));
  child.kill('SIGKILL');
  await ended;
  expect(part()).toHaveLength(1);
  expect(digest(dataDir)).toBe(before);
  await withFolderLock(dataDir, { log, waitMs: 1_000 }, async () => expect(part()).toEqual([]));
  await importFiles([big], { dataDir, log, given: {}, replace: false });
  expect(identifiers(dataDir)).toEqual(['deu-gross', 'deu-klein']);
}, 60_000);

test('whoever waits for the folder too long says so', async () => {
  const dataDir = freshFolder();
  const lines: string[] = [];
  await withFolderLock(dataDir, { log }, async () => {
    await expect(withFolderLock(dataDir, { log: (line) => lines.push(line), waitMs: 300 }, async () => undefined)).rejects.toThrow('another process has been working in');
  });
  expect(lines).toEqual([`another process works in ${dataDir}: waiting for it`]);
});

test('only leftovers of our own are cleared', async () => {
  const dataDir = freshFolder();
  mkdirSync(join(dataDir, 'sources', 'debian.part'), { recursive: true });
  for (const name of ['corpus.sqlite.77.part', 'my.part', 'notes.partly.txt']) writeFileSync(join(dataDir, name), '');
  await withFolderLock(dataDir, { log }, async () => undefined);
  expect(readdirSync(dataDir).sort()).toEqual(['.lock', 'my.part', 'notes.partly.txt', 'sources']);
  expect(readdirSync(join(dataDir, 'sources'))).toEqual([]);
  expect(existsSync(realDataDir)).toBe(true);
});
