/**
 * The verses of each term, as positions in the translation, ascending, one term after the other:
 * term i has the verses from starts[i] to starts[i + 1] - 1.
 */
export interface Postings {
  readonly verses: Uint16Array | Uint32Array;
  readonly starts: Uint32Array;
}

/** Returns the number of verses that contain a term. */
export const countVerses = ({ starts }: Postings, term: number): number =>
  (starts[term + 1] ?? 0) - (starts[term] ?? 0);
