import { kjvNew, kjvOld, nrsvaApocrypha } from './verse-counts';

/** A book of a versification: how many verses each chapter has. Codes are USFM's, for the books beside the 66 too. */
export interface VersificationBook {
  code: string;
  verses: readonly number[];
}

/** The order in which a module of this versification keeps its slots. */
export interface Versification {
  ot: readonly VersificationBook[];
  nt: readonly VersificationBook[];
}

/** Null for a versification that is not known here. */
export function versification(name: string): Versification | null {
  if (name === 'KJV') return { ot: table(kjvOld), nt: table(kjvNew) };
  // NRSVA is KJV with the apocrypha behind Malachi, and one verse more in 3 John and in Revelation 12.
  if (name === 'NRSVA') return { ot: [...table(kjvOld), ...table(nrsvaApocrypha)], nt: table(kjvNew).map(nrsvaBook) };
  return null;
}

export const supportedVersifications = ['KJV', 'NRSVA'] as const;

const table = (counts: Readonly<Record<string, string>>): VersificationBook[] =>
  Object.entries(counts).map(([code, verses]) => ({ code, verses: verses.split(' ').map(Number) }));

function nrsvaBook(book: VersificationBook): VersificationBook {
  if (book.code === '3JN') return { ...book, verses: [15] };
  if (book.code === 'REV') return { ...book, verses: book.verses.map((count, index) => (index === 11 ? 18 : count)) };
  return book;
}
