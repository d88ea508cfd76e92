const codes = [
  'GEN',
  'EXO',
  'LEV',
  'NUM',
  'DEU',
  'JOS',
  'JDG',
  'RUT',
  '1SA',
  '2SA',
  '1KI',
  '2KI',
  '1CH',
  '2CH',
  'EZR',
  'NEH',
  'EST',
  'JOB',
  'PSA',
  'PRO',
  'ECC',
  'SNG',
  'ISA',
  'JER',
  'LAM',
  'EZK',
  'DAN',
  'HOS',
  'JOL',
  'AMO',
  'OBA',
  'JON',
  'MIC',
  'NAM',
  'HAB',
  'ZEP',
  'HAG',
  'ZEC',
  'MAL',
  'MAT',
  'MRK',
  'LUK',
  'JHN',
  'ACT',
  'ROM',
  '1CO',
  '2CO',
  'GAL',
  'EPH',
  'PHP',
  'COL',
  '1TH',
  '2TH',
  '1TI',
  '2TI',
  'TIT',
  'PHM',
  'HEB',
  'JAS',
  '1PE',
  '2PE',
  '1JN',
  '2JN',
  '3JN',
  'JUD',
  'REV',
] as const;

/**
 * A book's USFM code, https://ubsicap.github.io/usfm/identification/books.html: GEN ... MAL, MAT
 * ... REV.
 */
export type BookCode = (typeof codes)[number];
export type TestamentCode = 'OT' | 'NT';

export interface Book {
  code: BookCode;
  /**
   * The book's position from 1 (Genesis) to 66 (Revelation), in the Protestant order. Lectern uses
   * this order for every translation.
   */
  position: number;
  testament: TestamentCode;
  /**
   * Whether the book has one chapter. True for Obadiah, Philemon, 2 John, 3 John and Jude. People
   * leave out the chapter number of these books: "Jude 5" is verse 5 of Jude.
   */
  singleChapter: boolean;
}

const oldTestamentSize = 39;
const singleChapterCodes: ReadonlySet<BookCode> = new Set<BookCode>(['OBA', 'PHM', '2JN', '3JN', 'JUD']);

/** The 66 books in canonical order. */
export const books: readonly Book[] = codes.map((code, index) => ({
  code,
  position: index + 1,
  testament: index < oldTestamentSize ? 'OT' : 'NT',
  singleChapter: singleChapterCodes.has(code),
}));

const byCode: ReadonlyMap<string, Book> = new Map(books.map((book) => [book.code, book]));

/**
 * Finds a book by its USFM code in capitals. Returns null for any other text. To find a book by its
 * name, use `findBook`.
 */
export function bookByCode(code: BookCode): Book;
export function bookByCode(code: string): Book | null;
export function bookByCode(code: string): Book | null {
  return byCode.get(code) ?? null;
}

/** Returns true for the USFM code, in capitals, of one of the 66 books. */
export function isBookCode(text: string): text is BookCode {
  return byCode.has(text);
}
