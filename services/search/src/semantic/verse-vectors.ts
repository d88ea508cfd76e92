import { join } from 'node:path';
import { isChecksummedFileError, translationFolder } from '@lectern/data-files';
import {
  dot,
  type OpenVectors,
  type RowValues,
  readVectors,
  type ScanMatches,
  textsDigest,
  unitVector,
} from '@lectern/embeddings';
import type { Logger, WorkBudget } from '@lectern/serving';
import { LRUCache } from 'lru-cache';
import { type IndexedTranslation, readIndexInSteps, type SearchFiles } from '../store';
import { type SimilarVerses, toSimilarity } from './ranking';
import type { SharedRows } from './shared-rows';

/** The file of verses that the shared vectors lack, such as those that only one translation numbers. */
export const unsharedVectorsFile = (dataDir: string, identifier: string): string =>
  join(translationFolder(dataDir, identifier), 'verses.vec');

/**
 * The few vectors are compared on the event loop, not in a thread. Resolves with null if there are none. Rejects with
 * a ChecksummedFileError if the file is unusable, or of another model or text.
 */
export async function readUnsharedVectors(file: string, expected: Parameters<typeof readVectors>[1]) {
  const { count, dimensions, ordinals, rows } = await readVectors(file, expected);
  if (count === 0) return null;
  const vectors = Array.from(ordinals, (_, at) => unitVector(rows.subarray(at * dimensions, (at + 1) * dimensions)));
  return {
    compare: (vector: Float32Array): SimilarVerses => ({
      ordinals: [...ordinals],
      similarities: vectors.map((unshared) => toSimilarity(dot(unshared, vector))),
    }),
    /** Returns the vector of a verse, of length 1. Returns null if this file lacks the verse. */
    vectorOf: (ordinal: number) => vectors[ordinals.indexOf(ordinal)] ?? null,
  };
}

export type VerseVectorRows =
  ReturnType<typeof createVerseVectorRows> extends Generator<void, infer Rows> ? Rows : never;

/** A row with this bonus is never among the nearest, because similarities are between -1 and 1. */
const exclusion = -10;

/** The number of verses whose rows are found between two yields. They take about a millisecond. */
const versesPerStep = 4_096;

/** Finds the row of each verse in the shared vectors. The result takes about 0.4 MB of memory. */
function* createVerseVectorRows(
  { identifier, numbering }: IndexedTranslation,
  { files, shared, sharedRows }: VectorParts,
  unshared: Awaited<ReturnType<typeof readUnsharedVectors>>,
) {
  const index = yield* readIndexInSteps(files, identifier);
  const ordinals = index?.ordinals ?? new Uint32Array();
  const rows = new Int32Array(ordinals.length);
  for (let verse = 0; verse < rows.length; verse += 1) {
    if (verse % versesPerStep === 0) yield;
    rows[verse] = sharedRows.rowOf(ordinals[verse] ?? 0, numbering) ?? -1;
  }
  yield;
  // A linked list for each row: its first verse, and the next verse after each verse. -1 ends a list.
  const firstVerses = new Int32Array(shared.header.count).fill(-1);
  const nextVerses = new Int32Array(rows.length).fill(-1);
  for (let verse = rows.length - 1; verse >= 0; verse -= 1) {
    const row = rows[verse] ?? -1;
    if (row < 0) continue;
    nextVerses[verse] = firstVerses[row] ?? -1;
    firstVerses[row] = verse;
  }
  // A loop without a closure, because a closure that uses `index` would keep the whole index in memory.
  const wordCounts = new Uint8Array(firstVerses.length);
  for (let row = 0; row < firstVerses.length; row += 1) {
    const verse = firstVerses[row] ?? -1;
    if (verse >= 0) wordCounts[row] = Math.min(255, index?.wordCountOf(verse) ?? 0);
  }
  yield;
  const absent = Uint32Array.from(firstVerses.keys()).filter((row) => firstVerses[row] === -1);

  return {
    /** The verses of the translation as ordinals, in canonical order. */
    ordinals,
    /** The row of each verse in the shared vectors, or -1 if they lack the verse. */
    rows,
    /** Returns the number of words of the first verse of a row, 0 to 255. */
    wordCountOf: (row: number): number => wordCounts[row] ?? 0,
    /** The vectors of verses without a row. Null if there are none, or their file is unusable. */
    unshared,

    /** Adds the bonus that excludes rows, for all rows whose verse the translation lacks. */
    withoutAbsent(bonus: RowValues | null): RowValues | null {
      if (absent.length === 0) return bonus;
      const size = absent.length + (bonus?.rows.length ?? 0);
      const [included, values] = [new Uint32Array(size), new Float32Array(size).fill(exclusion, 0, absent.length)];
      included.set(absent);
      let count = absent.length;
      // A loop is faster than filter() and map() here, because a query of common words gives a bonus to most verses.
      for (let at = 0; at < size - absent.length; at += 1) {
        const row = bonus?.rows[at] ?? 0;
        if ((firstVerses[row] ?? -1) < 0) continue;
        included[count] = row;
        values[count] = bonus?.values[at] ?? 0;
        count += 1;
      }
      return { rows: included.subarray(0, count), values: values.subarray(0, count) };
    },

    /** Returns the verses of rows. A row whose vector was made from several verses belongs to all of them. */
    versesOf({ indices, cosines, bonuses }: ScanMatches): SimilarVerses {
      const found: { ordinals: number[]; similarities: number[] } = { ordinals: [], similarities: [] };
      for (let at = 0; at < indices.length; at += 1) {
        const similarity = toSimilarity((cosines[at] ?? 0) + (bonuses[at] ?? 0));
        for (let verse = firstVerses[indices[at] ?? 0] ?? -1; verse >= 0; verse = nextVerses[verse] ?? -1) {
          found.ordinals.push(ordinals[verse] ?? 0);
          found.similarities.push(similarity);
        }
      }
      return found;
    },
  };
}

/** The maximum number of translations whose rows are cached. They take 0.4 MB for each translation. */
const maxCachedTranslations = 32;

export interface VectorParts {
  files: SearchFiles;
  /** The verse vectors that all translations share. */
  shared: OpenVectors;
  sharedRows: SharedRows;
  /** Runs work that several requests share, such as finding the rows of a translation, which takes 20 ms. */
  sharedWork: WorkBudget;
}

interface VerseVectorRowsCacheOptions extends VectorParts {
  dataDir: string;
  embedder: string;
  /** Returns whether a translation has its own vectors file. */
  isBuilt: (identifier: string) => boolean;
  log: Logger;
}

/** Finds the rows of each translation's verses in the vectors, when a query first needs them. */
export function createVerseVectorRowsCache(options: VerseVectorRowsCacheOptions) {
  const cache = new LRUCache<IndexedTranslation, Promise<VerseVectorRows>>({ max: maxCachedTranslations });
  return {
    versesOf(entry: IndexedTranslation): Promise<VerseVectorRows> {
      const verses = cache.get(entry) ?? findVerseVectorRows(entry, options);
      cache.set(entry, verses);
      verses.catch(() => cache.delete(entry));
      return verses;
    },
    clear: (): void => cache.clear(),
  };
}

export type VerseVectorRowsCache = ReturnType<typeof createVerseVectorRowsCache>;

/**
 * Finds the rows of a translation's verses. If its own vectors file is unusable, semantic search finds only the
 * verses in the shared vectors. Logs one line if these lack a verse and SEMANTIC_TRANSLATIONS names the translation.
 */
async function findVerseVectorRows(
  entry: IndexedTranslation,
  options: VerseVectorRowsCacheOptions,
): Promise<VerseVectorRows> {
  const { identifier } = entry;
  const { dataDir, files, embedder, isBuilt, sharedWork, log } = options;
  const digest = textsDigest((each) => files.translationDigests().get(each), identifier);
  const expected = { embedder, translation: identifier, textsDigest: digest };
  const own = await readUnsharedVectors(unsharedVectorsFile(dataDir, identifier), expected).catch((error: unknown) => {
    if (!isChecksummedFileError(error)) throw error;
    return error;
  });
  const unshared = own instanceof Error ? null : own;
  const verses = await sharedWork.runInSteps(createVerseVectorRows(entry, options, unshared));
  if (own instanceof Error && isBuilt(identifier) && verses.rows.includes(-1))
    log.error(`${identifier}: semantic search lacks some verses: ${own.message}`);
  return verses;
}
