import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const headerSize = 100;

/**
 * A number over the whole file but SQLite's header, kept in the header's user_version: so a file that
 * lost or changed a byte on the way is known before the first query, in the time it takes to read it.
 */
export function checksumFile(file: string): number {
  return withHandle(file, (handle, size) => {
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(1 << 20);
    for (let at = headerSize; at < size; ) {
      const read = readSync(handle, chunk, 0, chunk.length, at);
      if (read === 0) break;
      hash.update(chunk.subarray(0, read));
      at += read;
    }
    return hash.digest().readUInt32BE(0) & 0x7fffffff;
  });
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
  return withHandle(file, (handle, size) => {
    const header = Buffer.alloc(headerSize);
    const read = readSync(handle, header, 0, headerSize, 0);
    const pageSize = header.readUInt16BE(16);
    return {
      isSqlite: read === headerSize && header.toString('latin1', 0, 16) === 'SQLite format 3\0',
      applicationId: header.readUInt32BE(68),
      checksum: header.readUInt32BE(60),
      declaredSize: header.readUInt32BE(28) * (pageSize === 1 ? 65_536 : pageSize),
      size,
    };
  });
}

function withHandle<Result>(file: string, use: (handle: number, size: number) => Result): Result {
  const handle = openSync(file, 'r');
  try {
    return use(handle, fstatSync(handle).size);
  } finally {
    closeSync(handle);
  }
}
