import type { Book, BookCode } from '@lectern/canon';
import { bookName, findBook, foldName } from '@lectern/canon';
import type { ConcordanceEntry } from './concordance-file-formats';
import { isInStrongsRanges } from './group-strongs-numbers-into-ranges';
import { alphabetical } from './surface-form-order-and-spelling';

/** A translation as the concordance index stores it. */
export interface ConcordanceTranslation {
  readonly identifier: string;
  /** The language code of ISO 639-3. */
  readonly language: string;
  /**
   * A text for the keys of caches. Two translations have different texts here. A translation also
   * gets another text here if its words are replaced.
   */
  readonly cacheKey: string;
  /** When the index was built: ISO 8601, in UTC. */
  readonly builtAt: string;
  /**
   * Returns true if words of the translation have this Strong's number, the number of the Hebrew or
   * Greek word that they translate.
   */
  hasStrongsNumber(number: string): boolean;
  bookName(code: BookCode): string;
  /** Returns null if the text is not the code, name or abbreviation of exactly one book. */
  findBook(text: string): Book | null;
  /** Compares words by the alphabet of the translation's language. */
  compare(a: string, b: string): number;
}

export function concordanceTranslation(
  { identifier, language, books, builtAt, strongsNumbers }: ConcordanceEntry,
  textDigest: string,
): ConcordanceTranslation {
  const names = new Map(books);
  let codes: ReadonlyMap<string, BookCode> | undefined;
  let compare: ConcordanceTranslation['compare'] | undefined;
  return {
    identifier,
    language,
    cacheKey: `${identifier} ${textDigest.slice(0, 16)}`,
    builtAt,
    hasStrongsNumber: (number) => isInStrongsRanges(strongsNumbers, number),
    bookName: (code) => names.get(code) ?? bookName(code, language),
    findBook(text) {
      codes ??= new Map(books.map(([code, name]) => [foldName(name), code]));
      return findBook(text, language, codes);
    },
    compare(a, b) {
      // A collator takes a millisecond and 10 kB of memory, so it is created at first use.
      compare ??= alphabetical(language);
      return compare(a, b);
    },
  };
}
