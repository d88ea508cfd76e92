import type { Place } from '@lectern/canon';
import { isBookCode } from '@lectern/canon';

/** Where a page ended: url-safe base64 of `BOOK:chapter:verse`, without padding. */
export const writeCursor = ({ book, chapter, verse }: Place): string =>
  Buffer.from(`${book}:${chapter}:${verse}`, 'latin1').toString('base64url');

/**
 * Null for anything that `writeCursor` would not write, with its padding or without. A cursor is a place and nothing more: one
 * from another query, or of a verse that the edition lacks, is a place to go on from like any other.
 */
export function parseCursor(text: string): Place | null {
  const bare = text.replace(/={1,2}$/, '');
  if (text.length > 24 || (bare !== text && text.length % 4 !== 0)) return null;
  const match = /^([0-9A-Z]{3}):([1-9]\d{0,2}):([1-9]\d{0,2})$/.exec(Buffer.from(bare, 'base64url').toString('latin1'));
  const book = match?.[1] ?? '';
  if (!match || !isBookCode(book)) return null;
  const place = { book, chapter: Number(match[2]), verse: Number(match[3]) };
  // Node reads past characters that are no base64, and past spare bits at the end.
  return writeCursor(place) === bare ? place : null;
}
