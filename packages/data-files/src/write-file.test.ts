import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import {
  type ChecksummedFileKind,
  isChecksummedFileError,
  openChecksummedFile,
  readChecksummedFileManifest,
  storeChecksum,
  writeChecksummedFile,
} from './index';

const kind: ChecksummedFileKind = { name: 'calendar', applicationId: 0x54657374, formatVersion: '3' };
let folder: string;
let good: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-'));
  good = join(folder, 'good.sqlite');
  await writeChecksummedFile(good, kind, (db) => {
    db.exec('CREATE TABLE day (number INTEGER PRIMARY KEY, text TEXT NOT NULL)');
    const insert = db.prepare('INSERT INTO day (text) VALUES (?)');
    for (let day = 0; day < 2_000; day += 1) insert.run(`the day ${day} `.repeat(20));
    return { madeFrom: 'the sky' };
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let copies = 0;
const newPath = (): string => join(folder, `copy${(copies += 1)}.sqlite`);

/**
 * Opens a file. Returns the message of its ChecksummedFileError with FILE in place of the path, or
 * 'opened'.
 */
function rejectionOf(file: string, expectedKind = kind): unknown {
  try {
    openChecksummedFile(file, expectedKind).db.close();
    return 'opened';
  } catch (error) {
    return isChecksummedFileError(error) ? error.message.replace(file, 'FILE') : error;
  }
}

test('openChecksummedFile returns the manifest and a read-only database, and reports each SQL statement to `onStatement`', () => {
  const statements: string[] = [];
  const { db, manifest } = openChecksummedFile(good, kind, { onStatement: (statement) => statements.push(statement) });
  expect(Object.fromEntries(manifest)).toEqual({ madeFrom: 'the sky', formatVersion: '3' });
  expect(readChecksummedFileManifest(good, kind)).toEqual(manifest);
  statements.length = 0;
  expect(db.prepare('SELECT count(*) AS days FROM day').get()).toEqual({ days: 2_000 });
  expect(statements).toEqual(['SELECT count(*) AS days FROM day']);
  expect(() => db.exec('DELETE FROM day')).toThrow(/readonly/);
  db.close();
});

test.each<[string, (copy: string) => void, RegExp]>([
  ['is missing', () => undefined, /^FILE is missing: run `npm run data` to make it$/],
  [
    'is empty',
    (copy) => writeFileSync(copy, ''),
    /^FILE is not a calendar of Lectern: run `npm run data` to make it anew$/,
  ],
  ['is a folder', (copy) => mkdirSync(copy), /^FILE is a folder, not a calendar: move it away and run `npm run data`$/],
  ['is not a database', (copy) => writeFileSync(copy, 'x'.repeat(5_000)), /^FILE is not a calendar of Lectern/],
  [
    'is a database without our application id',
    (copy) => void new Database(copy).exec('CREATE TABLE t (x)').close(),
    /^FILE is not a calendar of Lectern/,
  ],
  [
    'is truncated at a page',
    (copy) => {
      copyFileSync(good, copy);
      truncateSync(copy, 8_192 * 10);
    },
    /^FILE is damaged \(81920 bytes\): run `npm run data` to make it anew$/,
  ],
  [
    'lacks its last byte',
    (copy) => writeFileSync(copy, readFileSync(good).subarray(0, -1)),
    /^FILE is damaged \(\d+ bytes\)/,
  ],
  [
    'has an extra byte',
    (copy) => {
      copyFileSync(good, copy);
      appendFileSync(copy, 'x');
    },
    /^FILE is damaged \(\d+ bytes\)/,
  ],
  [
    'has one bit changed',
    (copy) => {
      const bytes = readFileSync(good);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      writeFileSync(copy, bytes);
    },
    /^FILE is damaged \(\d+ bytes\)/,
  ],
  [
    'has another format',
    (copy) => {
      copyFileSync(good, copy);
      new Database(copy).exec(`UPDATE manifest SET value = '2' WHERE key = 'formatVersion'`).close();
      storeChecksum(copy);
    },
    /^FILE has format 2, this version of Lectern reads 3: run `npm run data` to make it anew$/,
  ],
  [
    'has no manifest',
    (copy) => {
      copyFileSync(good, copy);
      new Database(copy).exec('DROP TABLE manifest').close();
      storeChecksum(copy);
    },
    /^FILE is damaged \(no such table: manifest\): run `npm run data` to make it anew$/,
  ],
])('openChecksummedFile rejects a file that %s with one line that names the command to run', (_, damage, message) => {
  const copy = newPath();
  damage(copy);
  const rejection = rejectionOf(copy);
  expect(rejection).toMatch(message);
  expect(rejection).toMatch(/^.*run `npm run data`.*$/);
  expect(readChecksummedFileManifest(copy, kind)).toBeNull();
});

test('openChecksummedFile rejects a file of another kind, and names the expected kind', () => {
  expect(rejectionOf(good, { ...kind, name: 'corpus', applicationId: 1 })).toBe(
    'FILE is not a corpus of Lectern: run `npm run data` to make it anew',
  );
});

test('writeChecksummedFile writes identical bytes for identical contents', async () => {
  const fill = (db: Database.Database): Record<string, string> => {
    db.exec('CREATE TABLE t (x); INSERT INTO t VALUES (1)');
    return { a: 'b' };
  };
  const [one, two] = [newPath(), newPath()];
  await writeChecksummedFile(one, kind, fill);
  await writeChecksummedFile(two, kind, fill);
  expect(readFileSync(one).equals(readFileSync(two))).toBe(true);
});

test('writeChecksummedFile keeps the old file if its callback throws an error', async () => {
  const own = join(folder, 'failed-write');
  mkdirSync(own);
  const file = join(own, 'old.sqlite');
  copyFileSync(good, file);
  const before = readFileSync(file);
  await expect(
    writeChecksummedFile(file, kind, async (db) => {
      db.exec('CREATE TABLE half (x)');
      await sleep(1);
      throw new Error('no space left');
    }),
  ).rejects.toThrow('no space left');
  expect(readdirSync(own)).toEqual(['old.sqlite']);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('writeChecksummedFile keeps the old file and says what to do if the disk is full', async () => {
  const file = newPath();
  copyFileSync(good, file);
  const filling = writeChecksummedFile(file, kind, (db) => {
    // A database that reaches its maximum size has the same error of SQLite as a full disk.
    db.pragma('max_page_count = 4');
    db.exec('CREATE TABLE large (text TEXT)');
    db.prepare('INSERT INTO large (text) VALUES (?)').run('x'.repeat(100_000));
    return {};
  });
  await expect(filling).rejects.toThrow(`${file} cannot be written, because the disk is full: `);
  await expect(filling).rejects.toThrow('LECTERN_DATA');
  expect(readFileSync(file).equals(readFileSync(good))).toBe(true);
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
});
