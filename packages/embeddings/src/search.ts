import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { indexOfSorted } from '@lectern/canon';
import { fileIdentity } from '@lectern/data-files';
import { createVectorScan, noMatches, type ScanMatches, type ScanQuery } from './scan';
import { type Expected, readVectorsIndex, type VectorsHeader, type VectorsIndex } from './vectors';

export interface Nearest {
  /** The row of the verse in the file, from 0 in canonical order. */
  row: number;
  ordinal: number;
  cosine: number;
  /** The bonus that the query has for this verse. */
  bonus: number;
}

/**
 * Opens the vectors of one translation and a worker thread that scans them. Throws a
 * ChecksummedFileError if the file is missing, damaged, or not the expected file.
 */
export async function openVectors(file: string, expected: Expected = {}) {
  const {
    index: { ordinals, rowsAt, ...header },
    handle,
    identity,
  } = await openConsistently(file, expected);
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

  /**
   * Returns the rows with the highest scores (cosine plus bonus) for a query, in canonical order.
   * Returns at least `limit` rows, and further rows whose rounded score may equal the last score.
   * Up to four concurrent queries are compared in one pass.
   */
  const nearestRows = async (query: ScanQuery): Promise<ScanMatches> => {
    if (query.vector.length !== dimensions)
      throw new Error(`a vector of ${query.vector.length} dimensions cannot be compared with ${dimensions}`);
    return query.limit < 1 ? noMatches() : scan.find(0, query);
  };

  return {
    header: header as VectorsHeader,
    /** The ordinals of all verses with a vector, in canonical order. */
    ordinals: ordinals as Readonly<Int32Array>,
    /**
     * Returns the row of a verse, which is its index in `ordinals`. Returns null if the verse has
     * no vector.
     */
    rowOf,
    /**
     * Reads a verse's vector, of length 1, from the file. Returns null if the verse has no vector.
     */
    vectorOf(ordinal: number): Float32Array | null {
      const row = rowOf(ordinal);
      if (row === null) return null;
      const bytes = new Int8Array(dimensions);
      readSync(handle, bytes, 0, dimensions, rowsAt + row * dimensions);
      const length = Math.sqrt(bytes.reduce((sum, value) => sum + value * value, 0));
      return Float32Array.from(bytes, (value) => value / length);
    },
    nearestRows,
    /**
     * Returns the same rows as `nearestRows`, with the ordinals of their verses. `rank` sorts them
     * and applies the limit.
     */
    async nearest(query: ScanQuery): Promise<Nearest[]> {
      const { indices, cosines, bonuses } = await nearestRows(query);
      return Array.from(indices, (row, at) => ({
        row,
        ordinal: ordinals[row] ?? 0,
        cosine: cosines[at] ?? 0,
        bonus: bonuses[at] ?? 0,
      }));
    },
    async close(): Promise<void> {
      closeSync(handle);
      await scan.close();
    },
  };
}

interface OpenFile {
  index: VectorsIndex;
  handle: number;
  identity: string;
}

/**
 * Reads the index and opens a handle of the same file. Retries if another file replaced it
 * meanwhile.
 */
async function openConsistently(file: string, expected: Expected): Promise<OpenFile> {
  const identityBefore = await stat(file).then(fileIdentity, () => '');
  const index = await readVectorsIndex(file, expected);
  const handle = openSync(file, 'r');
  const identity = fileIdentity(fstatSync(handle));
  if (identity === identityBefore) return { index, handle, identity };
  closeSync(handle);
  return openConsistently(file, expected);
}

export type OpenVectors = Awaited<ReturnType<typeof openVectors>>;
