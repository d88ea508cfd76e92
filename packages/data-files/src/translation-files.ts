import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import {
  type CatalogueKey,
  type CatalogueRow,
  catalogueFile,
  datasetVersionOf,
  type OpenCatalogue,
  openCatalogue,
} from './catalogue';
import { ifUsable, isChecksummedFileError, type Manifest } from './errors';
import type { TranslationFileKind } from './folder';
import { createVerifiedFile, type VerifiedFile, watchReplacedFile } from './verified-file';

export interface TranslationFilesOptions<Entry, Content> {
  dataDir: string;
  kind: TranslationFileKind;
  toEntry: (row: CatalogueRow) => Entry;
  /** Reads from an open file what requests need. `bytes` is the memory of `content`. */
  readContent: (db: Database.Database, entry: Entry, manifest: Manifest) => { content: Content; bytes: number };
  /** The cache of open files, one for all kinds of files of a process. By default a new one. */
  memory?: TranslationFileCache | undefined;
  /** Receives one line when a translation cannot be served, or a new catalogue cannot be read. */
  report?: ((line: string) => void) | undefined;
  onStatement?: ((statement: string) => void) | undefined;
  /** Whether an unusable catalogue counts as empty, for a service without translations. */
  isOptional?: boolean;
  /** The translations that are listed, for a process that needs only a few. By default all. */
  only?: readonly string[] | undefined;
}

/** A translation of the catalogue. This object is the key of its open file in the cache. */
interface Listed<Entry> {
  readonly key: CatalogueKey;
  /** Parses the entry at the first call. Throws a ChecksummedFileError if it is damaged. */
  readonly entry: () => Entry;
  readonly file: VerifiedFile;
}

/** The estimated memory of an SQLite connection with its prepared statements, in bytes. */
const bytesPerConnection = 350_000;

/** The allocator (glibc) keeps about a third of the memory in use after files close. */
const bytesPerUsedByte = 4 / 3;

/** One step takes about a millisecond. */
const entriesPerStep = 10;

/** SQLite reports too many open files as SQLITE_CANTOPEN. */
export const isTooManyOpenFiles = (error: unknown): boolean =>
  ['EMFILE', 'ENFILE', 'SQLITE_CANTOPEN'].includes(String((error as { code?: unknown }).code));

/**
 * Opens the translations of one subgraph. Reads the catalogue and the header of each file at once,
 * and opens the file of a translation when it is first used. Notices within a second that the
 * catalogue was replaced, and then serves new and replaced translations, and no removed ones.
 * Reports a translation whose file cannot be used, does not list it, and serves the others. Throws
 * a ChecksummedFileError if the catalogue, or every file of the catalogue, cannot be used, unless
 * `isOptional` is true.
 */
export function openTranslationFiles<Entry extends object, Content>({
  dataDir,
  kind,
  toEntry,
  readContent,
  memory = createTranslationFileCache({ maxBytes: defaultTranslationsMemoryBytes }),
  report = () => undefined,
  onStatement,
  isOptional = false,
  only,
}: TranslationFilesOptions<Entry, Content>) {
  /** Null if there is no usable catalogue at the start. */
  let catalogue: OpenCatalogue | null = null;
  let listed = new Map<string, Listed<Entry>>();
  /** The entries of `listed`. Null until they are used for the first time after a change. */
  let entries: readonly Entry[] | null = null;
  let digests: ReadonlyMap<string, string> = new Map();
  let version = '';
  /** The files that cannot be used. A new catalogue does not list them again. */
  let unavailable = new Map<string, VerifiedFile>();
  const listeners: (() => void)[] = [];

  function withdraw(identifier: string, file: VerifiedFile, error: Error): void {
    unavailable.set(identifier, file);
    report(`${identifier} is not served: ${error.message}`);
  }

  /**
   * Replaces the listed translations. An unchanged one keeps its open file and is not checked
   * again. Returns the first error if no translation can be used.
   */
  function load(next: OpenCatalogue | null): Error | null {
    const keys = next?.keys ?? [];
    const nextListed = new Map<string, Listed<Entry>>();
    let firstError: Error | null = null;
    const withdrawn = unavailable;
    unavailable = new Map();
    for (const key of keys) {
      const { identifier } = key;
      const before = listed.get(identifier);
      if (before?.key.checksum === key.checksum && before.key.textDigest === key.textDigest) {
        nextListed.set(identifier, before);
        continue;
      }
      const file = withdrawn.get(identifier) ?? createVerifiedFile(dataDir, kind, identifier);
      let parsed: Entry | null = null;
      // Each catalogue that lists the same file has the same entry.
      const entry = () => (parsed ??= toEntry({ ...key, entry: catalogue?.readEntry(identifier) ?? '' }));
      try {
        file.check();
        nextListed.set(identifier, { key, entry, file });
      } catch (error) {
        if (!isChecksummedFileError(error)) {
          unavailable = withdrawn;
          next?.close();
          throw error;
        }
        firstError ??= error;
        withdraw(identifier, file, error);
      }
    }
    for (const [identifier, each] of listed) if (nextListed.get(identifier) !== each) memory.remove(each);
    catalogue?.close();
    catalogue = next;
    listed = nextListed;
    digests = new Map(keys.map(({ identifier, textDigest }) => [identifier, textDigest]));
    entries = null;
    version = datasetVersionOf(keys);
    return listed.size === 0 ? firstError : null;
  }

  function openFile(each: Listed<Entry>): Content {
    for (;;) {
      let db: Database.Database | undefined;
      try {
        const opened = each.file.open(onStatement);
        ({ db } = opened);
        const { content, bytes } = readContent(db, each.entry(), opened.manifest);
        memory.add(each, {
          fileName: kind.fileName,
          content,
          bytes: Math.round(bytes * bytesPerUsedByte) + bytesPerConnection,
          close: () => opened.db.close(),
        });
        return content;
      } catch (error) {
        db?.close();
        // The next request for the closed file opens it again.
        if (isTooManyOpenFiles(error) && memory.closeOldest()) continue;
        throw error;
      }
    }
  }

  /** Returns null if there is no such translation, or after withdrawing one that cannot be used. */
  function readOrWithdraw<Value>(identifier: string, read: (each: Listed<Entry>) => Value): Value | null {
    const each = listed.get(identifier);
    if (!each) return null;
    try {
      return read(each);
    } catch (error) {
      if (!isChecksummedFileError(error)) throw error;
      // This translation may have been removed or replaced since the catalogue was last checked.
      if (watch.checkNow()) return readOrWithdraw(identifier, read);
      listed.delete(identifier);
      entries = null;
      withdraw(identifier, each.file, error);
      return null;
    }
  }

  const contentOf = (each: Listed<Entry>): Content => {
    const open = memory.get(each);
    return open ? (open.content as Content) : openFile(each);
  };
  const find = (identifier: string): Entry | null => readOrWithdraw(identifier, ({ entry }) => entry());

  function allEntries(): readonly Entry[] {
    if (entries) return entries;
    const before = listed;
    const found = [...listed.keys()].flatMap((identifier) => find(identifier) ?? []);
    // If `find` has loaded a new catalogue, `found` may lack translations.
    if (listed !== before) return allEntries();
    entries = found;
    return entries;
  }

  /** Returns false if the process has too many open files, so that the next check tries again. */
  function reload(): boolean {
    try {
      load(openCatalogue(dataDir, kind, only));
    } catch (error) {
      const isTemporary = isTooManyOpenFiles(error);
      if (!isTemporary && !isChecksummedFileError(error)) throw error;
      report(`the translations stay as they were: ${(error as Error).message}`);
      return !isTemporary;
    }
    for (const listener of listeners) listener();
    return true;
  }

  /** False for a closed file to verify. Looking at an open file took 5 % of a search. */
  function isVerified(identifier: string): boolean {
    const each = listed.get(identifier);
    return !each || Boolean(memory.get(each)) || each.file.isVerified();
  }

  function close(): void {
    watch.close();
    catalogue?.close();
    for (const each of listed.values()) memory.remove(each);
  }

  const watch = watchReplacedFile(catalogueFile(dataDir, kind), reload);
  try {
    const open = () => openCatalogue(dataDir, kind, only);
    const error = load(isOptional ? ifUsable(open) : open());
    if (error && !isOptional) throw error;
  } catch (error) {
    close();
    throw error;
  }

  return {
    /** The entries of the translations that are served, sorted by identifier. */
    entries: allEntries,
    /** Parses the entries, and yields between short steps. Parsing 1,000 entries takes 100 ms. */
    *parseEntriesInSteps(): Generator<void, void> {
      if (entries) return;
      for (const [index, identifier] of [...listed.keys()].entries()) {
        if (index % entriesPerStep === 0) yield;
        find(identifier);
      }
    },
    find,
    /**
     * Returns the content of a translation's file, and opens the file if it is closed. Callers must
     * not keep the content while they await something.
     */
    use: (identifier: string): Content | null => readOrWithdraw(identifier, contentOf),
    isVerified,
    /**
     * Verifies the file of a translation unless `isVerified`, and yields between short steps.
     * Otherwise `use` verifies it at once, in up to 20 ms.
     */
    *verifyInSteps(identifier: string): Generator<void, void> {
      if (!isVerified(identifier)) yield* listed.get(identifier)?.file.verifyInSteps() ?? [];
    },
    /** The digest of the text of each translation in the catalogue. */
    translationDigests: (): ReadonlyMap<string, string> => digests,
    /** The digest of all texts of the catalogue. */
    datasetVersion: (): string => version,
    /** The identifiers of translations in the catalogue whose files cannot be used. */
    unavailable: (): readonly string[] => [...unavailable.keys()],
    /** Calls the listener after each new catalogue. */
    onChange: (listener: () => void): void => void listeners.push(listener),
    close,
  };
}

export type TranslationFiles<Entry extends object, Content> = ReturnType<typeof openTranslationFiles<Entry, Content>>;

interface OpenTranslationFile {
  /** The kind of file, such as `text` or `search`. */
  readonly fileName: string;
  readonly content: unknown;
  /** The memory that the open file takes, in bytes, as an estimate. */
  readonly bytes: number;
  close(): void;
}

interface TranslationFileCacheOptions {
  maxBytes: number;
  onOpened?: (fileName: string) => void;
  onClosed?: (fileName: string) => void;
}

export const defaultTranslationsMemoryBytes = 256 * 1024 * 1024;

/** The open translation files of a process, closed by least recent use beyond `maxBytes`. */
export function createTranslationFileCache({ maxBytes, onOpened, onClosed }: TranslationFileCacheOptions) {
  const files = new LRUCache<object, OpenTranslationFile>({
    maxSize: maxBytes,
    // LRUCache would not store an item larger than `maxSize`. This stores it and closes all others.
    sizeCalculation: ({ bytes }) => Math.min(bytes, maxBytes),
    dispose(file) {
      file.close();
      onClosed?.(file.fileName);
    },
  });

  return {
    /** Returns an open file and marks it as used now. `key` is the object that `add` received. */
    get: (key: object): OpenTranslationFile | undefined => files.get(key),
    add(key: object, file: OpenTranslationFile): void {
      files.set(key, file);
      onOpened?.(file.fileName);
    },
    remove: (key: object): void => void files.delete(key),
    /** Closes the least recently used file. Returns false if no file is open. */
    closeOldest: (): boolean => files.pop() !== undefined,
    /** The number of open files of each kind and their memory in bytes. */
    usage(): ReadonlyMap<string, { open: number; bytes: number }> {
      const usage = new Map<string, { open: number; bytes: number }>();
      for (const { fileName, bytes } of files.values()) {
        const { open, bytes: sum } = usage.get(fileName) ?? { open: 0, bytes: 0 };
        usage.set(fileName, { open: open + 1, bytes: sum + bytes });
      }
      return usage;
    },
  };
}

export type TranslationFileCache = ReturnType<typeof createTranslationFileCache>;
