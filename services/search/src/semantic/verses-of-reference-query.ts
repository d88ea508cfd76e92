import type { ReferencePoint } from '@lectern/canon';
import { parseReference, verseOrdinal } from '@lectern/canon';

/**
 * Queries without a digit are not parsed. Parsing takes a tenth of a millisecond, most queries have
 * no digit, and every reference to verses has one.
 */
const digit = /\d/;

const maxNumber = 999;

/**
 * Returns the verses of a reference if the whole query is a reference to verses or chapters, such
 * as "Juan 3:16": at most `limit` ordinals of `ordinals`, ascending. Returns none for other
 * queries. A book's name alone is not read as a reference, because Job, Ruth and Acts are also
 * words. `language` is the language of the translation, as an ISO 639-3 code. `ordinals` are the
 * ordinals of the translation's verses (43003016 is JHN 3:16), ascending.
 */
export function namedVerses(
  query: string,
  { language, ordinals, limit }: { language: string; ordinals: ArrayLike<number>; limit: number },
): number[] {
  const reference = digit.test(query) ? parseReference(query, language) : null;
  if (reference?.kind !== 'reference' || reference.spans.some(({ start }) => start.chapter === null)) return [];
  const ranges = reference.spans.map(({ start, end }) => [ordinalOf(start, 0), ordinalOf(end, maxNumber)] as const);
  const named: number[] = [];
  for (let at = 0; at < ordinals.length && named.length < limit; at += 1) {
    const ordinal = ordinals[at] ?? 0;
    if (ranges.some(([first, last]) => first <= ordinal && ordinal <= last)) named.push(ordinal);
  }
  return named;
}

/**
 * Returns the ordinal of the start or the end of a reference. `missing` takes the place of a
 * chapter or verse that the reference does not name.
 */
const ordinalOf = ({ book, chapter, verse }: ReferencePoint, missing: number): number =>
  verseOrdinal({ book, chapter: clampNumber(chapter ?? missing), verse: clampNumber(verse ?? missing) });

const clampNumber = (number: number): number => Math.min(number, maxNumber);
