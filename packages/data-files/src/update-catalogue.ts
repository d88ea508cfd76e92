import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import {
  type CatalogueKey,
  type CatalogueRow,
  catalogueFile,
  catalogueKind,
  datasetVersionOf,
  keyColumns,
  readCatalogueKeysIfUsable,
} from './catalogue';
import { type FileCheck, isChecksummedFileError } from './errors';
import { type TranslationFileKind, translationFile, translationFolder, translationFolders } from './folder';
import { checkHeader, openChecksummedFile, readSqliteHeader } from './open-file';
import { writeChecksummedFile } from './write-file';

// The index spares queries of the other columns from reading up to 8 MB of entries.
const schema = `
CREATE TABLE IF NOT EXISTS translation (identifier TEXT PRIMARY KEY, textDigest TEXT NOT NULL, checksum INTEGER NOT NULL, size INTEGER NOT NULL, entry TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS translation_key ON translation (${keyColumns});
`;

/** Whether a usable file is the catalogue's. Call it before reading the catalogue. */
export function createUsableCheck(
  dataDir: string,
  kind: TranslationFileKind,
  check: FileCheck,
): (key: CatalogueKey) => boolean {
  // Only this check needs the time: statSync throws if `dataDir` is a file, which later steps report.
  const written = check === 'sizes' ? statSync(catalogueFile(dataDir, kind), { throwIfNoEntry: false }) : undefined;
  const writtenAt = written?.mtimeMs ?? 0;
  return ({ identifier, checksum, size }) => {
    const file = translationFile(dataDir, kind, identifier);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats?.size !== size) return false;
    // A killed process may have left a new file of the same size but the old catalogue. So the size
    // is enough only for a file older than the catalogue; an equal time is not, because clocks of
    // file systems are coarse. A copied file may keep its mtime, so ctime counts.
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

/** Is true if the translations' files differ from the catalogue, or if it cannot be used. */
export function isFolderChanged(dataDir: string, kind: TranslationFileKind, check: FileCheck = 'headers'): boolean {
  const isUsable = createUsableCheck(dataDir, kind, check);
  const keys = readCatalogueKeysIfUsable(dataDir, kind, check);
  if (!keys?.every(isUsable)) return true;
  const listed = new Set(keys.map(({ identifier }) => identifier));
  return translationFolders(dataDir).some(
    (identifier) => !listed.has(identifier) && existsSync(translationFile(dataDir, kind, identifier)),
  );
}

/** Throws a ChecksummedFileError if the translation's file cannot be used. */
function readRow(file: string, kind: TranslationFileKind, identifier: string): CatalogueRow {
  const { db, manifest } = openChecksummedFile(file, kind, { identifier });
  db.close();
  const { checksum, size } = readSqliteHeader(file);
  const [textDigest = '', entry = '{}'] = [manifest.get('textDigest'), manifest.get('entry')];
  return { identifier, textDigest, checksum, size, entry };
}

interface UpdateCatalogueOptions {
  log: (line: string) => void;
  /** The translations that are left out, because their files are about to be deleted. */
  without?: ReadonlySet<string>;
  /** The translations whose files were written. If given, all other files count as unchanged. */
  written?: readonly string[];
  /** How thoroughly files are compared with the catalogue. */
  check?: FileCheck;
}

/** If the files differ. The caller holds the lock. Reports and leaves out unusable files. */
export async function updateCatalogue(
  dataDir: string,
  kind: TranslationFileKind,
  { log, without = new Set(), written, check = 'headers' }: UpdateCatalogueOptions,
): Promise<CatalogueKey[]> {
  const isUsable = createUsableCheck(dataDir, kind, check);
  const present = readCatalogueKeysIfUsable(dataDir, kind, 'contents');
  const known = new Map(present?.map((key) => [key.identifier, key]));
  const isUnchanged = (key: CatalogueKey): boolean => (written ? !written.includes(key.identifier) : isUsable(key));

  /** Returns the present key of an unchanged file, and a new row of any other. */
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

/** A key that is not in the `present` catalogue must be a whole row. */
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

/** Also deletes the folders that are empty then. The caller holds the lock of the data folder. */
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
