import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLongRun } from '@lectern/testing';

const folder = mkdtempSync(join(tmpdir(), 'lectern-few-handles-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * The number of translations that are requested at once. Writing 1,000 takes half a minute, so only
 * the long run does.
 */
const count = isLongRun ? 1_000 : 50;

/**
 * Writes the translations, then reads all of them at once. Prints how many texts were read, and how
 * often files were opened and closed.
 */
const readMany = `
  const { createTranslationFileCache, openTranslationFiles, updateCatalogue, writeTranslationFile } = require(${JSON.stringify(join(__dirname, '..', 'dist', 'index.js'))});
  const [dataDir, count] = process.argv.slice(1);
  const kind = { name: 'text', fileName: 'text', applicationId: 1, formatVersion: '1' };
  const identifiers = Array.from({ length: Number(count) }, (_, index) => 'syn-' + index);
  (async () => {
    for (const identifier of identifiers)
      await writeTranslationFile(dataDir, kind, identifier, (db) => {
        db.exec('CREATE TABLE text (text TEXT)');
        db.prepare('INSERT INTO text VALUES (?)').run(identifier);
        return { identifier, textDigest: identifier, entry: '{}', builtAt: '' };
      });
    await updateCatalogue(dataDir, kind, { log: console.error });
    const events = { opened: 0, closed: 0 };
    const memory = createTranslationFileCache({ maxBytes: 1e9, onOpened: () => (events.opened += 1), onClosed: () => (events.closed += 1) });
    const files = openTranslationFiles({
      dataDir, kind, memory, report: console.error,
      toEntry: ({ identifier }) => identifier,
      readContent: (db) => ({ content: db.prepare('SELECT text FROM text').pluck(), bytes: 0 }),
    });
    const texts = await Promise.all(identifiers.map(async (identifier) => files.use(identifier)?.get()));
    console.log(JSON.stringify({ read: texts.filter((text, index) => text === identifiers[index]).length, ...events }));
  })();
`;

/**
 * Opens as many files as the process may, closes 0 to 3 of them, and then opens the translations.
 * Prints how often that failed, and how many more files are open afterwards. Then a new catalogue
 * arrives while no file can be opened. Prints what is served until files can be opened, and then.
 */
const openWithFew = `
  const { openTranslationFiles, updateCatalogue, writeTranslationFile } = require(${JSON.stringify(join(__dirname, '..', 'dist', 'index.js'))});
  const { closeSync, copyFileSync, openSync, readdirSync, renameSync } = require('node:fs');
  const wait = require('node:timers/promises').setTimeout;
  const [dataDir] = process.argv.slice(1);
  const kind = { name: 'text', fileName: 'text', applicationId: 1, formatVersion: '1' };
  const write = async (identifier) => {
    await writeTranslationFile(dataDir, kind, identifier, () => ({ identifier, textDigest: identifier, entry: '{}', builtAt: '' }));
    await updateCatalogue(dataDir, kind, { log: console.error });
  };
  const openFiles = () => readdirSync('/proc/self/fd').length;
  const fillHandles = () => {
    const handles = [];
    try { for (;;) handles.push(openSync('/dev/null')); } catch { return handles; }
  };
  const reports = [];
  const open = () => openTranslationFiles({
    dataDir, kind, report: (line) => reports.push(line), toEntry: ({ identifier }) => identifier,
    readContent: (db) => ({ content: db.prepare('SELECT value FROM manifest').all().length, bytes: 0 }),
  });
  (async () => {
    await write('one');
    await write('two');
    const before = openFiles();
    let failures = 0;
    for (let free = 0; free <= 3; free += 1) {
      const handles = fillHandles();
      for (const handle of handles.splice(0, free)) closeSync(handle);
      try {
        const files = open();
        try { files.use('one'); } finally { files.close(); }
      } catch { failures += 1; }
      handles.forEach(closeSync);
    }
    const left = openFiles() - before;
    reports.length = 0;

    const catalogue = dataDir + '/text-catalogue.sqlite';
    copyFileSync(catalogue, catalogue + '.old');
    await write('three');
    renameSync(catalogue, catalogue + '.new');
    renameSync(catalogue + '.old', catalogue);
    const files = open();
    const handles = fillHandles();
    renameSync(catalogue + '.new', catalogue);
    while (reports.length === 0) await wait(50);
    const during = files.entries();
    handles.forEach(closeSync);
    while (files.entries().length < 3) await wait(50);
    console.log(JSON.stringify({ failures, left, during, after: files.entries(), reports }));
    process.exit();
  })();
`;

/** Runs the script in a process that may open 40 files. Node.js itself has about 20 open. */
function runWithFewFiles(script: string, ...args: string[]) {
  const { stdout, stderr, status } = spawnSync(
    'bash',
    ['-c', 'ulimit -n 40; exec "$0" "$@"', process.execPath, '-e', script, ...args],
    { encoding: 'utf8' },
  );
  expect([stderr, status]).toEqual(['', 0]);
  return JSON.parse(stdout) as unknown;
}

test('a process that may open only 40 files reads more than 40 translations, because it closes files that it does not need', () => {
  const { read, opened, closed } = runWithFewFiles(readMany, join(folder, 'many'), String(count)) as Record<
    string,
    number
  >;
  expect([read, opened]).toEqual([count, count]);
  expect(closed).toBeGreaterThan(count - 40);
});

test('a process without file descriptors keeps its old translations, and reads a new catalogue when it can open files', () => {
  const result = runWithFewFiles(openWithFew, join(folder, 'few')) as { reports: string[] };
  expect(result).toMatchObject({ failures: 2, left: 0, during: ['one', 'two'], after: ['one', 'three', 'two'] });
  expect(result.reports[0]).toMatch(/^the translations stay as they were: EMFILE: too many open files/);
});
