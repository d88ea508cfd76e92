import type { Book, BookCode } from './books';
import { bookByCode, books, isBookCode } from './books';
import { bookNamesByLanguage } from './names';
import { sharedParser } from './parser';
import { foldName, normalizeText } from './text';

/** The maximum length of a book's name, in UTF-16 units. Every real name is much shorter. */
const maxNameLength = 100;

/**
 * The maximum length of a list of books, in UTF-16 units. A list of all 66 English names has a
 * length of 563.
 */
export const maxBookListLength = 2_000;

const codeByName = (names: ReadonlyMap<BookCode, string>): ReadonlyMap<string, BookCode> =>
  new Map(books.map(({ code }) => [foldName(names.get(code) ?? code), code]));
const codesByLanguage = { eng: codeByName(bookNamesByLanguage.eng), spa: codeByName(bookNamesByLanguage.spa) };

/**
 * Finds the book that a text means. The text is a USFM code, or a name or an abbreviation in one of
 * the 50 languages of bible-passage-reference-parser. Case, accents, extra whitespace and a final
 * full stop do not matter: "jn", "1ra Juan.", "Génesis", "genesis".
 * If a text has several meanings, the order is: codes, then `extraNames` (the names in a
 * translation, folded with `foldName`), then the served names of `language` (ISO 639-3), then
 * others. Returns null if the text does not name exactly one book, such as "John 3" or "John,
 * Mark", or if it is longer than `maxNameLength`.
 */
export function findBook(text: string, language = 'eng', extraNames?: ReadonlyMap<string, BookCode>): Book | null {
  // Codes are checked first without folding the text, because most clients send a code.
  if (isBookCode(text)) return bookByCode(text);
  if (text.length > maxNameLength) return null;
  const name = foldName(normalizeText(text).text).replace(/ ?\.$/, '');
  const code = name.toUpperCase();
  if (isBookCode(code)) return bookByCode(code);
  const ordered =
    language === 'spa' ? [codesByLanguage.spa, codesByLanguage.eng] : [codesByLanguage.eng, codesByLanguage.spa];
  const known = [extraNames, ...ordered].find((names) => names?.has(name))?.get(name);
  if (known) return bookByCode(known);
  return parsedBook(
    normalizeText(text)
      .text.trim()
      .replace(/\s*\.$/, ''),
  );
}

/**
 * Splits a list of book codes and names at its commas. Returns each code or name once, or [] for a
 * blank list. Returns null if the list is longer than `maxBookListLength`.
 */
export function parseBookList(list: string): string[] | null {
  if (list.length > maxBookListLength) return null;
  const names = list.split(',').map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}

function parsedBook(name: string): Book | null {
  const [parsed, ...others] = sharedParser().read(name);
  const isWhole =
    parsed?.isBookOnly === true && others.length === 0 && parsed.start === 0 && parsed.end === name.length;
  return isWhole ? bookByCode(parsed.span.start.book) : null;
}
