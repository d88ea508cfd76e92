import type { WordTag } from '@lectern/corpus';
import { decodeVarints, decodeVarintsInto, encodeVarints } from './postings';

/** A range of a verse's text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly length: number;
}

/** A word of a verse, with the number of its stem. All forms of a word have the same stem. */
export interface IndexedWord extends Span {
  readonly stem: number;
}

export const endOf = ({ start, length }: Span): number => start + length;

export const overlap = (a: Span, b: Span): boolean => a.start < endOf(b) && b.start < endOf(a);

export function memoizeByWord<Result>(compute: (word: string) => Result): (word: string) => Result {
  const results = new Map<string, Result>();
  return (word) => {
    const result = results.get(word) ?? compute(word);
    results.set(word, result);
    return result;
  };
}

/** A gap of so many UTF-16 units or more is stored apart. Most gaps are shorter, such as a comma and a space. */
const longGap = 3;

/** Encodes a word as 4 x its length + the gap before it (at most 3), its stem's number, and a gap of 3 or more. */
export function encodeWords(words: readonly IndexedWord[]): Buffer {
  let end = 0;
  const numbers: number[] = [];
  for (const word of words) {
    const gap = word.start - end;
    numbers.push(word.length * 4 + Math.min(gap, longGap), word.stem);
    if (gap >= longGap) numbers.push(gap);
    end = endOf(word);
  }
  return encodeVarints(numbers);
}

export function decodeWords(bytes: Uint8Array): IndexedWord[] {
  const numbers = decodeVarints(bytes);
  const words: IndexedWord[] = [];
  let end = 0;
  for (let at = 0; at < numbers.length; ) {
    const lengthAndGap = numbers[at] ?? 0;
    const isLong = (lengthAndGap & longGap) === longGap;
    const gap = isLong ? (numbers[at + 2] ?? 0) : lengthAndGap & longGap;
    const word = { start: end + gap, length: lengthAndGap >>> 2, stem: numbers[at + 1] ?? 0 };
    words.push(word);
    end = endOf(word);
    at += isLong ? 3 : 2;
  }
  return words;
}

/** Allocates no memory for a verse. `read` returns its number of words, and the others take the index of a word. */
export function createWordReader() {
  let [numbers, starts, ends, stems] = createArrays(1_000);
  return {
    read(bytes: Uint8Array): number {
      if (bytes.length > numbers.length) [numbers, starts, ends, stems] = createArrays(bytes.length);
      const size = decodeVarintsInto(numbers, bytes);
      let words = 0;
      let end = 0;
      for (let at = 0; at < size; words += 1) {
        const lengthAndGap = numbers[at] ?? 0;
        const isLong = (lengthAndGap & longGap) === longGap;
        const start = end + (isLong ? (numbers[at + 2] ?? 0) : lengthAndGap & longGap);
        end = start + (lengthAndGap >>> 2);
        starts[words] = start;
        ends[words] = end;
        stems[words] = numbers[at + 1] ?? 0;
        at += isLong ? 3 : 2;
      }
      return words;
    },
    startOf: (word: number): number => starts[word] ?? 0,
    endOf: (word: number): number => ends[word] ?? 0,
    stemOf: (word: number): number => stems[word] ?? 0,
  };
}

const createArrays = (size: number) =>
  [new Int32Array(size), new Int32Array(size), new Int32Array(size), new Int32Array(size)] as const;

/** Encodes a Strong's number as an integer: twice the number, plus one for Greek. */
export const encodeStrongsNumber = (number: string): number =>
  Number(number.slice(1)) * 2 + (number.startsWith('G') ? 1 : 0);

/**
 * Encodes tags, which must be sorted by start. Writes for each tag the distance from the start of the previous tag, its
 * length, how many Strong's numbers it has, and these numbers.
 */
export function encodeTags(tags: readonly WordTag[]): Buffer {
  let previousStart = 0;
  const numbers: number[] = [];
  for (const { start, length, strongs } of tags) {
    numbers.push(start - previousStart, length, strongs.length, ...strongs.map(encodeStrongsNumber));
    previousStart = start;
  }
  return encodeVarints(numbers);
}

export function decodeTags(bytes: Uint8Array): WordTag[] {
  const numbers = decodeVarints(bytes);
  const tags: WordTag[] = [];
  let start = 0;
  for (let at = 0; at < numbers.length; ) {
    const [gap = 0, length = 0, count = 0] = numbers.subarray(at, at + 3);
    at += 3 + count;
    const strongs = Array.from(
      numbers.subarray(at - count, at),
      (encoded) => `${encoded % 2 === 1 ? 'G' : 'H'}${encoded >>> 1}`,
    );
    start += gap;
    tags.push({ start, length, strongs });
  }
  return tags;
}
