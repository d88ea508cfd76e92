import { bookByCode, books } from './books';
import { type Place, verseOrdinal } from './ids';
import type { ReferencePoint, ReferenceSpan, TranslationShape } from './reference';

/** The part of a span that a translation holds: its first and last existing verse, and how to say it. */
export interface ClampedSpan {
  first: Place;
  last: Place;
  span: ReferenceSpan;
  /** It holds less than was asked. Verses that the translation leaves out in between are not counted against it. */
  clamped: boolean;
}

/** Null when the translation holds nothing of the span. Costs a look at each chapter at most, whatever numbers were asked. */
export function clampSpan({ start, end }: ReferenceSpan, shape: TranslationShape): ClampedSpan | null {
  const first = firstFrom(start, bookByCode(end.book).position, shape);
  const last = lastUpTo(end, bookByCode(start.book).position, shape);
  if (!first || !last || verseOrdinal(first) > verseOrdinal(last)) return null;
  const verses = start.verse !== null || end.verse !== null;
  const chapters = verses || start.chapter !== null || end.chapter !== null;
  const said = ({ book, chapter, verse }: Place): ReferencePoint => ({
    book,
    chapter: chapters ? chapter : null,
    verse: verses ? verse : null,
  });
  return {
    first,
    last,
    span: { start: said(first), end: said(last) },
    clamped: isElsewhere(start, first) || isElsewhere(end, last),
  };
}

/** The verses from `first` to `last` that exist. */
export function* versesBetween(first: Place, last: Place, shape: TranslationShape): Generator<Place> {
  for (const { book, chapter, verses } of chaptersBetween(first, last, shape)) {
    for (const verse of verses) yield { book, chapter, verse };
  }
}

/** How many verses exist from `first` to `last`. */
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
      const low = verseOrdinal(first) - (position * 1_000_000 + chapter * 1_000);
      const high = verseOrdinal(last) - (position * 1_000_000 + chapter * 1_000);
      const whole = low <= (verses[0] ?? 0) && high >= (verses.at(-1) ?? 0);
      yield { book, chapter, verses: whole ? verses : verses.filter((verse) => verse >= low && verse <= high) };
    }
  }
}

const isElsewhere = ({ book, chapter, verse }: ReferencePoint, place: Place): boolean =>
  place.book !== book || (chapter !== null && place.chapter !== chapter) || (verse !== null && place.verse !== verse);

function firstFrom(
  { book, chapter, verse }: ReferencePoint,
  lastPosition: number,
  shape: TranslationShape,
): Place | null {
  for (const { code } of books.slice(bookByCode(book).position - 1, lastPosition)) {
    const from = code === book ? Math.max(chapter ?? 1, 1) : 1;
    const count = shape.chapterCount(code);
    for (let number = from; number <= count; number++) {
      const least = code === book && number === chapter ? (verse ?? 0) : 0;
      const found = shape.verses(code, number).find((each) => each >= least);
      if (found !== undefined) return { book: code, chapter: number, verse: found };
    }
  }
  return null;
}

function lastUpTo(
  { book, chapter, verse }: ReferencePoint,
  firstPosition: number,
  shape: TranslationShape,
): Place | null {
  for (const { code } of books.slice(firstPosition - 1, bookByCode(book).position).reverse()) {
    const count = shape.chapterCount(code);
    for (let number = code === book ? Math.min(chapter ?? count, count) : count; number >= 1; number--) {
      const most = code === book && number === chapter ? (verse ?? Infinity) : Infinity;
      const found = shape.verses(code, number).findLast((each) => each <= most);
      if (found !== undefined) return { book: code, chapter: number, verse: found };
    }
  }
  return null;
}
