import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Raised when the tables change: an older file is then rebuilt, never read half right. */
export const formatVersion = 1;

/** "Lect" in SQLite's application_id: says that the file is one of ours before anything is read from it. */
export const applicationId = 0x4c656374;

export const schema = `
CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE edition (
  number INTEGER PRIMARY KEY,
  identifier TEXT NOT NULL UNIQUE,
  origin TEXT NOT NULL,     -- default | import
  details TEXT NOT NULL,    -- JSON: all of an Edition but its books
  books TEXT NOT NULL,      -- JSON: its books with the numbers of their verses
  digest TEXT NOT NULL      -- sha256 over details, names and every verse with its tags
);
CREATE TABLE verse (edition INTEGER NOT NULL, ordinal INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (edition, ordinal)) WITHOUT ROWID;
-- Apart from the verses, so that reading text touches no tags.
CREATE TABLE word_tags (edition INTEGER NOT NULL, ordinal INTEGER NOT NULL, tags TEXT NOT NULL, PRIMARY KEY (edition, ordinal)) WITHOUT ROWID;
`;

const headerSize = 100;

/**
 * A number over the whole file but SQLite's header, kept in the header's user_version: so a file that
 * lost or changed a byte on the way is known before the first query, in the time it takes to read it.
 */
export function checksumFile(file: string): number {
  const hash = createHash('sha256');
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const chunk = Buffer.allocUnsafe(1 << 20);
    for (let at = headerSize; at < size;) {
      const read = readSync(handle, chunk, 0, chunk.length, at);
      if (read === 0) break;
      hash.update(chunk.subarray(0, read));
      at += read;
    }
  } finally {
    closeSync(handle);
  }
  return hash.digest().readUInt32BE(0) & 0x7fffffff;
}

export interface FileHeader {
  isSqlite: boolean;
  applicationId: number;
  checksum: number;
  /** What the header says the size is, in bytes. */
  declaredSize: number;
  size: number;
}

/** SQLite's own header (https://sqlite.org/fileformat2.html), read without SQLite. */
export function readHeader(file: string): FileHeader {
  const header = Buffer.alloc(headerSize);
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const read = readSync(handle, header, 0, headerSize, 0);
    const stored = header.readUInt16BE(16);
    return {
      isSqlite: read === headerSize && header.toString('latin1', 0, 16) === 'SQLite format 3\0',
      applicationId: header.readUInt32BE(68),
      checksum: header.readUInt32BE(60),
      declaredSize: header.readUInt32BE(28) * (stored === 1 ? 65_536 : stored),
      size,
    };
  } finally {
    closeSync(handle);
  }
}
