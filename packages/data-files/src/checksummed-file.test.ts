import { spawn } from 'node:child_process';
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
  withFolderLock,
  writeChecksummedFile,
} from './index';

const kind: ChecksummedFileKind = { name: 'calendar', applicationId: 0x54657374, formatVersion: '3' };
let folder: string;
let good: string;
const log = (): void => undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-'));
  good = join(folder, 'good.sqlite');
  await writeChecksummedFile(good, kind, (db) => {
    db.exec('CREATE TABLE day (number INTEGER PRIMARY KEY, text TEXT NOT NULL)');
    const insert = db.prepare('INSERT INTO day (text) VALUES (?)');
    for (let day = 0; day < 2_000; day += 1) insert.run(`the day ${day} `.repeat(20));
    return { madeFrom: 'the sky' };
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What is said of a file instead of opening it. */
function refusal(file: string, asked = kind): unknown {
  try {
    openChecksummedFile(file, asked).db.close();
    return 'opened';
  } catch (error) {
    return isChecksummedFileError(error) ? error.message.replace(file, 'FILE') : error;
  }
}

test('what was written is read, with what the file says of itself, and cannot be changed', () => {
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
    /^FILE is no calendar of Lectern: run `npm run data` to make it anew$/,
  ],
  ['is a folder', (copy) => mkdirSync(copy), /^FILE is a folder, not a calendar: move it away and run `npm run data`$/],
  ['is some other file', (copy) => writeFileSync(copy, 'x'.repeat(5_000)), /^FILE is no calendar of Lectern/],
  [
    'is some other database',
    (copy) => void new Database(copy).exec('CREATE TABLE t (x)').close(),
    /^FILE is no calendar of Lectern/,
  ],
  [
    'is cut off at a page',
    (copy) => {
      copyFileSync(good, copy);
      truncateSync(copy, 8_192 * 10);
    },
    /^FILE is damaged \(81920 bytes\): run `npm run data` to make it anew$/,
  ],
  [
    'lost its last byte',
    (copy) => writeFileSync(copy, readFileSync(good).subarray(0, -1)),
    /^FILE is damaged \(\d+ bytes\)/,
  ],
  [
    'is too long',
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
    'says nothing of itself',
    (copy) => {
      copyFileSync(good, copy);
      new Database(copy).exec('DROP TABLE manifest').close();
      storeChecksum(copy);
    },
    /^FILE is damaged \(no such table: manifest\): run `npm run data` to make it anew$/,
  ],
])('a file that %s is refused in one line that says what mends it', (_, spoil, message) => {
  const copy = join(folder, 'copy.sqlite');
  spoil(copy);
  expect(refusal(copy)).toMatch(message);
  expect(readChecksummedFileManifest(copy, kind)).toBeNull();
});

test('a file of another kind is not taken for this one', () => {
  expect(refusal(good, { ...kind, name: 'corpus', applicationId: 1 })).toBe(
    'FILE is no corpus of Lectern: run `npm run data` to make it anew',
  );
});

test('the same contents give the same bytes', async () => {
  const fill = (db: Database.Database): Record<string, string> => {
    db.exec('CREATE TABLE t (x); INSERT INTO t VALUES (1)');
    return { a: 'b' };
  };
  const [one, two] = [join(folder, 'one.sqlite'), join(folder, 'two.sqlite')];
  await writeChecksummedFile(one, kind, fill);
  await writeChecksummedFile(two, kind, fill);
  expect(readFileSync(one).equals(readFileSync(two))).toBe(true);
});

test('writing that fails leaves the old file, and nothing beside it', async () => {
  const before = readFileSync(good);
  await expect(
    writeChecksummedFile(good, kind, async (db) => {
      db.exec('CREATE TABLE half (x)');
      await sleep(1);
      throw new Error('no space left');
    }),
  ).rejects.toThrow('no space left');
  expect(readdirSync(folder)).toEqual(['good.sqlite']);
  expect(readFileSync(good).equals(before)).toBe(true);
});

describe('the lock of a folder', () => {
  test('makes the folder, and clears what was left half written, but nothing of anybody else', async () => {
    const made = join(folder, 'a', 'b');
    await withFolderLock(made, { log }, async () => undefined);
    for (const name of [
      'corpus.sqlite.77.part',
      'search.sqlite.999999999.part-journal',
      'corpus.sqlite',
      'my.part',
      'notes.partly.txt',
      'my.sqlite.part',
    ])
      writeFileSync(join(made, name), '');
    await withFolderLock(made, { log }, async () => undefined);
    expect(readdirSync(made).sort()).toEqual([
      '.lock',
      'corpus.sqlite',
      'my.part',
      'my.sqlite.part',
      'notes.partly.txt',
    ]);
  });

  test('is for one at a time: the second waits, says so, and after too long gives up', async () => {
    const lines: string[] = [];
    const done: string[] = [];
    const first = withFolderLock(folder, { log }, async () => {
      await sleep(300);
      done.push('first');
    });
    await withFolderLock(folder, { log: (line) => lines.push(line) }, async () => void done.push('second'));
    await first;
    expect(done).toEqual(['first', 'second']);
    expect(lines).toEqual([`another process works in ${folder}: waiting for it`]);
    await withFolderLock(folder, { log }, async () => {
      await expect(withFolderLock(folder, { log, waitMs: 300 }, async () => undefined)).rejects.toThrow(
        'another process has been working in',
      );
    });
  });

  test('is gone with a process that was killed', async () => {
    const holder = `const db = new (require('better-sqlite3'))(process.argv[1]); db.exec('BEGIN EXCLUSIVE'); process.stdout.write('held'); setInterval(() => db.open, 1000);`;
    const other = spawn(process.execPath, ['-e', holder, join(folder, '.lock')], {
      cwd: __dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => void other.stdout.once('data', resolve));
    await expect(withFolderLock(folder, { log, waitMs: 1 }, async () => undefined)).rejects.toThrow('another process');
    other.kill('SIGKILL');
    expect(await withFolderLock(folder, { log, waitMs: 10_000 }, async () => 'ours')).toBe('ours');
  });

  test('cannot be had where no folder can be, and that is told in one line', async () => {
    const waiting = withFolderLock(good, { log }, async () => undefined).catch((error: unknown) => error);
    const below = withFolderLock(join(good, 'below'), { log }, async () => undefined).catch((error: unknown) => error);
    for (const error of [await waiting, await below])
      expect([isChecksummedFileError(error), String(error)]).toEqual([
        true,
        expect.stringMatching(/is no folder: [^\n]*LECTERN_DATA$/),
      ]);
  });

  test('goes with work that fails', async () => {
    await expect(
      withFolderLock(folder, { log }, async () => {
        throw new Error('broken');
      }),
    ).rejects.toThrow('broken');
    expect(await withFolderLock(folder, { log, waitMs: 1 }, async () => 'free')).toBe('free');
  });
});
