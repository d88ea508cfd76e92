import type { ReferencePoint, ReferenceSpan } from './reference-types';

/** The original number of each placeholder number. */
export type LargeNumbers = ReadonlyMap<number, number>;

/** The highest number of a chapter or a verse in any book: Psalm 119 has 176 verses. */
const maxRealNumber = 176;
const placeholders = { first: 180, last: 199 };

/**
 * Replaces every number above 176 by a placeholder from 180 to 199. A larger number gets a larger
 * placeholder. A placeholder is padded with spaces to the length of its number: "John 3:16-1000"
 * becomes "John 3:16-180 ".
 * The package bible-passage-reference-parser cannot read larger numbers. It reads at most three
 * digits ("John 3:1000" as John 3), and takes 200 or more after a space for a year ("John 3 250" as
 * John 3). No chapter or verse has a number above 176, so only the order of the numbers matters.
 */
export function replaceLargeNumbers(text: string): { text: string; large: LargeNumbers } {
  const numbers = (text.match(/\d+/g) ?? []).map(Number).filter((number) => number > maxRealNumber);
  const distinct = [...new Set(numbers)].sort((a, b) => a - b);
  const placeholderOf = new Map(
    distinct.map((number, rank) => [number, Math.min(placeholders.first + rank, placeholders.last)]),
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

/** Replaces the placeholders in a span by the original numbers. */
export function restoreNumbers({ start, end }: ReferenceSpan, large: LargeNumbers): ReferenceSpan {
  const restore = (value: number | null) => (value === null ? null : (large.get(value) ?? value));
  const point = ({ book, chapter, verse }: ReferencePoint) => ({
    book,
    chapter: restore(chapter),
    verse: restore(verse),
  });
  return { start: point(start), end: point(end) };
}
