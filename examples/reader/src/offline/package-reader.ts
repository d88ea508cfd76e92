import sqlite3InitModule, { type Database, type Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import type { Book, Chapter, SearchPage } from '../api';
import { offlineErrors } from './offline-error-messages';
import { openPackage } from './open-package';
import { openPackageStore, type StoredPackage } from './package-store';
import { readBooks, readChapter } from './read-package';
import { type PackageSearch, searchPackage } from './search-package';

/**
 * The maximum number of open packages: two that are shown side by side, and the one before them, so
 * that it need not be unpacked again if the user goes back to it.
 */
const maxOpenPackages = 3;

/**
 * Creates the functions that read the stored packages with SQLite. They run in a web worker, so
 * that the page does not wait for SQLite. Every function rejects with an `OfflineError` if the
 * translation is not stored, or if its file is damaged.
 */
export function createPackageReader() {
  const store = openPackageStore();
  /** The open packages by their digests. The most recently used package is the last. */
  const opened = new Map<string, Database>();
  let sqlite: Promise<Sqlite3Static> | undefined;
  let previous: Promise<unknown> = Promise.resolve();

  /**
   * Calls `read` with an open package. Calls run one after another, so that no call closes a
   * package in use.
   */
  function withPackage<Value>(
    identifier: string,
    read: (db: Database, stored: StoredPackage) => Value,
  ): Promise<Value> {
    const run = async (): Promise<Value> => {
      const stored = await store.find(identifier);
      if (stored === null) throw offlineErrors.notStored(identifier);
      return read(await open(stored), stored);
    };
    const result = previous.then(run, run);
    previous = result;
    return result;
  }

  /**
   * Opens the package, unless it is open already. A package that was updated has another digest and
   * is opened again.
   */
  async function open(stored: StoredPackage): Promise<Database> {
    const { sha256 } = stored.offer;
    sqlite ??= sqlite3InitModule().catch((error: unknown) => {
      throw offlineErrors.readerNotLoaded(error);
    });
    const db =
      opened.get(sha256) ??
      (await openPackage(await sqlite, stored, await store.readFile(stored.translation.identifier)));
    opened.delete(sha256);
    opened.set(sha256, db);
    const [oldest] = opened;
    if (opened.size > maxOpenPackages && oldest) {
      opened.delete(oldest[0]);
      oldest[1].close();
    }
    return db;
  }

  return {
    books: (identifier: string): Promise<Book[]> => withPackage(identifier, readBooks),
    chapter: (identifier: string, book: string, chapter: number): Promise<Chapter> =>
      withPackage(identifier, (db, stored) => readChapter(db, stored, book, chapter)),
    search: (identifier: string, search: PackageSearch): Promise<SearchPage> =>
      withPackage(identifier, (db) => searchPackage(db, identifier, search)),
  };
}

export type PackageReader = ReturnType<typeof createPackageReader>;
