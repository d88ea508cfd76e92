import { chmodSync, closeSync, copyFileSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { type ChecksummedFileKind, explainWriteError } from './errors';
import { computeFileChecksum } from './open-file';

/** Matches an unfinished file, which a holder of the folder's lock may delete. */
export const isPartFile = (name: string): boolean => /\.sqlite\.\d+\.part(-journal)?$/.test(name);

/**
 * Writes a whole file under a temporary name, then renames it, so that a reader opens either the old or the new file.
 * If anything fails, the old file stays and the new file is deleted. Throws a ChecksummedFileError that names the file
 * if the disk is full or fails.
 *
 * `fill` runs in one transaction, creates the tables, and returns the entries of the manifest, which this function
 * returns too. With `isCopied`, `fill` receives a copy of the existing file, whose checksum the caller has verified.
 * This is faster if only a small part changes. The caller holds the folder's lock (`withFolderLock`).
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
    // The error message contains the free space, so the unfinished file is deleted first.
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
  // A journal is not needed: no reader opens this file before the rename, and `storeChecksum` syncs it.
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

/** Stores the checksum of the file's contents in its header and syncs the file to disk. */
export function storeChecksum(file: string): void {
  const checksum = computeFileChecksum(file);
  const db = new Database(file);
  try {
    db.pragma('journal_mode = OFF');
    db.pragma(`user_version = ${checksum}`);
  } finally {
    db.close();
  }
  sync(file, 'r+');
}

function syncFolder(folder: string): void {
  try {
    sync(folder, 'r');
  } catch {
    // Ignored, because some file systems cannot sync a folder. The file itself has been synced and renamed.
  }
}

function sync(path: string, flags: string): void {
  const handle = openSync(path, flags);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
