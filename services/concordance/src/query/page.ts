import type { BookCode, Place } from '@lectern/canon';
import { books, ordinalParts, verseOrdinal } from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { ConcordanceTranslation } from '../data/metadata';
import type { Postings } from '../data/postings';
import { indexFrom } from '../data/postings';
import { parseCursor, parseWordOrderCursor, writeCursor, writeWordOrderCursor } from './cursor';
import type { ConcordanceResult } from './occurrences';
import type { SortedVerses, WordOrder } from './order';
import { keyAt, positionOf } from './order';

type Testament = 'OLD' | 'NEW';

/**
 * The arguments of a client, except the word or the Strong's number (of a Hebrew or Greek word).
 * Null means that the client left the argument out.
 */
export interface ConcordanceArguments {
  readonly translation: string;
  readonly book?: string | null;
  readonly testament?: Testament | null;
  readonly first?: number | null;
  readonly after?: string | null;
  readonly order?: 'CANONICAL' | WordOrder | null;
}

/** The result of a concordance, and one page of its verses that pass the filters. */
export interface ConcordancePage {
  readonly translation: ConcordanceTranslation;
  readonly result: ConcordanceResult;
  /** The number of verses that pass the filters, over all pages. */
  readonly totalCount: number;
  /** The verses of this page, in the order of the request. */
  readonly ordinals: readonly number[];
  /** Returns the cursor of the verse at an index of `ordinals`. */
  cursorAt(index: number): string;
  readonly hasNextPage: boolean;
  /** Whether verses that pass the filters come before this page. */
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

const defaultFirst = 25;
const maxFirst = 100;

/**
 * A range of verses as ordinals (43003016 is JHN 3:16): from `low` up to, but not including,
 * `high`.
 */
interface OrdinalRange {
  low: number;
  high: number;
}

const firstOfNewTestament = verseOrdinal({ book: 'MAT', chapter: 0, verse: 0 });
const testamentRanges: Readonly<Record<Testament, OrdinalRange>> = {
  OLD: { low: 0, high: firstOfNewTestament },
  NEW: { low: firstOfNewTestament, high: Infinity },
};

const bookRange = (code: BookCode): OrdinalRange => {
  const low = verseOrdinal({ book: code, chapter: 0, verse: 0 });
  return { low, high: low + 1_000_000 };
};

/** The verses that pass the filters, in the order of the request. A page is a part of them. */
interface OrderedVerses {
  readonly length: number;
  /** The index of the first verse after the cursor of the request. 0 without a cursor. */
  readonly from: number;
  ordinalsOf(from: number, to: number): readonly number[];
  cursorAt(index: number): string;
}

/**
 * Returns the page of the result after the cursor, within the filters, in canonical order.
 * Throws `bookNotFound` and `invalidCursor`.
 * A binary search in the sorted verses finds the page, so that the last page costs as much as the
 * first.
 */
export function pageOf(
  translation: ConcordanceTranslation,
  result: ConcordanceResult,
  args: ConcordanceArguments,
): ConcordancePage {
  const { postings } = result;
  const { low, high } = filteredRange(translation, args);
  const start = indexFrom(postings, low);
  const end = Math.max(start, indexFrom(postings, high));
  const after = args.after ? indexFrom(postings, ordinalAfter(args.after)) : start;
  const verses: OrderedVerses = {
    length: end - start,
    from: Math.min(end, Math.max(start, after)) - start,
    ordinalsOf: (from, to) => [...postings.ordinals.subarray(start + from, start + to)],
    cursorAt: (index) => writeCursor(placeOf(postings.ordinals[start + index])),
  };
  return cutPage(translation, result, verses, args.first);
}

/**
 * Returns the page of the result after the cursor, within the filters, sorted by the word before or
 * after the match.
 * Throws `bookNotFound` and `invalidCursor`.
 */
export function pageInWordOrder(
  translation: ConcordanceTranslation,
  result: ConcordanceResult,
  { order, sorted }: { order: WordOrder; sorted: SortedVerses },
  args: ConcordanceArguments,
): ConcordancePage {
  const { low, high } = filteredRange(translation, args);
  const after = args.after ? positionAfter(sorted, order, args.after) : 0;
  const positions: number[] = [];
  let from = 0;
  for (const [position, ordinal] of sorted.ordinals.entries()) {
    if (ordinal < low || ordinal >= high) continue;
    positions.push(position);
    if (position < after) from += 1;
  }
  const ordinalAt = (position: number | undefined): number => sorted.ordinals[position ?? -1] ?? 0;
  const verses: OrderedVerses = {
    length: positions.length,
    from,
    ordinalsOf: (begin, end) => positions.slice(begin, end).map(ordinalAt),
    cursorAt(index) {
      const position = positions[index] ?? 0;
      return writeWordOrderCursor(order, { place: placeOf(ordinalAt(position)), key: keyAt(sorted, position) });
    },
  };
  return cutPage(translation, result, verses, args.first);
}

function cutPage(
  translation: ConcordanceTranslation,
  result: ConcordanceResult,
  { length, from, ordinalsOf, cursorAt }: OrderedVerses,
  first: ConcordanceArguments['first'],
): ConcordancePage {
  const to = Math.min(length, from + Math.min(Math.max(first ?? defaultFirst, 1), maxFirst));
  return {
    translation,
    result,
    totalCount: length,
    ordinals: ordinalsOf(from, to),
    cursorAt: (index) => cursorAt(from + index),
    hasNextPage: to < length,
    hasPreviousPage: from > 0,
    startCursor: from < to ? cursorAt(from) : null,
    endCursor: from < to ? cursorAt(to - 1) : null,
  };
}

/**
 * Returns the range of the verses in the requested book and testament, which may be empty. Throws
 * `bookNotFound`.
 */
function filteredRange(
  translation: ConcordanceTranslation,
  { book, testament }: Pick<ConcordanceArguments, 'book' | 'testament'>,
): OrdinalRange {
  const filters = [
    ...(typeof book === 'string' ? [bookRange(findBookCode(translation, book))] : []),
    ...(testament ? [testamentRanges[testament]] : []),
  ];
  return {
    low: Math.max(0, ...filters.map(({ low }) => low)),
    high: Math.min(Infinity, ...filters.map(({ high }) => high)),
  };
}

function findBookCode(translation: ConcordanceTranslation, text: string): BookCode {
  const found = translation.findBook(text);
  if (!found) throw errors.bookNotFound(text);
  return found.code;
}

function ordinalAfter(cursor: string): number {
  const place = parseCursor(cursor);
  if (!place) throw errors.invalidCursor();
  return verseOrdinal(place) + 1;
}

function positionAfter(sorted: SortedVerses, order: WordOrder, cursor: string): number {
  const found = parseWordOrderCursor(cursor, order);
  if (!found) throw errors.invalidCursor();
  return positionOf(sorted, found.key, verseOrdinal(found.place) + 1);
}

function placeOf(ordinal: number | undefined): Place {
  const place = ordinalParts(ordinal ?? 0);
  if (!place) throw new Error(`${ordinal} is not the ordinal of a verse`);
  return place;
}

/** Counts the verses of each book, in canonical order. Books without a verse are left out. */
export function countByBook(postings: Postings): { book: BookCode; count: number }[] {
  return books
    .map(({ code }) => ({ book: code, count: countIn(postings, bookRange(code)) }))
    .filter(({ count }) => count > 0);
}

/** How many verses each chapter of one book has in a result. */
interface ChapterCounts {
  readonly book: BookCode;
  /** The number of verses in each chapter, from chapter 1 to the last chapter with a verse. */
  readonly counts: readonly number[];
}

/** Counts the verses of each chapter, in canonical order. Books without a verse are left out. */
export function countByChapter({ ordinals }: Postings): ChapterCounts[] {
  const found: { book: BookCode; counts: number[] }[] = [];
  let chapterOfLast = -1;
  let last: { book: BookCode; counts: number[] } | undefined;
  for (let index = 0; index < ordinals.length; index += 1) {
    const chapterNumber = Math.floor((ordinals[index] ?? 0) / 1_000);
    if (chapterNumber !== chapterOfLast) {
      chapterOfLast = chapterNumber;
      const { book, chapter } = placeOf(ordinals[index]);
      if (last?.book !== book) {
        last = { book, counts: [] };
        found.push(last);
      }
      while (last.counts.length < chapter) last.counts.push(0);
    }
    const { counts = [] } = last ?? {};
    counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
  }
  return found;
}

export const countByTestament = (postings: Postings): { old: number; new: number } => ({
  old: countIn(postings, testamentRanges.OLD),
  new: countIn(postings, testamentRanges.NEW),
});

const countIn = (postings: Postings, { low, high }: OrdinalRange): number =>
  indexFrom(postings, high) - indexFrom(postings, low);
