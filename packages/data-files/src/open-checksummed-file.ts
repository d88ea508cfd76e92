import Database from 'better-sqlite3';
import { checksummedFileError, isChecksummedFileError } from './checksummed-file';
import { checksumFile, type FileHeader, readHeader } from './sqlite-header';

/** What a file is, beyond being SQLite's. */
export interface ChecksummedFileKind {
  /** For messages: `is no ... of Lectern`, `not a ...`. */
  readonly name: string;
  /** Four letters of ours in SQLite's application_id: they say what the file is before anything is read from it. */
  readonly applicationId: number;
  /** Raised when the tables change: an older file is then made anew, never read half right. */
  readonly formatVersion: string;
}

/** What the file says of itself, beside its format: what it was made from, and when. */
export type Manifest = ReadonlyMap<string, string>;

export interface OpenChecksummedFileOptions {
  /** Called with each SQL statement that runs: tests count them. */
  onStatement?: (statement: string) => void;
}

const mend = 'run `npm run data`';

/**
 * Opens a sealed file to read. One that is missing, cut off, damaged, of another kind or of another format is refused with one line
 * that names the command which makes it anew.
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
    // Its lock, which all readers share, is taken once and kept: nobody writes to the file, it is only ever replaced by rename. Taking it anew for every
    // statement, and looking for what a crashed writer left, takes five times as long as a look-up of a verse.
    db.pragma('locking_mode = EXCLUSIVE');
    const manifest: Manifest = new Map(
      db
        .prepare<[], { key: string; value: string }>('SELECT key, value FROM manifest')
        .all()
        .map(({ key, value }) => [key, value]),
    );
    const found = manifest.get('formatVersion');
    if (found !== kind.formatVersion)
      throw checksummedFileError(
        `${file} has format ${found ?? 'unknown'}, this version of Lectern reads ${kind.formatVersion}: ${mend} to make it anew`,
      );
    return { db, manifest };
  } catch (error) {
    db.close();
    if (isChecksummedFileError(error)) throw error;
    throw checksummedFileError(`${file} is damaged (${(error as Error).message}): ${mend} to make it anew`);
  }
}

/** What a file says of itself, for whoever would make it; null where there is none that can be opened. */
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

function checkFile(file: string, { name, applicationId }: ChecksummedFileKind): void {
  const header = headerOf(file, name);
  if (!header.isSqlite || header.applicationId !== applicationId)
    throw checksummedFileError(`${file} is no ${name} of Lectern: ${mend} to make it anew`);
  // The size first: it costs nothing, and a file that was cut off need not be read.
  if (header.declaredSize !== header.size || checksumFile(file) !== header.checksum)
    throw checksummedFileError(`${file} is damaged (${header.size} bytes): ${mend} to make it anew`);
}

function headerOf(file: string, name: string): FileHeader {
  try {
    return readHeader(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw checksummedFileError(`${file} is missing: ${mend} to make it`);
    if (code === 'EISDIR') throw checksummedFileError(`${file} is a folder, not a ${name}: move it away and ${mend}`);
    throw checksummedFileError(`${file} cannot be read (${code ?? String(error)}): see to its permissions or ${mend}`);
  }
}
