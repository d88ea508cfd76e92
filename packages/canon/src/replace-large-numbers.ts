import type { ReferencePoint, ReferenceSpan } from './reference-types';

/** The original number of each placeholder number. */
export type LargeNumbers = ReadonlyMap<number, number>;

/** The highest number of a chapter or a verse in any book: Psalm 119 has 176 verses. */
const maxRealNumber = 176;
/**
 * Only every second number is a placeholder: the parser reads "f" after a number as the next
 * number, which then is no placeholder of another number.
 */
const placeholders = { first: 178, last: 198, step: 2 };

/**
 * Replaces every number above 176 by a placeholder. The smallest becomes 178, the next larger one
 * 180, up to 198. If there are more numbers, the largest of them share 198. Numbers are padded with
 * spaces to the length of the replaced digits: "John 03:16-1000" becomes "John 3 :16-178 ".
 * The package bible-passage-reference-parser cannot read larger numbers. It reads at most three
 * digits ("John 3:1000" as John 3), and takes 200 or more after a space for a year ("John 3 250" as
 * John 3). No chapter or verse has a number above 176, so only the order of the numbers matters.
 */
export function replaceLargeNumbers(text: string): { text: string; large: LargeNumbers } {
  const numbers = (text.match(/\d+/g) ?? []).map(Number).filter((number) => number > maxRealNumber);
  const distinct = [...new Set(numbers)].sort((a, b) => a - b);
  const placeholderOf = new Map(
    distinct.map((number, rank) => [
      number,
      Math.min(placeholders.first + rank * placeholders.step, placeholders.last),
    ]),
  );
  const replaced = text.replace(/\d+/g, (digits) => {
    const number = Number(digits);
    const replacement = String(placeholderOf.get(number) ?? number);
    return replacement.length > digits.length ? digits : replacement.padEnd(digits.length);
  });
  const originals = distinct.map((number): [number, number] => [
    placeholderOf.get(number) ?? number,
    Math.min(number, Number.MAX_SAFE_INTEGER),
  ]);
  return { text: replaced, large: new Map(originals) };
}

/**
 * Replaces the placeholders in a span by the original numbers. A number one above a placeholder, as
 * at the end of "John 3:178f", becomes one above the original number.
 */
export function restoreNumbers({ start, end }: ReferenceSpan, large: LargeNumbers): ReferenceSpan {
  const restore = (value: number | null): number | null => {
    if (value === null) return null;
    const before = large.get(value - 1);
    return large.get(value) ?? (before === undefined ? value : before + 1);
  };
  const point = ({ book, chapter, verse }: ReferencePoint) => ({
    book,
    chapter: restore(chapter),
    verse: restore(verse),
  });
  return { start: point(start), end: point(end) };
}
