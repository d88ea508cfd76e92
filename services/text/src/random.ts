import {
  type Book,
  type BookCode,
  bookByCode,
  isDeuterocanonical,
  maxBookListLength,
  type Place,
  parseBookList,
} from '@lectern/canon';
import type { Translation, TranslationBook } from '@lectern/corpus';
import { errors } from '@lectern/errors';

export interface RandomVerseFilter {
  /**
   * The books from which the verse may come, as codes or names separated by commas. They take precedence over
   * `testament`. Null or blank means all books.
   */
  readonly books?: string | null;
  /**
   * The testament, OT or NT, in upper or lower case. Null means both testaments, but not the deuterocanonical books.
   */
  readonly testament?: string | null;
}

/** Draws a verse, with equal probabilities if those of the numbers from `random` are equal. Throws `noVerses`. */
export function* drawRandomVerse(
  translation: Translation,
  filter: RandomVerseFilter,
  random: (below: number) => number,
  findBook: (name: string) => Book,
): Generator<void, Place> {
  const books = yield* filteredBooks(translation, filter, findBook);
  let total = 0;
  for (const { chapters } of books) for (const verses of chapters) total += verses.length;
  if (total === 0) throw errors.noVerses();
  let remaining = random(total);
  for (const { code, chapters } of books) {
    for (const [index, verses] of chapters.entries()) {
      const verse = verses[remaining];
      if (verse !== undefined) return { book: code, chapter: index + 1, verse };
      remaining -= verses.length;
    }
  }
  throw new Error(`random(${total}) returned no integer below ${total}`);
}

/** Returns the books that pass the filter. Yields after each name, because finding a book may take long. */
function* filteredBooks(
  { books: all }: Translation,
  { books, testament }: RandomVerseFilter,
  findBook: (name: string) => Book,
): Generator<void, readonly TranslationBook[]> {
  const codes = new Set<BookCode>();
  const names = parseBookList(books ?? '');
  if (!names) throw errors.tooLong('books', maxBookListLength);
  for (const name of names) {
    codes.add(findBook(name).code);
    yield;
  }
  if (codes.size > 0) return all.filter(({ code }) => codes.has(code));
  if (testament === null || testament === undefined) return all.filter(({ code }) => !isDeuterocanonical(code));
  if (!/^(OT|NT)$/i.test(testament)) throw errors.testamentUnknown();
  return all.filter(({ code }) => bookByCode(code).testament === testament.toUpperCase());
}
