import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type ChecksummedFileKind, type FileCheck, ifUsable, unusableFileError } from './errors';
import type { TranslationFileKind } from './folder';
import { checkHeader, openChecksummedFile } from './open-file';

/** The row of a translation in a catalogue, without the large column `entry`. */
export interface CatalogueKey {
  readonly identifier: string;
  readonly textDigest: string;
  /** The checksum of the translation's file. */
  readonly checksum: number;
  readonly size: number;
}

export interface CatalogueRow extends CatalogueKey {
  /**
   * The catalogue entry as JSON: all that the subgraph lists about the translation. It is also in the file's
   * manifest.
   */
  readonly entry: string;
}

export const catalogueFile = (dataDir: string, { fileName }: TranslationFileKind): string =>
  join(dataDir, `${fileName}-catalogue.sqlite`);

/** Returns the kind of the catalogue of these files. The application id is "LCat" in ASCII. */
export const catalogueKind = ({ fileName, formatVersion }: TranslationFileKind): ChecksummedFileKind => ({
  name: `${fileName} catalogue`,
  applicationId: 0x4c436174,
  formatVersion: `1 ${fileName} ${formatVersion}`,
});

export const keyColumns = 'identifier, textDigest, checksum, size';

const selectKeys = `SELECT ${keyColumns} FROM translation ORDER BY identifier`;

/**
 * Returns the rows of these translations. Verifies only the size of the catalogue, not its checksum. Throws a
 * ChecksummedFileError if the catalogue is unusable.
 */
export function readCatalogueRows(
  dataDir: string,
  kind: TranslationFileKind,
  identifiers: readonly string[],
): CatalogueRow[] {
  const sql = `SELECT ${keyColumns}, entry FROM translation WHERE identifier IN (SELECT value FROM json_each(?)) ORDER BY identifier`;
  return readRows<CatalogueRow>(dataDir, kind, 'sizes', sql, JSON.stringify(identifiers));
}

/** Reads the rows of a catalogue. Returns null if the catalogue is unusable. */
export const readCatalogueIfUsable = (dataDir: string, kind: TranslationFileKind): CatalogueRow[] | null => {
  const sql = `SELECT ${keyColumns}, entry FROM translation ORDER BY identifier`;
  return ifUsable(() => readRows<CatalogueRow>(dataDir, kind, 'contents', sql));
};

/**
 * Reads the keys of a catalogue. Returns [] if the catalogue is unusable. If `check` is `sizes`, does not verify the
 * catalogue's checksum.
 */
export const readCatalogueKeys = (dataDir: string, kind: TranslationFileKind, check: FileCheck): CatalogueKey[] =>
  readRows<CatalogueKey>(dataDir, kind, check, selectKeys);

export const readCatalogueKeysIfUsable = (...location: Parameters<typeof readCatalogueKeys>): CatalogueKey[] | null =>
  ifUsable(() => readCatalogueKeys(...location));

function readRows<Row extends CatalogueKey>(
  dataDir: string,
  kind: TranslationFileKind,
  check: FileCheck,
  sql: string,
  ...parameters: string[]
): Row[] {
  const { db, read } = openFile(dataDir, kind, check !== 'sizes');
  try {
    return read(() => db.prepare<string[], Row>(sql).all(...parameters));
  } finally {
    db.close();
  }
}

/** Opens a catalogue file. The returned `read` throws a ChecksummedFileError if SQLite cannot read the file. */
function openFile(dataDir: string, kind: TranslationFileKind, verifiesChecksum: boolean) {
  const file = catalogueFile(dataDir, kind);
  const verifiedIdentity = verifiesChecksum ? null : checkHeader(file, catalogueKind(kind)).identity;
  const { db } = openChecksummedFile(file, catalogueKind(kind), { verifiedIdentity });
  const damaged = (reason: string): Error => unusableFileError(file, `is damaged (${reason})`);
  const read = <Value>(work: () => Value): Value => {
    try {
      return work();
    } catch (error) {
      throw error instanceof Database.SqliteError ? damaged(error.message) : error;
    }
  };
  return { db, read, damaged };
}

/**
 * Returns the dataset version: a digest of the translations' identifiers and texts. Subgraphs with the same texts
 * have the same version.
 */
export function datasetVersionOf(rows: readonly Pick<CatalogueRow, 'identifier' | 'textDigest'>[]): string {
  const hash = createHash('sha256').update('translations 1\n');
  for (const { identifier, textDigest } of rows) hash.update(`${identifier} ${textDigest}\n`);
  return hash.digest('hex');
}

/**
 * Opens a catalogue. Each entry is read when it is used, because 1,000 entries take 8 MB. If `only` is given, the
 * checksum of the catalogue is not verified.
 */
export function openCatalogue(dataDir: string, kind: TranslationFileKind, only?: readonly string[]) {
  const { db, read, damaged } = openFile(dataDir, kind, !only);
  try {
    const [keys, selectEntry] = read(() => [
      db.prepare<[], CatalogueKey>(selectKeys).all(),
      db.prepare<[string], string>('SELECT entry FROM translation WHERE identifier = ?').pluck(),
    ]);
    return {
      /** The keys of the translations, sorted by identifier. */
      keys: only ? keys.filter(({ identifier }) => only.includes(identifier)) : keys,
      /**
       * Reads a translation's entry. Throws a ChecksummedFileError if the catalogue was damaged after it was opened.
       */
      readEntry(identifier: string): string {
        const entry = read(() => selectEntry.get(identifier));
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

export type OpenCatalogue = ReturnType<typeof openCatalogue>;
