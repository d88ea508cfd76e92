import type { BookCode } from './books';
import type { Place } from './ids';
import { verseOrdinal } from './ids';

/**
 * The way in which a translation numbers its verses:
 * - `standard` as the King James Version does.
 * - `web` as the World English Bible does, which prints ROM 16:25-27 as ROM 14:24-26.
 * - `rv1909` as the Reina-Valera 1909 does, whose chapters end elsewhere: its NUM 13:1 is NUM 12:16
 *   in `standard`.
 *
 * A numbered verse of `web` and `rv1909` is called a slot here, because it may contain several
 * standard verses.
 */
export type Numbering = 'standard' | 'web' | 'rv1909';

/** Consecutive slots of one chapter that contain consecutive standard verses. */
type Run = readonly [
  book: BookCode,
  chapter: number,
  first: number,
  last: number,
  /** The standard verse in the slot `first`. */
  standard: readonly [chapter: number, verse: number],
  /** Ranges of further standard verses in the slot `last`. */
  ...merged: (readonly [chapter: number, first: number, last: number])[],
];

// The 193 slots of RV1909 that contain another verse, or more verses, than the King James Version
// has under the same number. They were found by comparing the Strong's numbers of the words in both
// translations.
const rv1909Runs: readonly Run[] = [
  ['NUM', 13, 1, 1, [12, 16]],
  ['NUM', 13, 2, 33, [13, 1], [13, 33, 33]],
  ['NUM', 30, 1, 1, [29, 40]],
  ['NUM', 30, 2, 16, [30, 1], [30, 16, 16]],
  ['JDG', 14, 19, 20, [14, 18], [14, 20, 20]],
  ['1SA', 24, 1, 1, [23, 29]],
  ['1SA', 24, 2, 22, [24, 1], [24, 22, 22]],
  ['2SA', 20, 25, 25, [20, 25], [20, 26, 26]],
  ['1KI', 22, 44, 53, [22, 43], [22, 53, 53]],
  ['1CH', 1, 30, 30, [1, 30], [1, 31, 31]],
  ['1CH', 1, 31, 31, [1, 32]],
  ['1CH', 21, 16, 30, [21, 15], [21, 30, 30]],
  ['2CH', 33, 10, 10, [33, 10], [33, 11, 11]],
  ['2CH', 33, 11, 24, [33, 12]],
  ['JOB', 35, 15, 15, [35, 15], [35, 16, 16]],
  ['JOB', 39, 1, 3, [38, 39]],
  ['JOB', 39, 4, 30, [39, 1], [39, 28, 30], [40, 1, 5]],
  ['JOB', 40, 1, 19, [40, 6]],
  ['HOS', 12, 1, 1, [11, 12]],
  ['HOS', 12, 2, 14, [12, 1], [12, 14, 14]],
  ['JON', 2, 1, 1, [1, 17]],
  ['JON', 2, 2, 10, [2, 1], [2, 10, 10]],
  ['ACT', 19, 40, 40, [19, 40], [19, 41, 41]],
  ['2CO', 13, 12, 12, [13, 12], [13, 13, 13]],
  ['2CO', 13, 13, 13, [13, 14]],
];

const byBook = (runs: readonly Run[]): ReadonlyMap<BookCode, readonly Run[]> =>
  new Map(runs.map(([book]) => [book, runs.filter((run) => run[0] === book)]));

/** The slots that do not contain exactly the standard verse of their number. */
const runsOf = {
  standard: byBook([]),
  web: byBook([['ROM', 14, 24, 26, [16, 25]]]),
  rv1909: byBook(rv1909Runs),
} satisfies Record<Numbering, unknown>;

/** The standard verses in a slot, several if the translation combines verses: RV1909, NUM 13:33. */
export function standardVerses(numbering: Numbering, place: Place): readonly Place[] {
  const run = runContaining(numbering, place);
  return run ? versesOfSlot(run, place.verse) : [place];
}

/** Returns the standard verse in a slot: the first verse if the slot contains several. */
export const toStandard = (numbering: Numbering, place: Place): Place => standardVerses(numbering, place)[0] ?? place;

/**
 * Returns the slot that contains a standard verse. In RV1909, three standard verses are spread over
 * two slots (Judges 14:18, 1 Kings 22:43, 1 Chronicles 21:15). For these, returns the first slot.
 */
export function fromStandard(numbering: Numbering, place: Place): Place {
  const slot = slotContaining(numbering, place);
  if (!slot) return place;
  const isSpread = !runContaining(numbering, place) && slot.chapter === place.chapter && slot.verse > place.verse;
  return isSpread ? place : slot;
}

/** Returns the place of the same text in another numbering. */
export const renumber = (place: Place, from: Numbering, to: Numbering): Place =>
  from === to ? place : fromStandard(to, toStandard(from, place));

const runContaining = (numbering: Numbering, slot: Place): Run | undefined =>
  runsOf[numbering]
    .get(slot.book)
    ?.find(([, chapter, first, last]) => chapter === slot.chapter && first <= slot.verse && slot.verse <= last);

function versesOfSlot([book, , first, last, [chapter, start], ...merged]: Run, slot: number): Place[] {
  const places: Place[] = [{ book, chapter, verse: start + slot - first }];
  for (const [chapter, from, to] of slot === last ? merged : [])
    for (let verse = from; verse <= to; verse++) places.push({ book, chapter, verse });
  return places;
}

function slotContaining(numbering: Numbering, verse: Place): Place | null {
  const ordinal = verseOrdinal(verse);
  for (const run of runsOf[numbering].get(verse.book) ?? []) {
    const [book, chapter, first, last] = run;
    for (let slot = first; slot <= last; slot++)
      if (versesOfSlot(run, slot).some((place) => verseOrdinal(place) === ordinal))
        return { book, chapter, verse: slot };
  }
  return null;
}
