import { type Book, type BookCode, bookName, findBook, foldName, isDeuterocanonical } from '@lectern/canon';
import { withoutCantillation } from '@lectern/words';
import type { ConcordanceEntry, StrongsRanges } from './tables';

/** Joins Strong's numbers (such as G26, which identifies a Greek word) into ranges. */
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

function isInStrongsRanges(ranges: StrongsRanges, number: string): boolean {
  const bounds = ranges[number.slice(0, 1)] ?? [];
  const value = Number(number.slice(1));
  for (let index = 0; index < bounds.length; index += 2)
    if (value >= (bounds[index] ?? 0) && value <= (bounds[index + 1] ?? 0)) return true;
  return false;
}

export type Compare = (a: string, b: string) => number;

/**
 * Returns the function that compares words in the alphabetical order of a language (ISO 639-3), such as ñ after n in
 * Spanish. A language without an alphabet of its own here is sorted like English.
 */
export function alphabetical(language: string): Compare {
  const isSupported = Intl.Collator.supportedLocalesOf([language]).length > 0;
  const collator = new Intl.Collator(isSupported ? [language] : ['en']);
  return (a, b) => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

export interface SurfaceForm {
  readonly text: string;
  readonly occurrences: number;
}

/** The maximum number of forms in the lists `surfaceForms` and `formCounts` of a word. */
export const maxSurfaceForms = 10;
export const maxFormCounts = 100;

/**
 * Returns the key of a form. Spellings that differ only in case (`Amor`, `amor`) or in cantillation marks have the
 * same key.
 */
export const formKey = (written: string): string => withoutCantillation(written.normalize('NFC').toLowerCase());

/** Compares by count, the largest first, and equal counts with `compare`. */
export const byCount =
  (compare: Compare) =>
  (a: SurfaceForm, b: SurfaceForm): number =>
    b.occurrences - a.occurrences || compare(a.text, b.text);

/** A translation as the concordance index stores it. */
export interface ConcordanceTranslation extends Pick<ConcordanceEntry, 'identifier' | 'language' | 'builtAt'> {
  /** A part of cache keys. It changes when the words of the translation change. */
  readonly cacheKey: string;
  /** Returns whether a word of the translation is tagged with this Strong's number. */
  hasStrongsNumber(number: string): boolean;
  bookName(code: BookCode): string;
  /** Finds a book by its code, name or abbreviation. Returns null if the text names no book, or several. */
  findBook(text: string): Book | null;
  compare: Compare;
}

export function concordanceTranslation(
  { identifier, language, books, builtAt, strongsNumbers }: ConcordanceEntry,
  textDigest: string,
): ConcordanceTranslation {
  const names = new Map(books);
  const hasOthers = books.some(([code]) => isDeuterocanonical(code));
  let codes: ReadonlyMap<string, BookCode> | undefined;
  let compare: Compare | undefined;
  return {
    identifier,
    language,
    cacheKey: `${identifier} ${textDigest.slice(0, 16)}`,
    builtAt,
    hasStrongsNumber: (number) => isInStrongsRanges(strongsNumbers, number),
    bookName: (code) => names.get(code) ?? bookName(code, language),
    findBook(text) {
      codes ??= new Map(books.map(([code, name]) => [foldName(name), code]));
      return findBook(text, language, codes, hasOthers);
    },
    compare(a, b) {
      // Created at its first use, because a collator takes a millisecond and 10 kB of memory.
      compare ??= alphabetical(language);
      return compare(a, b);
    },
  };
}
