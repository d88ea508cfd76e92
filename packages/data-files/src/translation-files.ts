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
 * Reads the catalogue and the header of each file at once, and opens a file at its first use. Within a second after the
 * catalogue is replaced, serves the new one. Reports a translation with an unusable file, and does not serve it. Throws
 * a ChecksummedFileError if the catalogue or every file is unusable, unless `isOptional` is true.
 */
export function openTranslationFiles<Entry extends object, Content>(options: TranslationFilesOptions<Entry, Content>) {
  const { memory = createTranslationFileCache({ maxBytes: defaultTranslationsMemoryBytes }) } = options;
  const { listing, checkNow, withdraw, onChange, close } = watchListing(options, memory);
  const isRestricted = (identifier: string): boolean => listing().restricted.has(identifier);
  const contentOf = createContentReader(options, memory, isRestricted);
  const entryOf = ({ entry }: Listed<Entry>): Entry => entry();

  /** Null if missing, not shown or unusable. Calls `isShown` again after a new catalogue, which may restrict it. */
  function readOrWithdraw<Value>(
    identifier: string,
    read: (each: Listed<Entry>) => Value,
    isShown: (identifier: string) => boolean,
  ): Value | null {
    const each = listing().listed.get(identifier);
    if (!each || !isShown(identifier)) return null;
    try {
      return read(each);
    } catch (error) {
      if (!isChecksummedFileError(error)) throw error;
      // Tries again if the catalogue has changed, because the translation may have been removed or replaced.
      if (checkNow()) return readOrWithdraw(identifier, read, isShown);
      withdraw(each, error);
      return null;
    }
  }

  function allEntries(): readonly Entry[] {
    const before = listing();
    if (before.entries) return before.entries;
    const found = [...before.listed.keys()].flatMap((each) => readOrWithdraw(each, entryOf, () => true) ?? []);
    // The listing has changed, so `found` may lack translations. All entries are read again.
    if (listing() !== before) return allEntries();
    before.entries = found;
    return found;
  }

  /** Whether the next use verifies nothing. Open files count: checking again took 5 % of a search. */
  function isVerified(identifier: string): boolean {
    const each = listing().listed.get(identifier);
    return !each || Boolean(memory.get(each)) || each.file.isVerified();
  }

  /** Returns the files without the restricted translations except those in `granted`. Null stands for all. */
  function view(granted: ReadonlySet<string> | null) {
    const hasHidden = (): boolean => granted !== null && listing().restricted.size > 0;
    const isShown = (identifier: string): boolean =>
      granted === null || !isRestricted(identifier) || granted.has(identifier);
    const find = (identifier: string): Entry | null => readOrWithdraw(identifier, entryOf, isShown);
    return {
      /** The entries of the translations that are served, sorted by identifier. */
      entries(): readonly Entry[] {
        const all = hasHidden() ? [] : allEntries();
        // `allEntries` may have loaded a new catalogue, with restricted translations.
        return hasHidden() ? [...listing().listed.keys()].flatMap((each) => find(each) ?? []) : all;
      },
      /** Parses the entries (1,000 in 100 ms), and yields between short steps for other requests. */
      *parseEntriesInSteps(): Generator<void, void> {
        const { entries, listed } = listing();
        if (entries) return;
        for (const [index, identifier] of [...listed.keys()].entries()) {
          if (index % entriesPerStep === 0) yield;
          find(identifier);
        }
      },
      find,
      /** Returns a file's content, or null. Call it again after each `await`, which may close the file. */
      use: (identifier: string): Content | null => readOrWithdraw(identifier, contentOf, isShown),
      isVerified,
      /** Verifies a file in short steps. Without it, `use` verifies in one step of up to 20 ms. */
      *verifyInSteps(identifier: string): Generator<void, void> {
        // Verifying takes time, which would reveal that a hidden translation exists.
        if (isShown(identifier) && !isVerified(identifier))
          yield* listing().listed.get(identifier)?.file.verifyInSteps() ?? [];
      },
      /** The digest of each translation's text, by identifier. */
      translationDigests(): ReadonlyMap<string, string> {
        const { digests } = listing();
        return hasHidden() ? new Map([...digests].filter(([identifier]) => isShown(identifier))) : digests;
      },
      /** The dataset version: a digest of all texts in the catalogue. */
      datasetVersion: (): string => listing().version,
      /** The identifiers of the translations in the catalogue whose files are unusable. */
      unavailable: (): readonly string[] => [...listing().unavailable.keys()].filter(isShown),
      onChange,
      /** The identifiers of the translations that only callers with rights may read. */
      restricted: (): ReadonlySet<string> => listing().restricted,
      close,
    };
  }

  return { ...view(null), withRights: (granted: ReadonlySet<string>) => view(granted) };
}

/** The translations that a request may read. */
export type TranslationFiles<Entry extends object, Content> = ReturnType<
  ReturnType<typeof openTranslationFiles<Entry, Content>>['withRights']
>;

/** A translation of the catalogue that is served. This object is also the key of its open file in the cache. */
interface Listed<Entry> {
  readonly key: CatalogueKey;
  /** Returns the entry, which is parsed at the first call. Throws a ChecksummedFileError if the entry is damaged. */
  readonly entry: () => Entry;
  readonly file: VerifiedFile;
}

interface Listing<Entry> {
  /** Null if no catalogue was usable at the start. */
  readonly catalogue: OpenCatalogue | null;
  readonly listed: Map<string, Listed<Entry>>;
  /** The unusable files, by identifier. They stay unusable if a new catalogue lists the same files. */
  readonly unavailable: Map<string, VerifiedFile>;
  /** The entries of `listed`. Null before the first use, and after a translation has been withdrawn. */
  entries: readonly Entry[] | null;
  readonly digests: ReadonlyMap<string, string>;
  readonly restricted: ReadonlySet<string>;
  readonly version: string;
}

/** Lists the translations of the catalogue, and lists them again when the catalogue is replaced. */
function watchListing<Entry>(options: TranslationFilesOptions<Entry, unknown>, memory: TranslationFileCache) {
  const { dataDir, kind, toEntry, isOptional = false, only, report = () => undefined } = options;
  const nothing = { listed: new Map(), unavailable: new Map(), digests: new Map(), restricted: new Set<string>() };
  let listing: Listing<Entry> = { catalogue: null, ...nothing, entries: null, version: '' };
  const listeners: (() => void)[] = [];
  const open = () => openCatalogue(dataDir, kind, only);

  const reportUnusable = (identifier: string, { message }: Error) => report(`${identifier} is not served: ${message}`);

  /** Replaces the listing. Unchanged translations stay the same objects, so that their files stay open. */
  function load(next: OpenCatalogue | null): void {
    const keys = next?.keys ?? [];
    const listed = new Map<string, Listed<Entry>>();
    const unavailable = new Map<string, VerifiedFile>();
    for (const key of keys) {
      const { identifier } = key;
      const before = listing.listed.get(identifier);
      if (before?.key.checksum === key.checksum && before.key.textDigest === key.textDigest) {
        listed.set(identifier, before);
        continue;
      }
      const file = listing.unavailable.get(identifier) ?? createVerifiedFile(dataDir, kind, identifier);
      let parsed: Entry | null = null;
      // The entry is parsed only once, because later catalogues have the same entry for the same file.
      const entry = () => (parsed ??= toEntry({ ...key, entry: listing.catalogue?.readEntry(identifier) ?? '' }));
      try {
        file.check();
        listed.set(identifier, { key, entry, file });
      } catch (error) {
        if (!isChecksummedFileError(error)) {
          next?.close();
          throw error;
        }
        unavailable.set(identifier, file);
        reportUnusable(identifier, error);
      }
    }
    for (const [identifier, each] of listing.listed) if (listed.get(identifier) !== each) memory.remove(each);
    listing.catalogue?.close();
    const digests = new Map(keys.map(({ identifier, textDigest }) => [identifier, textDigest]));
    const { restricted } = next ?? nothing;
    const version = datasetVersionOf(keys);
    listing = { catalogue: next, listed, unavailable, entries: null, digests, restricted, version };
  }

  /** Loads the new catalogue. Returns false to try again later, if too many files are open. */
  function reload(): boolean {
    try {
      load(open());
    } catch (error) {
      const isTemporary = isTooManyOpenFiles(error);
      if (!isTemporary && !isChecksummedFileError(error)) throw error;
      report(`the translations stay as they were: ${(error as Error).message}`);
      return !isTemporary;
    }
    for (const listener of listeners) listener();
    return true;
  }

  const watch = watchReplacedFile(catalogueFile(dataDir, kind), reload);
  function close(): void {
    watch.close();
    listing.catalogue?.close();
    for (const each of listing.listed.values()) memory.remove(each);
  }

  try {
    load(isOptional ? ifUsable(open) : open());
    // If no file is usable, throws the error of the first.
    if (!isOptional && listing.listed.size === 0) for (const file of listing.unavailable.values()) file.check();
  } catch (error) {
    close();
    throw error;
  }

  return {
    listing: (): Listing<Entry> => listing,
    /** Lists the translations again at once if the catalogue was replaced. Returns whether it did. */
    checkNow: watch.checkNow,
    /** Stops serving a translation, because its file turns out to be unusable. */
    withdraw({ key: { identifier }, file }: Listed<Entry>, error: Error): void {
      listing.listed.delete(identifier);
      listing.entries = null;
      listing.unavailable.set(identifier, file);
      reportUnusable(identifier, error);
    },
    /** Registers a function that is called after each change of the catalogue. */
    onChange: (listener: () => void): void => void listeners.push(listener),
    close,
  };
}

/** Creates the function that returns the content of a translation's file. Opens the file if it is not open. */
function createContentReader<Entry, Content>(
  { dataDir, kind, readContent, onStatement }: TranslationFilesOptions<Entry, Content>,
  memory: TranslationFileCache,
  isRestricted: (identifier: string) => boolean,
) {
  /**
   * Throws a ChecksummedFileError if a file is restricted and the catalogue does not say so. A writer replaces the file
   * before the catalogue, and until then views without rights would read the text.
   */
  function checkRestriction({ key: { identifier } }: Listed<Entry>, manifest: Manifest): void {
    if (isRestricted(identifier) || !manifest.get('entry')?.includes(restrictedMark)) return;
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

  return (each: Listed<Entry>): Content => {
    const open = memory.get(each);
    return open ? (open.content as Content) : openFile(each);
  };
}

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
    // LRUCache stores no item larger than `maxSize`. A large file with the size `maxSize` evicts all others.
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
