import { type BookNames, createNames, nameAt, tokensOf } from './book-names';
import { type Book, type BookCode, bookByCode, bookName, isBookCode, isDeuterocanonical } from './books';
import { foldName, normalizeText } from './normalize-text';
import { sharedParser } from './reference-parser';

/** The maximum length of a book name, in UTF-16 units. All real names are much shorter. */
const maxNameLength = 100;

/** The maximum length of a list of books, in UTF-16 units. The list of all 66 English names has 563. */
export const maxBookListLength = 2_000;

/**
 * Finds a book by its USFM code, or a name or abbreviation in one of 50 languages. Case, accents, extra spaces and a
 * final full stop do not matter. Codes come first, then the names of `createNames`, then others. Null for no or several
 * books, and above 100 UTF-16 units. `deuterocanon` is true for translations that have such books.
 */
export function findBook(
  text: string,
  language = 'eng',
  names: BookNames = createNames(language),
  deuterocanon = false,
): Book | null {
  const isKnown = (code: string): code is BookCode => isBookCode(code) && (deuterocanon || !isDeuterocanonical(code));
  // Codes come first, because most clients send a code and a code needs no folding.
  if (isKnown(text)) return bookByCode(text);
  if (text.length > maxNameLength) return null;
  const plain = normalizeText(text)
    .text.trim()
    .replace(/(?<!\s)\s*\.$/, '');
  const code = foldName(plain).toUpperCase();
  if (isKnown(code)) return bookByCode(code);
  const own = names.own.get(plain.toLowerCase());
  if (own && isKnown(own)) return bookByCode(own);
  const tokens = tokensOf(plain);
  const known = nameAt(plain, tokens, 0, names);
  return known && known.next === tokens.length && isKnown(known.code)
    ? bookByCode(known.code)
    : parsedBook(plain, deuterocanon);
}

interface NamedBooks {
  /** The language code of ISO 639-3. */
  language: string;
  /** The books of the translation, with its own names. */
  books: readonly { readonly code: BookCode; readonly name: string }[];
}

export function createBookNames({ language, books }: NamedBooks) {
  const names = new Map(books.map(({ code, name }) => [code, name]));
  const deuterocanon = books.some(({ code }) => isDeuterocanonical(code));
  let prepared: BookNames | undefined;
  return {
    /** Returns the translation's name of a book, or a name in its language if the translation lacks the book. */
    bookName: (code: BookCode): string => names.get(code) ?? bookName(code, language),
    findBook: (text: string): Book | null =>
      findBook(text, language, (prepared ??= createNames(language, [...names])), deuterocanon),
  };
}

/** Returns the distinct codes and names of a list. Returns null if it is longer than `maxBookListLength`. */
export function parseBookList(list: string): string[] | null {
  if (list.length > maxBookListLength) return null;
  const names = list.split(',').map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}

function parsedBook(name: string, deuterocanon: boolean): Book | null {
  const [parsed, ...more] = sharedParser(deuterocanon).read(name);
  const isWhole = parsed?.isBookOnly && more.length === 0 && parsed.start === 0 && parsed.end === name.length;
  return isWhole ? bookByCode(parsed.span.start.book) : null;
}
