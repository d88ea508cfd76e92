/** A word of an edition's vocabulary that somebody may have meant. */
export interface KnownWord {
  readonly folded: string;
  readonly written: string;
  /** How many verses hold it. */
  readonly verses: number;
  /** As `lettersOf` gives them. */
  readonly letters: number;
}

/** Which letters a word has, each as one of 32 bits. One wrong letter changes two bits at most, so most words are known to be far at a glance. */
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

/** A word beyond this length is no misspelling of anything. */
const longestWord = 40;

/** The words nearest to one that is not in the vocabulary, best first: the fewest letters wrong, then those that begin alike (people rarely get the first letter wrong), then the commonest, then alphabetical. */
export function nearestWords(folded: string, vocabulary: Iterable<KnownWord>, most: number): KnownWord[] {
  if (folded.length > longestWord) return [];
  const allowed = folded.length <= 2 ? 0 : folded.length <= 4 ? 1 : 2;
  const near: { word: KnownWord; distance: number }[] = [];
  const letters = lettersOf(folded);
  for (const word of vocabulary) {
    if (bitCount(letters ^ word.letters) > 2 * allowed) continue;
    const distance = editDistance(folded, word.folded, allowed);
    if (distance <= allowed) near.push({ word, distance });
  }
  const begins = ({ word }: { word: KnownWord }): number => (word.folded.startsWith(folded.charAt(0)) ? 0 : 1);
  near.sort(
    (a, b) =>
      a.distance - b.distance ||
      begins(a) - begins(b) ||
      b.word.verses - a.word.verses ||
      (a.word.folded < b.word.folded ? -1 : 1),
  );
  return near.slice(0, most).map(({ word }) => word);
}

/**
 * How many letters have to be put in, left out, changed or swapped with their neighbour to make one word of the other; some number
 * above `most` where it is more than that.
 */
export function editDistance(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let beforeLast = new Uint8Array(right.length + 1);
  let previous = Uint8Array.from({ length: right.length + 1 }, (_, index) => index);
  let current = new Uint8Array(right.length + 1);
  for (let row = 1; row <= left.length; row += 1) {
    const letter = left.charCodeAt(row - 1);
    let least = row;
    current[0] = row;
    for (let column = 1; column <= right.length; column += 1) {
      const other = right.charCodeAt(column - 1);
      const changed = (previous[column - 1] ?? 0) + (letter === other ? 0 : 1);
      const leftOut = (previous[column] ?? 0) + 1;
      const putIn = (current[column - 1] ?? 0) + 1;
      const isSwapped =
        row > 1 && column > 1 && letter === right.charCodeAt(column - 2) && left.charCodeAt(row - 2) === other;
      const swapped = isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : changed;
      // This runs some million times a suggestion: comparisons, not Math.min.
      let cost = changed < leftOut ? changed : leftOut;
      if (putIn < cost) cost = putIn;
      if (swapped < cost) cost = swapped;
      current[column] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    [beforeLast, previous, current] = [previous, current, beforeLast];
  }
  return previous[right.length] ?? most + 1;
}
