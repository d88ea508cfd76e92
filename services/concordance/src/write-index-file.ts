import Database from 'better-sqlite3';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { applicationId, checksumFile, schema } from './index-file';

const partSuffix = '.part';
const longestWaitMs = 15 * 60_000;

/**
 * One process at a time makes this file. The lock is SQLite's on an empty file beside it, so it is gone with the process that held
 * it, however it ended; what a process that was cut off left half written goes before `work` begins.
 */
export function withIndexLock<Result>(file: string, log: (line: string) => void, work: () => Result): Result {
  mkdirSync(dirname(file), { recursive: true });
  const lock = new Database(`${file}.lock`, { timeout: 0 });
  try {
    try {
      lock.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error;
      log(`another process makes ${file}: waiting for it`);
      lock.pragma(`busy_timeout = ${longestWaitMs}`);
      lock.exec('BEGIN EXCLUSIVE');
    }
    const name = basename(file);
    for (const left of readdirSync(dirname(file))) {
      if (left.startsWith(`${name}.`) && left.includes(partSuffix)) rmSync(join(dirname(file), left), { force: true });
    }
    return work();
  } finally {
    lock.close();
  }
}

/** Writes a whole index beside `file` and puts it in its place by a rename: a reader sees the old file or the new one, and on any failure the old one stays. */
export function writeIndexFile(file: string, fill: (db: Database.Database) => void): void {
  const part = `${file}.${process.pid}${partSuffix}`;
  try {
    const db = new Database(part);
    try {
      // No journal and no syncs while writing: until the rename nobody counts on this file.
      db.pragma('journal_mode = OFF');
      db.pragma('synchronous = OFF');
      db.pragma('page_size = 8192');
      db.pragma(`application_id = ${applicationId}`);
      db.exec(schema);
      db.exec('BEGIN');
      fill(db);
      db.exec('COMMIT');
    } finally {
      db.close();
    }
    seal(part);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** Puts the checksum into the header and everything onto the disk. */
function seal(part: string): void {
  const checksum = checksumFile(part);
  const db = new Database(part);
  try {
    db.pragma('journal_mode = OFF');
    db.pragma(`user_version = ${checksum}`);
  } finally {
    db.close();
  }
  const handle = openSync(part, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
