import type { Book, BookCode } from '@lectern/canon';
import { bookName, findBook, foldName } from '@lectern/canon';
import { alphabetical } from './surface-forms';

export interface TranslationRow {
  number: number;
  identifier: string;
  language: string;
  books: string;
}

/** A translation as the concordance index stores it. */
export interface ConcordanceTranslation {
  /** Its primary key in concordance.sqlite. */
  readonly number: number;
  readonly identifier: string;
  /** The language code of ISO 639-3. */
  readonly language: string;
  bookName(code: BookCode): string;
  /** Returns null if the text is not the code, name or abbreviation of exactly one book. */
  findBook(text: string): Book | null;
  /** Compares words by the alphabet of the translation's language. */
  compare(a: string, b: string): number;
}

export function concordanceTranslation({
  number,
  identifier,
  language,
  books,
}: TranslationRow): ConcordanceTranslation {
  const names = new Map(JSON.parse(books) as [BookCode, string][]);
  const codes = new Map(Array.from(names, ([code, name]) => [foldName(name), code]));
  return {
    number,
    identifier,
    language,
    bookName: (code) => names.get(code) ?? bookName(code, language),
    findBook: (text) => findBook(text, language, codes),
    compare: alphabetical(language),
  };
}
