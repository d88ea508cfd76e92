import type { BookCode } from '@lectern/canon';
import { kjvNew, kjvOld, nrsvaApocrypha } from './kjv-and-nrsva-verse-counts';

/** A book of a versification: the number of verses of each chapter. */
export interface VersificationBook {
  /** The USFM code, which may be one beyond the 66. */
  code: string;
  verses: readonly number[];
}

/**
 * A versification: the books and the numbers of verses of a module, in the order in which the
 * module stores the verses.
 */
export interface Versification {
  ot: readonly VersificationBook[];
  nt: readonly VersificationBook[];
}

/**
 * Returns the versification with this name. Returns null for a versification that is not supported.
 */
export function versification(name: string): Versification | null {
  if (name === 'KJV') return { ot: table(kjvOld), nt: table(kjvNew) };
  // NRSVA is KJV with the apocrypha after Malachi, and with one more verse in 3 John and in
  // Revelation 12.
  if (name === 'NRSVA') return { ot: [...table(kjvOld), ...table(nrsvaApocrypha)], nt: table(kjvNew).map(nrsvaBook) };
  return null;
}

/**
 * Returns the number of verses of each chapter of a book in the standard numbering, which is that
 * of the KJV.
 */
export function standardVerseCounts(book: BookCode): readonly number[] {
  return standardBooks.get(book) ?? [];
}

export const supportedVersifications = ['KJV', 'NRSVA'] as const;

const table = (counts: Readonly<Record<string, string>>): VersificationBook[] =>
  Object.entries(counts).map(([code, verses]) => ({ code, verses: verses.split(' ').map(Number) }));

function nrsvaBook(book: VersificationBook): VersificationBook {
  if (book.code === '3JN') return { ...book, verses: [15] };
  if (book.code === 'REV') return { ...book, verses: book.verses.map((count, index) => (index === 11 ? 18 : count)) };
  return book;
}

const standardBooks: ReadonlyMap<string, readonly number[]> = new Map(
  [...table(kjvOld), ...table(kjvNew)].map(({ code, verses }) => [code, verses]),
);
