import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { indexOfSorted } from '@lectern/canon';
import { fileIdentity } from '@lectern/data-files';
import { createVectorScan, noMatches, type ScanMatches, type ScanQuery } from './vector-scan';
import { type Expected, readVectorsIndex, unitVector } from './vectors';

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
