import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import {
  type CatalogueKey,
  type CatalogueRow,
  catalogueFile,
  datasetVersionOf,
  type OpenCatalogue,
  openCatalogue,
  restrictedMark,
} from './catalogue';
import { checksummedFileError, ifUsable, isChecksummedFileError, type Manifest } from './errors';
import { type TranslationFileKind, translationFile } from './folder';
import { createVerifiedFile, type VerifiedFile, watchReplacedFile } from './verified-file';

export interface TranslationFilesOptions<Entry, Content> {
  dataDir: string;
  kind: TranslationFileKind;
  toEntry: (row: CatalogueRow) => Entry;
  /** Reads the data that requests need from an open file. `bytes` is the estimated memory of `content`. */
  readContent: (db: Database.Database, entry: Entry, manifest: Manifest) => { content: Content; bytes: number };
  /** The cache of open files. All kinds of files in a process should share one cache. By default a new cache. */
  memory?: TranslationFileCache | undefined;
  /** Receives one line when a translation cannot be served, or when a new catalogue cannot be read. */
  report?: ((line: string) => void) | undefined;
  onStatement?: ((statement: string) => void) | undefined;
  /** Whether the service can run without translations. If true, an unusable catalogue counts as an empty one. */
  isOptional?: boolean;
  /** The identifiers of the translations to list, for a process that needs only a few. By default all are listed. */
  only?: readonly string[] | undefined;
}

/** A translation of the catalogue that is served. This object is also the key of its open file in the cache. */
interface Listed<Entry> {
  readonly key: CatalogueKey;
  /** Returns the entry, which is parsed at the first call. Throws a ChecksummedFileError if the entry is damaged. */
  readonly entry: () => Entry;
  readonly file: VerifiedFile;
}

/** The estimated memory of an SQLite connection with its prepared statements, in bytes. */
const bytesPerConnection = 350_000;

/** glibc keeps some memory of closed files: the process takes up to 4/3 of the memory in use. */
const bytesPerUsedByte = 4 / 3;

/** The number of entries that are parsed, in about a millisecond, before other requests may run. */
const entriesPerStep = 10;

/** Returns whether the process has too many open files. SQLite reports this as SQLITE_CANTOPEN. */
export const isTooManyOpenFiles = (error: unknown): boolean =>
  ['EMFILE', 'ENFILE', 'SQLITE_CANTOPEN'].includes(String((error as { code?: unknown }).code));

/**
 * Opens the translations of one subgraph. Reads the catalogue and the header of each file at once, and opens a file
 * at its first use. Within a second after the catalogue is replaced, serves the translations of the new catalogue. A
 * translation with an unusable file is reported and not served. Throws a ChecksummedFileError if the catalogue or
 * every file is unusable, unless `isOptional` is true.
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
  /** The catalogue. Null if no catalogue was usable at the start. */
  let catalogue: OpenCatalogue | null = null;
  let listed = new Map<string, Listed<Entry>>();
  /** The entries of all translations in `listed`. Null between a change of `listed` and the next use. */
  let entries: readonly Entry[] | null = null;
  let digests: ReadonlyMap<string, string> = new Map();
  let restricted: ReadonlySet<string> = new Set();
  let version = '';
  /** The unusable files, by identifier. They stay unusable if a new catalogue lists the same files. */
  let unavailable = new Map<string, VerifiedFile>();
  const listeners: (() => void)[] = [];

  const reportUnusable = (identifier: string, { message }: Error) => report(`${identifier} is not served: ${message}`);

  /** Replaces the served translations. Keeps unchanged files open. Returns the first error if none is usable. */
  function load(next: OpenCatalogue | null): Error | null {
    const keys = next?.keys ?? [];
    const nextListed = new Map<string, Listed<Entry>>();
    const nextUnavailable = new Map<string, VerifiedFile>();
    let firstError: Error | null = null;
    for (const key of keys) {
      const { identifier } = key;
      const before = listed.get(identifier);
      if (before?.key.checksum === key.checksum && before.key.textDigest === key.textDigest) {
        nextListed.set(identifier, before);
        continue;
      }
      const file = unavailable.get(identifier) ?? createVerifiedFile(dataDir, kind, identifier);
      let parsed: Entry | null = null;
      // The entry is parsed only once, because later catalogues have the same entry for the same file.
      const entry = () => (parsed ??= toEntry({ ...key, entry: catalogue?.readEntry(identifier) ?? '' }));
      try {
        file.check();
        nextListed.set(identifier, { key, entry, file });
      } catch (error) {
        if (!isChecksummedFileError(error)) {
          next?.close();
          throw error;
        }
        firstError ??= error;
        nextUnavailable.set(identifier, file);
        reportUnusable(identifier, error);
      }
    }
    for (const [identifier, each] of listed) if (nextListed.get(identifier) !== each) memory.remove(each);
    catalogue?.close();
    catalogue = next;
    listed = nextListed;
    unavailable = nextUnavailable;
    digests = new Map(keys.map(({ identifier, textDigest }) => [identifier, textDigest]));
    restricted = next?.restricted ?? new Set();
    entries = null;
    version = datasetVersionOf(keys);
    return listed.size === 0 ? firstError : null;
  }

  /**
   * Throws a ChecksummedFileError if a file is restricted and the catalogue does not say so. A writer replaces the file
   * before the catalogue, and until then views without rights would read the text.
   */
  function checkRestriction({ key: { identifier } }: Listed<Entry>, manifest: Manifest): void {
    if (restricted.has(identifier) || !manifest.get('entry')?.includes(restrictedMark)) return;
    throw checksummedFileError(
      `${translationFile(dataDir, kind, identifier)} is restricted, and its catalogue does not say so yet: run \`npm run data\` if no command is writing it`,
    );
  }

  function openFile(each: Listed<Entry>): Content {
    for (;;) {
      let db: Database.Database | undefined;
      try {
        const opened = each.file.open(onStatement);
        ({ db } = opened);
        checkRestriction(each, opened.manifest);
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
        // Tries again without the least recently used file, which is opened again when a request needs it.
        if (isTooManyOpenFiles(error) && memory.closeOldest()) continue;
        throw error;
      }
    }
  }

  /**
   * Reads from a translation. Returns null if it does not exist, is not shown, or its file is unusable. `isShown` is
   * called again after a change of the catalogue, which may have made the translation restricted.
   */
  function readOrWithdraw<Value>(
    identifier: string,
    read: (each: Listed<Entry>) => Value,
    isShown: (identifier: string) => boolean = () => true,
  ): Value | null {
    const each = listed.get(identifier);
    if (!each || !isShown(identifier)) return null;
    try {
      return read(each);
    } catch (error) {
      if (!isChecksummedFileError(error)) throw error;
      // Tries again if the catalogue has changed, because the translation may have been removed or replaced.
      if (watch.checkNow()) return readOrWithdraw(identifier, read, isShown);
      listed.delete(identifier);
      entries = null;
      unavailable.set(identifier, each.file);
      reportUnusable(identifier, error);
      return null;
    }
  }

  const contentOf = (each: Listed<Entry>): Content => {
    const open = memory.get(each);
    return open ? (open.content as Content) : openFile(each);
  };
  const entryOf = ({ entry }: Listed<Entry>): Entry => entry();
  const find = (identifier: string): Entry | null => readOrWithdraw(identifier, entryOf);

  function allEntries(): readonly Entry[] {
    if (entries) return entries;
    const before = listed;
    const found = [...listed.keys()].flatMap((identifier) => find(identifier) ?? []);
    // `find` has loaded a new catalogue, so `found` may lack translations. All entries are read again.
    if (listed !== before) return allEntries();
    entries = found;
    return entries;
  }

  /** Loads the new catalogue. Returns false to try again later, if too many files are open. */
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

  /** Whether the next use verifies nothing. Open files count: checking again took 5 % of a search. */
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

  const files = {
    /** The entries of the translations that are served, sorted by identifier. */
    entries: allEntries,
    /** Parses the entries (1,000 in 100 ms), and yields between short steps for other requests. */
    *parseEntriesInSteps(): Generator<void, void> {
      if (entries) return;
      for (const [index, identifier] of [...listed.keys()].entries()) {
        if (index % entriesPerStep === 0) yield;
        find(identifier);
      }
    },
    find,
    /** Returns a file's content, or null. Call it again after each `await`, which may close the file. */
    use: (identifier: string): Content | null => readOrWithdraw(identifier, contentOf),
    isVerified,
    /** Verifies a file in short steps. Without it, `use` verifies in one step of up to 20 ms. */
    *verifyInSteps(identifier: string): Generator<void, void> {
      if (!isVerified(identifier)) yield* listed.get(identifier)?.file.verifyInSteps() ?? [];
    },
    /** The digest of each translation's text, by identifier. */
    translationDigests: (): ReadonlyMap<string, string> => digests,
    /** The dataset version: a digest of all texts in the catalogue. */
    datasetVersion: (): string => version,
    /** The identifiers of the translations in the catalogue whose files are unusable. */
    unavailable: (): readonly string[] => [...unavailable.keys()],
    /** Registers a function that is called after each change of the catalogue. */
    onChange: (listener: () => void): void => void listeners.push(listener),
    /** The identifiers of the translations that only callers with rights may read. */
    restricted: (): ReadonlySet<string> => restricted,
    close,
  };

  return {
    ...files,
    /** Returns the same files, without the restricted translations except those in `granted`. */
    withRights(granted: ReadonlySet<string>): typeof files {
      const isShown = (identifier: string): boolean => !restricted.has(identifier) || granted.has(identifier);
      const findShown = (identifier: string): Entry | null => readOrWithdraw(identifier, entryOf, isShown);
      return {
        ...files,
        entries() {
          const all = restricted.size === 0 ? allEntries() : [];
          // `allEntries` may have loaded a new catalogue, with restricted translations.
          return restricted.size === 0 ? all : [...listed.keys()].flatMap((each) => findShown(each) ?? []);
        },
        find: findShown,
        use: (identifier) => readOrWithdraw(identifier, contentOf, isShown),
        // Verifying takes time, which would reveal that a hidden translation exists.
        *verifyInSteps(identifier) {
          if (isShown(identifier)) yield* files.verifyInSteps(identifier);
        },
        translationDigests: () =>
          restricted.size === 0 ? digests : new Map([...digests].filter(([identifier]) => isShown(identifier))),
        unavailable: () => files.unavailable().filter(isShown),
      };
    },
  };
}

/** The translations that a request may read. */
export type TranslationFiles<Entry extends object, Content> = ReturnType<
  ReturnType<typeof openTranslationFiles<Entry, Content>>['withRights']
>;

interface OpenTranslationFile {
  /** The kind of file, such as `text` or `search`. */
  readonly fileName: string;
  readonly content: unknown;
  /** The estimated memory of the open file. */
  readonly bytes: number;
  close(): void;
}

interface TranslationFileCacheOptions {
  maxBytes: number;
  onOpened?: (fileName: string) => void;
  onClosed?: (fileName: string) => void;
}

export const defaultTranslationsMemoryBytes = 256 * 1024 * 1024;

/** Creates the cache of open files. Above `maxBytes` it closes the least recently used ones. */
export function createTranslationFileCache({ maxBytes, onOpened, onClosed }: TranslationFileCacheOptions) {
  const files = new LRUCache<object, OpenTranslationFile>({
    maxSize: maxBytes,
    // LRUCache does not store an item larger than `maxSize`. With the size limited, it stores a large file and evicts
    // all others.
    sizeCalculation: ({ bytes }) => Math.min(bytes, maxBytes),
    dispose(file) {
      file.close();
      onClosed?.(file.fileName);
    },
  });

  return {
    /** Returns an open file and marks it as used. `key` is the object that was passed to `add`. */
    get: (key: object): OpenTranslationFile | undefined => files.get(key),
    add(key: object, file: OpenTranslationFile): void {
      files.set(key, file);
      onOpened?.(file.fileName);
    },
    remove: (key: object): void => void files.delete(key),
    /** Closes the least recently used file. Returns false if no file is open. */
    closeOldest: (): boolean => files.pop() !== undefined,
    /** Returns how many files are open and how many bytes of memory they take, for each kind of file. */
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
