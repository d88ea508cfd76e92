import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { catalogueFile, translationFile, translationFolder } from '@lectern/data-files';
import { temporaryFolder } from '../test-support/temporary-folder';
import { writeDefaultModules } from '../test-support/write-default-modules';
import { writeSmallBible } from '../test-support/write-usfx';
import { buildDefaultTranslations, requiredDefaults, staleDefaults } from './build';
import { defaultTranslations } from './default-translations';
import { withDataLock } from './fetch/modules';
import { importFiles, removeTranslation } from './import';
import { openCorpus } from './open-corpus';
import { textKind } from './text-file';

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
const textFile = (dataDir: string, identifier: string): string => translationFile(dataDir, textKind, identifier);
const importSmall = (dataDir: string, name: string, replace = false): Promise<string[]> =>
  importFiles([writeSmallBible(folder, name)], { dataDir, log, given: {}, replace });
const identifiers = (dataDir: string): string[] => {
  const corpus = openCorpus(dataDir);
  const found = corpus.translations.map(({ identifier }) => identifier);
  corpus.close();
  return found;
};
const restrictedIn = (dataDir: string): string[] => {
  const corpus = openCorpus(dataDir);
  const found = corpus.translations.filter(({ restricted }) => restricted).map(({ identifier }) => identifier);
  corpus.close();
  return found;
};
const datasetVersion = (dataDir: string): string => {
  const corpus = openCorpus(dataDir);
  corpus.close();
  return corpus.datasetVersion();
};

test('building the default translations twice from the same sources produces the same dataset version (a digest of all texts)', async () => {
  const [dataDir, otherDir] = [createDataDir(), createDataDir()];
  await buildDefaultTranslations(defaultTranslations, sources, { dataDir, log });
  expect(readdirSync(join(dataDir, 'translations')).sort()).toEqual(['eng-kjv', 'eng-web', 'spa-rv1909']);
  expect(readdirSync(translationFolder(dataDir, 'eng-kjv'))).toEqual(['text.sqlite']);
  await buildDefaultTranslations(defaultTranslations, sources, { dataDir: otherDir, log, now: () => new Date(0) });
  expect(datasetVersion(otherDir)).toBe(datasetVersion(dataDir));
});

test('buildDefaultTranslations rebuilds only the default translations whose text is missing, damaged or outdated', async () => {
  const dataDir = createDataDir();
  const stale = () => staleDefaults(sources, dataDir).map(({ identifier }) => identifier);
  expect(stale()).toEqual(['eng-kjv', 'eng-web', 'spa-rv1909']);
  await buildDefaultTranslations(defaultTranslations, sources, { dataDir, log });
  expect(stale()).toEqual([]);
  writeFileSync(textFile(dataDir, 'eng-web'), 'not a text');
  expect(stale()).toEqual(['eng-web']);
  const otherSources = writeDefaultModules(join(folder, 'other-sword'), 'another text');
  expect(staleDefaults(otherSources, dataDir)).toHaveLength(3);
  const before = readFileSync(textFile(dataDir, 'eng-kjv'));
  await buildDefaultTranslations(staleDefaults(sources, dataDir), sources, { dataDir, log });
  expect(stale()).toEqual([]);
  expect(readFileSync(textFile(dataDir, 'eng-kjv')).equals(before)).toBe(true);
});

test('buildDefaultTranslations keeps imported translations, also an import that replaced a default translation', async () => {
  const dataDir = createDataDir();
  await importSmall(dataDir, 'deu-klein.usfx.xml');
  await importFiles([writeSmallBible(folder, 'eng-web.xml', { language: 'eng' })], {
    dataDir,
    log,
    given: {},
    replace: true,
  });
  const required = requiredDefaults(dataDir);
  expect(required.map(({ identifier }) => identifier)).toEqual(['eng-kjv', 'spa-rv1909']);
  await buildDefaultTranslations(required, sources, { dataDir, log });
  expect(identifiers(dataDir)).toEqual(['deu-klein', 'eng-kjv', 'eng-web', 'spa-rv1909']);
  const corpus = openCorpus(dataDir);
  expect(corpus.translation('eng-web')).toMatchObject({ verseCount: 3, complete: false });
  corpus.close();
});

test('removeTranslation deletes an imported translation, and rejects a default translation and an unknown identifier', async () => {
  const dataDir = createDataDir();
  await buildDefaultTranslations(defaultTranslations.slice(0, 1), sources, { dataDir, log });
  await importSmall(dataDir, 'deu-klein.xml');
  expect(identifiers(dataDir)).toEqual(['deu-klein', 'eng-kjv']);
  await removeTranslation('deu-klein', { dataDir, log });
  expect(identifiers(dataDir)).toEqual(['eng-kjv']);
  expect(existsSync(translationFolder(dataDir, 'deu-klein'))).toBe(false);
  await expect(removeTranslation('eng-kjv', { dataDir, log })).rejects.toThrow('cannot be removed');
  await expect(removeTranslation('xyz', { dataDir, log })).rejects.toThrow('the corpus has no translation xyz');
});

test('importFiles rejects the identifier of an existing or a default translation unless the option `replace` is set', async () => {
  const dataDir = createDataDir();
  await importSmall(dataDir, 'deu-klein.xml');
  const files = () =>
    [textFile(dataDir, 'deu-klein'), catalogueFile(dataDir, textKind)].map((file) => readFileSync(file));
  const before = files();
  await expect(importSmall(dataDir, 'deu-klein.xml')).rejects.toThrow('has a translation deu-klein already; --replace');
  // The identifiers of the default translations are reserved, even if these have not been built
  // yet.
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
  expect(files()).toEqual(before);
  expect(readdirSync(join(dataDir, 'translations'))).toEqual(['deu-klein']);
  expect(await importSmall(dataDir, 'deu-klein.xml', true)).toEqual(['deu-klein']);
});

test('a restricted translation with a damaged file stays restricted when it is imported again', async () => {
  const dataDir = createDataDir();
  const file = writeSmallBible(folder, 'deu-geheim.xml');
  await importFiles([file], { dataDir, log, given: {}, replace: false, restricted: true });
  writeFileSync(textFile(dataDir, 'deu-geheim'), 'damaged');
  await importFiles([file], { dataDir, log, given: {}, replace: true });
  expect(restrictedIn(dataDir)).toEqual(['deu-geheim']);
});

test('importFiles needs `restricted` for a file that is damaged and in no catalogue, until removeTranslation deletes it', async () => {
  const dataDir = createDataDir();
  const file = writeSmallBible(folder, 'deu-geheim.xml');
  const importAgain = (restricted?: true) =>
    importFiles([file], { dataDir, log, given: {}, replace: true, restricted });
  const damage = async () => {
    writeFileSync(textFile(dataDir, 'deu-geheim'), 'damaged');
    // The import of another translation drops the damaged one from the catalogue.
    await importSmall(dataDir, 'deu-anders.xml', true);
  };
  await importAgain(true);
  await damage();
  await expect(importAgain()).rejects.toThrow(
    'deu-geheim.xml: the corpus has an unusable file of deu-geheim, so it is not known whether the text was restricted; --restricted',
  );
  await importAgain(true);
  expect(restrictedIn(dataDir)).toEqual(['deu-geheim']);
  await damage();
  await removeTranslation('deu-geheim', { dataDir, log });
  await importAgain();
  expect(restrictedIn(dataDir)).toEqual([]);
});

test('importFiles adds a new translation although the file of another translation is damaged, and logs a warning', async () => {
  const dataDir = createDataDir();
  await importSmall(dataDir, 'deu-klein.xml');
  writeFileSync(textFile(dataDir, 'deu-klein'), 'damaged');
  const lines: string[] = [];
  await importFiles([writeSmallBible(folder, 'deu-neu.xml')], {
    dataDir,
    log: (line) => lines.push(line),
    given: {},
    replace: false,
  });
  expect(lines[0]).toMatch(/^warning: deu-klein is not served: .* is not a translation text of Lectern/);
  expect(identifiers(dataDir)).toEqual(['deu-neu']);
  expect(readFileSync(textFile(dataDir, 'deu-klein'), 'utf8')).toBe('damaged');
});

test('importFiles stores the translations of all concurrent imports', async () => {
  const dataDir = createDataDir();
  const names = ['deu-a', 'deu-b', 'deu-c', 'deu-d'];
  await Promise.all(names.map((name) => importSmall(dataDir, `${name}.xml`)));
  expect(identifiers(dataDir)).toEqual(names);
});

test('an import that is killed leaves the old translations unchanged, and the next import deletes the unfinished file', async () => {
  const dataDir = createDataDir();
  await importSmall(dataDir, 'deu-klein.xml');
  const before = datasetVersion(dataDir);
  const big = writeSmallBible(folder, 'deu-gross.xml', { verses: 30_000 });
  const command = resolve(__dirname, '../../standalone/dist/corpus-main.js');
  const child = spawn(process.execPath, [command, 'import', big, '--numbering', 'standard', '--data', dataDir], {
    stdio: 'ignore',
  });
  const ended = new Promise((done) => child.on('close', done));
  const part = (): string[] =>
    readdirSync(join(dataDir, 'translations'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.part'),
    );
  while (child.exitCode === null && part().length === 0) await new Promise((wake) => setTimeout(wake, 1));
  child.kill('SIGKILL');
  await ended;
  expect(part()).toHaveLength(1);
  expect(datasetVersion(dataDir)).toBe(before);
  await withDataLock(dataDir, { log, waitMs: 1_000 }, async () => expect(part()).toEqual([]));
  await importFiles([big], { dataDir, log, given: { numbering: 'standard' }, replace: false });
  expect(identifiers(dataDir)).toEqual(['deu-gross', 'deu-klein']);
});

test('importFiles adds the text of an import that was killed before it listed the text in the catalogue', async () => {
  const dataDir = createDataDir();
  await importSmall(dataDir, 'deu-klein.xml');
  const catalogue = catalogueFile(dataDir, textKind);
  const before = { bytes: readFileSync(catalogue), size: statSync(textFile(dataDir, 'deu-klein')).size };
  const { mtime } = statSync(catalogue);
  const corrected = join(folder, 'deu-klein.xml');
  writeFileSync(corrected, readFileSync(corrected, 'utf8').replace('wort', 'satz'));
  await importFiles([corrected], { dataDir, log, given: {}, replace: true });
  const expected = datasetVersion(dataDir);
  // A process that is killed after it has renamed the text leaves the new text and the old
  // catalogue.
  writeFileSync(catalogue, before.bytes);
  utimesSync(catalogue, mtime, mtime);
  expect(statSync(textFile(dataDir, 'deu-klein')).size).toBe(before.size);
  expect(datasetVersion(dataDir)).not.toBe(expected);
  await importSmall(dataDir, 'deu-neu.xml');
  await removeTranslation('deu-neu', { dataDir, log });
  expect(datasetVersion(dataDir)).toBe(expected);
});

test('removeTranslation rejects a path such as ../../other, and deletes no file outside the folder of translations', async () => {
  const dataDir = createDataDir();
  await importSmall(dataDir, 'deu-klein.xml');
  const other = join(folder, 'other');
  mkdirSync(other, { recursive: true });
  writeFileSync(join(other, 'text.sqlite.77.part'), '');
  await expect(removeTranslation('../../other', { dataDir, log })).rejects.toThrow(
    'the corpus has no translation ../../other',
  );
  expect(readdirSync(other)).toEqual(['text.sqlite.77.part']);
});

test('withDataLock rejects a data folder of an earlier Lectern version, and says how to upgrade', async () => {
  const dataDir = createDataDir();
  const oldFile = join(dataDir, 'corpus.sqlite');
  writeFileSync(oldFile, '');
  await expect(withDataLock(dataDir, { log }, async () => undefined)).rejects.toThrow(
    `${oldFile} is of an earlier version of Lectern: delete it, run \`npm run data\`, and import your own translations again`,
  );
});

test('withDataLock deletes the unfinished downloads of killed processes, and no other files', async () => {
  const dataDir = createDataDir();
  mkdirSync(join(dataDir, 'sources', 'debian.part'), { recursive: true });
  writeFileSync(join(dataDir, 'my.part'), '');
  await withDataLock(dataDir, { log }, async () => undefined);
  expect(readdirSync(dataDir).sort()).toEqual(['.lock', 'my.part', 'sources']);
  expect(readdirSync(join(dataDir, 'sources'))).toEqual([]);
});
