import {
  formatReference,
  fromStandard,
  ordinalParts,
  type Place,
  type ReferencePoint,
  verseOrdinal,
} from '@lectern/canon';
import type { StandardVerses, VerseSpan } from '@lectern/reference-works';
import type { StudyTranslation } from './translation-catalogue-entry';

/**
 * Returns the place of an ordinal from reference-works.sqlite: JHN 3:16 for 43003016. Throws if the
 * ordinal names none of the 66 books: then the build wrote a wrong file.
 */
export function placeOf(ordinal: number): Place {
  const place = ordinalParts(ordinal);
  if (!place) throw new Error(`The study file has a verse that no book has: ${ordinal}`);
  return place;
}

/**
 * Writes a range of verses in the standard numbering (the verse numbers of the King James Version)
 * as a reference in a language. Whole chapters are written without verse numbers: `Psalms 23`.
 */
export function formatSpan(
  span: VerseSpan,
  { verses, ...names }: Pick<StudyTranslation, 'language' | 'bookName'> & { verses: StandardVerses },
): string {
  const [first, last] = [placeOf(span.first), placeOf(span.last)];
  const isWhole =
    first.verse === 1 && last.verse > 1 && verses.chapterSpan(last.book, last.chapter)?.last === span.last;
  const point = (place: Place): ReferencePoint => (isWhole ? { ...place, verse: null } : place);
  return formatReference([{ start: point(first), end: point(last) }], names);
}

/** Writes a range of verses as a reference in the numbering and the language of a translation. */
export function formatSpanIn(translation: StudyTranslation, span: VerseSpan, verses: StandardVerses): string {
  if (translation.numbering === 'standard')
    return formatSpan(span, { verses, language: translation.language, bookName: translation.bookName });
  const [start, end] = [span.first, span.last].map((ordinal) => fromStandard(translation.numbering, placeOf(ordinal)));
  if (!start || !end) throw new Error('A span has two ends');
  const isOneVerse = verseOrdinal(start) === verseOrdinal(end);
  return formatReference([{ start, end: isOneVerse ? start : end }], translation);
}

/**
 * Returns the first verses of a range that a translation has, at most `limit`, in the translation's
 * numbering.
 */
export function versesInTranslation(
  translation: StudyTranslation,
  span: VerseSpan,
  limit: number,
  verses: StandardVerses,
): Place[] {
  const found = new Map<number, Place>();
  for (const ordinal of verses.within(span)) {
    if (found.size >= limit) break;
    const place = fromStandard(translation.numbering, placeOf(ordinal));
    if (translation.hasVerse(place)) found.set(verseOrdinal(place), place);
  }
  return [...found.values()];
}
