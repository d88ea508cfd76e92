import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Raised when the tables change, or the rules that cut and stem words: an older file is then rebuilt, never read half right. */
export const formatVersion = '1';

/** "Lcon" in SQLite's application_id: says that the file is a concordance of ours before anything is read from it. */
export const applicationId = 0x4c636f6e;

// Each edition has its own numbers of stems. What is packed, and how: packed-verse.ts and postings.ts.
export const schema = `
CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE edition (number INTEGER PRIMARY KEY, identifier TEXT NOT NULL UNIQUE, language TEXT NOT NULL, books TEXT NOT NULL);  -- books: JSON, [code, name] each
CREATE TABLE verse (
  edition INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  text TEXT NOT NULL,
  words BLOB NOT NULL,      -- where each word stands, and its stem
  tags BLOB,                -- where each Strong's number stands; null where there are none
  PRIMARY KEY (edition, ordinal)
) WITHOUT ROWID;
CREATE TABLE stem (
  edition INTEGER NOT NULL,
  text TEXT NOT NULL,
  number INTEGER NOT NULL,
  place INTEGER,            -- in the alphabetical index; null for function words, which it leaves out
  display_form TEXT NOT NULL,
  verses INTEGER NOT NULL,
  occurrences INTEGER NOT NULL,
  PRIMARY KEY (edition, text)
) WITHOUT ROWID;
CREATE UNIQUE INDEX stem_place ON stem (edition, place, occurrences) WHERE place IS NOT NULL;
-- The forms of each stem, commonest first, and the verses of each.
CREATE TABLE form (edition INTEGER NOT NULL, stem INTEGER NOT NULL, rank INTEGER NOT NULL, text TEXT NOT NULL, postings BLOB NOT NULL, PRIMARY KEY (edition, stem, rank)) WITHOUT ROWID;
-- Strong's numbers as an edition bears them; forms: JSON, the commonest renderings.
CREATE TABLE tagged (edition INTEGER NOT NULL, number TEXT NOT NULL, forms TEXT NOT NULL, postings BLOB NOT NULL, PRIMARY KEY (edition, number)) WITHOUT ROWID;
CREATE TABLE lexicon (number TEXT PRIMARY KEY, lemma TEXT, transliteration TEXT, definition TEXT) WITHOUT ROWID;
`;

export interface Manifest {
  readonly formatVersion: string;
  readonly corpusDigest: string;
  /** Of the dictionaries; empty when there were none. */
  readonly lexiconDigest: string;
  /** ISO 8601, in UTC. */
  readonly builtAt: string;
}

const mend = 'run `npm run data` to make it anew';
const headerSize = 100;

export interface OpenIndexOptions {
  /** Called with each SQL statement that runs: tests count them. */
  onStatement?: (statement: string) => void;
}

/** Opens the index to read. A file that is missing, cut off, damaged or of another format is refused with one line that names the command which mends it. */
export function openIndexFile(file: string, { onStatement }: OpenIndexOptions = {}): { db: Database.Database; manifest: Manifest } {
  checkFile(file);
  const db = new Database(file, { readonly: true, fileMustExist: true, ...(onStatement && { verbose: (statement) => onStatement(String(statement)) }) });
  try {
    db.pragma('query_only = ON');
    db.pragma('mmap_size = 268435456');
    return { db, manifest: readManifest(db, file) };
  } catch (error) {
    db.close();
    if (isIndexError(error)) throw error;
    throw indexError(`${file} is damaged (${error instanceof Error ? error.message : String(error)}): ${mend}`);
  }
}

const errorName = 'ConcordanceIndexError';

function indexError(message: string): Error {
  const error = new Error(message);
  error.name = errorName;
  return error;
}

/** True for what `openIndexFile` throws about a file: such an error is shown as one line, without a stack. */
export const isIndexError = (error: unknown): error is Error => error instanceof Error && error.name === errorName;

/** A number over the whole file but SQLite's header, kept in the header's user_version: a file that lost or changed a byte is known before the first query. */
export function checksumFile(file: string): number {
  return withFile(file, (handle, size) => {
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(1 << 20);
    for (let at = headerSize; at < size;) {
      const read = readSync(handle, chunk, 0, chunk.length, at);
      if (read === 0) break;
      hash.update(chunk.subarray(0, read));
      at += read;
    }
    return hash.digest().readUInt32BE(0) & 0x7fffffff;
  });
}

function checkFile(file: string): void {
  let header: Buffer;
  let size: number;
  try {
    [header, size] = withFile(file, (handle, bytes) => {
      const read = Buffer.alloc(headerSize);
      readSync(handle, read, 0, headerSize, 0);
      return [read, bytes];
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw indexError(`${file} is missing: run \`npm run data\` to make it`);
    if (code === 'EISDIR') throw indexError(`${file} is a folder, not a concordance: move it away and run \`npm run data\``);
    throw indexError(`${file} cannot be read (${code ?? String(error)}): see to its permissions or ${mend}`);
  }
  // SQLite's own header: https://sqlite.org/fileformat2.html
  const isSqlite = header.toString('latin1', 0, 16) === 'SQLite format 3\0';
  if (!isSqlite || header.readUInt32BE(68) !== applicationId) throw indexError(`${file} is no concordance of Lectern: ${mend}`);
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const isWhole = header.readUInt32BE(28) * pageSize === size && header.readUInt32BE(60) === checksumFile(file);
  if (!isWhole) throw indexError(`${file} is damaged (${size} bytes): ${mend}`);
}

function readManifest(db: Database.Database, file: string): Manifest {
  const rows = db.prepare<[], { key: string; value: string }>('SELECT key, value FROM manifest').all();
  const value = (key: keyof Manifest): string => rows.find((row) => row.key === key)?.value ?? '';
  const manifest = { formatVersion: value('formatVersion'), corpusDigest: value('corpusDigest'), lexiconDigest: value('lexiconDigest'), builtAt: value('builtAt') };
  if (manifest.formatVersion !== formatVersion) {
    throw indexError(`${file} has format ${manifest.formatVersion || 'unknown'}, this version of Lectern reads ${formatVersion}: ${mend}`);
  }
  return manifest;
}

function withFile<Result>(file: string, use: (handle: number, size: number) => Result): Result {
  const handle = openSync(file, 'r');
  try {
    return use(handle, fstatSync(handle).size);
  } finally {
    closeSync(handle);
  }
}
