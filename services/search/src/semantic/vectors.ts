import type { Numbering } from '@lectern/canon';
import type { RowValues, ScanMatches, SharedRows, SimilarVerses } from '@lectern/embeddings';
import { toSimilarity } from '@lectern/embeddings';
import type { UnsharedVectors } from './read-vectors-missing-from-shared-vectors';

/**
 * The verses of a translation, and their rows in the verse vectors that all translations share.
 * Each row is one vector.
 */
export interface VerseVectorRows {
  /** The ordinals of the verses (43003016 is JHN 3:16), in canonical order. */
  readonly ordinals: ArrayLike<number>;
  /** The row of each verse in the shared vectors, or -1 if the shared vectors lack the verse. */
  readonly rows: Int32Array;
  /**
   * The vectors of verses without a row. Null if there are none, or if their file cannot be used.
   */
  readonly unshared: UnsharedVectors | null;
  /**
   * Returns `bonus` with a negative bonus for rows whose verse the translation lacks, so that these
   * rows are never among the nearest.
   */
  withoutAbsent(bonus: RowValues | null): RowValues | null;
  /**
   * Returns the verses of the translation that belong to rows. A row whose vector was made from
   * several verses together belongs to all of these verses.
   */
  versesOf(found: ScanMatches): SimilarVerses;
}

/** The bonus of a row that must never be among the nearest. Similarities are between -1 and 1. */
const exclusion = -10;

/** The number of verses whose rows are found between two pauses, in about a millisecond. */
const versesPerStep = 4_096;

/**
 * Finds the row of each verse of a translation. Yields between short steps, so that other requests
 * are executed in between. The result takes about 0.4 MB of memory.
 */
export function* createVerseVectorRows({
  ordinals,
  numbering,
  sharedRows,
  rowCount,
  unshared,
}: {
  ordinals: ArrayLike<number>;
  numbering: Numbering;
  sharedRows: SharedRows;
  /** The number of rows of the shared vectors. */
  rowCount: number;
  unshared: UnsharedVectors | null;
}): Generator<void, VerseVectorRows> {
  const rows = new Int32Array(ordinals.length);
  for (let verse = 0; verse < rows.length; verse += 1) {
    if (verse % versesPerStep === 0) yield;
    rows[verse] = sharedRows.rowOf(ordinals[verse] ?? 0, numbering) ?? -1;
  }
  yield;
  // The verses of a row are a linked list in two arrays: the first verse of each row, and the verse
  // after each verse. -1 ends a list.
  const firstVerses = new Int32Array(rowCount).fill(-1);
  const nextVerses = new Int32Array(rows.length).fill(-1);
  for (let verse = rows.length - 1; verse >= 0; verse -= 1) {
    const row = rows[verse] ?? -1;
    if (row < 0) continue;
    nextVerses[verse] = firstVerses[row] ?? -1;
    firstVerses[row] = verse;
  }
  const absent = Uint32Array.from(firstVerses.keys()).filter((row) => firstVerses[row] === -1);

  return {
    ordinals,
    rows,
    unshared,

    withoutAbsent(bonus) {
      if (absent.length === 0) return bonus;
      const size = absent.length + (bonus?.rows.length ?? 0);
      const [included, values] = [new Uint32Array(size), new Float32Array(size).fill(exclusion, 0, absent.length)];
      included.set(absent);
      let count = absent.length;
      // A query of common words gives a bonus to most verses. For so many rows, a loop is faster
      // than filter() and map().
      for (let at = 0; at < size - absent.length; at += 1) {
        const row = bonus?.rows[at] ?? 0;
        if ((firstVerses[row] ?? -1) < 0) continue;
        included[count] = row;
        values[count] = bonus?.values[at] ?? 0;
        count += 1;
      }
      return { rows: included.subarray(0, count), values: values.subarray(0, count) };
    },

    versesOf({ indices, cosines, bonuses }) {
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
