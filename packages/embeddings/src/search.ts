import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { indexOfSorted, type Numbering, ordinalParts, standardVerses, verseOrdinal } from '@lectern/canon';
import { fileIdentity } from '@lectern/data-files';
import { builtInModel } from './built-in';
import type { RowValues } from './lexical-overlap';
import { createVectorScan, noMatches, type ScanMatches, type ScanQuery } from './vector-scan';
import { type Expected, readVectorsIndex, shippedVectors, unitVector, vectorsFile } from './vectors';

/** The bonus of a verse whose lexical overlap with the query is 1. It is added to a cosine, which is at most 1. */
const maxLexicalBonus = 0.09;

/** The bonus of an overlap (0 to 1). It grows with the square, because one shared word says little. */
export const lexicalBonus = ({ rows, values }: RowValues): RowValues => ({
  rows,
  values: values.map((overlap) => overlap ** 2 * maxLexicalBonus),
});

/** Returns the lexical overlap that has a bonus: the inverse of `lexicalBonus`. */
export const lexicalOverlapOf = (bonus: number): number => Math.sqrt(bonus / maxLexicalBonus);

/** Verses in no order. Lists of numbers take less memory than objects, for all verses of a translation. */
export interface SimilarVerses {
  readonly ordinals: readonly number[];
  /** The similarity of each verse, as `toSimilarity` returns it. */
  readonly similarities: readonly number[];
}

export const noSimilarVerses: SimilarVerses = { ordinals: [], similarities: [] };

export interface Ranked {
  ordinal: number;
  similarity: number;
}

/** Returns the `limit` verses with the highest similarities. Equal similarities are in canonical order. */
export const rankSimilar = ({ ordinals, similarities }: SimilarVerses, limit: number): Ranked[] =>
  ordinals
    .map((ordinal, at) => ({ ordinal, similarity: similarities[at] ?? 0 }))
    .sort((a, b) => b.similarity - a.similarity || a.ordinal - b.ordinal)
    .slice(0, Math.max(limit, 0));

/** Converts a score (cosine plus bonus) to a similarity: 0 to 1, with four decimals. */
export const toSimilarity = (score: number): number => Math.round(Math.min(1, Math.max(0, score)) * 10_000) / 10_000;

/** Opens a translation's vectors and a worker thread. Throws a ChecksummedFileError if they are unusable. */
export async function openVectors(file: string, expected: Expected = {}) {
  const { index, handle, identity } = await openConsistently(file, expected);
  const { header, ordinals, rowsAt } = index;
  const { count, dimensions } = header;
  const scan = await createVectorScan({ file, fileIdentity: identity, dimensions }, [{ rowsAt, count }]).catch(
    (error: unknown) => {
      closeSync(handle);
      throw error;
    },
  );
  const rowOf = (ordinal: number): number | null => {
    const row = indexOfSorted(ordinals, ordinal);
    return row < 0 ? null : row;
  };

  return {
    header,
    /** The ordinals of all verses with a vector, in canonical order. */
    ordinals: ordinals as Readonly<Int32Array>,
    /** Returns the row of a verse, which is its index in `ordinals`. Null if it has none. */
    rowOf,
    /** Reads the vector of a verse, of length 1, from the file. Returns null if the verse has none. */
    vectorOf(ordinal: number): Float32Array | null {
      const row = rowOf(ordinal);
      if (row === null) return null;
      const bytes = new Int8Array(dimensions);
      readSync(handle, bytes, 0, dimensions, rowsAt + row * dimensions);
      return unitVector(bytes);
    },
    /** Returns the best rows, in canonical order: at least `limit`, and those that may equal the last one. */
    async nearestRows(query: ScanQuery): Promise<ScanMatches> {
      if (query.vector.length !== dimensions)
        throw new Error(`a vector of ${query.vector.length} dimensions cannot be compared with ${dimensions}`);
      return query.limit < 1 ? noMatches() : scan.find(0, query);
    },
    async close(): Promise<void> {
      closeSync(handle);
      await scan.close();
    },
  };
}

/** Reads the index and opens the same file. Starts again if it is replaced in between. */
async function openConsistently(file: string, expected: Expected) {
  for (;;) {
    const identityBefore = await stat(file).then(fileIdentity, () => '');
    const index = await readVectorsIndex(file, expected);
    const handle = openSync(file, 'r');
    const identity = fileIdentity(fstatSync(handle));
    if (identity === identityBefore) return { index, handle, identity };
    closeSync(handle);
  }
}

export type OpenVectors = Awaited<ReturnType<typeof openVectors>>;

/** With an English text, it gives the vectors of all translations, which share the meaning of a verse. */
export const sharedTranslation = 'spa-rv1909';

const sharedNumbering: Numbering = 'rv1909';

const shippedSharedVectors = (passageId: string): string | null =>
  passageId === builtInModel.passageId ? shippedVectors(sharedTranslation) : null;

export const areSharedVectorsShipped = (passageId: string): boolean => shippedSharedVectors(passageId) !== null;

/** Returns the path of a model's shared vectors: those that ship with Lectern, or else in the data folder. */
export const sharedVectorsFile = (dataDir: string, passageId: string): string =>
  shippedSharedVectors(passageId) ?? vectorsFile(dataDir, sharedTranslation);

/** Creates the functions that find the row of a verse in the shared vectors, for any numbering. */
export function createSharedRows({ ordinals, rowOf: rowOfShared }: Pick<OpenVectors, 'ordinals' | 'rowOf'>) {
  const byStandard = new Map<number, number>();
  for (const [row, ordinal] of ordinals.entries())
    for (const place of standardVersesOf(ordinal, sharedNumbering)) {
      const standard = verseOrdinal(place);
      // The Reina-Valera of 1909 splits a few verses of the King James Version in two, so these have two rows. The
      // first row is used.
      if (!byStandard.has(standard)) byStandard.set(standard, row);
    }

  /** Returns the row of a verse, or null. `ordinal` is a King James verse, such as 43003016 for John 3:16. */
  const rowOfStandard = (ordinal: number): number | null => byStandard.get(ordinal) ?? null;

  return {
    rowOfStandard,

    /** Returns the verse of a row, as an ordinal in the standard numbering. Returns 0 if the numbering lacks it. */
    standardOf(row: number): number {
      const [first] = standardVersesOf(ordinals[row] ?? 0, sharedNumbering);
      return first ? verseOrdinal(first) : 0;
    },

    /** Returns the row of a verse, or null. Of a verse that combines several, returns the row of the first. */
    rowOf(ordinal: number, numbering: Numbering): number | null {
      if (numbering === 'standard') return rowOfStandard(ordinal);
      if (numbering === sharedNumbering) return rowOfShared(ordinal);
      const [first] = standardVersesOf(ordinal, numbering);
      return first ? rowOfStandard(verseOrdinal(first)) : null;
    },
  };
}

export type SharedRows = ReturnType<typeof createSharedRows>;

function standardVersesOf(ordinal: number, numbering: Numbering): ReturnType<typeof standardVerses> {
  const place = ordinalParts(ordinal);
  return place ? standardVerses(numbering, place) : [];
}
