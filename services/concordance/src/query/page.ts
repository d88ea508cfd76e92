import { allBooks, type BookCode, isBookCode, type Place, placeOf, verseOrdinal } from '@lectern/canon';
import { errors } from '@lectern/errors';
import { clampFirst } from '@lectern/subgraph';
import type { ConcordanceTranslation } from '../data/files';
import { indexFrom, type Postings } from '../data/postings';
import type { ConcordanceResult, WordMatch } from './occurrences';
import { keyAt, maxSortKeyLength, positionOf, type SortedVerses, type WordOrder } from './word-order';

type Testament = 'OLD' | 'NEW';

/** The arguments of a field of occurrences, as the client sent them, except the word or the Strong's number. */
export interface ConcordanceArguments {
  readonly translation: string;
  readonly book?: string | null;
  readonly testament?: Testament | null;
  readonly first?: number | null;
  readonly after?: string | null;
  readonly match?: WordMatch | null;
  readonly order?: 'CANONICAL' | WordOrder | null;
  /** Words that a span of text with the Strong's number must have. */
  readonly rendering?: string | null;
}

export type ConcordancePage = ReturnType<typeof pageOf>;

const defaultFirst = 25;
const maxFirst = 100;

/** A range of verses, from the number `low` to before the number `high` (43003016 is JHN 3:16). */
interface OrdinalRange {
  low: number;
  high: number;
}

const firstOfNewTestament = verseOrdinal({ book: 'MAT', chapter: 0, verse: 0 });
const afterNewTestament = verseOrdinal({ book: 'TOB', chapter: 0, verse: 0 });
const testamentRanges: Readonly<Record<Testament, OrdinalRange>> = {
  OLD: { low: 0, high: firstOfNewTestament },
  NEW: { low: firstOfNewTestament, high: afterNewTestament },
};

const bookRange = (code: BookCode): OrdinalRange => {
  const low = verseOrdinal({ book: code, chapter: 0, verse: 0 });
  return { low, high: low + 1_000_000 };
};

/** The verses that pass the filters, in the order that the client wants. */
interface OrderedVerses {
  readonly length: number;
  /** The index of the first verse after the client's cursor. 0 without a cursor. */
  readonly from: number;
  ordinalsOf(from: number, to: number): readonly number[];
  cursorAt(index: number): string;
}

/** Returns one page, in canonical order or in the order of `sorted`. Throws `bookNotFound` or `invalidCursor`. */
export function pageOf(
  translation: ConcordanceTranslation,
  result: ConcordanceResult,
  args: ConcordanceArguments,
  inWordOrder?: { order: WordOrder; sorted: SortedVerses },
) {
  const range = filteredRange(translation, args);
  const { length, from, ordinalsOf, cursorAt } = inWordOrder
    ? versesInWordOrder(inWordOrder.sorted, inWordOrder.order, range, args.after)
    : versesInCanonicalOrder(result.postings, range, args.after);
  const to = Math.min(length, from + clampFirst(args.first, defaultFirst, maxFirst));
  return {
    translation,
    result,
    /** The number of all verses that pass the filters, not only those on this page. */
    totalCount: length,
    /** The verses of this page, in the order that the client wants. */
    ordinals: ordinalsOf(from, to),
    /** Returns the cursor of a verse by its index in `ordinals`. */
    cursorAt: (index: number): string => cursorAt(from + index),
    hasNextPage: to < length,
    hasPreviousPage: from > 0,
    startCursor: from < to ? cursorAt(from) : null,
    endCursor: from < to ? cursorAt(to - 1) : null,
  };
}

/** Finds the start of the page with a binary search, so the last page takes as long as the first. */
function versesInCanonicalOrder(
  postings: Postings,
  { low, high }: OrdinalRange,
  cursor: string | null | undefined,
): OrderedVerses {
  const start = indexFrom(postings, low);
  const end = Math.max(start, indexFrom(postings, high));
  const place = cursor ? parseCursor(cursor) : null;
  if (cursor && !place) throw errors.invalidCursor();
  const after = place ? indexFrom(postings, verseOrdinal(place) + 1) : start;
  return {
    length: end - start,
    from: Math.min(end, Math.max(start, after)) - start,
    ordinalsOf: (from, to) => [...postings.ordinals.subarray(start + from, start + to)],
    cursorAt: (index) => writeCursor(placeOf(postings.ordinals[start + index] ?? 0)),
  };
}

function versesInWordOrder(
  sorted: SortedVerses,
  order: WordOrder,
  { low, high }: OrdinalRange,
  cursor: string | null | undefined,
): OrderedVerses {
  const found = cursor ? parseWordOrderCursor(cursor, order) : null;
  if (cursor && !found) throw errors.invalidCursor();
  const after = found ? positionOf(sorted, found.key, verseOrdinal(found.place) + 1) : 0;
  const positions: number[] = [];
  let from = 0;
  for (const [position, ordinal] of sorted.ordinals.entries()) {
    if (ordinal < low || ordinal >= high) continue;
    positions.push(position);
    if (position < after) from += 1;
  }
  return {
    length: positions.length,
    from,
    ordinalsOf: (begin, end) => positions.slice(begin, end).map((position) => sorted.ordinals[position] ?? 0),
    cursorAt(index) {
      const position = positions[index] ?? 0;
      return writeWordOrderCursor(order, {
        place: placeOf(sorted.ordinals[position] ?? 0),
        key: keyAt(sorted, position),
      });
    },
  };
}

/** Returns the range of the requested book or testament. It may be empty. */
function filteredRange(translation: ConcordanceTranslation, { book, testament }: ConcordanceArguments): OrdinalRange {
  const filters = testament ? [testamentRanges[testament]] : [];
  if (typeof book === 'string') {
    const found = translation.findBook(book);
    if (!found) throw errors.bookNotFound(book);
    filters.push(bookRange(found.code));
  }
  return {
    low: Math.max(0, ...filters.map(({ low }) => low)),
    high: Math.min(Infinity, ...filters.map(({ high }) => high)),
  };
}

/** Counts the verses in each book that has any, in canonical order. */
export function countByBook(postings: Postings): { book: BookCode; count: number }[] {
  return allBooks
    .map(({ code }) => ({ book: code, count: countIn(postings, bookRange(code)) }))
    .filter(({ count }) => count > 0);
}

/** Counts the verses in each chapter of each book that has any, up to the last chapter that has verses. */
export function countByChapter(postings: Postings): { book: BookCode; counts: number[] }[] {
  return countByBook(postings).map(({ book }) => {
    const { low, high } = bookRange(book);
    const lastChapter = placeOf(postings.ordinals[indexFrom(postings, high) - 1] ?? 0).chapter;
    const rangeOf = (chapter: number) => ({ low: low + chapter * 1_000, high: low + (chapter + 1) * 1_000 });
    return { book, counts: Array.from({ length: lastChapter }, (_, at) => countIn(postings, rangeOf(at + 1))) };
  });
}

export const countByTestament = (postings: Postings): { old: number; new: number } => ({
  old: countIn(postings, testamentRanges.OLD),
  new: countIn(postings, testamentRanges.NEW),
});

const countIn = (postings: Postings, { low, high }: OrdinalRange): number =>
  indexFrom(postings, high) - indexFrom(postings, low);

/** The position of a verse in a result that is sorted by a neighbouring word. `key` is the sort key of that word. */
interface WordOrderPlace {
  readonly place: Place;
  readonly key: string;
}

const writePlace = ({ book, chapter, verse }: Place): string => `${book}:${chapter}:${verse}`;

/** Writes `BOOK:chapter:verse` in base64url without padding. */
const writeCursor = (place: Place): string => encode(writePlace(place));

/** Writes `ORDER:BOOK:chapter:verse:word` in base64url without padding. */
const writeWordOrderCursor = (order: WordOrder, { place, key }: WordOrderPlace): string =>
  encode(`${order}:${writePlace(place)}:${key}`);

/** Writes the cursor of a stem in the word index: the stem in base64url without padding. */
export const writeStemCursor = (lemma: string): string => encode(lemma);

/** Returns null for any text that `writeCursor` does not write. Works with any query, and the verse need not exist. */
const parseCursor = (text: string): Place | null => parsePlace(decode(text, 24) ?? '');

/** Returns null for any text but a cursor of this order. It works with any query, as it has the sort key itself. */
function parseWordOrderCursor(text: string, order: WordOrder): WordOrderPlace | null {
  const [cursorOrder, book, chapter, verse, key, ...rest] = (decode(text, 250) ?? '').split(':');
  const place = parsePlace(`${book}:${chapter}:${verse}`);
  if (cursorOrder !== order || !place || key === undefined || rest.length > 0) return null;
  return [...key].length <= maxSortKeyLength ? { place, key } : null;
}

/** Returns the stem in a cursor of `writeStemCursor`. Returns null for any other text. */
export const parseStemCursor = (text: string): string | null => decode(text, 1_000);

function parsePlace(text: string): Place | null {
  const match = /^([0-9A-Z]{3}):([1-9]\d{0,2}):([1-9]\d{0,2})$/.exec(text);
  const book = match?.[1] ?? '';
  return match && isBookCode(book) ? { book, chapter: Number(match[2]), verse: Number(match[3]) } : null;
}

const encode = (text: string): string => Buffer.from(text).toString('base64url');

/** Decodes base64 with or without padding. Null for any other text, and for more than `maxLength` characters. */
function decode(text: string, maxLength: number): string | null {
  const unpadded = text.replace(/={1,2}$/, '');
  if (text.length > maxLength || (unpadded !== text && text.length % 4 !== 0)) return null;
  const decoded = Buffer.from(unpadded, 'base64url').toString();
  // Each place has one cursor, but Node.js itself ignores characters outside base64url and unused bits at the end.
  return encode(decoded) === unpadded ? decoded : null;
}
