import type { BookCode, Numbering, Place } from '@lectern/canon';
import { bookName, formatReference, fromStandard, placeOf, verseOrdinal } from '@lectern/canon';
import type { Translation } from '@lectern/corpus';
import type { CatalogueRow } from '@lectern/data-files';
import { formatSpan, type StandardVerses, type VerseSpan } from '@lectern/reference-works';

/** Writes a range of verses as a reference, in the numbering and the language of a translation. */
export function formatSpanIn(translation: StudyTranslation, span: VerseSpan, verses: StandardVerses): string {
  if (translation.numbering === 'standard')
    return formatSpan(span, { verses, language: translation.language, bookName: translation.bookName });
  const [start, end] = [span.first, span.last]
    .map(placeOf)
    .map((place) => fromStandard(translation.numbering, place) ?? place);
  if (!start || !end) throw new Error('A span has two ends');
  const isOneVerse = verseOrdinal(start) === verseOrdinal(end);
  return formatReference([{ start, end: isOneVerse ? start : end }], translation);
}

/** A translation, as its entry in study-catalogue.sqlite describes it. */
export interface StudyTranslation {
  readonly identifier: string;
  /** The language of the translation, as an ISO 639-3 code. */
  readonly language: string;
  readonly numbering: Numbering;
  bookName(book: BookCode): string;
  /** Returns whether the translation has a verse. Any numbers may be passed. */
  hasVerse(place: Place): boolean;
}

/** A book in the catalogue. A chapter with the verses 1 to n is stored as n, which keeps the catalogue small. */
type StoredBook = readonly [code: BookCode, name: string, chapters: readonly (number | readonly number[])[]];

/** Returns the entry of a translation in study-catalogue.sqlite, before it is written as JSON. */
export const toStudyEntry = ({ identifier, language, numbering, books, restricted }: Translation) => ({
  identifier,
  language,
  numbering,
  restricted,
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
