import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BookCode, isBookCode } from './books';
import { ordinalParts, type Place, placeOf, verseOrdinal } from './ids';

/** The numberings of verses, one file in `numberings` each. `standard` is that of the King James Version. */
export const numberings = [
  'standard',
  'web',
  'nrsv',
  'divided',
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

/** A standard verse, whole or in part, in a slot. A slot is a numbered verse of another numbering. */
export interface StandardVerse extends Place {
  /** Whether the slot has only a part of the text of the standard verse, or the verse only a part of the slot's. */
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
  /** Further slots of a standard verse, in which only some translations have it, such as BAR 6:1 for LJE 1:1. */
  others: Map<number, number[]>;
  /** All slots in `slots` that contain a standard verse. Null until they are first needed. */
  containing: Map<number, number[]> | null;
}

const tables = new Map<Numbering, Table>();

/** Returns the number of the last verse of each chapter of a book. */
export const chapterEnds = (numbering: Numbering, book: BookCode): readonly number[] =>
  tableOf(numbering).ends.get(book) ?? tableOf('standard').ends.get(book) ?? [];

/**
 * Returns the standard verses in a slot: several if the translation combines verses, as RV1909 does in NUM 13:33. None
 * for DAN 14:42 of the Vulgate. The title of a Psalm counts as part of its first verse.
 */
export const standardVerses = (numbering: Numbering, place: Place): readonly StandardVerse[] =>
  tableOf(numbering).slots.get(verseOrdinal(place)) ?? [place];

/** Returns the standard verse in a slot, the first if there are several, and null if there is none. */
export function toStandard(numbering: Numbering, place: Place): Place | null {
  const [first] = standardVerses(numbering, place);
  return first ? { book: first.book, chapter: first.chapter, verse: first.verse } : null;
}

/** Returns all slots that contain a standard verse, whole or in part, in ascending order. */
export function slotsOf(numbering: Numbering, place: Place): Place[] {
  const table = tableOf(numbering);
  const { slots } = table;
  const ordinal = verseOrdinal(place);
  table.containing ??= invert(slots);
  const found = table.containing.get(ordinal) ?? [];
  return [...found, ...(slots.has(ordinal) ? [] : [ordinal])].sort((a, b) => a - b).map(placeOf);
}

function invert(slots: Table['slots']): Map<number, number[]> {
  const containing = new Map<number, number[]>();
  for (const [slot, verses] of slots)
    for (const ordinal of verses.map(verseOrdinal)) {
      const known = containing.get(ordinal);
      if (known) known.push(slot);
      else containing.set(ordinal, [slot]);
    }
  return containing;
}

/**
 * Returns the slot of a standard verse, or null: one with the whole verse, then the first. `hasSlot` leaves out slots
 * that a translation lacks, such as Susanna as a book or as DAN 13.
 */
export function fromStandard(
  numbering: Numbering,
  place: Place,
  hasSlot: (slot: Place) => boolean = () => true,
): Place | null {
  const { slots, slotOf, others } = tableOf(numbering);
  const ordinal = verseOrdinal(place);
  const slot = slotOf.get(ordinal) ?? (slots.has(ordinal) ? null : ordinal);
  const first = slot === null ? null : ordinalParts(slot);
  if (first && hasSlot(first)) return first;
  return (
    others
      .get(ordinal)
      ?.map(ordinalParts)
      .find((other) => other && hasSlot(other)) ?? null
  );
}

/** Returns the place of the same text in another numbering, or null if none with `hasSlot` has it. */
export function renumber(
  place: Place,
  from: Numbering,
  to: Numbering,
  hasSlot: (slot: Place) => boolean = () => true,
): Place | null {
  if (from === to && hasSlot(place)) return place;
  const standard = toStandard(from, place);
  if (!standard) return tableOf(to).slots.get(verseOrdinal(place))?.length === 0 ? place : null;
  const first = verseOrdinal(standard);
  const title = tableOf(to).titles.get(first);
  const index = title ? (tableOf(from).titles.get(first)?.indexOf(verseOrdinal(place)) ?? -1) : -1;
  if (index >= 0) return ordinalParts(title?.[index] ?? title?.at(-1) ?? 0);
  // Of a slot with several verses, the first that the other numbering has counts.
  const slots = standardVerses(from, place).map((verse) => fromStandard(to, verse, hasSlot));
  return slots.find((slot) => slot !== null) ?? null;
}

/**
 * Returns all places of the text of a place in another numbering, of those with `hasSlot`, ascending.
 * Where both numberings divide a standard verse into as many slots, the parts correspond to each other in order.
 */
export function renumberAll(
  place: Place,
  from: Numbering,
  to: Numbering,
  hasSlot: (slot: Place) => boolean = () => true,
): readonly Place[] {
  if (from === to && hasSlot(place)) return [place];
  const found = standardVerses(from, place).flatMap((verse, index) => {
    // A further part of a verse, such as the start of the next one, adds nothing if the next slot has it whole.
    if (index > 0 && verse.isPartial && hasWhole(from, verse)) return [];
    const slots = partsOf(place, verse, from, to, hasSlot);
    const joined = slots.length > 0 ? null : fromStandard(to, verse, hasSlot);
    return joined ? [joined] : slots;
  });
  const only = found.length > 0 ? null : renumber(place, from, to, hasSlot);
  // In PSA 13:6 of `hebrew`, the standard verse that it shows best is not the first.
  return only && hasSlot(only) ? [only] : found.sort((a, b) => verseOrdinal(a) - verseOrdinal(b));
}

const hasWhole = (numbering: Numbering, verse: Place): boolean =>
  slotsOf(numbering, verse).some((slot) =>
    standardVerses(numbering, slot).some((each) => !each.isPartial && verseOrdinal(each) === verseOrdinal(verse)),
  );

/** Returns the slots of `to` that show a standard verse best, without those that belong to another slot than `place`. */
function partsOf(
  place: Place,
  verse: Place,
  from: Numbering,
  to: Numbering,
  hasSlot: (slot: Place) => boolean,
): readonly Place[] {
  const row = verseOrdinal(verse);
  const inRow = (numbering: Numbering): Place[] =>
    slotsOf(numbering, verse).filter((slot) => {
      const [first] = standardVerses(numbering, slot);
      return first !== undefined && verseOrdinal(first) === row;
    });
  const slots = inRow(to).filter(hasSlot);
  if (slots.length < 2) return slots;
  // A translation may print a text in two books, such as Susanna also in Daniel 13. One of them is enough.
  const isInBook = slots.some((slot) => slot.book === place.book);
  const { book } = (isInBook ? null : fromStandard(to, verse, hasSlot)) ?? place;
  const targets = slots.filter((slot) => slot.book === book);
  const isWritten = (slot: Place): boolean => slot.verse <= (chapterEnds(from, slot.book)[slot.chapter - 1] ?? 0);
  const own = inRow(from).filter((slot) => slot.book === place.book && isWritten(slot));
  const isTitle = (numbering: Numbering, slot: Place): boolean =>
    tableOf(numbering).titles.get(row)?.includes(verseOrdinal(slot)) ?? false;
  const bothHaveTitle = own.some((slot) => isTitle(from, slot)) && targets.some((slot) => isTitle(to, slot));
  const isAlike = (numbering: Numbering, slot: Place): boolean =>
    !bothHaveTitle || isTitle(numbering, slot) === isTitle(from, place);
  const alike = targets.filter((slot) => isAlike(to, slot));
  const ownAlike = own.filter((slot) => isAlike(from, slot));
  const index = ownAlike.findIndex((slot) => verseOrdinal(slot) === verseOrdinal(place));
  const part = ownAlike.length === alike.length ? alike[index] : undefined;
  return part ? [part] : alike;
}

function tableOf(numbering: Numbering): Table {
  const table = tables.get(numbering) ?? readTable(numbering);
  tables.set(numbering, table);
  return table;
}

/** Reads the file of a numbering, which packages/canon/README.md describes. Throws if a line is malformed. */
function readTable(numbering: Numbering): Table {
  const table: Table = {
    ends: new Map(),
    slots: new Map(),
    titles: new Map(),
    slotOf: new Map(),
    others: new Map(),
    containing: null,
  };
  for (const line of readLines(numbering)) {
    const [, book = '', ends] = /^(\w{3})\t([\d ]+)$/.exec(line) ?? [];
    if (ends === undefined) readSlots(table, line);
    else if (isBookCode(book)) table.ends.set(book, ends.split(' ').map(Number));
    else throw new Error(`Unknown book in the numbering ${numbering}: ${line}`);
  }
  if (numbering !== 'standard') fillSlotOf(table);
  readOtherPlaces(table, numbering);
  return table;
}

const readLines = (name: string): string[] =>
  readFileSync(join(__dirname, '..', 'numberings', `${name}.tsv`), 'utf8')
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'));

/**
 * Reads the places in which some Bibles print parts of the deuterocanonical books, such as Susanna in DAN 13. A line for
 * the numbering counts before one for all numberings (`*`), and a verse in the numbering's own file before both.
 */
function readOtherPlaces({ slots, slotOf, others }: Table, numbering: Numbering): void {
  const lines = readLines('other-places');
  const taken = new Set(Array.from(slots.keys()).filter((slot) => slots.get(slot)?.length !== 0));
  for (const name of [numbering, '*']) {
    const found = new Map<number, StandardVerse[]>();
    for (const line of lines)
      if (line.startsWith(`${name}\t`)) readSlots({ slots: found, titles: new Map() }, line.slice(name.length + 1));
    for (const [slot, verses] of found) {
      if (taken.has(slot)) continue;
      taken.add(slot);
      slots.set(slot, verses);
      for (const ordinal of verses.map(verseOrdinal)) {
        const isFirst = name === numbering && !slotOf.has(ordinal);
        if (isFirst) slotOf.set(ordinal, slot);
        others.set(ordinal, [...(others.get(ordinal) ?? []), isFirst ? ordinal : slot]);
      }
    }
  }
}

/** Reads a line such as `GEN 32:2-33	32:1` or `DAN 13:1-64	SUS 1:1`. Throws an Error if it is malformed. */
function readSlots({ slots, titles }: Pick<Table, 'slots' | 'titles'>, line: string): void {
  const pattern = /^(\w{3}) (\d+):(\d+)(?:-(\d+))?\t(?:-|(?:(\w{3}) )?(\d+):(\d+)(~?))$/;
  const [, book = '', chapter, first, last = first, standardBook = book, standardChapter, start, partial] =
    pattern.exec(line) ?? [];
  if (!isBookCode(book) || !isBookCode(standardBook)) throw new Error(`Malformed line in a numbering: ${line}`);
  for (let verse = Number(first); verse <= Number(last); verse += 1) {
    const slot = verseOrdinal({ book, chapter: Number(chapter), verse });
    if (start === undefined) {
      slots.set(slot, []);
      continue;
    }
    const isTitle = start === '0';
    const own: StandardVerse = {
      book: standardBook,
      chapter: Number(standardChapter),
      verse: isTitle ? 1 : Number(start) + verse - Number(first),
    };
    if (partial) own.isPartial = true;
    slots.set(slot, [...(slots.get(slot) ?? []), own]);
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
