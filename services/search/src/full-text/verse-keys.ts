import type { Numbering } from '@lectern/canon';
import { ordinalParts, toStandard, verseOrdinal } from '@lectern/canon';

/**
 * Creates the keys of a translation's verses. The same verse has the same key in every translation: its ordinal in the
 * standard numbering. A verse that combines several standard verses has the key of the first. `ordinals` are the
 * ordinals of the translation's verses in its own numbering, ascending.
 */
export function createVerseKeys(ordinals: Uint32Array, numbering: Numbering) {
  /** The keys of the few verses whose number differs, and the verses of these keys. */
  const keys = new Map<number, number>();
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

    /** Returns the ordinals that may have this key: one, or two where a translation spreads a verse. */
    ordinalsOf: (key: number): readonly number[] => [...(keys.has(key) ? [] : [key]), ...(verses.get(key) ?? [])],
  };
}

export type VerseKeys = ReturnType<typeof createVerseKeys>;

/** The keys of a search in one translation: its own ordinals. */
export const ownKeys: VerseKeys = { keyOf: (ordinal) => ordinal, ordinalsOf: (key) => [key] };
