import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createVectorScan, type ScanQuestion } from './vector-scan';
import { type Expected, readVectorsIndex, type VectorsHeader, type VectorsIndex } from './vectors-file';

export interface Nearest {
  /** Of the verse in the edition, from 0 in canonical order. */
  position: number;
  ordinal: number;
  cosine: number;
  /** What the question wanted added. */
  bonus: number;
}

/**
 * Opens the vectors of one edition, with a thread that scans them. Single vectors are read from the file when they are asked for. A file that is missing, damaged, of another
 * format, model, edition or corpus is refused with one line that names the command which makes it anew.
 */
export async function openVectors(file: string, expected: Expected = {}) {
  const {
    index: { ordinals, rowsAt, ...header },
    handle,
    mark,
  } = await openUnmoved(file, expected);
  const { count, dimensions } = header;
  const scan = await createVectorScan({ file, mark, rowsAt, count, dimensions }).catch((error: unknown) => {
    closeSync(handle);
    throw error;
  });

  const positionOf = (ordinal: number): number | null => {
    let low = 0;
    for (let high = count; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((ordinals[middle] ?? 0) < ordinal) low = middle + 1;
      else high = middle;
    }
    return ordinals[low] === ordinal ? low : null;
  };

  return {
    header: header as VectorsHeader,
    /** Of every verse that has a vector, in canonical order. */
    ordinals: ordinals as Readonly<Int32Array>,
    /** Where a verse stands in `ordinals`; null for one without a vector. */
    positionOf,
    /** A verse's own vector, of length 1; null for one without. */
    vectorOf(ordinal: number): Float32Array | null {
      const position = positionOf(ordinal);
      if (position === null) return null;
      const row = new Int8Array(dimensions);
      readSync(handle, row, 0, dimensions, rowsAt + position * dimensions);
      const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
      return Float32Array.from(row, (value) => value / length);
    },
    /**
     * The verses nearest to a vector: at least `limit`, and as many more as could take the last one's place once scores are
     * rounded. In canonical order; `rank` sorts and cuts them. Questions asked at the same time are compared in one pass.
     */
    async nearest(question: ScanQuestion): Promise<Nearest[]> {
      if (question.vector.length !== dimensions)
        throw new Error(`a vector of ${question.vector.length} dimensions cannot be compared with ${dimensions}`);
      if (question.limit < 1) return [];
      const { indices, cosines, bonuses } = await scan.find(question);
      return Array.from(indices, (position, at) => ({
        position,
        ordinal: ordinals[position] ?? 0,
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
interface Unmoved {
  index: VectorsIndex;
  handle: number;
  mark: string;
}

/** The index and a handle of one and the same file: another may take its place at any moment. */
async function openUnmoved(file: string, expected: Expected): Promise<Unmoved> {
  const before = await stat(file).then(markOf, () => '');
  const index = await readVectorsIndex(file, expected);
  const handle = openSync(file, 'r');
  const mark = markOf(fstatSync(handle));
  if (mark === before) return { index, handle, mark };
  closeSync(handle);
  return openUnmoved(file, expected);
}

/** The same for the same file, and another for one that has taken its place. */
const markOf = ({ ino, size, mtimeMs }: Stats): string => `${ino} ${size} ${mtimeMs}`;

export type OpenVectors = Awaited<ReturnType<typeof openVectors>>;
