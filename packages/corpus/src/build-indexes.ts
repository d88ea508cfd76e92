// oxlint-disable unicorn/require-post-message-target-origin -- windows have origins, threads have none
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import {
  type CatalogueKey,
  checksummedFileError,
  createUsableCheck,
  type FileCheck,
  isChecksummedFileError,
  isFolderChanged,
  readCatalogueKeys,
  readCatalogueKeysIfUsable,
  removeTranslationFiles,
  type TranslationFileKind,
  translationFile,
  translationFolders,
  updateCatalogue,
  withFolderLock,
} from '@lectern/data-files';
import { type Corpus, openCorpus } from './open-corpus';
import { textKind } from './text-file';
import type { Translation } from './translation';

/** Builds the file of one translation, such as its search index. Resolves with a line that says what was built. */
export type BuildIndex = (options: {
  dataDir: string;
  corpus: Corpus;
  translation: Translation;
  textDigest: string;
}) => Promise<string>;

interface BuildIndexesOptions {
  dataDir: string;
  kind: TranslationFileKind;
  check: FileCheck;
  /** The maximum number of translations that are built at the same time. */
  jobs: number;
  build: BuildIndex;
  /** The compiled module of the worker threads, which calls `runIndexBuilder`. Without it, no threads are started. */
  workerFile?: string;
  log: (line: string) => void;
  selection?: IndexSelection;
}

/** Decides which translations get a file of a kind, and which existing files are incomplete. */
export interface IndexSelection {
  /** Returns the translations in `texts` that must have such a file. */
  withFile: (texts: readonly CatalogueKey[]) => readonly CatalogueKey[];
  /** Returns translations with an intact file that depends on an unusable file. Not called for the check `sizes`. */
  incomplete: () => readonly string[];
}

/** The default number of translations that are built at the same time: one for each core. */
export const defaultJobs = (): number => availableParallelism();

/** Returns translations, of those in `among`, whose file is missing, damaged, incomplete or made from another text. */
export function staleIndexes(
  dataDir: string,
  kind: TranslationFileKind,
  check: FileCheck,
  { selection, among }: { selection?: IndexSelection | undefined; among?: readonly string[] } = {},
): string[] {
  const isUsable = createUsableCheck(dataDir, kind, check);
  const keys = readCatalogueKeysIfUsable(dataDir, kind, check);
  const built = new Map(keys?.map((key) => [key.identifier, key]));
  const incomplete = new Set(selection && check !== 'sizes' ? selection.incomplete() : []);
  const stale = readCatalogueKeys(dataDir, textKind, check).filter(({ identifier, textDigest }) => {
    if (among && !among.includes(identifier)) return false;
    const key = built.get(identifier);
    return key?.textDigest !== textDigest || !isUsable(key) || incomplete.has(identifier);
  });
  return (selection?.withFile(stale) ?? stale).map(({ identifier }) => identifier);
}

/** Builds missing and outdated files, deletes files of removed translations, and updates the catalogue. */
export async function buildIndexes(options: BuildIndexesOptions): Promise<string[]> {
  const { dataDir, kind, check, log, selection } = options;
  // The first check takes no lock: the lock needs a writable folder, but a complete folder may be read-only.
  const staleBefore = staleIndexes(dataDir, kind, check, { selection });
  const isUpToDate =
    staleBefore.length === 0 &&
    withoutText(dataDir, kind, check).length === 0 &&
    !isFolderChanged(dataDir, kind, check);
  if (isUpToDate) return [];
  // With `sizes`, only translations without a current file are checked further, so that adding one takes little time.
  const isQuick = check === 'sizes' && staleBefore.length > 0;
  return withFolderLock(dataDir, { log, ...(isQuick && { translations: staleBefore }) }, async () => {
    // The files are checked again, because another process may have changed them before this process got the lock.
    const removed = withoutText(dataDir, kind, check);
    if (!isQuick || removed.length > 0)
      await removeTranslationFiles(dataDir, kind, removed, { log: () => undefined, check });
    const stale = staleIndexes(dataDir, kind, check, { selection, ...(isQuick && { among: staleBefore }) });
    try {
      await buildAll(stale, options);
    } finally {
      await updateCatalogue(dataDir, kind, { log, ...(isQuick && { written: stale }) });
    }
    return stale;
  });
}

/** Returns the translations that have a file of this kind, but whose text was removed. */
function withoutText(dataDir: string, kind: TranslationFileKind, check: FileCheck): string[] {
  const texts = new Set(readCatalogueKeys(dataDir, textKind, check).map(({ identifier }) => identifier));
  return translationFolders(dataDir).filter(
    (identifier) =>
      !texts.has(identifier) &&
      !existsSync(translationFile(dataDir, textKind, identifier)) &&
      existsSync(translationFile(dataDir, kind, identifier)),
  );
}

async function buildAll(identifiers: readonly string[], options: BuildIndexesOptions): Promise<void> {
  const { dataDir, jobs, build, workerFile, log } = options;
  if (identifiers.length === 0) return;
  if (workerFile !== undefined && Math.min(jobs, identifiers.length) > 1)
    return runInThreads<string, BuildResult>({
      items: identifiers,
      jobs,
      workerFile,
      workerData: { dataDir, identifiers },
      onResult: (result) => {
        if ('line' in result) log(result.line);
        else throw result.isExpected ? checksummedFileError(result.message) : new Error(result.message);
      },
    });
  const corpus = openCorpus(dataDir, { only: identifiers });
  try {
    for (const identifier of identifiers) log(await buildOne(identifier, build, dataDir, corpus));
  } finally {
    corpus.close();
  }
}

async function buildOne(identifier: string, build: BuildIndex, dataDir: string, corpus: Corpus): Promise<string> {
  const translation = corpus.translation(identifier);
  if (!translation) throw new Error(`the corpus has no translation ${identifier}`);
  return build({ dataDir, corpus, translation, textDigest: corpus.translationDigest(identifier) ?? '' });
}

type BuildResult = { line: string } | { message: string; isExpected: boolean };

/** Runs in each worker thread of `buildIndexes`. Builds the files of the translations that the thread receives. */
export function runIndexBuilder(build: BuildIndex): void {
  const { dataDir, identifiers } = workerData as { dataDir: string; identifiers: readonly string[] };
  const corpus = openCorpus(dataDir, { only: identifiers });
  answerItems<string, BuildResult>((identifier) =>
    buildOne(identifier, build, dataDir, corpus).then(
      (line) => ({ line }),
      (error: Error) => ({ message: error.message, isExpected: isChecksummedFileError(error) }),
    ),
  );
}

interface ThreadsOptions<Item, Result> {
  items: readonly Item[];
  /** The maximum number of threads. */
  jobs: number;
  /** The compiled module of the threads, which calls `answerItems`. */
  workerFile: string;
  workerData: unknown;
  /** Receives the result of each item as soon as it is there. If it throws, all threads end. */
  onResult: (result: Result, item: Item) => void | Promise<void>;
}

/** Distributes items to worker threads, one item at a time. Rejects with the first error. */
export async function runInThreads<Item, Result>(options: ThreadsOptions<Item, Result>): Promise<void> {
  const waiting = [...options.items];
  const threads = Array.from({ length: Math.min(options.jobs, waiting.length) }, () => runInThread(waiting, options));
  const failed = (await Promise.allSettled(threads)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

async function runInThread<Item, Result>(
  waiting: Item[],
  { workerFile, workerData, onResult }: ThreadsOptions<Item, Result>,
): Promise<void> {
  const worker = new Worker(workerFile, { workerData });
  const ended = once(worker, 'exit').then((): never => {
    throw new Error(`the thread of ${workerFile} ended`);
  });
  ended.catch(() => {});
  try {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      worker.postMessage(item);
      const [result] = await Promise.race([once(worker, 'message'), ended]);
      await onResult(result as Result, item);
    }
  } catch (error) {
    // Without waiting items, the other threads stop after their current item.
    waiting.length = 0;
    throw error;
  } finally {
    await worker.terminate();
  }
}

/** Handles the items that this thread receives from `runInThreads`. */
export function answerItems<Item, Result>(answer: (item: Item) => Promise<Result>): void {
  parentPort?.on('message', (item: Item) => {
    void answer(item).then((result) => parentPort?.postMessage(result));
  });
}
