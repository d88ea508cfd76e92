const maxRunLength = 20;
const longRun = new RegExp(String.raw`[\s*]{${maxRunLength + 1},}`, 'gu');

export interface ShortenedText {
  text: string;
  /** Translates an index of `text` to the index of the same character in the original text. */
  originalIndex: (index: number) => number;
}

/**
 * Shortens runs of whitespace and asterisks to 20 characters: "Jn" + 9,990 spaces + "3:16" becomes
 * "Jn" + 20 spaces + "3:16".
 * The package bible-passage-reference-parser treats such a run like a single space, but takes
 * quadratic time for it: 1 to 2 s for ten thousand spaces. The cause is its regular expression
 * `^(?:[\s*]*["'][\s*]*|[\s*])+`, which at each space searches the rest of the run for a quotation
 * mark.
 */
export function shortenBlankRuns(original: string): ShortenedText {
  const cuts: { index: number; removed: number }[] = [];
  let totalRemoved = 0;
  const text = original.replace(longRun, (run, offset: number) => {
    const index = offset - totalRemoved + maxRunLength;
    totalRemoved += run.length - maxRunLength;
    cuts.push({ index, removed: totalRemoved });
    return run.slice(0, maxRunLength);
  });
  return {
    text,
    originalIndex: (index) => index + (cuts.findLast((cut) => cut.index <= index)?.removed ?? 0),
  };
}
