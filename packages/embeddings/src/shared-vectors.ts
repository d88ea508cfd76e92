import { type Numbering, ordinalParts, standardVerses, verseOrdinal } from '@lectern/canon';
import { builtInModel } from './built-in-embedder';
import type { OpenVectors } from './open-vectors';
import { shippedVectors, vectorsFile } from './vectors-file';

/**
 * The translation from whose text, together with the English text, the shared vectors are made. The meaning of a verse
 * does not depend on its translation, so these vectors serve all translations.
 */
export const sharedTranslation = 'spa-rv1909';

const sharedNumbering: Numbering = 'rv1909';

/** Returns the path of the shared vectors of a model: those that ship with Lectern, or a file in the data folder. */
export const sharedVectorsFile = (dataDir: string, passageId: string): string =>
  (passageId === builtInModel.passageId ? shippedVectors(sharedTranslation) : null) ??
  vectorsFile(dataDir, sharedTranslation);

/** Returns whether the shared vectors of a model ship with Lectern, so that there is nothing to compute. */
export const areSharedVectorsShipped = (passageId: string): boolean =>
  passageId === builtInModel.passageId && shippedVectors(sharedTranslation) !== null;

/** Finds the rows of the shared vectors that verses of other numberings have. */
export function createSharedRows({ ordinals, rowOf: rowOfShared }: Pick<OpenVectors, 'ordinals' | 'rowOf'>) {
  const byStandard = new Map<number, number>();
  for (const [row, ordinal] of ordinals.entries())
    for (const place of standardVersesOf(ordinal, sharedNumbering)) {
      const standard = verseOrdinal(place);
      // Three verses are spread over two rows: the first row counts.
      if (!byStandard.has(standard)) byStandard.set(standard, row);
    }

  /** Returns the row of a verse in the standard numbering; null if it has none. */
  const rowOfStandard = (ordinal: number): number | null => byStandard.get(ordinal) ?? null;

  return {
    rowOfStandard,

    /** Returns the row of a verse of a translation; null if it has none. A verse that combines verses has the first row. */
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
