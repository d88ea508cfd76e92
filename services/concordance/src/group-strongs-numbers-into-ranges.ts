import type { StrongsRanges } from './concordance-file-formats';

/** Groups Strong's numbers such as G26, which identify Greek and Hebrew words, into ranges. */
export function toStrongsRanges(numbers: Iterable<string>): StrongsRanges {
  const ranges: Record<string, number[]> = {};
  const sorted = Array.from(numbers, (number) => ({ letter: number.slice(0, 1), value: Number(number.slice(1)) }));
  for (const { letter, value } of sorted.sort((a, b) => a.value - b.value)) {
    const bounds = (ranges[letter] ??= []);
    if (bounds.at(-1) === value - 1) bounds[bounds.length - 1] = value;
    else bounds.push(value, value);
  }
  return ranges;
}

/** Returns true if a range contains the number. */
export function isInStrongsRanges(ranges: StrongsRanges, number: string): boolean {
  const bounds = ranges[number.slice(0, 1)] ?? [];
  const value = Number(number.slice(1));
  for (let index = 0; index < bounds.length; index += 2)
    if (value >= (bounds[index] ?? 0) && value <= (bounds[index + 1] ?? 0)) return true;
  return false;
}
