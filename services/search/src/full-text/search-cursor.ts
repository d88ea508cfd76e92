import { createHash } from 'node:crypto';

/** A verse of a result, as ordinal (43003016 is JHN 3:16), and its score. */
export interface Hit {
  readonly score: number;
  readonly ordinal: number;
}

const version = 'v1';
const pattern = /^v1:(0|[1-9][0-9]{0,9}):([1-9][0-9]{6,7}):([A-Za-z0-9_-]{16})$/;

/**
 * Writes the cursor of a hit: its score, its ordinal and a digest. The digest covers the hit and
 * `searchKey`, a text of all search arguments, so that `parseCursor` detects a changed cursor and a
 * cursor of another search.
 */
export const formatCursor = (hit: Hit, searchKey: string): string =>
  Buffer.from(`${version}:${hit.score}:${hit.ordinal}:${digest(hit, searchKey)}`).toString('base64url');

/**
 * Returns the hit of a cursor. Null if the text is not a cursor that `formatCursor` made for this
 * search.
 */
export function parseCursor(text: string, searchKey: string): Hit | null {
  const match = text.length <= 200 ? pattern.exec(Buffer.from(text, 'base64url').toString('latin1')) : null;
  if (!match) return null;
  const hit = { score: Number(match[1]), ordinal: Number(match[2]) };
  // Several base64 texts decode to the same bytes. Only the text that `formatCursor` writes is
  // valid.
  return formatCursor(hit, searchKey) === text ? hit : null;
}

const digest = ({ score, ordinal }: Hit, searchKey: string): string =>
  createHash('sha256').update(`${score}\n${ordinal}\n${searchKey}`).digest('base64url').slice(0, 16);
