/** Writes the cursor of the topic at a position in the list of a query, from 0. */
export const writeCursor = (position: number): string => Buffer.from(`t${position}`, 'latin1').toString('base64url');

/**
 * Returns the position of a cursor of `writeCursor`, which may end with padding (`=`). Returns null
 * for any other text.
 */
export function parseCursor(cursor: string): number | null {
  if (cursor.length > 24) return null;
  const unpadded = cursor.replace(/={1,2}$/, '');
  const position = /^t(\d{1,6})$/.exec(Buffer.from(unpadded, 'base64url').toString('latin1'))?.[1];
  return position !== undefined && writeCursor(Number(position)) === unpadded ? Number(position) : null;
}
