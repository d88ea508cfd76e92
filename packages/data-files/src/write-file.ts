import { chmodSync, copyFileSync, fsyncSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { type ChecksummedFileKind, explainWriteError } from './errors';
import { computeFileChecksum, withFileHandle } from './open-file';

/** Matches the name of an unfinished file. The process that holds the folder's lock may delete such files. */
export const isPartFile = (name: string): boolean => /\.sqlite\.\d+\.part(-journal)?$/.test(name);

/** Returns how many seconds a build has taken, for its log line. `startedAt` is a time of `performance.now()`. */
export const secondsSince = (startedAt: number): string => ((performance.now() - startedAt) / 1000).toFixed(1);

/** Formats the time of a build: ISO 8601 in UTC, without fractions of a second. */
export const formatBuildTime = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;

/**
 * Writes a temporary file, then renames it: a reader opens the old or the new one. If anything fails, the old file
 * stays and the new one is deleted. Throws a ChecksummedFileError that names the file if the disk is full or fails.
 * `fill` runs in one transaction, creates the tables, and returns the entries of the manifest, as this function does.
 * With `isCopied`, it changes a copy, which is faster for small changes. The caller must have verified the checksum,
 * and must hold the folder's lock (`withFolderLock`).
 */
export async function writeChecksummedFile<Entries extends Readonly<Record<string, string>>>(
  file: string,
  kind: ChecksummedFileKind,
  fill: (db: Database.Database) => Entries | Promise<Entries>,
  { isCopied = false } = {},
): Promise<Entries> {
  const partFile = `${file}.${process.pid}.part`;
  const removePartFile = (): void => {
    for (const suffix of ['', '-journal']) rmSync(partFile + suffix, { force: true });
  };
  removePartFile();
  try {
    if (isCopied) {
      copyFileSync(file, partFile);
      // The copy of a read-only file would be read-only too.
      chmodSync(partFile, statSync(partFile).mode | 0o600);
    }
    const db = new Database(partFile);
    const entries = await fillFile(db, kind, fill, !isCopied).finally(() => db.close());
    storeChecksum(partFile);
    renameSync(partFile, file);
    syncFolder(dirname(file));
    return entries;
  } catch (error) {
    // Deleted first, because the message says how much space is free.
    removePartFile();
    throw explainWriteError(file, error);
  }
}

async function fillFile<Entries extends Readonly<Record<string, string>>>(
  db: Database.Database,
  { applicationId, formatVersion }: ChecksummedFileKind,
  fill: (db: Database.Database) => Entries | Promise<Entries>,
  isNew: boolean,
): Promise<Entries> {
  // Safe without a journal: no reader opens this file before the rename, and `storeChecksum` syncs it to disk.
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  if (isNew) {
    db.pragma('page_size = 8192');
    db.pragma(`application_id = ${applicationId}`);
    db.exec('CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID');
  }
  db.exec('BEGIN');
  const entries = await fill(db);
  const insert = db.prepare('INSERT OR REPLACE INTO manifest (key, value) VALUES (?, ?)');
  for (const [key, value] of Object.entries({ ...entries, formatVersion })) insert.run(key, value);
  db.exec('COMMIT');
  return entries;
}

/** Stores the checksum of the file's contents in its header, and syncs the file to disk. */
export function storeChecksum(file: string): void {
  const checksum = computeFileChecksum(file);
  const db = new Database(file);
  try {
    db.pragma('journal_mode = OFF');
    db.pragma(`user_version = ${checksum}`);
  } finally {
    db.close();
  }
  withFileHandle(file, 'r+', fsyncSync);
}

function syncFolder(folder: string): void {
  try {
    withFileHandle(folder, 'r', fsyncSync);
  } catch {
    // Ignored, because some file systems cannot sync a folder. The file itself is synced.
  }
}
