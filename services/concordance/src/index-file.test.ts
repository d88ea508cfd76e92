import { spawn } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { corpusFile, withFolder } from '@lectern/testing';
import Database from 'better-sqlite3';
import { buildConcordanceIndex, createConcordanceSubgraph } from './index';
import { checksumFile } from './index-file';
import { buildingMs, realIndex } from '../test-support/real-index';
import { makeSmallCorpus } from '../test-support/small-corpus';

let index: string;
beforeAll(async () => {
  index = await realIndex();
}, buildingMs);

const opening = (file: string): string => {
  try {
    createConcordanceSubgraph({ file }).close();
    return 'opened';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

test.each<[string, (file: string) => void, RegExp]>([
  ['is missing', () => undefined, /is missing: run `npm run data`/],
  ['is empty', (file) => writeFileSync(file, ''), /is no concordance of Lectern: run `npm run data`/],
  ['is a folder', (file) => mkdirSync(file), /is a folder, not a concordance: move it away and run `npm run data`/],
  ['is another file', (file) => writeFileSync(file, 'In the beginning '.repeat(50)), /is no concordance of Lectern: run `npm run data`/],
  ['is the corpus', (file) => copyFileSync(corpusFile, file), /is no concordance of Lectern: run `npm run data`/],
  ['is cut off', (file) => { copyFileSync(index, file); truncateSync(file, 1_000_000); }, /is damaged \(1000000 bytes\): run `npm run data`/],
  ['is too long', (file) => { copyFileSync(index, file); appendFileSync(file, 'x'); }, /is damaged \(\d+ bytes\): run `npm run data`/],
  ['has another byte in its middle', (file) => { const bytes = readFileSync(index); bytes[20_000_000] = (bytes[20_000_000] ?? 0) ^ 1; writeFileSync(file, bytes); }, /is damaged \(\d+ bytes\): run `npm run data`/],
])('a file that %s is refused with one line that says what to do', async (_, make, message) => {
  await withFolder((folder) => {
    const file = join(folder, 'concordance.sqlite');
    make(file);
    expect(opening(file)).toMatch(message);
    expect(opening(file)).not.toContain('\n');
  });
});

interface Building {
  /** Where the corpus lies. */
  folder: string;
  file: string;
  build: (env?: NodeJS.ProcessEnv) => Promise<{ built: boolean; lines: string[] }>;
}

const edition = { identifier: 'spa-small', language: 'spa', verses: ['Bienaventurado el varón', 'Antes en la ley de Jehová está su delicia'] };

/** A folder of its own to build in, with a small corpus and without dictionaries. */
async function withBuilding(use: (building: Building) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const corpusFile = makeSmallCorpus(join(folder), [edition]);
    const file = join(folder, 'index', 'concordance.sqlite');
    const build: Building['build'] = async (env = {}) => {
      const lines: string[] = [];
      const built = await buildConcordanceIndex({ corpusFile, file, log: (line) => lines.push(line), env: { HOME: folder, ...env }, now: () => new Date('2026-03-01T12:00:00.123Z') });
      return { built, lines };
    };
    await use({ folder, file, build });
  });
}

test('an index is built once, says what it does, clears what a cut-off build left, and leaves one file and its lock', async () => {
  await withBuilding(async ({ file, build }) => {
    mkdirSync(dirname(file));
    writeFileSync(`${file}.12345.part`, 'half an index');
    writeFileSync(`${file}.12345.part-journal`, '');
    writeFileSync(join(dirname(file), 'somebody.part'), 'not ours');
    const first = await build();
    expect(first.built).toBe(true);
    expect(first.lines.at(-1)).toMatch(/^concordance of spa-small: 12 words under 12 stems in [\d.]+ s$/);
    expect(readdirSync(dirname(file)).sort()).toEqual(['concordance.sqlite', 'concordance.sqlite.lock', 'somebody.part']);
    expect(opening(file)).toBe('opened');
    const { mtimeMs } = statSync(file);
    expect(await build()).toEqual({ built: false, lines: [] });
    expect(statSync(file).mtimeMs).toBe(mtimeMs);

    truncateSync(file, 8192);
    expect((await build()).built).toBe(true);
    expect(opening(file)).toBe('opened');
  });
}, buildingMs);

test('an index of another corpus, or of another format, is built anew; of another format it is not read', async () => {
  await withBuilding(async ({ folder, file, build }) => {
    await build();
    const db = new Database(file);
    db.exec("UPDATE manifest SET value = '0' WHERE key = 'formatVersion'");
    db.close();
    reseal(file);
    expect(opening(file)).toMatch(/has format 0, this version of Lectern reads 1: run `npm run data`/);
    expect((await build()).built).toBe(true);
    expect((await build()).built).toBe(false);
    makeSmallCorpus(folder, [{ ...edition, verses: ['Bienaventurado el hombre'] }]);
    expect(opening(file)).toBe('opened');
    expect((await build()).built).toBe(true);
    expect((await build()).built).toBe(false);
  });
}, buildingMs);

/** Makes a changed file whole again: as a file of another version would be. */
function reseal(file: string): void {
  const checksum = checksumFile(file);
  const db = new Database(file);
  db.pragma('journal_mode = OFF');
  db.pragma(`user_version = ${checksum}`);
  db.close();
}

const holder = `
  const db = new (require('better-sqlite3'))(process.argv[1]);
  db.exec('BEGIN EXCLUSIVE');
  process.stdout.write('held');
  setTimeout(() => db.close(), 1500);
`;

test('two processes do not build at once: the second says that it waits', async () => {
  await withBuilding(async ({ file, build }) => {
    mkdirSync(dirname(file));
    const other = spawn(process.execPath, ['-e', holder, `${file}.lock`], { cwd: __dirname, stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => void other.stdout.once('data', resolve));
    const { built, lines } = await build();
    expect(built).toBe(true);
    expect(lines[0]).toBe(`another process makes ${file}: waiting for it`);
  });
}, buildingMs);
