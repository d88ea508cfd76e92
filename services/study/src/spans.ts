import type { BookCode, Numbering, Place, ReferencePoint } from '@lectern/canon';
import { bookName, formatReference, fromStandard, ordinalParts, verseOrdinal } from '@lectern/canon';
import type { Translation } from '@lectern/corpus';
import type { CatalogueRow } from '@lectern/data-files';
import type { StandardVerses, VerseSpan } from '@lectern/reference-works';

/** Returns the place of an ordinal: JHN 3:16 for 43003016. Throws if it names none of 66 books. */
export function placeOf(ordinal: number): Place {
  const place = ordinalParts(ordinal);
  if (!place) throw new Error(`The study file has a verse that no book has: ${ordinal}`);
  return place;
}

/**
 * Writes a range of verses in the standard numbering (the verse numbers of the King James Version)
 * as a reference in a language. Whole chapters have no verse numbers: `Psalms 23`.
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

/** Returns at most `limit` verses of a range, in the numbering of the translation. */
export function versesInTranslation(
  translation: StudyTranslation,
  span: VerseSpan,
  limit: number,
  verses: StandardVerses,
) {
  const found = new Map<number, Place>();
  for (const ordinal of verses.within(span)) {
    if (found.size >= limit) break;
    const place = fromStandard(translation.numbering, placeOf(ordinal));
    if (translation.hasVerse(place)) found.set(verseOrdinal(place), place);
  }
  return [...found.values()];
}

/** A translation, read from its entry in study-catalogue.sqlite. */
export interface StudyTranslation {
  readonly identifier: string;
  /** An ISO 639-3 code. */
  readonly language: string;
  readonly numbering: Numbering;
  bookName(book: BookCode): string;
  /** Accepts any chapter and verse number. */
  hasVerse(place: Place): boolean;
}

/**
 * The verses of a chapter are their count if their numbers are 1, 2, 3 and so on, else their numbers.
 * The count keeps the catalogue small.
 */
type StoredBook = readonly [code: BookCode, name: string, chapters: readonly (number | readonly number[])[]];

/** The entry of a translation in study-catalogue.sqlite, as JSON. */
export const toStudyEntry = ({ identifier, language, numbering, books }: Translation) => ({
  identifier,
  language,
  numbering,
  books: books.map(
    ({ code, name, chapters }): StoredBook => [
      code,
      name,
      chapters.map((verses) => (verses.every((verse, index) => verse === index + 1) ? verses.length : verses)),
    ],
  ),
});

export function readStudyTranslation({ entry }: Pick<CatalogueRow, 'entry'>): StudyTranslation {
  const { identifier, language, numbering, books } = JSON.parse(entry) as ReturnType<typeof toStudyEntry>;
  const byCode = new Map(books.map(([code, name, chapters]) => [code, { name, chapters }]));
  return {
    identifier,
    language,
    numbering,
    bookName: (book) => byCode.get(book)?.name ?? bookName(book, language),
    hasVerse({ book, chapter, verse }) {
      const verses = byCode.get(book)?.chapters[chapter - 1] ?? 0;
      return typeof verses === 'number' ? verse >= 1 && verse <= verses : verses.includes(verse);
    },
  };
}
