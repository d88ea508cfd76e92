import { readSync } from 'node:fs';
import { fileIdentity } from './file-identity';
import { withFileHandle } from './with-file-handle';

/** The size of SQLite's file header in bytes. */
export const sqliteHeaderSize = 100;

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
