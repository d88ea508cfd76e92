import { createHash } from 'node:crypto';

/** Where a page ended: the last verse's place in the order of the result. */
export interface Position {
  readonly score: number;
  readonly ordinal: number;
}

const version = 'v1';
const pattern = /^v1:(0|[1-9][0-9]{0,9}):([1-9][0-9]{6,7}):([A-Za-z0-9_-]{16})$/;

/**
 * Opaque to clients: the place, and a digest of it together with the question (`asked`), so that a cursor that was changed, or that belongs
 * to another query, is known for one.
 */
export const formatCursor = (position: Position, asked: string): string =>
  Buffer.from(`${version}:${position.score}:${position.ordinal}:${digest(position, asked)}`).toString('base64url');

/** Null for anything but a cursor made for this very question. */
export function parseCursor(text: string, asked: string): Position | null {
  const match = text.length <= 200 ? pattern.exec(Buffer.from(text, 'base64url').toString('latin1')) : null;
  if (!match) return null;
  const position = { score: Number(match[1]), ordinal: Number(match[2]) };
  // Made again and compared: base64 has several spellings of one text.
  return formatCursor(position, asked) === text ? position : null;
}

const digest = ({ score, ordinal }: Position, asked: string): string =>
  createHash('sha256').update(`${score}\n${ordinal}\n${asked}`).digest('base64url').slice(0, 16);
