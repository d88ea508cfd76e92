import { endianness } from 'node:os';
import type { ChecksummedFileKind, Manifest, OpenChecksummedFileOptions } from '@lectern/data-files';
import { openChecksummedFile, readChecksummedFileManifest, writeChecksummedFile } from '@lectern/data-files';
import type Database from 'better-sqlite3';

/** Raised when the tables change or words are read otherwise. Arrays of numbers lie in the file as this machine holds them. */
const formatVersion = `1 ${endianness()}`;

/** "LecS" in its header. */
const searchKind: ChecksummedFileKind = { name: 'search index', applicationId: 0x4c656353, formatVersion };

/**
 * Opens search.sqlite to read. A file that is missing, cut off, damaged or of another format is refused with one line that names the
 * command which mends it.
 */
export const openIndexFile = (file: string, options: OpenChecksummedFileOptions = {}): Database.Database =>
  openChecksummedFile(file, searchKind, options).db;

/** What an open index says of itself. */
export const manifestOf = (db: Database.Database): Manifest =>
  new Map(
    db
      .prepare<[], { key: string; value: string }>('SELECT key, value FROM manifest')
      .all()
      .map(({ key, value }) => [key, value]),
  );

/** Whether the file is whole, of this format, and made from the corpus with this digest. */
export const isIndexCurrent = (file: string, corpusDigest: string): boolean =>
  readChecksummedFileManifest(file, searchKind)?.get('corpusDigest') === corpusDigest;

/** Writes a whole index in the place of the old one, or leaves that as it is. The caller holds the folder's lock. */
export async function writeIndexFile(
  file: string,
  manifest: Readonly<Record<string, string>>,
  fill: (db: Database.Database) => Promise<void> | void,
): Promise<void> {
  await writeChecksummedFile(file, searchKind, async (db) => {
    await fill(db);
    return manifest;
  });
}
