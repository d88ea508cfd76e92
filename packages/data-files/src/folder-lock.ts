import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { checksummedFileError } from './checksummed-file';
import { isPartFile } from './write-checksummed-file';

const lockFile = '.lock';
const retryMs = 200;

export interface LockOptions {
  log: (line: string) => void;
  /** How long another process may hold the folder before we give up. */
  waitMs?: number;
}

/**
 * One process at a time makes or changes what is in a folder of sealed files, and one piece of work in it: whoever holds the lock
 * does not ask for it again. The lock is SQLite's on an empty file, so it is gone with the process that held it, however it ended.
 * Whatever a process cut off left half written goes first.
 */
export async function withFolderLock<Result>(
  folder: string,
  options: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const db = opened(folder);
  try {
    await acquire(db, folder, options);
    // Under the lock, nobody is writing. Only names that we give are touched.
    for (const name of readdirSync(folder)) if (isPartFile(name)) rmSync(join(folder, name), { force: true });
    return await work();
  } finally {
    db.close();
  }
}

function opened(folder: string): Database.Database {
  try {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, lockFile);
    closeSync(openSync(file, 'a'));
    return new Database(file, { timeout: 0 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isNoFolder = code === 'EEXIST' || code === 'ENOTDIR';
    throw checksummedFileError(
      isNoFolder
        ? `${folder} is no folder: move away the file of that name, or name a folder with LECTERN_DATA`
        : `${folder} cannot be written (${code ?? message}): see to its permissions, or name another folder with LECTERN_DATA`,
    );
  }
}

async function acquire(
  db: Database.Database,
  folder: string,
  { log, waitMs = 15 * 60_000 }: LockOptions,
): Promise<void> {
  const deadline = Date.now() + waitMs;
  for (let waited = false; ; waited = true) {
    try {
      db.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error;
    }
    if (Date.now() > deadline)
      throw new Error(`another process has been working in ${folder} for ${Math.round(waitMs / 1000)} seconds`);
    if (!waited) log(`another process works in ${folder}: waiting for it`);
    await sleep(retryMs);
  }
}
