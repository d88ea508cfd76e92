import type { WordTag } from './translation';

/**
 * The highest number of Strong's Greek (G) and Hebrew (H) dictionaries. A higher number is a typing
 * error ("G11537") or a grammar code that some files mix in.
 */
const maxNumber: Readonly<Record<string, number>> = { G: 5624, H: 8674 };

/**
 * Parses a `lemma` attribute: "strong:G4314 G0846" gives ["G4314", "G846"]. Ignores everything else
 * in the text.
 */
export function parseStrongs(lemma: string): string[] {
  const numbers: string[] = [];
  for (const part of lemma.split(/[\s|&,;]+/)) {
    const match = /^(?:strongs?:)?([GH])0*([1-9]\d{0,4})[a-z]?$/i.exec(part);
    const letter = match?.[1]?.toUpperCase() ?? '';
    if (!match || Number(match[2]) > (maxNumber[letter] ?? 0)) continue;
    const number = `${letter}${match[2]}`;
    if (!numbers.includes(number)) numbers.push(number);
  }
  return numbers;
}

/**
 * Encodes the tags of a verse as one line. A tag, which is a range of words with its Strong's
 * numbers, becomes `gap,length,G26+G3588`.
 * The gap is the distance from the start of the previous tag to the start of this tag.
 */
export function encodeTags(words: readonly WordTag[]): string {
  let previousStart = 0;
  return words
    .map(({ start, length, strongs }) => {
      const gap = start - previousStart;
      previousStart = start;
      return `${gap},${length},${strongs.join('+')}`;
    })
    .join(' ');
}

/** Decodes a line of `encodeTags`. */
export function decodeTags(line: string): WordTag[] {
  let start = 0;
  return line.split(' ').map((tag) => {
    const [gap, length, strongs = ''] = tag.split(',');
    start += Number(gap);
    return { start, length: Number(length), strongs: strongs.split('+') };
  });
}
