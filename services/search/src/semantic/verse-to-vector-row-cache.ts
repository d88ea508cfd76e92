import { isChecksummedFileError } from '@lectern/data-files';
import type { OpenVectors, SharedRows } from '@lectern/embeddings';
import { textsDigest } from '@lectern/embeddings';
import type { Logger, WorkBudget } from '@lectern/serving';
import { LRUCache } from 'lru-cache';
import type { IndexedTranslation, SearchFiles } from '../open-search-indexes-on-demand';
import { readIndexInSteps } from '../open-search-indexes-on-demand';
import {
  readUnsharedVectors,
  type UnsharedVectors,
  unsharedVectorsFile,
} from './read-vectors-missing-from-shared-vectors';
import { createVerseVectorRows, type VerseVectorRows } from './vectors';

/** The maximum number of translations whose rows are kept in memory, with 0.4 MB each. */
const maxCachedTranslations = 32;

export interface VerseVectorRowsCacheOptions {
  dataDir: string;
  files: SearchFiles;
  /** The verse vectors that all translations share, one row for each vector. */
  shared: OpenVectors;
  /** Finds the row of a verse in the shared vectors. */
  sharedRows: SharedRows;
  /** The id of the model that made the verse vectors. */
  embedder: string;
  /**
   * Runs the steps that check and open the search.sqlite of a translation, and find the rows of its
   * verses. All steps together take 20 ms.
   */
  work: Pick<WorkBudget, 'runInSteps'>;
  log: Logger;
}

/**
 * Finds which vectors belong to the verses of each translation, when a query first needs the
 * translation. Keeps the result in memory.
 */
export function createVerseVectorRowsCache(options: VerseVectorRowsCacheOptions) {
  const cache = new LRUCache<IndexedTranslation, Promise<VerseVectorRows>>({ max: maxCachedTranslations });
  return {
    versesOf(entry: IndexedTranslation): Promise<VerseVectorRows> {
      const verses = cache.get(entry) ?? findVerseVectorRows(entry, options);
      cache.set(entry, verses);
      verses.catch(() => cache.delete(entry));
      return verses;
    },
    /**
     * Removes all translations from memory, because their data changed. The next query of a
     * translation reads its data again.
     */
    clear: (): void => cache.clear(),
  };
}

export type VerseVectorRowsCache = ReturnType<typeof createVerseVectorRowsCache>;

/**
 * Finds the vectors of the verses of a translation. If the file with vectors of this translation
 * alone is missing, damaged or out of date, semantic search finds only the verses in the shared
 * vectors. One line is then logged if the shared vectors lack a verse of the translation. Rejects
 * with any other error.
 */
async function findVerseVectorRows(
  entry: IndexedTranslation,
  options: VerseVectorRowsCacheOptions,
): Promise<VerseVectorRows> {
  const unshared = await readUnsharedOrError(entry.identifier, options);
  const isUnusable = unshared !== null && 'error' in unshared;
  const verses = await options.work.runInSteps(findRowsInSteps(entry, isUnusable ? null : unshared, options));
  if (isUnusable && verses.rows.includes(-1))
    options.log.error(`${entry.identifier}: semantic search lacks some verses: ${unshared.error.message}`);
  return verses;
}

/**
 * Opens the search.sqlite of a translation and finds the rows of its verses in the shared vectors.
 * Yields between short steps, so that other requests are executed in between.
 */
function* findRowsInSteps(
  { identifier, numbering }: IndexedTranslation,
  unshared: UnsharedVectors | null,
  { files, shared, sharedRows }: VerseVectorRowsCacheOptions,
): Generator<void, VerseVectorRows> {
  const ordinals = (yield* readIndexInSteps(files, identifier))?.ordinals ?? [];
  const rowCount = shared.header.count;
  return yield* createVerseVectorRows({ ordinals, numbering, sharedRows, rowCount, unshared });
}

async function readUnsharedOrError(identifier: string, { dataDir, files, embedder }: VerseVectorRowsCacheOptions) {
  const digest = textsDigest((each) => files.translationDigests().get(each), identifier);
  try {
    return await readUnsharedVectors(unsharedVectorsFile(dataDir, identifier), {
      embedder,
      translation: identifier,
      textsDigest: digest,
    });
  } catch (error) {
    if (!isChecksummedFileError(error)) throw error;
    return { error };
  }
}
