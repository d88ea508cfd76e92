import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import type { ChecksummedFileKind } from './errors';
import { writeChecksummedFile } from './write';

/**
 * A kind of file that exists once for each translation: one subgraph's data of that translation.
 */
export interface TranslationFileKind extends ChecksummedFileKind {
  /** The name of the file in the translation's folder, without `.sqlite`. */
  readonly fileName: string;
}

/** The entries that the manifest of every translation file has. */
export interface TranslationManifest extends Readonly<Record<string, string>> {
  readonly identifier: string;
  /** The digest of the translation's text, from which the file was made. */
  readonly textDigest: string;
  /**
   * JSON: what the catalogue lists about the translation, so that listing it does not open the
   * file.
   */
  readonly entry: string;
  /** When the file was built: ISO 8601, in UTC. */
  readonly builtAt: string;
}

/** Returns the path of the folder that has one folder for each translation. */
export const translationsFolder = (dataDir: string): string => join(dataDir, 'translations');

export const translationFolder = (dataDir: string, identifier: string): string =>
  join(translationsFolder(dataDir), identifier);

export const translationFile = (dataDir: string, { fileName }: TranslationFileKind, identifier: string): string =>
  join(translationFolder(dataDir, identifier), `${fileName}.sqlite`);

/**
 * Returns the names of the folders of translations, sorted. Leaves out names that do not start with
 * a lower-case letter or a digit.
 */
export function translationFolders(dataDir: string): string[] {
  try {
    return readdirSync(translationsFolder(dataDir))
      .filter((name) => /^[a-z0-9]/.test(name))
      .sort();
  } catch (error) {
    // ENOTDIR: the data folder is a file. `withFolderLock` reports this case with a clear error.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/**
 * Writes the file of one translation. See `writeChecksummedFile`. The caller holds the lock of the
 * data folder, and calls `updateCatalogue` afterwards.
 */
export function writeTranslationFile(
  dataDir: string,
  kind: TranslationFileKind,
  identifier: string,
  fill: (db: Database.Database) => TranslationManifest,
): Promise<TranslationManifest> {
  const file = translationFile(dataDir, kind, identifier);
  mkdirSync(dirname(file), { recursive: true });
  return writeChecksummedFile(file, kind, fill);
}
