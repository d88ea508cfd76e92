import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { checksumFile } from './checksum-file';
import {
  type ChecksummedFileKind,
  checksummedFileError,
  type FileCheck,
  isChecksummedFileError,
  type Manifest,
  rebuildHint,
} from './checksummed-file';
import { readSqliteHeader, type SqliteHeader } from './sqlite-header';

/** Longer than any data file. */
const maxMappedBytes = 268_435_456;

/** The memory for pages of one open file. The operating system caches the file too. */
const pageCacheKilobytes = 1_024;

export interface OpenChecksummedFileOptions {
  /**
   * The function that is called with the text of each SQL statement that runs. Tests count the
   * statements.
   */
  onStatement?: (statement: string) => void;
  /** The translation that the file must be of, according to its manifest. */
  identifier?: string;
  /** The identity (`readSqliteHeader`) of a file whose checksum this process has verified already. */
  verifiedIdentity?: string | null;
}

/**
 * Opens a checksummed file read-only.
 * Throws a ChecksummedFileError if the file is missing, truncated, damaged, of another kind or of another format.
 * Its message is one line and names the command that builds the file again.
 */
export function openChecksummedFile(
  file: string,
  kind: ChecksummedFileKind,
  { onStatement, identifier, verifiedIdentity = null }: OpenChecksummedFileOptions = {},
): { db: Database.Database; manifest: Manifest; identity: string } {
  const { identity, checksum } = checkHeader(file, kind);
  if (identity !== verifiedIdentity && checksumFile(file) !== checksum) throw damagedError(file);
  const db = new Database(file, {
    readonly: true,
    fileMustExist: true,
    ...(onStatement && { verbose: (statement) => onStatement(String(statement)) }),
  });
  try {
    db.pragma('query_only = ON');
    db.pragma(`mmap_size = ${kind.isMemoryMapped === true ? maxMappedBytes : 0}`);
    db.pragma(`cache_size = -${pageCacheKilobytes}`);
    // This mode takes SQLite's shared lock once, instead of once per statement. Locking per
    // statement takes five times as long as looking up a verse. The lock hinders nobody: files are
    // never written in place, only replaced by rename.
    db.pragma('locking_mode = EXCLUSIVE');
    const manifest = readManifest(db);
    const formatVersion = manifest.get('formatVersion');
    if (formatVersion !== kind.formatVersion)
      throw checksummedFileError(
        `${file} has format ${formatVersion ?? 'unknown'}, this version of Lectern reads ${kind.formatVersion}: ${rebuildHint}`,
      );
    const translation = manifest.get('identifier');
    if (identifier !== undefined && translation !== identifier)
      throw checksummedFileError(`${file} is of the translation ${translation}, not of ${identifier}: ${rebuildHint}`);
    return { db, manifest, identity };
  } catch (error) {
    db.close();
    if (isChecksummedFileError(error)) throw error;
    throw checksummedFileError(`${file} is damaged (${(error as Error).message}): ${rebuildHint}`);
  }
}

/**
 * Reads the manifest of a file. Returns null if `openChecksummedFile` rejects the file. Only the check `contents` verifies
 * the file's checksum; without it a changed byte is not noticed.
 */
export function readChecksummedFileManifest(
  file: string,
  kind: ChecksummedFileKind,
  check: FileCheck = 'contents',
): Manifest | null {
  try {
    const verifiedIdentity = check === 'contents' ? null : checkHeader(file, kind).identity;
    const { db, manifest } = openChecksummedFile(file, kind, { verifiedIdentity });
    db.close();
    return manifest;
  } catch (error) {
    if (isChecksummedFileError(error)) return null;
    throw error;
  }
}

function readManifest(db: Database.Database): Manifest {
  const rows = db.prepare<[], { key: string; value: string }>('SELECT key, value FROM manifest').all();
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/**
 * Reads the header of a checksummed file. Throws a ChecksummedFileError if the file is missing, truncated or of another
 * kind. Reads 100 bytes, so a changed byte is not noticed.
 */
export function checkHeader(file: string, { name, applicationId }: ChecksummedFileKind): SqliteHeader {
  const header = readHeaderOrThrow(file, name);
  if (!header.isSqlite || header.applicationId !== applicationId)
    throw checksummedFileError(`${file} is not a ${name} of Lectern: ${rebuildHint}`);
  if (header.declaredSize !== header.size) throw damagedError(file, header.size);
  return header;
}

const damagedError = (file: string, size = statSync(file).size): Error =>
  checksummedFileError(`${file} is damaged (${size} bytes): ${rebuildHint}`);

function readHeaderOrThrow(file: string, name: string): SqliteHeader {
  try {
    return readSqliteHeader(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The process has too many open files. The error is thrown unchanged, because the file may be
    // intact.
    if (code === 'EMFILE' || code === 'ENFILE') throw error;
    if (code === 'ENOENT') throw checksummedFileError(`${file} is missing: run \`npm run data\` to make it`);
    if (code === 'EISDIR')
      throw checksummedFileError(`${file} is a folder, not a ${name}: move it away and run \`npm run data\``);
    throw checksummedFileError(
      `${file} cannot be read (${code ?? String(error)}): check its permissions or run \`npm run data\``,
    );
  }
}
