import { type BookNames, createNames } from './book-names';
import { allBooks, type BookCode, bookName, deuterocanonicalBooks } from './books';
import { chapterEnds, type Numbering } from './numbering';
import type { TranslationShape } from './types';

interface BooksWithVerses {
  language: string;
  /** `chapters[i]` has the verse numbers of chapter i + 1, ascending. */
  books: readonly {
    readonly code: BookCode;
    readonly name: string;
    readonly chapters: readonly (readonly number[])[];
  }[];
}

export function translationShape({ language, books }: BooksWithVerses): TranslationShape {
  const byCode = new Map(books.map((book) => [book.code, book]));
  return {
    language,
    chapterCount: (code) => byCode.get(code)?.chapters.length ?? 0,
    verses: (code, chapter) => byCode.get(code)?.chapters[chapter - 1] ?? [],
    bookName: (code) => byCode.get(code)?.name ?? bookName(code, language),
  };
}

const shapeOfNumbering = new Map<Numbering, TranslationShape>();

/** Returns the shape of an English translation that has all books, chapters and verses of a numbering. */
export function numberingShape(numbering: Numbering): TranslationShape {
  const known = shapeOfNumbering.get(numbering);
  if (known) return known;
  const shape = translationShape({
    language: 'eng',
    books: allBooks.map(({ code }) => ({
      code,
      name: bookName(code, 'eng'),
      chapters: chapterEnds(numbering, code).map((end) => Array.from({ length: end }, (_, index) => index + 1)),
    })),
  });
  shapeOfNumbering.set(numbering, shape);
  return shape;
}

/** Returns whether a translation has deuterocanonical books, whose names its references may then use. */
export const hasDeuterocanon = ({ chapterCount }: Pick<TranslationShape, 'chapterCount'>): boolean =>
  deuterocanonicalBooks.some(({ code }) => chapterCount(code) > 0);

const namesByShape = new WeakMap<TranslationShape, BookNames>();

export function namesOf(shape: TranslationShape): BookNames {
  const known = namesByShape.get(shape);
  if (known) return known;
  const books = allBooks.filter(({ code }) => shape.chapterCount(code) > 0);
  const names = createNames(
    shape.language,
    books.map(({ code }) => [code, shape.bookName(code)]),
  );
  namesByShape.set(shape, names);
  return names;
}
