import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';

const readSize = 1 << 18;

/**
 * Computes the 31-bit checksum that is stored in `user_version`, over the whole file except
 * SQLite's header. It reveals a changed byte before the first query. Reading takes about a
 * millisecond per megabyte.
 */
export function computeFileChecksum(file: string): number {
  const steps = computeFileChecksumInSteps(file);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Computes the checksum, and yields after each 256 kB, which take a quarter of a millisecond. */
export function* computeFileChecksumInSteps(file: string): Generator<void, number> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(readSize);
  for (let position = sqliteHeaderSize; ; ) {
    const from = position;
    // Each step opens and closes the file, so that no file stays open if the caller never takes the
    // last step.
    const bytesRead = withFileHandle(file, (handle) => readSync(handle, chunk, 0, chunk.length, from));
    if (bytesRead === 0) return hash.digest().readUInt32BE(0) & 0x7fffffff;
    hash.update(chunk.subarray(0, bytesRead));
    position += bytesRead;
    yield;
  }
}

/** The size of SQLite's file header in bytes. */
const sqliteHeaderSize = 100;

export interface SqliteHeader {
  isSqlite: boolean;
  applicationId: number;
  checksum: number;
  /** The file's size in bytes according to its header. */
  declaredSize: number;
  /** The file's size in bytes according to the file system. */
  size: number;
  /** Differs between a file and its replacement (see `fileIdentity`). */
  identity: string;
}

/**
 * Reads SQLite's file header (https://sqlite.org/fileformat2.html) without opening the database.
 */
export function readSqliteHeader(file: string): SqliteHeader {
  return withFileHandle(file, (handle, stats) => {
    const header = Buffer.alloc(sqliteHeaderSize);
    const bytesRead = readSync(handle, header, 0, sqliteHeaderSize, 0);
    const pageSize = header.readUInt16BE(16);
    return {
      isSqlite: bytesRead === sqliteHeaderSize && header.toString('latin1', 0, 16) === 'SQLite format 3\0',
      applicationId: header.readUInt32BE(68),
      checksum: header.readUInt32BE(60),
      // The field has 16 bits: SQLite writes 1 for a page size of 65,536.
      declaredSize: header.readUInt32BE(28) * (pageSize === 1 ? 65_536 : pageSize),
      size: stats.size,
      identity: fileIdentity(stats),
    };
  });
}

/** Opens a file for reading, calls `use`, and closes the file. */
function withFileHandle<Result>(file: string, use: (handle: number, stats: Stats) => Result): Result {
  const handle = openSync(file, 'r');
  try {
    return use(handle, fstatSync(handle));
  } finally {
    closeSync(handle);
  }
}

/**
 * Returns an identity that differs between a file and its replacement, or '' for a missing file.
 */
export const fileIdentity = (stats: Stats | undefined): string =>
  stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : '';
