import { LRUCache } from 'lru-cache';

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
