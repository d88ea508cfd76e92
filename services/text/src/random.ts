import type { Book, BookCode, Place } from '@lectern/canon';
import { bookByCode, maxBookListLength, parseBookList } from '@lectern/canon';
import type { Translation, TranslationBook } from '@lectern/corpus';
import { errors } from '@lectern/errors';

export interface RandomVerseFilter {
  /**
   * Book codes or names, separated by commas. If it has a book, `testament` is ignored. Null or
   * blank means all books of `testament`.
   */
  readonly books: string | null;
  /** The testament: OT or NT, in upper or lower case. Null means both testaments. */
  readonly testament: string | null;
}

interface RandomVerseTools {
  /** Returns a random integer from 0 to `below` - 1, each with the same probability. */
  random(below: number): number;
  /** Finds a book by code, name or abbreviation. Throws `bookNotFound`. */
  findBook(name: string): Book;
}

/**
 * Draws a random verse of the filtered books, each with the same probability. Throws `noVerses` if
 * these books have no verses. Yields between short steps, so that other requests are executed in
 * between.
 */
export function* drawRandomVerse(
  translation: Translation,
  filter: RandomVerseFilter,
  { random, findBook }: RandomVerseTools,
): Generator<void, Place> {
  const candidates = yield* filteredBooks(translation, filter, findBook);
  const total = candidates.reduce((sum, each) => sum + verseCount(each), 0);
  if (total === 0) throw errors.noVerses();
  return nthVerse(candidates, random(total));
}

/**
 * Returns the books to draw from. Throws the error of `find` for an unknown book,
 * `testamentUnknown` for an unknown testament, and `tooLong` for a list of too many characters.
 * Yields after each name, because `find` may take long.
 */
function* filteredBooks(
  translation: Translation,
  { books, testament }: RandomVerseFilter,
  find: (name: string) => Book,
): Generator<void, readonly TranslationBook[]> {
  const codes = new Set<BookCode>();
  const names = parseBookList(books ?? '');
  if (!names) throw errors.tooLong('books', maxBookListLength);
  for (const name of names) {
    codes.add(find(name).code);
    yield;
  }
  if (codes.size > 0) return translation.books.filter((book) => codes.has(book.code));
  if (testament === null) return translation.books;
  const testamentCode = testament.length === 2 ? testament.toUpperCase() : '';
  if (testamentCode !== 'OT' && testamentCode !== 'NT') throw errors.testamentUnknown();
  return translation.books.filter((book) => bookByCode(book.code).testament === testamentCode);
}

const verseCount = (book: TranslationBook): number => book.chapters.reduce((sum, verses) => sum + verses.length, 0);

/** Returns the verse at a position, counted from 0 over all verses of the books in their order. */
function nthVerse(books: readonly TranslationBook[], index: number): Place {
  let remaining = index;
  for (const book of books) {
    for (const [chapterIndex, verses] of book.chapters.entries()) {
      const verse = verses[remaining];
      if (verse !== undefined) return { book: book.code, chapter: chapterIndex + 1, verse };
      remaining -= verses.length;
    }
  }
  throw new Error(`The filtered books have no verse with index ${index}`);
}
