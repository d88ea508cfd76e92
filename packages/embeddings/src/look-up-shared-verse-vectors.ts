import { type Numbering, ordinalParts, standardVerses, verseOrdinal } from '@lectern/canon';
import { builtInModel } from './built-in';
import type { OpenVectors } from './search';
import { shippedVectors, vectorsFile } from './vectors';

/**
 * The translation from whose text, together with the English text, the shared vectors are made. The
 * meaning of a verse does not depend on its translation, so these vectors serve all translations.
 */
export const sharedTranslation = 'spa-rv1909';

const sharedNumbering: Numbering = 'rv1909';

/**
 * Returns the path of the shared vectors of a model: those that ship with Lectern, or a file in the
 * data folder.
 */
export const sharedVectorsFile = (dataDir: string, passageId: string): string =>
  (passageId === builtInModel.passageId ? shippedVectors(sharedTranslation) : null) ??
  vectorsFile(dataDir, sharedTranslation);

/**
 * Returns true if the shared vectors of a model ship with Lectern, so that they need not be
 * computed.
 */
export const areSharedVectorsShipped = (passageId: string): boolean =>
  passageId === builtInModel.passageId && shippedVectors(sharedTranslation) !== null;

/**
 * Creates functions that find the row of a verse in the shared vectors, for verses of any
 * numbering.
 */
export function createSharedRows({ ordinals, rowOf: rowOfShared }: Pick<OpenVectors, 'ordinals' | 'rowOf'>) {
  const byStandard = new Map<number, number>();
  for (const [row, ordinal] of ordinals.entries())
    for (const place of standardVersesOf(ordinal, sharedNumbering)) {
      const standard = verseOrdinal(place);
      // A few standard verses are each spread over two verses of RV1909, so each of them has two
      // rows. The first row counts.
      if (!byStandard.has(standard)) byStandard.set(standard, row);
    }

  /** Returns the row of a verse in the standard numbering. Returns null if the verse has no row. */
  const rowOfStandard = (ordinal: number): number | null => byStandard.get(ordinal) ?? null;

  return {
    rowOfStandard,

    /**
     * Returns the row of a verse of a translation. Returns null if the verse has no row. If the
     * verse contains several standard verses, returns the row of the first one.
     */
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
