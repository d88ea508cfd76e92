import type Database from 'better-sqlite3';
import { createTranslationFileCache, defaultTranslationsMemoryBytes, type TranslationFileCache } from './cache';
import {
  type CatalogueKey,
  type CatalogueRow,
  catalogueFile,
  datasetVersionOf,
  emptyCatalogue,
  type OpenCatalogue,
  openCatalogue,
  openCatalogueIfUsable,
} from './catalogue';
import { isChecksummedFileError, type Manifest } from './errors';
import type { TranslationFileKind } from './folder';
import { createVerifiedFile, type VerifiedFile, watchReplacedFile } from './verify';

export interface TranslationFilesOptions<Entry, Content> {
  dataDir: string;
  kind: TranslationFileKind;
  /** Creates the list entry of a translation from its row of the catalogue. */
  toEntry: (row: CatalogueRow) => Entry;
  /** Reads from an open file what requests need. `bytes` is the memory of `content`. */
  readContent: (db: Database.Database, entry: Entry, manifest: Manifest) => { content: Content; bytes: number };
  /**
   * The cache of open files. A process passes one cache for all kinds of files. By default a new
   * one.
   */
  memory?: TranslationFileCache | undefined;
  /** Receives one line when a translation cannot be served, or a new catalogue cannot be read. */
  report?: ((line: string) => void) | undefined;
  /** Called with the text of each SQL statement that runs. */
  onStatement?: ((statement: string) => void) | undefined;
  /**
   * Whether a service may start without translations: an unusable catalogue then counts as empty.
   */
  isOptional?: boolean;
  /**
   * The identifiers of the translations that are listed, for a process that needs only a few. By
   * default all.
   */
  only?: readonly string[] | undefined;
}

/**
 * A translation of the catalogue, and the key of its open file in the cache. A replaced file gets a
 * new object.
 */
interface Listed<Entry> {
  readonly key: CatalogueKey;
  /**
   * Reads and parses the entry at the first call, because most translations of a large catalogue
   * are not in use. Throws a ChecksummedFileError if the catalogue was damaged.
   */
  readonly entry: () => Entry;
  readonly file: VerifiedFile;
}

/** The estimated memory of an SQLite connection with its prepared statements, in bytes. */
const bytesPerConnection = 350_000;

/**
 * Memory of the process per byte in use: the allocator (glibc) keeps about a third of it after
 * files close.
 */
const bytesPerUsedByte = 4 / 3;

/** The number of entries that one step reads and parses, which takes about a millisecond. */
const entriesPerStep = 10;

/**
 * Codes of errors that mean that too many files are open. SQLite reports them as SQLITE_CANTOPEN.
 */
const tooManyOpenFiles: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'SQLITE_CANTOPEN']);

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
  let catalogue = emptyCatalogue;
  let listed = new Map<string, Listed<Entry>>();
  /** The entries of `listed`. Null until they are used for the first time after a change. */
  let entries: readonly Entry[] | null = null;
  let digests: ReadonlyMap<string, string> = new Map();
  let version = '';
  /** The files that cannot be used. A new catalogue does not list them again. */
  let unavailable = new Map<string, VerifiedFile>();
  const listeners: (() => void)[] = [];

  const withdraw = (identifier: string, file: VerifiedFile, error: Error): void => {
    unavailable.set(identifier, file);
    report(`${identifier} is not served: ${error.message}`);
  };

  /**
   * Replaces the listed translations by those of a catalogue. An unchanged translation keeps its
   * open file and is not checked again. Returns the first error if no translation can be used, or
   * else null.
   */
  function load(keys: readonly CatalogueKey[]): Error | null {
    const next = new Map<string, Listed<Entry>>();
    let firstError: Error | null = null;
    const withdrawn = unavailable;
    unavailable = new Map();
    for (const key of keys) {
      const { identifier } = key;
      const before = listed.get(identifier);
      if (before?.key.checksum === key.checksum && before.key.textDigest === key.textDigest) {
        next.set(identifier, before);
        continue;
      }
      const file = withdrawn.get(identifier) ?? createVerifiedFile(dataDir, kind, identifier);
      try {
        file.check();
        // Each catalogue that lists the same file has the same entry.
        const entry = onFirstCall(() => toEntry({ ...key, entry: catalogue.readEntry(identifier) }));
        next.set(identifier, { key, entry, file });
      } catch (error) {
        if (!isChecksummedFileError(error)) throw error;
        firstError ??= error;
        withdraw(identifier, file, error);
      }
    }
    for (const [identifier, each] of listed) if (next.get(identifier) !== each) memory.remove(each);
    listed = next;
    digests = new Map(keys.map(({ identifier, textDigest }) => [identifier, textDigest]));
    entries = null;
    version = datasetVersionOf(keys);
    return next.size === 0 ? firstError : null;
  }

  /**
   * Loads the catalogue `next` and keeps it open in place of the old one. Closes it if `load`
   * throws.
   */
  function loadCatalogue(next: OpenCatalogue): Error | null {
    let unused = next;
    try {
      const error = load(next.keys);
      unused = catalogue;
      catalogue = next;
      return error;
    } finally {
      unused.close();
    }
  }

  function openFile(each: Listed<Entry>): Content {
    for (;;) {
      try {
        const { db, manifest } = each.file.open({ ...(onStatement && { onStatement }) });
        const { content, bytes } = readContent(db, each.entry(), manifest);
        memory.add(each, {
          fileName: kind.fileName,
          content,
          bytes: Math.round(bytes * bytesPerUsedByte) + bytesPerConnection,
          close: () => db.close(),
        });
        return content;
      } catch (error) {
        // With too many open files, closes the least recently used one, which its next request
        // opens again.
        if (tooManyOpenFiles.has((error as { code?: unknown }).code) && memory.closeOldest()) continue;
        throw error;
      }
    }
  }

  /**
   * Calls `read` with a translation. Returns null if there is none, or after withdrawing one that
   * cannot be used.
   */
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

  const reload = (): void => {
    try {
      loadCatalogue(openCatalogue(dataDir, kind, only));
    } catch (error) {
      if (!isChecksummedFileError(error)) throw error;
      return report(`the translations stay as they were: ${error.message}`);
    }
    for (const listener of listeners) listener();
  };
  /**
   * Returns false if the file of a translation is closed and has to be verified before its next
   * opening. Does not look at the file system for an open file: two such looks took 5 % of the
   * computing time of a search.
   */
  const isVerified = (identifier: string): boolean => {
    const each = listed.get(identifier);
    return !each || Boolean(memory.get(each)) || each.file.isVerified();
  };

  const watch = watchReplacedFile(catalogueFile(dataDir, kind), reload);
  try {
    const error = loadCatalogue((isOptional ? openCatalogueIfUsable : openCatalogue)(dataDir, kind, only));
    if (error && !isOptional) throw error;
  } catch (error) {
    watch.close();
    catalogue.close();
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
    /** Returns null if there is no such translation. */
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
    /** Closes all files. */
    close(): void {
      watch.close();
      catalogue.close();
      for (const each of listed.values()) memory.remove(each);
    },
  };
}

export type TranslationFiles<Entry extends object, Content> = ReturnType<typeof openTranslationFiles<Entry, Content>>;

/**
 * Returns a function that calls `create` at its first call, and returns this result at every call.
 */
function onFirstCall<Value extends object>(create: () => Value): () => Value {
  let value: Value | null = null;
  return () => (value ??= create());
}
