/**
 * The verses that contain each term (a word without case and accents), as ascending positions in
 * the translation, one term after the other. Term i is in verses[starts[i]] to verses[starts[i + 1]
 * - 1].
 */
export interface Postings {
  readonly verses: Uint16Array | Uint32Array;
  readonly starts: Uint32Array;
}

/** Returns the number of verses that contain a term. */
export const countVerses = ({ starts }: Postings, term: number): number =>
  (starts[term + 1] ?? 0) - (starts[term] ?? 0);
