import Database from 'better-sqlite3';
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { createCorpusHash, createEditionHash } from './content-digest';
import { applicationId, checksumFile, formatVersion, schema } from './corpus-file';
import type { StoredEdition } from './stored-edition';

/** Half-written files end so. Whoever holds the folder's lock may delete them: nobody else can be writing. */
export const partSuffix = '.part';

export interface CorpusSummary {
  digest: string;
  builtAt: string;
}

/**
 * Writes a whole corpus beside `file` and puts it in its place by a rename, so that a reader sees the old
 * file or the new one. On any failure the old file stays. The caller holds the folder's lock.
 */
export function writeCorpus(file: string, editions: readonly StoredEdition[], options: { now: () => Date; importer: string }): CorpusSummary {
  const part = `${file}.${process.pid}${partSuffix}`;
  rmSync(part, { force: true });
  try {
    const summary = fill(part, editions, options);
    seal(part);
    renameSync(part, file);
    syncFolder(dirname(file));
    return summary;
  } catch (error) {
    for (const suffix of ['', '-journal']) rmSync(part + suffix, { force: true });
    throw error;
  }
}

function fill(part: string, editions: readonly StoredEdition[], options: { now: () => Date; importer: string }): CorpusSummary {
  const db = new Database(part);
  try {
    // No journal and no syncs while writing: until the rename nobody counts on this file.
    db.pragma('journal_mode = OFF');
    db.pragma('synchronous = OFF');
    db.pragma('page_size = 8192');
    db.pragma(`application_id = ${applicationId}`);
    db.exec(schema);
    db.exec('BEGIN');
    const sorted = [...editions].sort((a, b) => (a.details.identifier < b.details.identifier ? -1 : 1));
    const hash = createCorpusHash();
    for (const [index, edition] of sorted.entries()) hash.add(edition.details.identifier, insertEdition(db, index + 1, edition));
    const summary = { digest: hash.digest(), builtAt: options.now().toISOString() };
    const manifest = db.prepare('INSERT INTO manifest (key, value) VALUES (?, ?)');
    for (const [key, value] of Object.entries({ ...summary, formatVersion: String(formatVersion), importer: options.importer })) manifest.run(key, value);
    db.exec('COMMIT');
    return summary;
  } finally {
    db.close();
  }
}

function insertEdition(db: Database.Database, number: number, edition: StoredEdition): string {
  const insertVerse = db.prepare('INSERT INTO verse (edition, ordinal, text) VALUES (?, ?, ?)');
  const insertTags = db.prepare('INSERT INTO word_tags (edition, ordinal, tags) VALUES (?, ?, ?)');
  const { details, books } = edition;
  const hash = createEditionHash(details, books);
  for (const { ordinal, text, tags } of edition.verses) {
    insertVerse.run(number, ordinal, text);
    if (tags !== null) insertTags.run(number, ordinal, tags);
    hash.add(ordinal, text, tags);
  }
  const digest = hash.digest();
  db.prepare('INSERT INTO edition (number, identifier, origin, details, books, digest) VALUES (?, ?, ?, ?, ?, ?)')
    .run(number, details.identifier, edition.origin, JSON.stringify(details), JSON.stringify(books), digest);
  return digest;
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

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } catch {
    // Some file systems cannot sync a folder; the rename itself has happened.
  } finally {
    closeSync(handle);
  }
}
