import { isDeuterocanonical } from './books';
import { type Place, placeOf, verseOrdinal } from './ids';
import { chapterEnds, type Numbering, slotsOf, standardVerses } from './numbering';
import type { TranslationShape } from './types';

export interface ParallelText {
  readonly numbering: Numbering;
  readonly shape: TranslationShape;
  /** Returns the verse that holds the text of a number without text, if the source joins both. */
  readonly joinedTo: (place: Place) => Place | null;
}

/** Why a translation has no verse in a row. */
export type ParallelAbsence = 'OMITTED' | 'MERGED' | 'ELSEWHERE' | 'NOT_IN_TRANSLATION';

export interface ParallelCell {
  readonly places: readonly Place[];
  readonly absence: ParallelAbsence | null;
  /** The verse with the text of the row, if it belongs to another row. */
  readonly elsewhere: Place | null;
}

/** The ordinal of the standard verse that the row shows best, or the negative ordinal of its place if there is none. */
type RowKey = number;

function rowOf(numbering: Numbering, place: Place): RowKey {
  const [first] = standardVerses(numbering, place);
  return first ? verseOrdinal(first) : -verseOrdinal(place);
}

/** Returns the places in which a translation may have text of a row. */
const slotsOfRow = (row: RowKey, numbering: Numbering): readonly Place[] =>
  row > 0 ? slotsOf(numbering, placeOf(row)) : [placeOf(-row)];

const has = ({ verses }: TranslationShape, { book, chapter, verse }: Place): boolean =>
  verses(book, chapter).includes(verse);

const placesIn = (row: RowKey, { numbering, shape }: ParallelText): Place[] =>
  slotsOfRow(row, numbering).filter((slot) => has(shape, slot) && rowOf(numbering, slot) === row);

/** Returns whether a place is outside of the chapters of a numbering. */
const isBeyond = (numbering: Numbering, { book, chapter, verse }: Place): boolean =>
  verse > (chapterEnds(numbering, book)[chapter - 1] ?? 0);

/** Returns whether references may name a book. Without a text that has Susanna as a book, it is part of Daniel. */
const isKnown = (book: Place['book'], texts: readonly ParallelText[]): boolean =>
  !isDeuterocanonical(book) || texts.some(({ shape }) => shape.chapterCount(book) > 0);

/** The verses that a reference may name: all of the numbering, and others of a text. The first text names books. */
export function parallelShape(numbering: Numbering, texts: readonly ParallelText[]): TranslationShape {
  const [{ language, bookName }] = texts.map(({ shape }) => shape) as [TranslationShape];
  return {
    language,
    bookName,
    chapterCount: (book) =>
      isKnown(book, texts)
        ? Math.max(chapterEnds(numbering, book).length, ...texts.map(({ shape }) => shape.chapterCount(book)))
        : 0,
    verses(book, chapter) {
      const end = isKnown(book, texts) ? (chapterEnds(numbering, book)[chapter - 1] ?? 0) : 0;
      const beyond = texts
        .filter((text) => end === 0 || text.numbering === numbering)
        .flatMap(({ shape }) => shape.verses(book, chapter).filter((verse) => verse > end));
      return [...Array.from({ length: end }, (_, index) => index + 1), ...[...new Set(beyond)].sort((a, b) => a - b)];
    },
  };
}

/** Aligns verses in rows, in the order of `places`, with the standard verse that each shows best. No row is empty. */
export function alignVerses(
  places: readonly Place[],
  numbering: Numbering,
  texts: readonly ParallelText[],
): ParallelCell[][] {
  const rows = new Set<RowKey>();
  for (const place of places) {
    const verses = standardVerses(numbering, place);
    if (verses.length === 0) rows.add(rowOf(numbering, place));
    for (const verse of verses) rows.add(verseOrdinal(verse));
    if (isBeyond(numbering, place))
      for (const text of texts) if (has(text.shape, place)) rows.add(rowOf(text.numbering, place));
  }
  const ordered = withOwnRows([...rows], numbering, texts);
  const cells = ordered.map((row) => texts.map((text) => cellOf(row, text)));
  return cells.filter((row) => row.some(({ places: found }) => found.length > 0));
}

/**
 * Adds the rows that only a translation has, because the numbering of the reference has no place for them. They follow
 * the row of the verse before them in the book. At the start of a book, they precede that of the verse after them.
 */
function withOwnRows(rows: readonly RowKey[], numbering: Numbering, texts: readonly ParallelText[]): RowKey[] {
  const ordered = [...rows];
  const add = (added: readonly RowKey[], at: number): void =>
    void ordered.splice(at, 0, ...added.filter((row) => !ordered.includes(row)));
  for (const text of texts) {
    const verses = rows.flatMap((row) => placesIn(row, text));
    const chapters = new Map(verses.map(({ book, chapter }) => [`${book} ${chapter}`, { book, chapter }]));
    for (const { book, chapter } of chapters.values()) {
      let before: RowKey | null = null;
      let waiting: RowKey[] = [];
      for (const place of versesFrom(text, book, chapter)) {
        const row = rowOf(text.numbering, place);
        if (hasPlaceFor(row, place, numbering, texts)) {
          if (place.chapter > chapter) break;
          if (ordered.includes(row)) add(waiting, ordered.indexOf(row));
          waiting = [];
          before = row;
        } else if (before === null) {
          // Before the chapter's first verse with a place, only those of the first chapter: others follow a chapter.
          if (chapter === 1) waiting.push(row);
        } else {
          if (ordered.includes(before)) add([row], ordered.indexOf(before) + 1);
          before = row;
        }
      }
    }
  }
  return ordered;
}

/** Yields the verses of a book, from a chapter on. */
function* versesFrom({ shape }: ParallelText, book: Place['book'], chapter: number): Generator<Place> {
  for (let each = chapter; each <= shape.chapterCount(book); each += 1)
    for (const verse of shape.verses(book, each)) yield { book, chapter: each, verse };
}

/** Returns whether a reference in the numbering can name the row of a verse. */
function hasPlaceFor(row: RowKey, place: Place, numbering: Numbering, texts: readonly ParallelText[]): boolean {
  const isWithin = (slot: Place): boolean =>
    isKnown(slot.book, texts) &&
    (!isBeyond(numbering, slot) || texts.some((text) => text.numbering === numbering && has(text.shape, slot)));
  const isNamedAsIs = place.chapter > chapterEnds(numbering, place.book).length;
  return (
    isNamedAsIs ||
    slotsOfRow(row, numbering).some((slot) => isWithin(slot) && (row > 0 || rowOf(numbering, slot) === row))
  );
}

function cellOf(row: RowKey, text: ParallelText): ParallelCell {
  const places = placesIn(row, text);
  if (places.length > 0) return { places, absence: null, elsewhere: null };
  const slots = slotsOfRow(row, text.numbering);
  const holder = slots.find((slot) => has(text.shape, slot));
  if (holder) {
    const isMerged = standardVerses(text.numbering, holder).some((verse) => isNeighbour(verse, placeOf(Math.abs(row))));
    return { places, absence: isMerged ? 'MERGED' : 'ELSEWHERE', elsewhere: holder };
  }
  const joined = slots.map(text.joinedTo).find((place) => place !== null);
  if (joined) return { places, absence: 'MERGED', elsewhere: joined };
  const wanted = slots.length > 0 ? slots : [placeOf(Math.abs(row))];
  const hasChapter = wanted.some(({ book, chapter }) => text.shape.verses(book, chapter).length > 0);
  return { places, absence: hasChapter ? 'OMITTED' : 'NOT_IN_TRANSLATION', elsewhere: null };
}

/** Returns whether a verse is just before or after another, also across the end of a chapter. */
const isNeighbour = (a: Place, b: Place): boolean =>
  a.book === b.book &&
  (a.chapter === b.chapter
    ? Math.abs(a.verse - b.verse) === 1
    : Math.abs(a.chapter - b.chapter) === 1 && (a.chapter < b.chapter ? b : a).verse === 1);
