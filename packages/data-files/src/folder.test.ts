import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isChecksummedFileError, withFolderLock } from './index';

let folder: string;
const log = (): void => undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('withFolderLock creates the folder, and deletes the unfinished files of killed processes, but no other files', async () => {
  const created = join(folder, 'a', 'b');
  await withFolderLock(created, { log }, async () => undefined);
  for (const name of [
    'corpus.sqlite.77.part',
    'search.sqlite.999999999.part-journal',
    'corpus.sqlite',
    'my.part',
    'notes.partly.txt',
    'my.sqlite.part',
  ])
    writeFileSync(join(created, name), '');
  await withFolderLock(created, { log }, async () => undefined);
  expect(readdirSync(created).sort()).toEqual([
    '.lock',
    'corpus.sqlite',
    'my.part',
    'my.sqlite.part',
    'notes.partly.txt',
  ]);
});

test('withFolderLock waits until another holder releases the lock, and logs one line about the wait', async () => {
  const lines: string[] = [];
  const done: string[] = [];
  let finishFirst = (): void => undefined;
  const first = withFolderLock(folder, { log }, async () => {
    await new Promise<void>((resolve) => {
      finishFirst = resolve;
    });
    done.push('first');
  });
  let sleeps = 0;
  const sleep = async (): Promise<void> => {
    sleeps += 1;
    if (sleeps < 3) return;
    finishFirst();
    await first;
  };
  const tell = (line: string): void => void lines.push(line);
  await withFolderLock(folder, { log: tell, sleep }, async () => void done.push('second'));
  expect([done, sleeps]).toEqual([['first', 'second'], 3]);
  expect(lines).toEqual([`another process works in ${folder}: waiting for it`]);
  // A command that waits again does not say it again.
  await withFolderLock(folder, { log }, async () => {
    const wait = { log: tell, waitMs: 0, sleep: async () => undefined };
    await expect(withFolderLock(folder, wait, async () => undefined)).rejects.toThrow('another process has been');
  });
  expect(lines).toEqual([`another process works in ${folder}: waiting for it`]);
});

test('withFolderLock throws an error if another holder keeps the lock for longer than waitMs', async () => {
  let now = 0;
  const sleep = async (ms: number): Promise<void> => {
    now += ms;
  };
  await withFolderLock(folder, { log }, async () => {
    await expect(
      withFolderLock(folder, { log, waitMs: 60_000, now: () => now, sleep }, async () => undefined),
    ).rejects.toThrow(`another process has been working in ${folder} for 60 seconds`);
  });
  expect(now).toBeGreaterThan(60_000);
});

test('withFolderLock acquires the lock after the process that held the lock is killed', async () => {
  const holder = `const db = new (require('better-sqlite3'))(process.argv[1]); db.exec('BEGIN EXCLUSIVE'); process.stdout.write('held'); setInterval(() => db.open, 1000);`;
  const child = spawn(process.execPath, ['-e', holder, join(folder, '.lock')], {
    cwd: __dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => void child.stdout.once('data', resolve));
  await expect(withFolderLock(folder, { log, waitMs: 1 }, async () => undefined)).rejects.toThrow('another process');
  child.kill('SIGKILL');
  expect(await withFolderLock(folder, { log, waitMs: 10_000 }, async () => 'ours')).toBe('ours');
});

test('withFolderLock rejects a path that is not a folder, and names the setting LECTERN_DATA', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const path of [file, join(file, 'below')]) {
    const error = await withFolderLock(path, { log }, async () => undefined).catch((reason: unknown) => reason);
    expect([isChecksummedFileError(error), String(error)]).toEqual([
      true,
      expect.stringMatching(/is not a folder: [^\n]*LECTERN_DATA$/),
    ]);
  }
});

test('withFolderLock releases the lock when its callback throws an error', async () => {
  await expect(
    withFolderLock(folder, { log }, async () => {
      throw new Error('broken');
    }),
  ).rejects.toThrow('broken');
  expect(await withFolderLock(folder, { log, waitMs: 1 }, async () => 'free')).toBe('free');
});
