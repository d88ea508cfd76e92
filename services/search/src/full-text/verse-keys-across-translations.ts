import type { Numbering } from '@lectern/canon';
import { ordinalParts, toStandard, verseOrdinal } from '@lectern/canon';

/**
 * Creates the keys of a translation's verses. The same verse has the same key in every translation:
 * its ordinal in the standard numbering, that of the King James Version (43003016 for JHN 3:16). A
 * verse that combines several standard verses has the key of the first. `ordinals` are the ordinals
 * of the translation's verses in its own numbering, ascending.
 */
export function createVerseKeys(ordinals: Uint32Array, numbering: Numbering) {
  /** The keys of the few verses that have another number in the standard numbering, by ordinal. */
  const keys = new Map<number, number>();
  /** The ordinals of these verses by their key. */
  const verses = new Map<number, number[]>();
  if (numbering !== 'standard') {
    for (const ordinal of ordinals) {
      const place = ordinalParts(ordinal);
      const key = place ? verseOrdinal(toStandard(numbering, place)) : ordinal;
      if (key === ordinal) continue;
      keys.set(ordinal, key);
      verses.set(key, [...(verses.get(key) ?? []), ordinal]);
    }
  }

  return {
    keyOf: (ordinal: number): number => keys.get(ordinal) ?? ordinal,

    /**
     * Returns the ordinals that may have this key: several if the translation splits the verse. The
     * translation may lack the verses of these ordinals.
     */
    ordinalsOf: (key: number): readonly number[] => [...(keys.has(key) ? [] : [key]), ...(verses.get(key) ?? [])],
  };
}

export type VerseKeys = ReturnType<typeof createVerseKeys>;

/** The keys for a search in a single translation: the key of a verse is its ordinal. */
export const ownKeys: VerseKeys = { keyOf: (ordinal) => ordinal, ordinalsOf: (key) => [key] };
