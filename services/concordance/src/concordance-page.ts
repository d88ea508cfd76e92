import type { BookCode, Place } from '@lectern/canon';
import { books, ordinalParts, verseOrdinal } from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { ConcordanceResult } from './concordance-result';
import type { ConcordanceTranslation } from './concordance-translation';
import type { Postings } from './postings';
import { indexFrom } from './postings';
import { parseCursor, writeCursor } from './verse-cursor';

export type Testament = 'OLD' | 'NEW';

/**
 * The arguments of a client, without the query. Null means that the client left the argument out.
 */
export interface ConcordanceArguments {
  readonly translation: string;
  readonly book?: string | null;
  readonly testament?: Testament | null;
  readonly first?: number | null;
  readonly after?: string | null;
}

/** A result and one page of the verses that pass the filters. */
export interface ConcordancePage {
  readonly translation: ConcordanceTranslation;
  readonly result: ConcordanceResult;
  /** The number of verses that pass the filters, over all pages. */
  readonly totalCount: number;
  /** The verses of this page, in canonical order. */
  readonly ordinals: readonly number[];
  readonly hasNextPage: boolean;
  /** Whether verses that pass the filters come before this page. */
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

const defaultFirst = 25;
const maxFirst = 100;

/** The ordinals from `low` up to but not including `high`. */
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

/**
 * Returns the page of the result after the cursor, within the filters.
 * Throws `bookNotFound` and `invalidCursor`.
 * It searches the sorted postings, so that the last page costs as much as the first.
 */
export function pageOf(
  translation: ConcordanceTranslation,
  result: ConcordanceResult,
  { book, testament, first, after }: ConcordanceArguments,
): ConcordancePage {
  const { postings } = result;
  const filters = [
    ...(typeof book === 'string' ? [bookRange(findBookCode(translation, book))] : []),
    ...(testament ? [testamentRanges[testament]] : []),
  ];
  const start = indexFrom(postings, Math.max(0, ...filters.map(({ low }) => low)));
  const end = Math.max(start, indexFrom(postings, Math.min(Infinity, ...filters.map(({ high }) => high))));
  const from = Math.min(end, Math.max(start, after ? indexFrom(postings, ordinalAfter(after)) : start));
  const to = Math.min(end, from + Math.min(Math.max(first ?? defaultFirst, 1), maxFirst));
  const ordinals = [...postings.ordinals.subarray(from, to)];
  return {
    translation,
    result,
    totalCount: end - start,
    ordinals,
    hasNextPage: to < end,
    hasPreviousPage: from > start,
    startCursor: cursorOf(ordinals.at(0)),
    endCursor: cursorOf(ordinals.at(-1)),
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

const cursorOf = (ordinal: number | undefined): string | null =>
  ordinal === undefined ? null : writeCursor(placeOf(ordinal));

function placeOf(ordinal: number): Place {
  const place = ordinalParts(ordinal);
  if (!place) throw new Error(`${ordinal} is not the ordinal of a verse`);
  return place;
}

/** Counts the verses of each book, in canonical order. Books without a verse are left out. */
export function countByBook(postings: Postings): { book: BookCode; count: number }[] {
  return books
    .map(({ code }) => ({ book: code, count: countIn(postings, bookRange(code)) }))
    .filter(({ count }) => count > 0);
}

export const countByTestament = (postings: Postings): { old: number; new: number } => ({
  old: countIn(postings, testamentRanges.OLD),
  new: countIn(postings, testamentRanges.NEW),
});

const countIn = (postings: Postings, { low, high }: OrdinalRange): number =>
  indexFrom(postings, high) - indexFrom(postings, low);
