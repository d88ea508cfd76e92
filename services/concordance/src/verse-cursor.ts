import type { Place } from '@lectern/canon';
import { isBookCode } from '@lectern/canon';

/** Writes the cursor of a verse: `BOOK:chapter:verse` in base64url without padding. */
export const writeCursor = ({ book, chapter, verse }: Place): string =>
  Buffer.from(`${book}:${chapter}:${verse}`, 'latin1').toString('base64url');

/**
 * Returns null if the text is not a cursor that `writeCursor` writes, with or without padding.
 * A cursor contains only the place of a verse. The cursor stays valid for another query,
 * and for a verse that the translation lacks.
 */
export function parseCursor(text: string): Place | null {
  const unpadded = text.replace(/={1,2}$/, '');
  if (text.length > 24 || (unpadded !== text && text.length % 4 !== 0)) return null;
  const match = /^([0-9A-Z]{3}):([1-9]\d{0,2}):([1-9]\d{0,2})$/.exec(
    Buffer.from(unpadded, 'base64url').toString('latin1'),
  );
  const book = match?.[1] ?? '';
  if (!match || !isBookCode(book)) return null;
  const place = { book, chapter: Number(match[2]), verse: Number(match[3]) };
  // Node ignores characters outside base64 and spare bits at the end.
  // Only the canonical spelling is valid.
  return writeCursor(place) === unpadded ? place : null;
}
