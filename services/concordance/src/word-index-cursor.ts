import { decode, encode } from './verse-cursor';

/** The maximum length of a cursor. The cursors of all stems of Bibles are much shorter. */
const maxCursorLength = 1_000;

/** Writes the cursor of a stem in the word index: the stem in base64url without padding. */
export const writeStemCursor = (lemma: string): string => encode(lemma);

/**
 * Returns the stem of a cursor of `writeStemCursor`, which may end with padding (`=`). Returns null
 * for any other text.
 */
export const parseStemCursor = (text: string): string | null => decode(text, maxCursorLength);
