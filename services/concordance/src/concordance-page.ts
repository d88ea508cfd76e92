import type { BookCode, Place } from '@lectern/canon';
import { books, ordinalParts, verseOrdinal } from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { ConcordanceResult } from './concordance-result';
import { parseCursor, writeCursor } from './cursor';
import type { IndexedTranslation, IndexedVerse } from './indexed-translation';
import { keywordInContext } from './keyword-in-context';
import type { Postings } from './postings';
import { indexFrom } from './postings';
import type { Span } from './verse-encoding';
import { overlap } from './verse-encoding';

export type Testament = 'OLD' | 'NEW';

/** What a client asks a concordance for, as it came: null is as good as absent. */
export interface ConcordanceArguments {
  readonly translation: string;
  readonly book?: string | null;
  readonly testament?: Testament | null;
  readonly first?: number | null;
  readonly after?: string | null;
}

/** A finding in an edition, and one page of the verses that pass the filters. */
export interface ConcordancePage {
  readonly edition: IndexedTranslation;
  readonly finding: ConcordanceResult;
  /** How many verses pass the filters, over all pages. */
  readonly totalCount: number;
  /** The verses of this page, canonical. */
  readonly ordinals: readonly number[];
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

/** One verse of a page. */
export interface Occurrence {
  readonly finding: ConcordanceResult;
  readonly verse: IndexedVerse;
  readonly matches: readonly Span[];
}

const usualPage = 25;
const largestPage = 100;

/** Ordinals from `low` up to but not including `high`. */
interface Range {
  low: number;
  high: number;
}

const firstOfNew = verseOrdinal({ book: 'MAT', chapter: 0, verse: 0 });
const testamentRanges: Readonly<Record<Testament, Range>> = {
  OLD: { low: 0, high: firstOfNew },
  NEW: { low: firstOfNew, high: Infinity },
};

const bookRange = (code: BookCode): Range => {
  const low = verseOrdinal({ book: code, chapter: 0, verse: 0 });
  return { low, high: low + 1_000_000 };
};

/** Cuts out what the filters let through, and of that one page: searches in a sorted list, so that the last page costs what the first does. */
export function pageOf(
  edition: IndexedTranslation,
  finding: ConcordanceResult,
  { book, testament, first, after }: ConcordanceArguments,
): ConcordancePage {
  const { postings } = finding;
  const ranges = [
    ...(typeof book === 'string' ? [bookRange(bookIn(edition, book))] : []),
    ...(testament ? [testamentRanges[testament]] : []),
  ];
  const start = indexFrom(postings, Math.max(0, ...ranges.map(({ low }) => low)));
  const end = Math.max(start, indexFrom(postings, Math.min(Infinity, ...ranges.map(({ high }) => high))));
  const from = Math.min(end, Math.max(start, after ? indexFrom(postings, ordinalBehind(after)) : start));
  const to = Math.min(end, from + Math.min(Math.max(first ?? usualPage, 1), largestPage));
  const ordinals = [...postings.ordinals.subarray(from, to)];
  const last = ordinals.at(-1);
  return {
    edition,
    finding,
    totalCount: end - start,
    ordinals,
    hasNextPage: to < end,
    endCursor: last === undefined ? null : writeCursor(placeOf(last)),
  };
}

function bookIn(edition: IndexedTranslation, text: string): BookCode {
  const found = edition.findBook(text);
  if (!found) throw errors.bookNotFound(text);
  return found.code;
}

function ordinalBehind(cursor: string): number {
  const place = parseCursor(cursor);
  if (!place) throw errors.invalidCursor();
  return verseOrdinal(place) + 1;
}

function placeOf(ordinal: number): Place {
  const place = ordinalParts(ordinal);
  if (!place) throw new Error(`no verse has the number ${ordinal}`);
  return place;
}

export const occurrence = (finding: ConcordanceResult, verse: IndexedVerse): Occurrence => ({
  finding,
  verse,
  matches: finding.hits(verse),
});

/** The text around the hits, as HTML. */
export const contextOf = ({ verse, matches }: Occurrence): string =>
  keywordInContext(verse.text, verse.words(), matches);

/** The Strong's number behind the first hit: the one that was looked for, or the first that its word bears. Null when that word is untagged. */
export function numberOf({ finding, verse, matches }: Occurrence): string | null {
  const [hit] = matches;
  if (finding.number !== null || !hit) return finding.number;
  return verse.tags().find((tag) => overlap(tag, hit))?.strongs[0] ?? null;
}

/** How many verses of each book, canonical; books without any are left out. */
export function countByBook(postings: Postings): { book: BookCode; count: number }[] {
  return books
    .map(({ code }) => ({ book: code, count: countIn(postings, bookRange(code)) }))
    .filter(({ count }) => count > 0);
}

export const countByTestament = (postings: Postings): { old: number; new: number } => ({
  old: countIn(postings, testamentRanges.OLD),
  new: countIn(postings, testamentRanges.NEW),
});

const countIn = (postings: Postings, { low, high }: Range): number =>
  indexFrom(postings, high) - indexFrom(postings, low);
