import { servedNames } from './book-names';
import { type Book, type BookCode, bookByCode, books, isBookCode } from './books';
import { foldName } from './fold-name';
import { plainText } from './plain-text';
import { sharedParser } from './shared-parser';

/** The longest name asked of the parser: no book's is near it. */
const longestName = 100;

const codeByName = (names: ReadonlyMap<BookCode, string>): ReadonlyMap<string, BookCode> =>
  new Map(books.map(({ code }) => [foldName(names.get(code) ?? code), code]));
const served = { eng: codeByName(servedNames.eng), spa: codeByName(servedNames.spa) };

/**
 * The book that a USFM code, a name or an alias means, in any of the parser's 50 languages; case, accents, extra blanks and a full
 * stop at the end are ignored. `extraNames` are names that a translation serves, keyed by `foldName`, and win over all but codes; the
 * names of `language` (ISO 639-3) come before those of others. Null when it is no book, or more than one: "John 3" is a reference.
 */
export function findBook(text: string, language = 'eng', extraNames?: ReadonlyMap<string, BookCode>): Book | null {
  // As clients mostly write it, and as it comes out of everything that is done to a name below.
  if (isBookCode(text)) return bookByCode(text);
  if (text.length > longestName) return null;
  const name = foldName(plainText(text).text).replace(/ ?\.$/, '');
  const code = name.toUpperCase();
  if (isBookCode(code)) return bookByCode(code);
  const ordered = language === 'spa' ? [served.spa, served.eng] : [served.eng, served.spa];
  const known = [extraNames, ...ordered].find((names) => names?.has(name))?.get(name);
  if (known) return bookByCode(known);
  return spokenBook(
    plainText(text)
      .text.trim()
      .replace(/\s*\.$/, ''),
  );
}

function spokenBook(name: string): Book | null {
  const [leaf, ...others] = sharedParser().read(name);
  const isWhole = leaf?.bookAlone === true && others.length === 0 && leaf.start === 0 && leaf.end === name.length;
  return isWhole ? bookByCode(leaf.span.start.book) : null;
}
