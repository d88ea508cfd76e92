import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { ChecksummedFileKind, FileCheck } from './errors';
import { ifUsable, isChecksummedFileError, unusableFileError } from './errors';
import { type TranslationFileKind, translationFile, translationFolder, translationFolders } from './folder';
import { checkHeader, openChecksummedFile } from './open-file';
import { writeChecksummedFile } from './write-file';

/** The row of a translation in a catalogue, without the large column `entry`. */
export interface CatalogueKey {
  readonly identifier: string;
  readonly textDigest: string;
  /** The checksum of the translation's file. */
  readonly checksum: number;
  readonly size: number;
}

export interface CatalogueRow extends CatalogueKey {
  /** All that the subgraph lists about the translation, as JSON. The file's manifest has it too. */
  readonly entry: string;
}

export const catalogueFile = (dataDir: string, { fileName }: TranslationFileKind): string =>
  join(dataDir, `${fileName}-catalogue.sqlite`);

/** Returns the kind of the catalogue of these files. The application id is "LCat" in ASCII. */
const catalogueKind = ({ fileName, formatVersion }: TranslationFileKind): ChecksummedFileKind => ({
  name: `${fileName} catalogue`,
  applicationId: 0x4c436174,
  formatVersion: `1 ${fileName} ${formatVersion}`,
});

const keyColumns = 'identifier, textDigest, checksum, size';

const selectKeys = `SELECT ${keyColumns} FROM translation ORDER BY identifier`;

/** Returns rows. Does not verify the checksum. Throws a ChecksummedFileError if the catalogue is unusable. */
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

/** Reads the keys of a catalogue. `sizes` does not verify its checksum. Throws if it is unusable. */
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
  const { db, read } = openFile(dataDir, kind, check);
  try {
    return read(() => db.prepare<string[], Row>(sql).all(...parameters));
  } finally {
    db.close();
  }
}

/** Opens a catalogue file. The returned `read` throws a ChecksummedFileError if SQLite cannot read the file. */
function openFile(dataDir: string, kind: TranslationFileKind, check: FileCheck) {
  const file = catalogueFile(dataDir, kind);
  const verifiedIdentity = check === 'sizes' ? checkHeader(file, catalogueKind(kind)).identity : null;
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

/** Returns the dataset version, which subgraphs with the same texts share. */
export function datasetVersionOf(rows: readonly Pick<CatalogueRow, 'identifier' | 'textDigest'>[]): string {
  const hash = createHash('sha256').update('translations 1\n');
  for (const { identifier, textDigest } of rows) hash.update(`${identifier} ${textDigest}\n`);
  return hash.digest('hex');
}

/** Opens a catalogue. Verifies its checksum unless `only` is given. Keeps no entries: 1,000 take 8 MB. */
export function openCatalogue(dataDir: string, kind: TranslationFileKind, only?: readonly string[]) {
  const { db, read, damaged } = openFile(dataDir, kind, only ? 'sizes' : 'contents');
  try {
    const [keys, selectEntry, restricted] = read(() => [
      db.prepare<[], CatalogueKey>(selectKeys).all(),
      db.prepare<[string], string>('SELECT entry FROM translation WHERE identifier = ?').pluck(),
      db.prepare<[string], string>('SELECT identifier FROM translation WHERE instr(entry, ?) > 0').pluck(),
    ]);
    return {
      /** The keys of the translations, sorted by identifier. */
      keys: only ? keys.filter(({ identifier }) => only.includes(identifier)) : keys,
      /** The identifiers of the translations that only keys with a grant may read. */
      restricted: new Set(read(() => restricted.all(restrictedMark))),
      /** Reads a translation's entry. Throws a ChecksummedFileError if the catalogue is damaged by now. */
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

/** The text of an entry whose property `restricted` is true. JSON escapes the quotation marks inside of texts. */
export const restrictedMark = '"restricted":true';

export type OpenCatalogue = ReturnType<typeof openCatalogue>;

// The index covers all columns but the entries (up to 8 MB), which queries of the others then do not read.
const schema = `
CREATE TABLE IF NOT EXISTS translation (identifier TEXT PRIMARY KEY, textDigest TEXT NOT NULL, checksum INTEGER NOT NULL, size INTEGER NOT NULL, entry TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS translation_key ON translation (${keyColumns});
`;

/** Creates the check that a file is usable and listed. Call it before the catalogue is read. */
export function createUsableCheck(
  dataDir: string,
  kind: TranslationFileKind,
  check: FileCheck,
): (key: CatalogueKey) => boolean {
  // Only `sizes` needs this time. For other checks, later steps give a better error if `dataDir` is not a folder.
  const written = check === 'sizes' ? statSync(catalogueFile(dataDir, kind), { throwIfNoEntry: false }) : undefined;
  const writtenAt = written?.mtimeMs ?? 0;
  return ({ identifier, checksum, size }) => {
    const file = translationFile(dataDir, kind, identifier);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats?.size !== size) return false;
    // A killed process may have left a new file of the same size beside the old catalogue. So an equal size counts only
    // for a file that is older, in spite of coarse clocks. It is ctime, because a copied file may keep its mtime.
    if (check === 'sizes' && stats.ctimeMs < writtenAt) return true;
    try {
      if (checkHeader(file, kind).checksum !== checksum) return false;
      if (check === 'contents') readRow(file, kind, identifier);
      return true;
    } catch (error) {
      if (isChecksummedFileError(error)) return false;
      throw error;
    }
  };
}

/** Returns whether the catalogue is unusable or lists other files than the folder has. */
export function isFolderChanged(dataDir: string, kind: TranslationFileKind, check: FileCheck = 'headers'): boolean {
  const isUsable = createUsableCheck(dataDir, kind, check);
  const keys = readCatalogueKeysIfUsable(dataDir, kind, check);
  if (!keys?.every(isUsable)) return true;
  const listed = new Set(keys.map(({ identifier }) => identifier));
  return translationFolders(dataDir).some(
    (identifier) => !listed.has(identifier) && existsSync(translationFile(dataDir, kind, identifier)),
  );
}

/** Reads the catalogue row of a translation from its file. Throws a ChecksummedFileError if the file is unusable. */
function readRow(file: string, kind: TranslationFileKind, identifier: string): CatalogueRow {
  const { db, manifest, checksum, size } = openChecksummedFile(file, kind, { identifier });
  db.close();
  const textDigest = manifest.get('textDigest') ?? '';
  return { identifier, textDigest, checksum, size, entry: manifest.get('entry') ?? '{}' };
}

interface UpdateCatalogueOptions {
  log: (line: string) => void;
  /** The translations that the catalogue leaves out, because their files are about to be deleted. */
  without?: ReadonlySet<string>;
  /** The translations whose files were just written. All other files are then taken as unchanged. */
  written?: readonly string[];
  check?: FileCheck;
}

/** Writes the catalogue again if files have changed. The caller must hold the folder's lock. */
export async function updateCatalogue(
  dataDir: string,
  kind: TranslationFileKind,
  { log, without = new Set(), written, check = 'headers' }: UpdateCatalogueOptions,
): Promise<CatalogueKey[]> {
  const isUsable = createUsableCheck(dataDir, kind, check);
  const present = readCatalogueKeysIfUsable(dataDir, kind, 'contents');
  const known = new Map(present?.map((key) => [key.identifier, key]));
  const isUnchanged = (key: CatalogueKey): boolean => (written ? !written.includes(key.identifier) : isUsable(key));

  /** Returns the existing key if the file is unchanged, otherwise a new row. Returns [] if the file is unusable. */
  function scan(identifier: string): CatalogueKey | CatalogueRow | [] {
    const key = known.get(identifier);
    if (key && isUnchanged(key)) return key;
    const file = translationFile(dataDir, kind, identifier);
    if (!existsSync(file)) return [];
    try {
      return readRow(file, kind, identifier);
    } catch (error) {
      if (!isChecksummedFileError(error)) throw error;
      log(`warning: ${identifier} is not served: ${error.message}`);
      return [];
    }
  }

  const identifiers = new Set([...known.keys(), ...translationFolders(dataDir)]);
  const keys = [...identifiers]
    .sort()
    .flatMap(scan)
    .filter(({ identifier }) => !without.has(identifier));
  const isCurrent = present?.length === keys.length && keys.every((key) => known.get(key.identifier) === key);
  if (!isCurrent) await writeCatalogue(dataDir, kind, present, keys);
  return keys;
}

/** Writes the catalogue. Keys without an entry keep their rows of the `present` catalogue. */
async function writeCatalogue(
  dataDir: string,
  kind: TranslationFileKind,
  present: readonly CatalogueKey[] | null,
  keys: readonly (CatalogueKey | CatalogueRow)[],
): Promise<void> {
  await writeChecksummedFile(
    catalogueFile(dataDir, kind),
    catalogueKind(kind),
    (db) => {
      db.exec(schema);
      const insert = db.prepare(
        `INSERT OR REPLACE INTO translation (${keyColumns}, entry) VALUES (@identifier, @textDigest, @checksum, @size, @entry)`,
      );
      for (const key of keys) if ('entry' in key) insert.run(key);
      db.prepare('DELETE FROM translation WHERE identifier NOT IN (SELECT value FROM json_each(?))').run(
        JSON.stringify(keys.map(({ identifier }) => identifier)),
      );
      return { datasetVersion: datasetVersionOf(keys) };
    },
    { isCopied: present !== null },
  );
}

/** Deletes the files of translations, and folders that are then empty. The caller must hold the folder's lock. */
export async function removeTranslationFiles(
  dataDir: string,
  kind: TranslationFileKind,
  identifiers: readonly string[],
  options: Pick<UpdateCatalogueOptions, 'log' | 'check'>,
): Promise<void> {
  await updateCatalogue(dataDir, kind, { ...options, without: new Set(identifiers) });
  for (const identifier of identifiers) {
    const folder = translationFolder(dataDir, identifier);
    rmSync(translationFile(dataDir, kind, identifier), { recursive: true, force: true });
    if (readdirSync(folder).length === 0) rmdirSync(folder);
  }
}
