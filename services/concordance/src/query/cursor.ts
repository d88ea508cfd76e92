import { isBookCode, type Place } from '@lectern/canon';
import { maxSortKeyLength, type WordOrder } from './word-order';

/** The position of a verse in a result that is sorted by a neighbouring word. `key` is the sort key of that word. */
interface WordOrderPlace {
  readonly place: Place;
  readonly key: string;
}

const writePlace = ({ book, chapter, verse }: Place): string => `${book}:${chapter}:${verse}`;

/** Writes `BOOK:chapter:verse` in base64url without padding. */
export const writeCursor = (place: Place): string => encode(writePlace(place));

/** Writes `ORDER:BOOK:chapter:verse:word` in base64url without padding. */
export const writeWordOrderCursor = (order: WordOrder, { place, key }: WordOrderPlace): string =>
  encode(`${order}:${writePlace(place)}:${key}`);

/** Writes the cursor of a stem in the word index: the stem in base64url without padding. */
export const writeStemCursor = (lemma: string): string => encode(lemma);

/**
 * Returns the place in a cursor of `writeCursor`. Returns null for any other text. The cursor works with any query,
 * and its verse need not exist.
 */
export const parseCursor = (text: string): Place | null => parsePlace(decode(text, 24) ?? '');

/**
 * Returns the position in a cursor of `writeWordOrderCursor` for this order. Returns null for any other text. The
 * cursor works with any query, because it has the sort key itself.
 */
export function parseWordOrderCursor(text: string, order: WordOrder): WordOrderPlace | null {
  const [cursorOrder, book, chapter, verse, key, ...rest] = (decode(text, 250) ?? '').split(':');
  const place = parsePlace(`${book}:${chapter}:${verse}`);
  if (cursorOrder !== order || !place || key === undefined || rest.length > 0) return null;
  return [...key].length <= maxSortKeyLength ? { place, key } : null;
}

/** Returns the stem in a cursor of `writeStemCursor`. Returns null for any other text. */
export const parseStemCursor = (text: string): string | null => decode(text, 1_000);

function parsePlace(text: string): Place | null {
  const match = /^([0-9A-Z]{3}):([1-9]\d{0,2}):([1-9]\d{0,2})$/.exec(text);
  const book = match?.[1] ?? '';
  return match && isBookCode(book) ? { book, chapter: Number(match[2]), verse: Number(match[3]) } : null;
}

const encode = (text: string): string => Buffer.from(text).toString('base64url');

/**
 * Decodes base64 with or without padding. Returns null for any other text, and for text of more than `maxLength`
 * characters.
 */
function decode(text: string, maxLength: number): string | null {
  const unpadded = text.replace(/={1,2}$/, '');
  if (text.length > maxLength || (unpadded !== text && text.length % 4 !== 0)) return null;
  const decoded = Buffer.from(unpadded, 'base64url').toString();
  // Only the text that `encode` writes is valid, so that each place has one cursor. Node.js itself ignores characters
  // outside base64url and unused bits at the end.
  return encode(decoded) === unpadded ? decoded : null;
}
