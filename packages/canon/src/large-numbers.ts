import type { ReferencePoint, ReferenceSpan } from './reference';

/** The numbers that were too large to be read as they stand, by the number that stands for them. */
export type LargeNumbers = ReadonlyMap<number, number>;

// The parser reads three digits, and drops a number of 200 or more behind a blank as a year. No chapter or verse of any book
// is above 176, so larger numbers are only ever out of range, and what matters of them is their order.
const largestReal = 176;
const standIns = { first: 180, last: 199 };

/** Every number above 176 replaced by one from 180 to 199 of the same rank, blanks filling up its length. */
export function shrinkNumbers(text: string): { text: string; large: LargeNumbers } {
  const numbers = (text.match(/\d+/g) ?? []).map(Number).filter((number) => number > largestReal);
  const ranked = [...new Set(numbers)].sort((a, b) => a - b);
  const standInOf = new Map(ranked.map((number, rank) => [number, Math.min(standIns.first + rank, standIns.last)]));
  const shrunk = text.replace(/\d+/g, (digits) => {
    const number = Number(digits);
    const plain = String(standInOf.get(number) ?? number);
    return plain.length > digits.length ? digits : plain.padEnd(digits.length);
  });
  return {
    text: shrunk,
    large: new Map(
      ranked.map((number) => [standInOf.get(number) ?? number, Math.min(number, Number.MAX_SAFE_INTEGER)]),
    ),
  };
}

/** The span with the numbers that were asked for. */
export function restoreNumbers({ start, end }: ReferenceSpan, large: LargeNumbers): ReferenceSpan {
  const number = (value: number | null) => (value === null ? null : (large.get(value) ?? value));
  const point = ({ book, chapter, verse }: ReferencePoint) => ({
    book,
    chapter: number(chapter),
    verse: number(verse),
  });
  return { start: point(start), end: point(end) };
}
