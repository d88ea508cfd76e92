import Database from 'better-sqlite3';
import { type CatalogueKey, catalogueFile, catalogueKind, keyColumns } from './catalogue';
import { checksummedFileError, nullIfUnusable, rebuildHint } from './errors';
import { checkHeader, openChecksummedFile } from './open';
import type { TranslationFileKind } from './translation-file-paths-and-writer';

/**
 * A catalogue, the file that lists the translations with a file of one kind. It stays open, so that
 * its entries need memory only when they are used. The entries of 1,000 translations take up to
 * 8 MB.
 */
export interface OpenCatalogue {
  /** The rows without the column `entry`, sorted by identifier. */
  readonly keys: readonly CatalogueKey[];
  /**
   * Returns the entry of a translation. Throws a ChecksummedFileError if the catalogue has no such
   * entry, or was damaged after it was opened.
   */
  readEntry(identifier: string): string;
  close(): void;
}

/**
 * Opens a catalogue. With `only`, `keys` has just these translations, and the checksum of the
 * catalogue is not verified. Throws a ChecksummedFileError if the catalogue cannot be used.
 */
export function openCatalogue(dataDir: string, kind: TranslationFileKind, only?: readonly string[]): OpenCatalogue {
  const file = catalogueFile(dataDir, kind);
  const verifiedIdentity = only ? checkHeader(file, catalogueKind(kind)).identity : null;
  const { db } = openChecksummedFile(file, catalogueKind(kind), { verifiedIdentity });
  const damaged = (reason: string): Error => checksummedFileError(`${file} is damaged (${reason}): ${rebuildHint}`);
  /** Calls `read`. If SQLite cannot read the file, throws a ChecksummedFileError. */
  const readFromFile = <Value>(read: () => Value): Value => {
    try {
      return read();
    } catch (error) {
      throw error instanceof Database.SqliteError ? damaged(error.message) : error;
    }
  };
  try {
    const [keys, selectEntry] = readFromFile(() => [
      db.prepare<[], CatalogueKey>(`SELECT ${keyColumns} FROM translation ORDER BY identifier`).all(),
      db.prepare<[string], string>('SELECT entry FROM translation WHERE identifier = ?').pluck(),
    ]);
    return {
      keys: only ? keys.filter(({ identifier }) => only.includes(identifier)) : keys,
      readEntry(identifier) {
        const entry = readFromFile(() => selectEntry.get(identifier));
        if (entry === undefined) throw damaged(`it has no entry of ${identifier}`);
        return entry;
      },
      close: () => void db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Like `openCatalogue`, but returns a catalogue without translations if the catalogue cannot be
 * used.
 */
export function openCatalogueIfUsable(...location: Parameters<typeof openCatalogue>): OpenCatalogue {
  try {
    return openCatalogue(...location);
  } catch (error) {
    return nullIfUnusable(error) ?? emptyCatalogue;
  }
}

export const emptyCatalogue: OpenCatalogue = {
  keys: [],
  readEntry: (identifier) => {
    throw checksummedFileError(`there is no catalogue with ${identifier}: ${rebuildHint}`);
  },
  close: () => undefined,
};
