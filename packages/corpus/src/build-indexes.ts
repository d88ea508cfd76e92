// oxlint-disable unicorn/require-post-message-target-origin -- windows have origins, threads have none
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import {
  type CatalogueRow,
  checksummedFileError,
  type FileCheck,
  isChecksummedFileError,
  isFolderChanged,
  isUsable,
  readCatalogue,
  readCatalogueIfUsable,
  removeTranslationFiles,
  type TranslationFileKind,
  translationFile,
  translationFolders,
  updateCatalogue,
  withFolderLock,
} from '@lectern/data-files';
import { type Corpus, openCorpus } from './open-corpus';
import { textKind } from './text-sqlite-file';

/** Builds the file of one translation. Resolves with a line that says what was built. */
export type BuildIndex = (options: { dataDir: string; corpus: Corpus; identifier: string }) => Promise<string>;

export interface BuildIndexesOptions {
  dataDir: string;
  kind: TranslationFileKind;
  /** How thoroughly existing files are checked. */
  check: FileCheck;
  /** The maximum number of translations that are built at the same time. */
  jobs: number;
  build: BuildIndex;
  /**
   * The compiled module that runs `build` in a worker thread, with `runIndexBuilder`. Without it, this thread builds the
   * translations one after the other.
   */
  workerFile?: string;
  log: (line: string) => void;
  selection?: IndexSelection;
}

/** Says which translations have a file of a kind, and when the file is complete. By default every translation has one. */
export interface IndexSelection {
  /** Returns whether a translation of the catalogue of texts has a file of this kind. */
  hasFile?: (text: CatalogueRow) => boolean;
  /** Returns whether the files that a usable file refers to exist, such as the offline packages of a list. */
  isComplete?: (row: CatalogueRow) => boolean;
}

/** The default number of translations that are built at the same time: one for each core. */
export const defaultJobs = (): number => availableParallelism();

/**
 * Returns the translations whose file of this kind is missing, damaged, or made from another text. Throws a
 * ChecksummedFileError if the catalogue of the texts cannot be used.
 */
export function staleIndexes(
  dataDir: string,
  kind: TranslationFileKind,
  check: FileCheck,
  { hasFile = () => true, isComplete = () => true }: IndexSelection = {},
): string[] {
  const rows = readCatalogueIfUsable(dataDir, kind) ?? [];
  const built = new Map(rows.map((row) => [row.identifier, row]));
  return readCatalogue(dataDir, textKind)
    .filter(hasFile)
    .filter(({ identifier, textDigest }) => {
      const row = built.get(identifier);
      return row?.textDigest !== textDigest || !isUsable(dataDir, kind, row, check) || !isComplete(row);
    })
    .map(({ identifier }) => identifier);
}

/**
 * Builds the files of one kind for the translations that need it, and updates the catalogue. After a kill, the next call
 * continues with the translations that have no file yet. Resolves with the identifiers of the translations that were built.
 */
export async function buildIndexes(options: BuildIndexesOptions): Promise<string[]> {
  const { dataDir, kind, check, log, selection } = options;
  // Checked without the lock, so that a read-only folder with complete files can be served.
  const isUpToDate =
    staleIndexes(dataDir, kind, check, selection).length === 0 &&
    withoutText(dataDir, kind).length === 0 &&
    !isFolderChanged(dataDir, kind);
  if (isUpToDate) return [];
  return withFolderLock(dataDir, { log }, async () => {
    // Another process may have built the files while this process waited for the lock.
    await removeTranslationFiles(dataDir, kind, withoutText(dataDir, kind), { log: () => undefined });
    const stale = staleIndexes(dataDir, kind, check, selection);
    try {
      await buildAll(stale, options);
    } finally {
      await updateCatalogue(dataDir, kind, { log });
    }
    return stale;
  });
}

/** Returns the translations with a file of this kind whose text was removed. */
function withoutText(dataDir: string, kind: TranslationFileKind): string[] {
  const texts = new Set(readCatalogue(dataDir, textKind).map(({ identifier }) => identifier));
  return translationFolders(dataDir).filter(
    (identifier) =>
      !texts.has(identifier) &&
      !existsSync(translationFile(dataDir, textKind, identifier)) &&
      existsSync(translationFile(dataDir, kind, identifier)),
  );
}

async function buildAll(identifiers: readonly string[], options: BuildIndexesOptions): Promise<void> {
  const { dataDir, jobs, build, workerFile, log } = options;
  const waiting = [...identifiers];
  const workers = Math.min(jobs, waiting.length);
  if (workers > 1 && workerFile !== undefined) {
    const inThread = () => buildInThread(waiting, { ...options, workerFile });
    const results = await Promise.allSettled(Array.from({ length: workers }, inThread));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return;
  }
  const corpus = openCorpus(dataDir);
  try {
    for (const identifier of waiting) log(await build({ dataDir, corpus, identifier }));
  } finally {
    corpus.close();
  }
}

type BuildResult = { line: string } | { message: string; isExpected: boolean };

/** Builds translations of the list in a worker thread until the list is empty, or until a build fails. */
function buildInThread(
  waiting: string[],
  { dataDir, workerFile, log }: Pick<BuildIndexesOptions, 'dataDir' | 'log'> & { workerFile: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, { workerData: { dataDir } });
    const sendNext = () => {
      const identifier = waiting.shift();
      if (identifier === undefined) {
        resolve();
        void worker.terminate();
      } else worker.postMessage(identifier);
    };
    const fail = (error: Error) => {
      // The list is emptied, so that the other threads stop after their current translation.
      waiting.length = 0;
      reject(error);
      void worker.terminate();
    };
    worker.on('error', fail);
    // Without this listener, the caller would wait forever for a thread that exits by itself.
    worker.on('exit', () => reject(new Error(`the thread of ${workerFile} ended`)));
    worker.on('message', (result: BuildResult) => {
      if ('line' in result) {
        log(result.line);
        sendNext();
      } else fail(result.isExpected ? checksummedFileError(result.message) : new Error(result.message));
    });
    sendNext();
  });
}

/** The worker thread of `buildIndexes`: builds the translations whose identifiers it receives. */
export function runIndexBuilder(build: BuildIndex): void {
  const { dataDir } = workerData as { dataDir: string };
  const corpus = openCorpus(dataDir);
  parentPort?.on('message', (identifier: string) => {
    build({ dataDir, corpus, identifier }).then(
      (line) => parentPort?.postMessage({ line } satisfies BuildResult),
      (error: Error) =>
        parentPort?.postMessage({
          message: error.message,
          isExpected: isChecksummedFileError(error),
        } satisfies BuildResult),
    );
  });
}
