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
const count = isLongRun ? 1_000 : 100;

/**
 * Writes the translations, then reads all of them at once. Prints how many texts were read, and how
 * often files were opened and closed.
 */
const script = `
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

test('a process that may open 40 files reads more than 40 translations at once, and closes files in order to open others', () => {
  // Node.js itself has about 20 files open, so about 20 translations can be open at the same time.
  const { stdout, stderr, status } = spawnSync(
    'bash',
    ['-c', 'ulimit -n 40; exec "$0" "$@"', process.execPath, '-e', script, join(folder, 'data'), String(count)],
    { encoding: 'utf8' },
  );
  expect([stderr, status]).toEqual(['', 0]);
  const { read, opened, closed } = JSON.parse(stdout) as { read: number; opened: number; closed: number };
  expect([read, opened]).toEqual([count, count]);
  expect(closed).toBeGreaterThan(count - 40);
});
