import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { endianness } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Raised when the tables change or words are read otherwise: an older file is then built anew, never read half right. */
const formatVersion = 1;

/** Arrays of numbers lie in the file as this machine holds them. */
const format = `${formatVersion} ${endianness()}`;

/** "LecS" in SQLite's application_id: says that the file is ours before anything is read from it. */
const applicationId = 0x4c656353;

const mend = 'run `npm run data` to make it anew';
const partSuffix = '.part';

/** SQLite's header, https://sqlite.org/fileformat2.html#the_database_header: it holds the checksum, which therefore cannot cover it. */
const header = { size: 100, checksumAt: 60, applicationIdAt: 68 };

export interface IndexFileOptions {
  /** Called with each SQL statement that runs. */
  onStatement?: (statement: string) => void;
}

/**
 * Opens search.sqlite to read. A file that is missing, cut off, damaged or of another format is refused with one line that names the
 * command which mends it.
 */
export function openIndexFile(file: string, { onStatement }: IndexFileOptions = {}): Database.Database {
  checkBytes(file);
  const db = new Database(file, { readonly: true, fileMustExist: true, ...(onStatement && { verbose: (statement) => onStatement(String(statement)) }) });
  try {
    db.pragma('query_only = ON');
    db.pragma('mmap_size = 268435456');
    const found = manifestOf(db).get('format');
    if (found !== format) throw new Error(`${file} has format ${found ?? 'unknown'}, this version of Lectern reads ${format}: ${mend}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

export const manifestOf = (db: Database.Database): ReadonlyMap<string, string> =>
  new Map(db.prepare<[], { key: string; value: string }>('SELECT key, value FROM manifest').all().map(({ key, value }) => [key, value]));

/** Whether the file is whole, of this format, and made from the corpus with this digest. */
export function isIndexCurrent(file: string, corpusDigest: string): boolean {
  let db: Database.Database;
  try {
    db = openIndexFile(file);
  } catch {
    // Whatever is wrong with it, the answer is to build it.
    return false;
  }
  try {
    return manifestOf(db).get('corpusDigest') === corpusDigest;
  } finally {
    db.close();
  }
}

/**
 * Writes a whole index beside `file` and puts it in its place by a rename, so that a reader sees the old file or the new one. On any
 * failure the old file stays, and what an earlier build left half done is cleared away.
 */
export async function writeIndexFile(file: string, manifest: Readonly<Record<string, string>>, fill: (db: Database.Database) => Promise<void> | void): Promise<void> {
  clearParts(file);
  const part = `${file}.${process.pid}${partSuffix}`;
  try {
    await fillPart(part, manifest, fill);
    seal(part);
    renameSync(part, file);
    syncFolder(dirname(file));
  } finally {
    for (const suffix of ['', '-journal']) rmSync(part + suffix, { force: true });
  }
}

async function fillPart(part: string, manifest: Readonly<Record<string, string>>, fill: (db: Database.Database) => Promise<void> | void): Promise<void> {
  const db = new Database(part);
  try {
    // No journal and no syncs while writing: until the rename nobody counts on this file.
    db.pragma('journal_mode = OFF');
    db.pragma('synchronous = OFF');
    db.pragma('page_size = 8192');
    db.pragma(`application_id = ${applicationId}`);
    db.exec('CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID');
    db.exec('BEGIN');
    await fill(db);
    const insert = db.prepare('INSERT INTO manifest (key, value) VALUES (?, ?)');
    for (const [key, value] of Object.entries({ ...manifest, format })) insert.run(key, value);
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}

/** Puts the checksum into the header's user_version and everything onto the disk. */
function seal(part: string): void {
  const sum = checksum(readFileSync(part));
  const db = new Database(part);
  try {
    db.pragma('journal_mode = OFF');
    db.pragma(`user_version = ${sum}`);
  } finally {
    db.close();
  }
  sync(part, 'r+');
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

function checkBytes(file: string): void {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Error(`${file} is missing: ${mend}`, { cause: error });
    throw new Error(`${file} cannot be read (${code ?? String(error)}): see to it, or move it away and ${mend}`, { cause: error });
  }
  const isOurs = bytes.length >= header.size && bytes.toString('latin1', 0, 16) === 'SQLite format 3\0' && bytes.readUInt32BE(header.applicationIdAt) === applicationId;
  if (!isOurs) throw new Error(`${file} is no search index of Lectern: ${mend}`);
  if (bytes.readUInt32BE(header.checksumAt) !== checksum(bytes)) throw new Error(`${file} is damaged (${bytes.length} bytes): ${mend}`);
}

/** Over all but the header: a file that lost or changed a byte on the way is known before the first query. */
const checksum = (bytes: Buffer): number => createHash('sha256').update(bytes.subarray(header.size)).digest().readUInt32BE(0) & 0x7fffffff;

/** A part whose process lives is somebody's work; any other is what a killed build left. */
function clearParts(file: string): void {
  const prefix = `${basename(file)}.`;
  for (const name of readdirSync(dirname(file))) {
    const match = name.startsWith(prefix) ? /^(\d+)\.part(-journal)?$/.exec(name.slice(prefix.length)) : null;
    if (match && !isOtherProcess(Number(match[1]))) rmSync(join(dirname(file), name), { force: true });
  }
}

function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
