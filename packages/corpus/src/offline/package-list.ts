import { copyFileSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isTranslationIdentifier } from '@lectern/canon';
import {
  explainWriteError,
  openTranslationFiles,
  readCatalogueIfUsable,
  type TranslationFileKind,
  translationFolder,
} from '@lectern/data-files';
import { openCorpus } from '../open-corpus';

/** The kind of the file offline.sqlite. Increase its format version if packages are written differently. */
export const offlineFileKind: TranslationFileKind = {
  name: 'list of offline packages',
  fileName: 'offline',
  applicationId: 0x4c4f6666,
  formatVersion: '1',
};

/** A package of one translation: a gzipped SQLite file that clients read without a network. */
export interface OfflinePackage {
  readonly schemaVersion: number;
  /** The SHA-256 digest of the gzipped file, in hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly uncompressedSizeBytes: number;
  readonly verseCount: number;
  /** The time at which the package was built: ISO 8601, in UTC. */
  readonly updatedAt: string;
}

type PackageKey = Pick<OfflinePackage, 'schemaVersion' | 'sha256'>;

/** Parses the entry of a translation in the catalogue. Returns its packages by ascending schema version. */
export const parseOfflineEntry = ({ entry }: { entry: string }) =>
  JSON.parse(entry) as { readonly packages: readonly OfflinePackage[] };

export const packagesFolder = (dataDir: string, identifier: string): string =>
  join(translationFolder(dataDir, identifier), 'offline');

/** The path of a package in `packagesFolder`. The URL of the package ends with it. */
export const packageName = ({ schemaVersion, sha256 }: PackageKey): string => `v${schemaVersion}/${sha256}.sqlite.gz`;

export const packageFile = (dataDir: string, identifier: string, key: PackageKey): string =>
  join(packagesFolder(dataDir, identifier), packageName(key));

export const packagePath = (identifier: string, key: PackageKey): string =>
  `/offline/${identifier}/${packageName(key)}`;

/** Opens the lists of offline packages. Reads a list again when it is replaced. A translation may have none. */
export function openOfflinePackages(dataDir: string, { report }: { report?: (line: string) => void } = {}) {
  const files = openTranslationFiles({
    dataDir,
    kind: offlineFileKind,
    toEntry: parseOfflineEntry,
    readContent: () => ({ content: null, bytes: 0 }),
    isOptional: true,
    report,
  });
  return {
    /** Returns the package with the highest schema version up to `maxSchemaVersion`, or null. */
    find: (identifier: string, maxSchemaVersion: number): OfflinePackage | null =>
      files.find(identifier)?.packages.findLast(({ schemaVersion }) => schemaVersion <= maxSchemaVersion) ?? null,
    has: (identifier: string): boolean => (files.find(identifier)?.packages.length ?? 0) > 0,
    close: () => files.close(),
  };
}

export type OfflinePackages = ReturnType<typeof openOfflinePackages>;

/** Which translations have offline packages, as the setting OFFLINE_TRANSLATIONS says. */
export interface OfflineTranslations {
  /** Whether translations under a free licence have packages. */
  readonly free: boolean;
  /** The identifiers of the translations that have packages whatever their licence. */
  readonly identifiers: ReadonlySet<string>;
}

export const defaultOfflineTranslations = 'free';

/** Reads the setting OFFLINE_TRANSLATIONS. Throws an error that names a malformed identifier. */
export const readOfflineTranslations = (env: NodeJS.ProcessEnv): OfflineTranslations =>
  parseOfflineTranslations(env['OFFLINE_TRANSLATIONS'] ?? defaultOfflineTranslations);

export function parseOfflineTranslations(list: string): OfflineTranslations {
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const malformed = names.find((name) => !isTranslationIdentifier(name));
  if (malformed !== undefined)
    throw new Error(
      `OFFLINE_TRANSLATIONS names '${malformed}': use free, identifiers of translations, or both, separated by commas.`,
    );
  const identifiers = new Set(names);
  return { free: identifiers.delete(defaultOfflineTranslations), identifiers };
}

interface ExportOptions {
  dataDir: string;
  /** The folder that becomes the root of the web host. */
  folder: string;
  /** The value of the setting OFFLINE_BASE_URL: the URL of the web host. If empty, the index has paths, not URLs. */
  baseUrl: string;
  log: (line: string) => void;
}

/**
 * Copies packages to the paths of their URLs, and writes `offline/index.json`. Skips existing files, and keeps those of
 * earlier exports, which clients may still download. Returns the number of packages.
 */
export function exportPackages({ dataDir, folder, baseUrl, log }: ExportOptions): number {
  const rows = new Map(readCatalogueIfUsable(dataDir, offlineFileKind)?.map((row) => [row.identifier, row]));
  const corpus = openCorpus(dataDir);
  try {
    const listed = corpus.translations.flatMap((translation) => {
      const { identifier, name, abbrev, language, languageName, direction, note, licence } = translation;
      const row = rows.get(identifier);
      if (!row) return [];
      const { packages } = parseOfflineEntry(row);
      const missing = packages.filter(
        (each) =>
          statSync(join(folder, packagePath(identifier, each)), { throwIfNoEntry: false })?.size !== each.sizeBytes,
      );
      for (const each of missing)
        replaceFile(join(folder, packagePath(identifier, each)), (partFile) =>
          copyFileSync(packageFile(dataDir, identifier, each), partFile),
        );
      log(`${identifier}: ${missing.length} packages copied, ${packages.length - missing.length} were there`);
      const listedPackages = packages.map((each) => ({
        ...each,
        url: `${baseUrl.replace(/(?<!\/)\/+$/, '')}${packagePath(identifier, each)}`,
      }));
      return [{ identifier, name, abbrev, language, languageName, direction, note, licence, packages: listedPackages }];
    });
    const index = JSON.stringify({ formatVersion: 1, translations: listed }, null, 2);
    replaceFile(join(folder, 'offline', 'index.json'), (partFile) => writeFileSync(partFile, `${index}\n`));
    return listed.reduce((sum, { packages }) => sum + packages.length, 0);
  } finally {
    corpus.close();
  }
}

/** Writes a file under a temporary name and renames it. */
function replaceFile(file: string, write: (partFile: string) => void): void {
  const partFile = `${file}.part`;
  mkdirSync(dirname(file), { recursive: true });
  try {
    write(partFile);
    renameSync(partFile, file);
  } catch (error) {
    throw explainWriteError(file, error);
  }
}
