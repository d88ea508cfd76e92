import Database from 'better-sqlite3';
import {
  type ChecksummedFileKind,
  checksummedFileError,
  isChecksummedFileError,
  type Manifest,
  rebuildHint,
} from './checksummed-file';
import { checksumFile, readSqliteHeader, type SqliteHeader } from './sqlite-header';

export interface OpenChecksummedFileOptions {
  /**
   * The function that is called with the text of each SQL statement that runs. Tests count the
   * statements.
   */
  onStatement?: (statement: string) => void;
}

/**
 * Opens a checksummed file read-only.
 * Throws a ChecksummedFileError if the file is missing, truncated, damaged, of another kind or of another format.
 * Its message is one line and names the command that builds the file again.
 */
export function openChecksummedFile(
  file: string,
  kind: ChecksummedFileKind,
  { onStatement }: OpenChecksummedFileOptions = {},
): { db: Database.Database; manifest: Manifest } {
  checkFile(file, kind);
  const db = new Database(file, {
    readonly: true,
    fileMustExist: true,
    ...(onStatement && { verbose: (statement) => onStatement(String(statement)) }),
  });
  try {
    db.pragma('query_only = ON');
    db.pragma('mmap_size = 268435456');
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
    return { db, manifest };
  } catch (error) {
    db.close();
    if (isChecksummedFileError(error)) throw error;
    throw checksummedFileError(`${file} is damaged (${(error as Error).message}): ${rebuildHint}`);
  }
}

/** Reads the manifest of a file. Returns null if `openChecksummedFile` rejects the file. */
export function readChecksummedFileManifest(file: string, kind: ChecksummedFileKind): Manifest | null {
  try {
    const { db, manifest } = openChecksummedFile(file, kind);
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

function checkFile(file: string, { name, applicationId }: ChecksummedFileKind): void {
  const header = readHeaderOrThrow(file, name);
  if (!header.isSqlite || header.applicationId !== applicationId)
    throw checksummedFileError(`${file} is not a ${name} of Lectern: ${rebuildHint}`);
  // The size is compared first, because a truncated file is then rejected without reading all of it.
  if (header.declaredSize !== header.size || checksumFile(file) !== header.checksum)
    throw checksummedFileError(`${file} is damaged (${header.size} bytes): ${rebuildHint}`);
}

function readHeaderOrThrow(file: string, name: string): SqliteHeader {
  try {
    return readSqliteHeader(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw checksummedFileError(`${file} is missing: run \`npm run data\` to make it`);
    if (code === 'EISDIR')
      throw checksummedFileError(`${file} is a folder, not a ${name}: move it away and run \`npm run data\``);
    throw checksummedFileError(
      `${file} cannot be read (${code ?? String(error)}): check its permissions or run \`npm run data\``,
    );
  }
}
