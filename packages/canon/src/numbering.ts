import type { BookCode } from './books';
import { type Place, verseOrdinal } from './ids';

/**
 * How a translation numbers its verses. `standard` is the numbering that the King James and the World English Bible share;
 * `rv1909` keeps the chapter divisions of the Reina-Valera of 1909 inside the same slots.
 */
export type Numbering = 'standard' | 'rv1909';

interface Run {
  book: BookCode;
  chapter: number;
  first: number;
  last: number;
  /** Where the text of `first` stands in standard numbering; the slots after it follow one by one. */
  standard: readonly [chapter: number, verse: number];
  /** Further standard verses that the last slot holds as well: runs of one chapter, first to last. */
  merged?: readonly (readonly [chapter: number, first: number, last: number])[];
}

const run = (
  book: BookCode,
  chapter: number,
  first: number,
  last: number,
  standard: Run['standard'],
  ...merged: NonNullable<Run['merged']>
): Run => ({ book, chapter, first, last, standard, merged });

// The 193 slots of RV1909 that differ, found by aligning Strong's numbers with the King James; every other slot is the same.
const runs: readonly Run[] = [
  run('NUM', 13, 1, 1, [12, 16]),
  run('NUM', 13, 2, 33, [13, 1], [13, 33, 33]),
  run('NUM', 30, 1, 1, [29, 40]),
  run('NUM', 30, 2, 16, [30, 1], [30, 16, 16]),
  run('JDG', 14, 19, 20, [14, 18], [14, 20, 20]),
  run('1SA', 24, 1, 1, [23, 29]),
  run('1SA', 24, 2, 22, [24, 1], [24, 22, 22]),
  run('2SA', 20, 25, 25, [20, 25], [20, 26, 26]),
  run('1KI', 22, 44, 53, [22, 43], [22, 53, 53]),
  run('1CH', 1, 30, 30, [1, 30], [1, 31, 31]),
  run('1CH', 1, 31, 31, [1, 32]),
  run('1CH', 21, 16, 30, [21, 15], [21, 30, 30]),
  run('2CH', 33, 10, 10, [33, 10], [33, 11, 11]),
  run('2CH', 33, 11, 24, [33, 12]),
  run('JOB', 35, 15, 15, [35, 15], [35, 16, 16]),
  run('JOB', 39, 1, 3, [38, 39]),
  run('JOB', 39, 4, 30, [39, 1], [39, 28, 30], [40, 1, 5]),
  run('JOB', 40, 1, 19, [40, 6]),
  run('HOS', 12, 1, 1, [11, 12]),
  run('HOS', 12, 2, 14, [12, 1], [12, 14, 14]),
  run('JON', 2, 1, 1, [1, 17]),
  run('JON', 2, 2, 10, [2, 1], [2, 10, 10]),
  run('ACT', 19, 40, 40, [19, 40], [19, 41, 41]),
  run('2CO', 13, 12, 12, [13, 12], [13, 13, 13]),
  run('2CO', 13, 13, 13, [13, 14]),
];

const runsByBook: ReadonlyMap<BookCode, readonly Run[]> = new Map(
  [...new Set(runs.map((each) => each.book))].map((book) => [book, runs.filter((each) => each.book === book)]),
);

/**
 * The standard verses whose text a slot holds, in order: one, or several where the translation runs verses together in one slot.
 * A slot without a row is its own counterpart, also the few that stand empty in RV1909 because their text moved.
 */
export function standardVerses(numbering: Numbering, place: Place): readonly Place[] {
  const found = numbering === 'standard' ? undefined : runHolding(place);
  return found ? versesOfSlot(found, place.verse) : [place];
}

/** The standard number of a slot's text. Of a slot that holds several verses, the first: merged text is not cut up. */
export function toStandard(numbering: Numbering, place: Place): Place {
  return standardVerses(numbering, place)[0] ?? place;
}

/**
 * The slot in which a standard verse is read. A verse merged into another's slot is read there, together with its neighbours;
 * one that the translation spreads over two slots (Judges 14:18, 1 Kings 22:43, 1 Chronicles 21:15) is read from the first.
 */
export function fromStandard(numbering: Numbering, place: Place): Place {
  if (numbering === 'standard') return place;
  const holder = slotHolding(place);
  if (!holder) return place;
  const spread = !runHolding(place) && holder.chapter === place.chapter && holder.verse > place.verse;
  return spread ? place : holder;
}

/** The place of the same text in another numbering: `fromStandard` of `toStandard`. The same place where the two agree. */
export function renumber(place: Place, from: Numbering, to: Numbering): Place {
  return from === to ? place : fromStandard(to, toStandard(from, place));
}

const runHolding = (slot: Place): Run | undefined =>
  runsByBook
    .get(slot.book)
    ?.find(({ chapter, first, last }) => chapter === slot.chapter && first <= slot.verse && slot.verse <= last);

function versesOfSlot({ book, first, last, standard: [chapter, start], merged = [] }: Run, slot: number): Place[] {
  const places: Place[] = [{ book, chapter, verse: start + slot - first }];
  if (slot !== last) return places;
  for (const [chapter, from, to] of merged) {
    for (let verse = from; verse <= to; verse++) places.push({ book, chapter, verse });
  }
  return places;
}

function slotHolding(verse: Place): Place | null {
  const wanted = verseOrdinal(verse);
  for (const each of runsByBook.get(verse.book) ?? []) {
    for (let slot = each.first; slot <= each.last; slot++) {
      if (versesOfSlot(each, slot).some((place) => verseOrdinal(place) === wanted)) {
        return { book: each.book, chapter: each.chapter, verse: slot };
      }
    }
  }
  return null;
}
