import type { BookCode, Numbering, Place } from '@lectern/canon';
import { bookName } from '@lectern/canon';
import type { Translation } from '@lectern/corpus';
import type { CatalogueRow } from '@lectern/data-files';

/**
 * A translation, read from its entry in study-catalogue.sqlite, which lists the translations: its
 * numbering, its books and their verses.
 */
export interface StudyTranslation {
  readonly identifier: string;
  /** The language as an ISO 639-3 code. */
  readonly language: string;
  readonly numbering: Numbering;
  bookName(book: BookCode): string;
  /** Returns whether the translation has a verse. Accepts any chapter and verse number. */
  hasVerse(place: Place): boolean;
}

/** The entry of a translation in study-catalogue.sqlite, as JSON. */
export interface StudyEntry {
  readonly identifier: string;
  readonly language: string;
  readonly numbering: Numbering;
  readonly books: readonly StoredBook[];
}

/**
 * The verses of a chapter: their count if their numbers are 1, 2, 3 and so on, else their numbers.
 * The count keeps the catalogue small.
 */
type StoredChapter = number | readonly number[];
type StoredBook = readonly [code: BookCode, name: string, chapters: readonly StoredChapter[]];

export const toStudyEntry = ({ identifier, language, numbering, books }: Translation): StudyEntry => ({
  identifier,
  language,
  numbering,
  books: books.map(({ code, name, chapters }) => [
    code,
    name,
    chapters.map((verses) => (verses.every((verse, index) => verse === index + 1) ? verses.length : verses)),
  ]),
});

export function readStudyTranslation({ entry }: Pick<CatalogueRow, 'entry'>): StudyTranslation {
  const { identifier, language, numbering, books } = JSON.parse(entry) as StudyEntry;
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
