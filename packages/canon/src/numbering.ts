import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BookCode } from './books';
import { isBookCode } from './books';
import type { Place } from './ids';
import { ordinalParts, verseOrdinal } from './ids';

/**
 * The ways in which translations number their verses. The folder `numberings` has a file for each. `standard` is the
 * numbering of the King James Version.
 */
export const numberings = [
  'standard',
  'web',
  'nrsv',
  'rv1909',
  'hebrew',
  'luther',
  'dutch',
  'vulgate',
  'synodal',
  'synodal-protestant',
  'segond',
  'septuagint',
  'greek',
  'original',
] as const;
export type Numbering = (typeof numberings)[number];

/**
 * A standard verse in a slot. A slot is a numbered verse of another numbering. It may contain several standard
 * verses, or only a part of one.
 */
export interface StandardVerse extends Place {
  /** Whether the slot and the standard verse have only a part in common. */
  isPartial?: true;
}

interface Table {
  /** The last verse of each chapter, for each book whose chapters do not all end as in the standard numbering. */
  ends: Map<BookCode, readonly number[]>;
  /** The content of each slot that does not contain exactly the standard verse with its number, by ordinal. */
  slots: Map<number, StandardVerse[]>;
  /** The slots that contain the title of a Psalm, by the ordinal of the Psalm's first verse. */
  titles: Map<number, number[]>;
  /** The slot of each standard verse that is not in the slot with its number. */
  slotOf: Map<number, number>;
}

const tables = new Map<Numbering, Table>();

/** Returns the number of the last verse of each chapter of a book. */
export const chapterEnds = (numbering: Numbering, book: BookCode): readonly number[] =>
  tableOf(numbering).ends.get(book) ?? tableOf('standard').ends.get(book) ?? [];

/**
 * Returns the standard verses in a slot. There are several if the translation combines verses, as RV1909 does in NUM
 * 13:33. The title of a Psalm counts as part of its first verse. An addition of the Septuagint has none, such as the
 * prayer of Azariah in DAN 3:24-90 of the Vulgate.
 */
export const standardVerses = (numbering: Numbering, place: Place): readonly StandardVerse[] =>
  tableOf(numbering).slots.get(verseOrdinal(place)) ?? [place];

/** Returns the standard verse in a slot, the first if there are several, and null if there is none. */
export function toStandard(numbering: Numbering, place: Place): Place | null {
  const [first] = standardVerses(numbering, place);
  return first ? { book: first.book, chapter: first.chapter, verse: first.verse } : null;
}

/**
 * Returns the slot that contains a standard verse, or null if there is none. If there are several, prefers a slot
 * with the whole verse, then the first slot.
 */
export function fromStandard(numbering: Numbering, place: Place): Place | null {
  const { slots, slotOf } = tableOf(numbering);
  const ordinal = verseOrdinal(place);
  const slot = slotOf.get(ordinal);
  if (slot !== undefined) return ordinalParts(slot);
  return slots.has(ordinal) ? null : place;
}

/** Returns the place of the same text in another numbering. Returns null if that numbering lacks the text. */
export function renumber(place: Place, from: Numbering, to: Numbering): Place | null {
  if (from === to) return place;
  const standard = toStandard(from, place);
  if (!standard) return tableOf(to).slots.get(verseOrdinal(place))?.length === 0 ? place : null;
  const first = verseOrdinal(standard);
  const title = tableOf(to).titles.get(first);
  const index = title ? (tableOf(from).titles.get(first)?.indexOf(verseOrdinal(place)) ?? -1) : -1;
  return index < 0 ? fromStandard(to, standard) : ordinalParts(title?.[index] ?? title?.at(-1) ?? 0);
}

function tableOf(numbering: Numbering): Table {
  const table = tables.get(numbering) ?? readTable(numbering);
  tables.set(numbering, table);
  return table;
}

/**
 * Reads the file of a numbering. Throws an Error if a line is malformed. packages/canon/README.md describes the lines.
 */
function readTable(numbering: Numbering): Table {
  const table: Table = { ends: new Map(), slots: new Map(), titles: new Map(), slotOf: new Map() };
  const text = readFileSync(join(__dirname, '..', 'numberings', `${numbering}.tsv`), 'utf8');
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('#')) continue;
    const [, book = '', slots, values = ''] = /^(\w{3})(?: (\d+:\d+(?:-\d+)?))?\t([\d :~-]+)$/.exec(line) ?? [];
    if (!isBookCode(book)) throw new Error(`Malformed line in the numbering ${numbering}: ${line}`);
    if (slots) readSlots(table, book, slots, values);
    else table.ends.set(book, values.split(' ').map(Number));
  }
  if (numbering !== 'standard') fillSlotOf(table);
  return table;
}

function readSlots({ slots, titles }: Table, book: BookCode, range: string, standard: string): void {
  const [chapter = 0, first = 0, last = first] = range.split(/[:-]/).map(Number);
  const [standardChapter = 0, start = 0] = standard.replace('~', '').split(':').map(Number);
  for (let verse = first; verse <= last; verse += 1) {
    const slot = verseOrdinal({ book, chapter, verse });
    if (standard === '-') {
      slots.set(slot, []);
      continue;
    }
    const isTitle = start === 0;
    const own: StandardVerse = { book, chapter: standardChapter, verse: isTitle ? 1 : start + verse - first };
    if (standard.endsWith('~')) own.isPartial = true;
    const earlier = slots.get(slot);
    if (earlier) earlier.push(own);
    else slots.set(slot, [own]);
    if (isTitle) titles.set(verseOrdinal(own), [...(titles.get(verseOrdinal(own)) ?? []), slot]);
  }
}

function fillSlotOf({ slots, titles, slotOf, ends }: Table): void {
  const hasOwnSlot = (ordinal: number, { book, chapter, verse }: Place) =>
    !slots.has(ordinal) && verse <= ((ends.get(book) ?? chapterEnds('standard', book))[chapter - 1] ?? 0);
  const ranks = new Map<number, number>();
  for (const [slot, verses] of slots)
    for (const verse of verses) {
      const ordinal = verseOrdinal(verse);
      // Slots with a lower rank are preferred.
      const rank =
        (titles.get(ordinal)?.includes(slot) ? 4 : 0) + (verse.isPartial ? 2 : 0) + (verses[0] === verse ? 0 : 1);
      const isBeforeOwn = rank === 0 && slot < ordinal && ordinalParts(slot)?.chapter === verse.chapter;
      if (hasOwnSlot(ordinal, verse) && !isBeforeOwn) continue;
      if (rank >= (ranks.get(ordinal) ?? Number.POSITIVE_INFINITY)) continue;
      ranks.set(ordinal, rank);
      slotOf.set(ordinal, slot);
    }
}
