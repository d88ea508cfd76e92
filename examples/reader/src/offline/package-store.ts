import { createStore, delMany, get, getMany, keys, setMany } from 'idb-keyval';
import type { Translation } from '../api';
import type { OfferedPackage } from './offered-packages';
import { offlineErrors } from './offline-error-messages';

/** The data that is stored beside the file of a downloaded package. */
export interface StoredPackage {
  readonly translation: Translation;
  readonly offer: OfferedPackage;
}

/**
 * The gzipped file of a package. The file stays gzipped, because its digest is compared whenever
 * the package is opened. It is not a Blob: in a private window of Chromium, a Blob in IndexedDB was
 * missing after a reload of the page in two of three runs.
 */
export type PackageFile = ArrayBuffer;

const packageKey = (identifier: string): string => `package:${identifier}`;
const fileKey = (identifier: string): string => `file:${identifier}`;

/**
 * Opens the store of downloaded packages in IndexedDB, by the identifiers of their translations. A
 * package and its file are replaced in one transaction, and several tabs may read them at once.
 */
export function openPackageStore() {
  const store = createStore('lectern-reader', 'packages');
  return {
    /** Returns null if the translation is not stored. */
    find: async (identifier: string): Promise<StoredPackage | null> =>
      (await get<StoredPackage>(packageKey(identifier), store).catch(rejectUnavailable)) ?? null,
    /** Returns the file of a stored package. Returns null if the translation is not stored. */
    readFile: async (identifier: string): Promise<PackageFile | null> =>
      (await get<PackageFile>(fileKey(identifier), store).catch(rejectUnavailable)) ?? null,
    /** Returns all packages, sorted by the identifiers of their translations. */
    async list(): Promise<StoredPackage[]> {
      const names = await keys<string>(store).catch(rejectUnavailable);
      const packages = names.filter((name) => name.startsWith(packageKey('')));
      const found = await getMany<StoredPackage | undefined>(packages, store).catch(rejectUnavailable);
      return found.filter((stored) => stored !== undefined);
    },
    /** Stores a package and its file, in place of those that the translation had. */
    async put(stored: StoredPackage, file: PackageFile): Promise<void> {
      const { identifier } = stored.translation;
      try {
        const entries: [string, unknown][] = [
          [packageKey(identifier), stored],
          [fileKey(identifier), file],
        ];
        await setMany(entries, store);
      } catch (error) {
        if (isQuotaError(error)) throw offlineErrors.storageFull(stored.offer.sizeBytes, error);
        rejectUnavailable(error);
      }
    },
    remove: (identifier: string): Promise<void> =>
      delMany([packageKey(identifier), fileKey(identifier)], store).catch(rejectUnavailable),
  };
}

export type PackageStore = ReturnType<typeof openPackageStore>;

const isQuotaError = (error: unknown): boolean => error instanceof Error && error.name === 'QuotaExceededError';

function rejectUnavailable(error: unknown): never {
  throw offlineErrors.storageUnavailable(error);
}
