import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { checksumFile } from './checksum-file';
import type { ChecksummedFileKind } from './checksummed-file';
import { writeError } from './write-error';

const partFileOf = (file: string): string => `${file}.${process.pid}.part`;

/**
 * Returns true for the name of a file that is being written. The holder of the folder's lock may
 * delete such a file.
 */
export const isPartFile = (name: string): boolean => /\.sqlite\.\d+\.part(-journal)?$/.test(name);

/**
 * Writes a whole file under a temporary name, then renames it to `file`: a reader opens the old
 * file or the new one. If anything fails, the old file stays, and nothing of the new one. Throws a
 * ChecksummedFileError that names the file if the disk is full. `fill` creates the tables, in one
 * transaction, and returns the manifest's entries. The caller holds the folder's lock
 * (`withFolderLock`). Returns the entries that `fill` returned.
 */
export const writeChecksummedFile = <Entries extends Readonly<Record<string, string>>>(
  file: string,
  kind: ChecksummedFileKind,
  fill: (db: Database.Database) => Entries | Promise<Entries>,
): Promise<Entries> => replaceFile(file, (partFile) => changePartFile(partFile, kind, fill));

/**
 * Like `writeChecksummedFile`, but `change` receives a copy of the present file, whose checksum the caller has verified.
 * If little of a large file changes, this takes less time.
 */
export const changeChecksummedFile = <Entries extends Readonly<Record<string, string>>>(
  file: string,
  kind: ChecksummedFileKind,
  change: (db: Database.Database) => Entries | Promise<Entries>,
): Promise<Entries> =>
  replaceFile(file, (partFile) => {
    copyFileSync(file, partFile);
    // The copy of a read-only file must be writable.
    chmodSync(partFile, statSync(partFile).mode | 0o600);
    return changePartFile(partFile, kind, change);
  });

/** Writes a file under a temporary name, then renames it to `file`. */
async function replaceFile<Entries>(file: string, write: (partFile: string) => Promise<Entries>): Promise<Entries> {
  const partFile = partFileOf(file);
  removePartFile(partFile);
  try {
    const manifest = await write(partFile);
    storeChecksum(partFile);
    renameSync(partFile, file);
    syncFolder(dirname(file));
    return manifest;
  } catch (error) {
    // Removes the part file first, so that the error names the free space without the part file.
    removePartFile(partFile);
    throw writeError(file, error);
  }
}

function removePartFile(partFile: string): void {
  for (const suffix of ['', '-journal']) rmSync(partFile + suffix, { force: true });
}

async function changePartFile<Entries extends Readonly<Record<string, string>>>(
  partFile: string,
  { applicationId, formatVersion }: ChecksummedFileKind,
  change: (db: Database.Database) => Entries | Promise<Entries>,
): Promise<Entries> {
  const isNew = !existsSync(partFile);
  const db = new Database(partFile);
  try {
    // Without a journal and without syncs, because nobody reads this file before the rename.
    db.pragma('journal_mode = OFF');
    db.pragma('synchronous = OFF');
    if (isNew) {
      db.pragma('page_size = 8192');
      db.pragma(`application_id = ${applicationId}`);
      db.exec('CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID');
    }
    db.exec('BEGIN');
    const manifest = await change(db);
    const insert = db.prepare('INSERT OR REPLACE INTO manifest (key, value) VALUES (?, ?)');
    for (const [key, value] of Object.entries({ ...manifest, formatVersion })) insert.run(key, value);
    db.exec('COMMIT');
    return manifest;
  } finally {
    db.close();
  }
}

/** Stores the checksum of the file's contents in its header and syncs the file to disk. */
export function storeChecksum(file: string): void {
  const checksum = checksumFile(file);
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
    // The error is ignored: some file systems cannot sync a folder, and the rename itself has
    // already happened.
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
