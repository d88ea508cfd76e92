import { type Place, standardVerses, type VerseParts, verseId, verseOrdinal } from '@lectern/canon';
import type { Translation } from '@lectern/corpus';

/** A verse of a translation: its id, its place, and the King James verses with the same content. */
export interface TranslationVerse {
  readonly id: string;
  readonly parts: VerseParts;
  readonly standard: readonly number[];
}

export function translationVerse({ identifier, numbering }: Translation, place: Place): TranslationVerse {
  const parts = { ...place, translation: identifier };
  return { id: verseId(parts), parts, standard: standardVerses(numbering, place).map(verseOrdinal) };
}

export const hasVerse = ({ books }: Translation, { book, chapter, verse }: Place): boolean =>
  books.find(({ code }) => code === book)?.chapters[chapter - 1]?.includes(verse) ?? false;
