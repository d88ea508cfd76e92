import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import {
  type ChecksummedFileKind,
  checksummedFileError,
  type FileCheck,
  ifUsable,
  isChecksummedFileError,
  type Manifest,
  unusableFileError,
} from './errors';

/** The maximum number of bytes of a file that SQLite maps into memory. No data file is larger. */
const maxMappedBytes = 268_435_456;

/** The size of SQLite's own page cache, in KiB. It is small because the operating system also caches the file. */
const pageCacheKilobytes = 1_024;

interface OpenChecksummedFileOptions {
  /** Receives the text of each SQL statement that runs, so that tests can count them. */
  onStatement?: ((statement: string) => void) | undefined;
  /** The identifier of the translation. The file is rejected if its manifest has another identifier. */
  identifier?: string;
  /** The identity of a file whose checksum was right. A file that still has this identity is not verified again. */
  verifiedIdentity?: string | null;
  /** Called before the error for a wrong checksum is thrown. */
  onWrongChecksum?: (identity: string) => void;
}

/** Opens a file. Throws a ChecksummedFileError, one line that says what to do, if it is unusable. */
export function openChecksummedFile(
  file: string,
  kind: ChecksummedFileKind,
  { onStatement, identifier, verifiedIdentity = null, onWrongChecksum }: OpenChecksummedFileOptions = {},
): { db: Database.Database; manifest: Manifest; identity: string; checksum: number; size: number } {
  const { identity, checksum, size } = checkHeader(file, kind);
  if (identity !== verifiedIdentity && computeFileChecksum(file) !== checksum) {
    onWrongChecksum?.(identity);
    throw damagedError(file);
  }
  const db = new Database(file, {
    readonly: true,
    fileMustExist: true,
    ...(onStatement && { verbose: (statement) => onStatement(String(statement)) }),
  });
  try {
    db.pragma('query_only = ON');
    db.pragma(`mmap_size = ${kind.isMemoryMapped ? maxMappedBytes : 0}`);
    db.pragma(`cache_size = -${pageCacheKilobytes}`);
    // A read-only connection then keeps its shared lock. Locking for each statement takes five times as long as the
    // lookup. No writer waits, because a new file replaces the old one by a rename.
    db.pragma('locking_mode = EXCLUSIVE');
    const rows = db.prepare<[], { key: string; value: string }>('SELECT key, value FROM manifest').all();
    const manifest: Manifest = new Map(rows.map(({ key, value }) => [key, value]));
    const format = manifest.get('formatVersion');
    if (format !== kind.formatVersion)
      throw unusableFileError(
        file,
        `has format ${format ?? 'unknown'}, this version of Lectern reads ${kind.formatVersion}`,
      );
    const translation = manifest.get('identifier');
    if (identifier !== undefined && translation !== identifier)
      throw unusableFileError(file, `is of the translation ${translation}, not of ${identifier}`);
    return { db, manifest, identity, checksum, size };
  } catch (error) {
    db.close();
    if (isChecksummedFileError(error)) throw error;
    throw unusableFileError(file, `is damaged (${(error as Error).message})`);
  }
}

/** Returns the manifest, or null if the file is unusable. Only `contents` verifies the checksum. */
export const readChecksummedFileManifest = (
  file: string,
  kind: ChecksummedFileKind,
  check: FileCheck = 'contents',
): Manifest | null =>
  ifUsable(() => {
    const verifiedIdentity = check === 'contents' ? null : checkHeader(file, kind).identity;
    const { db, manifest } = openChecksummedFile(file, kind, { verifiedIdentity });
    db.close();
    return manifest;
  });

/** Reads a header. Throws a ChecksummedFileError if the file is missing, of another kind or another size. */
export function checkHeader(file: string, { name, applicationId }: ChecksummedFileKind) {
  const header = readHeader(file, name);
  if (!header.isSqlite || header.applicationId !== applicationId)
    throw unusableFileError(file, `is not a ${name} of Lectern`);
  if (header.declaredSize !== header.size) throw damagedError(file, header.size);
  return header;
}

export const damagedError = (file: string, size = statSync(file).size): Error =>
  unusableFileError(file, `is damaged (${size} bytes)`);

function readHeader(file: string, name: string) {
  try {
    return readSqliteHeader(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The file itself may be intact: the process has too many open files.
    if (code === 'EMFILE' || code === 'ENFILE') throw error;
    if (code === 'ENOENT') throw checksummedFileError(`${file} is missing: run \`npm run data\` to make it`);
    if (code === 'EISDIR')
      throw checksummedFileError(`${file} is a folder, not a ${name}: move it away and run \`npm run data\``);
    throw checksummedFileError(
      `${file} cannot be read (${code ?? String(error)}): check its permissions or run \`npm run data\``,
    );
  }
}

const readSize = 1 << 18;

const sqliteHeaderSize = 100;

/** Computes the 31-bit checksum of all but SQLite's header, which stores it. Yields after each 256 kB. */
export function* computeFileChecksumInSteps(file: string): Generator<void, number> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(readSize);
  for (let position = sqliteHeaderSize; ; ) {
    const from = position;
    // The file is opened again for each step, so that it does not stay open if the caller stops before the last step.
    const bytesRead = withFileHandle(file, 'r', (handle) => readSync(handle, chunk, 0, chunk.length, from));
    if (bytesRead === 0) return hash.digest().readUInt32BE(0) & 0x7fffffff;
    hash.update(chunk.subarray(0, bytesRead));
    position += bytesRead;
    yield;
  }
}

export function computeFileChecksum(file: string): number {
  const steps = computeFileChecksumInSteps(file);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Reads SQLite's file header (https://sqlite.org/fileformat2.html). */
function readSqliteHeader(file: string) {
  return withFileHandle(file, 'r', (handle) => {
    const stats = fstatSync(handle);
    const header = Buffer.alloc(sqliteHeaderSize);
    const bytesRead = readSync(handle, header, 0, sqliteHeaderSize, 0);
    const pageSize = header.readUInt16BE(16);
    return {
      isSqlite: bytesRead === sqliteHeaderSize && header.toString('latin1', 0, 16) === 'SQLite format 3\0',
      applicationId: header.readUInt32BE(68),
      checksum: header.readUInt32BE(60),
      /** The size of the file in bytes, according to the header. A page size of 65,536 is stored as 1. */
      declaredSize: header.readUInt32BE(28) * (pageSize === 1 ? 65_536 : pageSize),
      size: stats.size,
      identity: fileIdentity(stats),
    };
  });
}

export function withFileHandle<Result>(path: string, flags: string, use: (handle: number) => Result): Result {
  const handle = openSync(path, flags);
  try {
    return use(handle);
  } finally {
    closeSync(handle);
  }
}

/** Returns a text that changes when a file is replaced. Returns '' for a missing file. */
export const fileIdentity = (stats: Stats | undefined): string =>
  stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : '';
