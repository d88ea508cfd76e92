import { bookByCode, books } from './books-by-usfm-code';
import { type Place, verseOrdinal } from './global-ids-and-verse-ordinals';
import type { ReferencePoint, ReferenceSpan, TranslationShape } from './reference-types';

/** The part of a span that exists in a translation. */
export interface ClampedSpan {
  /** The first and the last existing verse. */
  first: Place;
  last: Place;
  /**
   * The same part as a span. It names chapters and verses only if the original span does: "Gen
   * 49-60" becomes "Genesis 49-50".
   */
  span: ReferenceSpan;
  /**
   * Whether the translation lacks the first or the last book, chapter or verse that the original
   * span names. Verses that are missing between these two do not make a span partial.
   */
  isPartial: boolean;
}

/**
 * Clamps a span to the verses that exist in a translation. Returns null if none exists.
 * Looks at each chapter at most twice, from the start and from the end of the span, however large
 * the numbers are: "John 3:1-999999999" is as fast as "John 3".
 */
export function clampSpan({ start, end }: ReferenceSpan, shape: TranslationShape): ClampedSpan | null {
  const first = firstExisting(start, bookByCode(end.book).position, shape);
  const last = lastExisting(end, bookByCode(start.book).position, shape);
  if (!first || !last || verseOrdinal(first) > verseOrdinal(last)) return null;
  const hasVerses = start.verse !== null || end.verse !== null;
  const hasChapters = hasVerses || start.chapter !== null || end.chapter !== null;
  const asExactAsSpan = ({ book, chapter, verse }: Place): ReferencePoint => ({
    book,
    chapter: hasChapters ? chapter : null,
    verse: hasVerses ? verse : null,
  });
  return {
    first,
    last,
    span: { start: asExactAsSpan(first), end: asExactAsSpan(last) },
    isPartial: isDifferent(start, first) || isDifferent(end, last),
  };
}

/** Yields the existing verses from `first` to `last`, both included. */
export function* versesBetween(first: Place, last: Place, shape: TranslationShape): Generator<Place> {
  for (const { book, chapter, verses } of chaptersBetween(first, last, shape)) {
    for (const verse of verses) yield { book, chapter, verse };
  }
}

/** Counts the existing verses from `first` to `last`, both included. */
export function countBetween(first: Place, last: Place, shape: TranslationShape): number {
  let count = 0;
  for (const { verses } of chaptersBetween(first, last, shape)) count += verses.length;
  return count;
}

function* chaptersBetween(first: Place, last: Place, shape: TranslationShape) {
  for (const { code: book, position } of books.slice(
    bookByCode(first.book).position - 1,
    bookByCode(last.book).position,
  )) {
    const from = book === first.book ? first.chapter : 1;
    const to = book === last.book ? last.chapter : shape.chapterCount(book);
    for (let chapter = from; chapter <= to; chapter++) {
      const verses = shape.verses(book, chapter);
      // The verse numbers of `first` and `last` in this chapter. `min` is below 1 if `first` is in
      // an earlier chapter, and `max` is above every verse if `last` is in a later chapter.
      const min = verseOrdinal(first) - (position * 1_000_000 + chapter * 1_000);
      const max = verseOrdinal(last) - (position * 1_000_000 + chapter * 1_000);
      const isWhole = min <= (verses[0] ?? 0) && max >= (verses.at(-1) ?? 0);
      yield { book, chapter, verses: isWhole ? verses : verses.filter((verse) => verse >= min && verse <= max) };
    }
  }
}

const isDifferent = ({ book, chapter, verse }: ReferencePoint, place: Place): boolean =>
  place.book !== book || (chapter !== null && place.chapter !== chapter) || (verse !== null && place.verse !== verse);

/** Finds the first existing verse at or after a point, up to the book at `lastPosition`. */
function firstExisting(
  { book, chapter, verse }: ReferencePoint,
  lastPosition: number,
  shape: TranslationShape,
): Place | null {
  for (const { code } of books.slice(bookByCode(book).position - 1, lastPosition)) {
    const from = code === book ? Math.max(chapter ?? 1, 1) : 1;
    const count = shape.chapterCount(code);
    for (let number = from; number <= count; number++) {
      const min = code === book && number === chapter ? (verse ?? 0) : 0;
      const found = shape.verses(code, number).find((each) => each >= min);
      if (found !== undefined) return { book: code, chapter: number, verse: found };
    }
  }
  return null;
}

/** Finds the last existing verse at or before a point, down to the book at `firstPosition`. */
function lastExisting(
  { book, chapter, verse }: ReferencePoint,
  firstPosition: number,
  shape: TranslationShape,
): Place | null {
  for (const { code } of books.slice(firstPosition - 1, bookByCode(book).position).reverse()) {
    const count = shape.chapterCount(code);
    for (let number = code === book ? Math.min(chapter ?? count, count) : count; number >= 1; number--) {
      const max = code === book && number === chapter ? (verse ?? Infinity) : Infinity;
      const found = shape.verses(code, number).findLast((each) => each <= max);
      if (found !== undefined) return { book: code, chapter: number, verse: found };
    }
  }
  return null;
}
