import type { BookCode, Numbering, Place } from '@lectern/canon';
import { bookName } from '@lectern/canon';
import type { Translation } from '@lectern/corpus';

/** What the study subgraph knows of a translation: its numbering, its books and their verses. */
export interface StudyTranslation {
  readonly identifier: string;
  /** The language as an ISO 639-3 code. */
  readonly language: string;
  readonly numbering: Numbering;
  bookName(book: BookCode): string;
  /** Returns whether the translation has a verse. Accepts any numbers. */
  hasVerse(place: Place): boolean;
}

export interface TranslationRow {
  readonly identifier: string;
  readonly language: string;
  readonly numbering: string;
  /** The books as `encodeBooks` writes them. */
  readonly books: string;
}

/** The verses of a chapter: how many, if their numbers are 1 and on, else the numbers. */
type EncodedChapter = number | readonly number[];
type EncodedBook = readonly [code: BookCode, name: string, chapters: readonly EncodedChapter[]];

/** Encodes the books of a translation as JSON. */
export const encodeBooks = ({ books }: Pick<Translation, 'books'>): string =>
  JSON.stringify(
    books.map(({ code, name, chapters }): EncodedBook => [
      code,
      name,
      chapters.map((verses) => (verses.every((verse, index) => verse === index + 1) ? verses.length : verses)),
    ]),
  );

export function readStudyTranslation({ identifier, language, numbering, books }: TranslationRow): StudyTranslation {
  const byCode = new Map(
    (JSON.parse(books) as EncodedBook[]).map(([code, name, chapters]) => [code, { name, chapters }]),
  );
  return {
    identifier,
    language,
    numbering: numbering as Numbering,
    bookName: (book) => byCode.get(book)?.name ?? bookName(book, language),
    hasVerse({ book, chapter, verse }) {
      const verses = byCode.get(book)?.chapters[chapter - 1] ?? 0;
      return typeof verses === 'number' ? verse >= 1 && verse <= verses : verses.includes(verse);
    },
  };
}
