import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { ChecksummedFileKind } from './open-checksummed-file';
import { checksumFile } from './sqlite-header';

/** What a half-written file is called. Whoever holds the folder's lock may delete it: nobody else can be writing. */
const partOf = (file: string): string => `${file}.${process.pid}.part`;
export const isPartFile = (name: string): boolean => /\.sqlite\.\d+\.part(-journal)?$/.test(name);

/**
 * Writes a whole file beside `file` and puts it in its place by a rename, so that a reader sees the old file or the new one. On any
 * failure the old file stays. `fill` makes the tables, in one transaction, and gives the manifest. The caller holds the folder's lock.
 */
export async function writeChecksummedFile<Said extends Readonly<Record<string, string>>>(
  file: string,
  kind: ChecksummedFileKind,
  fill: (db: Database.Database) => Said | Promise<Said>,
): Promise<Said> {
  const part = partOf(file);
  rmSync(part, { force: true });
  try {
    const manifest = await fillPart(part, kind, fill);
    storeChecksum(part);
    renameSync(part, file);
    syncFolder(dirname(file));
    return manifest;
  } finally {
    for (const suffix of ['', '-journal']) rmSync(part + suffix, { force: true });
  }
}

async function fillPart<Said extends Readonly<Record<string, string>>>(
  part: string,
  { applicationId, formatVersion }: ChecksummedFileKind,
  fill: (db: Database.Database) => Said | Promise<Said>,
): Promise<Said> {
  const db = new Database(part);
  try {
    // No journal and no syncs while writing: until the rename nobody counts on this file.
    db.pragma('journal_mode = OFF');
    db.pragma('synchronous = OFF');
    db.pragma('page_size = 8192');
    db.pragma(`application_id = ${applicationId}`);
    db.exec('CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID');
    db.exec('BEGIN');
    const manifest = await fill(db);
    const insert = db.prepare('INSERT INTO manifest (key, value) VALUES (?, ?)');
    for (const [key, value] of Object.entries({ ...manifest, formatVersion })) insert.run(key, value);
    db.exec('COMMIT');
    return manifest;
  } finally {
    db.close();
  }
}

/** Puts the checksum into the header and everything onto the disk. */
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
    // Some file systems cannot sync a folder; the rename itself has happened.
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
