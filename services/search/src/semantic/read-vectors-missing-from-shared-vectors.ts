import { join } from 'node:path';
import { nullIfUnusable, translationFolder } from '@lectern/data-files';
import type { SimilarVerses, VectorsHeader } from '@lectern/embeddings';
import { readVectors, toSimilarity } from '@lectern/embeddings';

/**
 * Returns the path of a translation's own vectors file. It has the vectors of the verses that the
 * vectors of all translations (the shared vectors) lack, such as verses that only this translation
 * numbers.
 */
export const unsharedVectorsFile = (dataDir: string, identifier: string): string =>
  join(translationFolder(dataDir, identifier), 'verses.vec');

/**
 * The vectors of a translation's verses that the shared vectors lack. These verses are few, so a
 * query is compared with them on the event loop and not in a worker thread.
 */
export interface UnsharedVectors {
  /** Compares a query with all of these verses. */
  compare(vector: Float32Array): SimilarVerses;
  /** Returns the vector of a verse, of length 1. Null if the verse is not one of these verses. */
  vectorOf(ordinal: number): Float32Array | null;
}

/**
 * Reads the translation's own vectors file. Resolves with null if the file has no vectors. Rejects
 * with a ChecksummedFileError if the file is missing, damaged, or made by another model or from
 * another text.
 */
export async function readUnsharedVectors(
  file: string,
  expected: Pick<VectorsHeader, 'embedder' | 'translation' | 'textsDigest'>,
): Promise<UnsharedVectors | null> {
  const { count, dimensions, ordinals, rows } = await readVectors(file, expected);
  if (count === 0) return null;
  const vectors = Array.from(ordinals, (_, at) => normalize(rows.subarray(at * dimensions, (at + 1) * dimensions)));
  return {
    compare: (vector) => ({
      ordinals: [...ordinals],
      similarities: vectors.map((unshared) => toSimilarity(dot(unshared, vector))),
    }),
    vectorOf: (ordinal) => vectors[ordinals.indexOf(ordinal)] ?? null,
  };
}

/** Returns whether the file is intact and was made by the expected model from the expected text. */
export const areUnsharedVectorsUpToDate = async (
  file: string,
  expected: Pick<VectorsHeader, 'embedder' | 'translation' | 'textsDigest'>,
): Promise<boolean> => (await readVectors(file, expected).catch(nullIfUnusable)) !== null;

function normalize(row: Int8Array): Float32Array {
  const length = Math.hypot(...row);
  return Float32Array.from(row, (value) => value / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
