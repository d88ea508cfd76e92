import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ChecksummedFileKind, isChecksummedFileError } from './checksummed-file';
import { checkHeader, openChecksummedFile } from './open-checksummed-file';
import { readSqliteHeader } from './sqlite-header';
import { type TranslationFileKind, translationFile, translationFolder, translationFolders } from './translation-files';
import { writeChecksummedFile } from './write-checksummed-file';

/** A translation in a catalogue. */
export interface CatalogueRow {
  readonly identifier: string;
  /** The digest of the translation's text. */
  readonly textDigest: string;
  /** The checksum and the size in bytes of the translation's file. */
  readonly checksum: number;
  readonly size: number;
  /** The manifest's `entry`: JSON. */
  readonly entry: string;
}

/** The catalogue of one subgraph: the translations that have a file of this kind. */
export const catalogueFile = (dataDir: string, { fileName }: TranslationFileKind): string =>
  join(dataDir, `${fileName}-catalogue.sqlite`);

/** The application id is "LCat". */
const catalogueKind = ({ fileName, formatVersion }: TranslationFileKind): ChecksummedFileKind => ({
  name: `${fileName} catalogue`,
  applicationId: 0x4c436174,
  formatVersion: `1 ${fileName} ${formatVersion}`,
});

const schema =
  'CREATE TABLE translation (identifier TEXT PRIMARY KEY, textDigest TEXT NOT NULL, checksum INTEGER NOT NULL, size INTEGER NOT NULL, entry TEXT NOT NULL)';

/** Reads a catalogue, sorted by identifier. Throws a ChecksummedFileError if the catalogue cannot be used. */
export function readCatalogue(dataDir: string, kind: TranslationFileKind): CatalogueRow[] {
  const { db } = openChecksummedFile(catalogueFile(dataDir, kind), catalogueKind(kind));
  try {
    return db
      .prepare<[], CatalogueRow>(
        'SELECT identifier, textDigest, checksum, size, entry FROM translation ORDER BY identifier',
      )
      .all();
  } finally {
    db.close();
  }
}

/** Like `readCatalogue`, but returns null if the catalogue cannot be used. */
export function readCatalogueIfUsable(dataDir: string, kind: TranslationFileKind): CatalogueRow[] | null {
  try {
    return readCatalogue(dataDir, kind);
  } catch (error) {
    if (isChecksummedFileError(error)) return null;
    throw error;
  }
}

/**
 * The dataset version of a catalogue: a digest of the translations and their texts. Catalogues of different
 * subgraphs have the same version if they were made from the same texts.
 */
export function datasetVersionOf(rows: readonly Pick<CatalogueRow, 'identifier' | 'textDigest'>[]): string {
  const hash = createHash('sha256').update('translations 1\n');
  for (const { identifier, textDigest } of rows) hash.update(`${identifier} ${textDigest}\n`);
  return hash.digest('hex');
}

/**
 * How a file of the catalogue is checked: `headers` reads 100 bytes and compares the kind, the size and the stored
 * checksum; `contents` also reads the whole file.
 */
export type FileCheck = 'headers' | 'contents';

/** Returns true if the file of a translation is the file of the catalogue, and can be used. */
export function isUsable(dataDir: string, kind: TranslationFileKind, row: CatalogueRow, check: FileCheck): boolean {
  const file = translationFile(dataDir, kind, row.identifier);
  if (!existsSync(file)) return false;
  try {
    const { checksum, size } = checkHeader(file, kind);
    if (checksum !== row.checksum || size !== row.size) return false;
    if (check === 'contents') readRow(file, kind, row.identifier);
    return true;
  } catch (error) {
    if (isChecksummedFileError(error)) return false;
    throw error;
  }
}

/** Returns true if the files in the folders of the translations are not those of the catalogue. */
export function isFolderChanged(dataDir: string, kind: TranslationFileKind): boolean {
  const rows = readCatalogueIfUsable(dataDir, kind);
  if (!rows) return true;
  const present = translationFolders(dataDir).filter((identifier) =>
    existsSync(translationFile(dataDir, kind, identifier)),
  );
  return (
    rows.length !== present.length ||
    rows.some((row, index) => row.identifier !== present[index]) ||
    !rows.every((row) => isUsable(dataDir, kind, row, 'headers'))
  );
}

/**
 * Returns the translations of the files that exist, in the form of a catalogue. Rows of unchanged files are taken from
 * the catalogue. Other files are opened and verified; a file that cannot be used is left out and reported.
 */
function scanFiles(
  dataDir: string,
  kind: TranslationFileKind,
  { known, log }: { known: ReadonlyMap<string, CatalogueRow>; log: (line: string) => void },
): CatalogueRow[] {
  return translationFolders(dataDir).flatMap((identifier) => {
    const row = known.get(identifier);
    if (row && isUsable(dataDir, kind, row, 'headers')) return [row];
    const file = translationFile(dataDir, kind, identifier);
    if (!existsSync(file)) return [];
    try {
      return [readRow(file, kind, identifier)];
    } catch (error) {
      if (!isChecksummedFileError(error)) throw error;
      log(`warning: ${identifier} is not served: ${error.message}`);
      return [];
    }
  });
}

/** Reads a translation file's row of the catalogue. Throws a ChecksummedFileError if the file cannot be used. */
export function readRow(file: string, kind: TranslationFileKind, identifier: string): CatalogueRow {
  const { db, manifest } = openChecksummedFile(file, kind, { identifier });
  db.close();
  const { checksum, size } = readSqliteHeader(file);
  return {
    identifier,
    textDigest: manifest.get('textDigest') ?? '',
    checksum,
    size,
    entry: manifest.get('entry') ?? '{}',
  };
}

/**
 * Writes the catalogue anew if the files in the folders of the translations differ from it. Running services notice the
 * new catalogue. The caller holds the lock of the data folder. Translations of `without` are left out, because their files
 * are about to be deleted. Returns the rows.
 */
export async function updateCatalogue(
  dataDir: string,
  kind: TranslationFileKind,
  { log, without = new Set() }: { log: (line: string) => void; without?: ReadonlySet<string> },
): Promise<CatalogueRow[]> {
  const present = readCatalogueIfUsable(dataDir, kind);
  const known = new Map(present?.map((row) => [row.identifier, row]));
  const rows = scanFiles(dataDir, kind, { known, log }).filter(({ identifier }) => !without.has(identifier));
  const isCurrent = present?.length === rows.length && rows.every((row) => known.get(row.identifier) === row);
  if (!isCurrent) await writeCatalogue(dataDir, kind, rows);
  return rows;
}

async function writeCatalogue(dataDir: string, kind: TranslationFileKind, rows: readonly CatalogueRow[]) {
  await writeChecksummedFile(catalogueFile(dataDir, kind), catalogueKind(kind), (db) => {
    db.exec(schema);
    const insert = db.prepare(
      'INSERT INTO translation (identifier, textDigest, checksum, size, entry) VALUES (@identifier, @textDigest, @checksum, @size, @entry)',
    );
    for (const row of rows) insert.run(row);
    return { datasetVersion: datasetVersionOf(rows) };
  });
}

/**
 * Deletes the files of one kind of these translations, after they were taken out of the catalogue.
 * Also deletes the folders that are then empty. The caller holds the lock of the data folder.
 */
export async function removeTranslationFiles(
  dataDir: string,
  kind: TranslationFileKind,
  identifiers: readonly string[],
  { log }: { log: (line: string) => void },
): Promise<void> {
  await updateCatalogue(dataDir, kind, { log, without: new Set(identifiers) });
  for (const identifier of identifiers) {
    rmSync(translationFile(dataDir, kind, identifier), { recursive: true, force: true });
    if (readdirSync(translationFolder(dataDir, identifier)).length === 0)
      rmdirSync(translationFolder(dataDir, identifier));
  }
}
