import { join } from 'node:path';
import { type TranslationFileKind, translationFolder } from '@lectern/data-files';

/**
 * The file offline.sqlite of a translation: the list of its offline packages. The application id is
 * "LOff". The format version increases when the contents of packages change, so that all packages
 * are built again.
 */
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
  /** The size of the SQLite file, in bytes. */
  readonly uncompressedSizeBytes: number;
  readonly verseCount: number;
  /** When the package was built: ISO 8601, in UTC. */
  readonly updatedAt: string;
}

/** The entry of a translation in the catalogue: its packages by ascending schema version. */
export interface OfflineEntry {
  readonly packages: readonly OfflinePackage[];
}

export const parseOfflineEntry = ({ entry }: { entry: string }): OfflineEntry => JSON.parse(entry) as OfflineEntry;

/** The folder of a translation's packages. */
export const packagesFolder = (dataDir: string, identifier: string): string =>
  join(translationFolder(dataDir, identifier), 'offline');

/**
 * Returns the path of a package in the folder of its translation's packages. Its URL ends with this
 * path.
 */
export const packageName = ({ schemaVersion, sha256 }: Pick<OfflinePackage, 'schemaVersion' | 'sha256'>): string =>
  `v${schemaVersion}/${sha256}.sqlite.gz`;

export const packageFile = (
  dataDir: string,
  identifier: string,
  offlinePackage: Pick<OfflinePackage, 'schemaVersion' | 'sha256'>,
): string => join(packagesFolder(dataDir, identifier), packageName(offlinePackage));

/** Returns the path of a package's URL. */
export const packagePath = (
  identifier: string,
  offlinePackage: Pick<OfflinePackage, 'schemaVersion' | 'sha256'>,
): string => `/offline/${identifier}/${packageName(offlinePackage)}`;
