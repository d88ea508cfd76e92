import { countVerses } from '@lectern/canon';
import { LRUCache } from 'lru-cache';

/** The maximum length of a reference, in UTF-16 units. The package `canon` parses no longer references. */
const maxReferenceCharacters = 200;
/**
 * The maximum total length of the different references that are counted for one request, in UTF-16 units. 100
 * references such as "1 Timothy 5:16-18" have 1,700.
 */
const maxCountedCharacters = 2_000;

/**
 * Languages read commas in references differently, so a reference with a comma is parsed four times and counts four
 * times.
 */
const commaFactor = 4;

const maxKnownReferences = 2_000;

/** Returns how many verses a text names: 0 if it is not a reference. */
export type CountVerses = (reference: string) => number;

/**
 * Creates the function that creates a counter for each request. After references of `maxCountedCharacters` in total,
 * the counter returns `Infinity` for each further reference. So a count depends on the request alone.
 */
export function createVerseCounters(): () => CountVerses {
  const known = new LRUCache<string, number>({ max: maxKnownReferences });
  const count = (reference: string): number => {
    if (reference.length > maxReferenceCharacters) return 0;
    const verses = known.get(reference) ?? countVerses(reference);
    known.set(reference, verses);
    return verses;
  };
  return () => {
    const counted = new Map<string, number>();
    let characters = 0;
    return (reference) => {
      const before = counted.get(reference);
      if (before !== undefined) return before;
      characters += Math.min(reference.length, maxReferenceCharacters) * (reference.includes(',') ? commaFactor : 1);
      const verses = characters > maxCountedCharacters ? Infinity : count(reference);
      counted.set(reference, verses);
      return verses;
    };
  };
}
