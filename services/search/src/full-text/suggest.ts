/** The words of a translation that may replace a misspelt word. All lists have the same order. */
export interface KnownWords {
  readonly folded: readonly string[];
  readonly written: readonly string[];
  /** The number of verses that contain each word. */
  readonly verses: Uint32Array;
  /** The letters of each word as the bits that `lettersOf` returns. */
  readonly letters: Int32Array;
}

/** A word of a translation. */
export interface KnownWord {
  readonly folded: string;
  readonly written: string;
  readonly verses: number;
}

/**
 * Returns the set of letters of a word as 32 bits. One edit changes at most two bits, so a
 * comparison of the bits excludes most words, and the slow `editDistance` runs for few words.
 */
export function lettersOf(folded: string): number {
  let letters = 0;
  for (let at = 0; at < folded.length; at += 1) letters |= 1 << (folded.charCodeAt(at) & 31);
  return letters;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** A longer unknown word gets no similar words, because it is hardly a misspelling. */
const maxWordLength = 40;

/** The number of words that are compared between two pauses, in about a millisecond. */
const wordsPerStep = 4_096;

/**
 * Returns at most `maxWords` words of the translation that are similar to an unknown word, sorted
 * by edit distance: at most 1 for a word of 3 or 4 letters, at most 2 for a longer word. Shorter
 * words have no similar words. At equal distance, words with the same first letter as the unknown
 * word come first, because typing errors rarely affect the first letter. Further ties are sorted by
 * frequency, then by alphabet. Yields between short steps, so that other requests are executed in
 * between.
 */
export function* wordsByEditDistance(
  folded: string,
  knownWords: KnownWords,
  maxWords: number,
): Generator<void, KnownWord[]> {
  if (folded.length > maxWordLength) return [];
  const maxDistance = folded.length <= 2 ? 0 : folded.length <= 4 ? 1 : 2;
  const near: { word: KnownWord; distance: number }[] = [];
  const letters = lettersOf(folded);
  for (const [id, known] of knownWords.folded.entries()) {
    if (id % wordsPerStep === 0) yield;
    if (bitCount(letters ^ (knownWords.letters[id] ?? 0)) > 2 * maxDistance) continue;
    const distance = editDistance(folded, known, maxDistance);
    if (distance > maxDistance) continue;
    const word = { folded: known, written: knownWords.written[id] ?? known, verses: knownWords.verses[id] ?? 0 };
    near.push({ word, distance });
  }
  const firstLetterRank = ({ word }: { word: KnownWord }): number => (word.folded.startsWith(folded.charAt(0)) ? 0 : 1);
  near.sort(
    (a, b) =>
      a.distance - b.distance ||
      firstLetterRank(a) - firstLetterRank(b) ||
      b.word.verses - a.word.verses ||
      (a.word.folded < b.word.folded ? -1 : 1),
  );
  return near.slice(0, maxWords).map(({ word }) => word);
}

/**
 * Returns the edit distance of two words (Damerau-Levenshtein): the number of letters to insert,
 * delete, replace, or swap with their neighbour. If the distance is greater than `max`, stops early
 * and returns some number above `max`.
 */
export function editDistance(left: string, right: string, max: number): number {
  if (Math.abs(left.length - right.length) > max) return max + 1;
  let beforeLast = new Uint8Array(right.length + 1);
  let previous = Uint8Array.from({ length: right.length + 1 }, (_, index) => index);
  let current = new Uint8Array(right.length + 1);
  for (let row = 1; row <= left.length; row += 1) {
    const leftLetter = left.charCodeAt(row - 1);
    let rowMin = row;
    current[0] = row;
    for (let column = 1; column <= right.length; column += 1) {
      const rightLetter = right.charCodeAt(column - 1);
      const substitution = (previous[column - 1] ?? 0) + (leftLetter === rightLetter ? 0 : 1);
      const deletion = (previous[column] ?? 0) + 1;
      const insertion = (current[column - 1] ?? 0) + 1;
      const isSwap =
        row > 1 &&
        column > 1 &&
        leftLetter === right.charCodeAt(column - 2) &&
        left.charCodeAt(row - 2) === rightLetter;
      const swap = isSwap ? (beforeLast[column - 2] ?? 0) + 1 : substitution;
      // Comparisons are faster than Math.min, and this code runs millions of times for a
      // suggestion.
      let cost = substitution < deletion ? substitution : deletion;
      if (insertion < cost) cost = insertion;
      if (swap < cost) cost = swap;
      current[column] = cost;
      if (cost < rowMin) rowMin = cost;
    }
    if (rowMin > max) return max + 1;
    [beforeLast, previous, current] = [previous, current, beforeLast];
  }
  return previous[right.length] ?? max + 1;
}
