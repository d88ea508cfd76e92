import { type Numbering, ordinalParts, standardVerses, verseOrdinal } from '@lectern/canon';
import { builtInModel, type OpenVectors, shippedVectors, vectorsFile } from '@lectern/embeddings';

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
      // The Reina-Valera of 1909 splits a few King James verses, so these have two rows. The first row is used.
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
