import { createStore, del, entries, get, set } from 'idb-keyval';
import type { Translation } from '../api';
import type { OfferedPackage } from './offered-packages';
import { offlineErrors } from './offline-error';

/** A downloaded package. The file stays gzipped: its digest is compared each time it is opened. */
export interface StoredPackage {
  readonly translation: Translation;
  readonly offer: OfferedPackage;
  readonly file: Blob;
}

/**
 * The downloaded packages in IndexedDB, by the identifier of their translation. IndexedDB replaces a package as a whole
 * or not at all, and several tabs may read it at once.
 */
export function openPackageStore() {
  const store = createStore('lectern-reader', 'packages');
  return {
    /** Returns null if the translation is not stored. The file is read from the disk only when it is used. */
    find: async (identifier: string): Promise<StoredPackage | null> =>
      (await get<StoredPackage>(identifier, store).catch(rejectUnavailable)) ?? null,
    /** Returns all packages, sorted by the identifier of their translation. */
    async list(): Promise<StoredPackage[]> {
      const found = await entries<string, StoredPackage>(store).catch(rejectUnavailable);
      return found.map(([, stored]) => stored);
    },
    /** Stores a package, in place of the one that the translation had. */
    async put(stored: StoredPackage): Promise<void> {
      try {
        await set(stored.translation.identifier, stored, store);
      } catch (error) {
        if (isQuotaError(error)) throw offlineErrors.storageFull(stored.offer.sizeBytes, error);
        rejectUnavailable(error);
      }
    },
    remove: (identifier: string): Promise<void> => del(identifier, store).catch(rejectUnavailable),
  };
}

export type PackageStore = ReturnType<typeof openPackageStore>;

const isQuotaError = (error: unknown): boolean => error instanceof Error && error.name === 'QuotaExceededError';

function rejectUnavailable(error: unknown): never {
  throw offlineErrors.storageUnavailable(error);
}
