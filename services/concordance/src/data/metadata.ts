import type { Book, BookCode } from '@lectern/canon';
import { bookName, findBook, foldName } from '@lectern/canon';
import type { ConcordanceEntry, StrongsRanges } from './formats';

/** Groups Strong's numbers such as G26, which identify Greek and Hebrew words, into ranges. */
export function toStrongsRanges(numbers: Iterable<string>): StrongsRanges {
  const ranges: Record<string, number[]> = {};
  const sorted = Array.from(numbers, (number) => ({ letter: number.slice(0, 1), value: Number(number.slice(1)) }));
  for (const { letter, value } of sorted.sort((a, b) => a.value - b.value)) {
    const bounds = (ranges[letter] ??= []);
    if (bounds.at(-1) === value - 1) bounds[bounds.length - 1] = value;
    else bounds.push(value, value);
  }
  return ranges;
}

/** Returns true if a range contains the number. */
function isInStrongsRanges(ranges: StrongsRanges, number: string): boolean {
  const bounds = ranges[number.slice(0, 1)] ?? [];
  const value = Number(number.slice(1));
  for (let index = 0; index < bounds.length; index += 2)
    if (value >= (bounds[index] ?? 0) && value <= (bounds[index + 1] ?? 0)) return true;
  return false;
}

/**
 * Returns a function that compares words by the alphabet of a language (ISO 639-3).
 * For example, in Spanish ñ sorts between n and o. Unknown languages use the order of English.
 */
export function alphabetical(language: string): (a: string, b: string) => number {
  const isSupported = Intl.Collator.supportedLocalesOf([language]).length > 0;
  const collator = new Intl.Collator(isSupported ? [language] : ['en']);
  return (a, b) => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

export interface SurfaceForm {
  readonly text: string;
  readonly occurrences: number;
}

/** The maximum number of forms of a word in a response. */
export const maxSurfaceForms = 10;

/** Returns a comparison that sorts the most frequent form first, and equal counts by `compare`. */
export const byCount =
  (compare: (a: string, b: string) => number) =>
  (a: SurfaceForm, b: SurfaceForm): number =>
    b.occurrences - a.occurrences || compare(a.text, b.text);

/** Returns the key of a form: spellings that differ only in case (`Amor`, `amor`) are one form. */
export const caseless = (written: string): string => written.normalize('NFC').toLowerCase();

/** Returns the most frequent spelling of a form. */
export function commonestSpelling(
  spellings: ReadonlyMap<string, number>,
  compare: (a: string, b: string) => number,
): string {
  const forms = Array.from(spellings, ([text, occurrences]) => ({ text, occurrences }));
  return forms.sort(byCount(compare))[0]?.text ?? '';
}

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
