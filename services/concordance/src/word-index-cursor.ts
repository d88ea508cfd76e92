import { decode, encode } from './verse-cursor';

/**
 * The maximum length of a cursor. The cursors of all stems are much shorter. Base64url needs up to
 * four characters for a character of a stem.
 */
const maxCursorLength = 1_000;

/** Writes the cursor of a stem in the word index: the stem in base64url without padding. */
export const writeStemCursor = (lemma: string): string => encode(lemma);

/** Returns the stem of a cursor. Returns null if the text is not a cursor that `writeStemCursor` writes. */
export const parseStemCursor = (text: string): string | null => decode(text, maxCursorLength);
