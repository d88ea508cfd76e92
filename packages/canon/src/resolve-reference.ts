import { allBooks, bookByCode, deuterocanonicalBooks, isDeuterocanonical } from './books';
import { formatReference } from './format-reference';
import type { Place } from './ids';
import { verseOrdinal } from './ids';
import { parseReference } from './parse-reference';
import type {
  Reference,
  ReferencePoint,
  ReferenceSpan,
  ReferenceStatus,
  ResolvedReference,
  TooLong,
  TooMany,
  TranslationShape,
  Unintelligible,
} from './types';
import { referenceLimits } from './types';

/** A range of consecutive verses, including its first and its last verse. */
interface Stretch {
  first: Place;
  last: Place;
}

/** The part of a span that exists in a translation. */
interface ClampedSpan extends Stretch {
  /**
   * The span after clamping. It has chapters and verses only where the original span has them: "Gen 49-60" becomes
   * "Genesis 49-50".
   */
  span: ReferenceSpan;
  /**
   * Whether the first or the last place of the original span does not exist. Missing verses in between do not matter.
   */
  isPartial: boolean;
}

/**
 * Reduces a span to the verses that exist. Returns null if there are none. Reads each chapter at most twice, however
 * large the numbers are.
 */
function clampSpan({ start, end }: ReferenceSpan, shape: TranslationShape): ClampedSpan | null {
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

function* chaptersBetween({ first, last }: Stretch, shape: TranslationShape) {
  for (const { code: book, position } of allBooks.slice(
    bookByCode(first.book).position - 1,
    bookByCode(last.book).position,
  )) {
    const from = book === first.book ? first.chapter : 1;
    const to = book === last.book ? last.chapter : shape.chapterCount(book);
    for (let chapter = from; chapter <= to; chapter++) {
      const verses = shape.verses(book, chapter);
      // The numbers of `first` and `last` as verses of this chapter. `min` is below 1 if `first` is in an earlier
      // chapter, and `max` is above every verse if `last` is in a later chapter.
      const min = verseOrdinal(first) - (position * 1_000_000 + chapter * 1_000);
      const max = verseOrdinal(last) - (position * 1_000_000 + chapter * 1_000);
      const isWhole = min <= (verses[0] ?? 0) && max >= (verses.at(-1) ?? 0);
      yield { book, chapter, verses: isWhole ? verses : verses.filter((verse) => verse >= min && verse <= max) };
    }
  }
}

const isDifferent = ({ book, chapter, verse }: ReferencePoint, place: Place): boolean =>
  place.book !== book || (chapter !== null && place.chapter !== chapter) || (verse !== null && place.verse !== verse);

/** Returns the first existing verse at or after a point. Searches up to the book at `lastPosition`. */
function firstExisting(
  { book, chapter, verse }: ReferencePoint,
  lastPosition: number,
  shape: TranslationShape,
): Place | null {
  for (const { code } of allBooks.slice(bookByCode(book).position - 1, lastPosition)) {
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

/** Returns the last existing verse at or before a point. Searches down to the book at `firstPosition`. */
function lastExisting(
  { book, chapter, verse }: ReferencePoint,
  firstPosition: number,
  shape: TranslationShape,
): Place | null {
  for (const { code } of allBooks.slice(firstPosition - 1, bookByCode(book).position).reverse()) {
    const count = shape.chapterCount(code);
    for (let number = code === book ? Math.min(chapter ?? count, count) : count; number >= 1; number--) {
      const max = code === book && number === chapter ? (verse ?? Infinity) : Infinity;
      const found = shape.verses(code, number).findLast((each) => each <= max);
      if (found !== undefined) return { book: code, chapter: number, verse: found };
    }
  }
  return null;
}

/**
 * Resolves a reference to the verses that exist. It reduces ranges and counts their verses before it lists any verse,
 * so that a huge range takes little time.
 */
export function resolveReference({ spans }: Reference, shape: TranslationShape): ResolvedReference | TooMany {
  const { existing, count, reference, status } = clampSpans(spans, shape);
  if (count > referenceLimits.verses) return { kind: 'too-many', count };
  const byOrdinal = new Map<number, Place>();
  for (const span of existing)
    for (const { book, chapter, verses } of chaptersBetween(span, shape))
      for (const verse of verses) {
        const place = { book, chapter, verse };
        const ordinal = verseOrdinal(place);
        if (!byOrdinal.has(ordinal)) byOrdinal.set(ordinal, place);
      }
  return { kind: 'resolved', verses: [...byOrdinal.values()], reference, status };
}

/** Returns whether a translation has deuterocanonical books, whose names its references may then use. */
export const hasDeuterocanon = ({ chapterCount }: Pick<TranslationShape, 'chapterCount'>): boolean =>
  deuterocanonicalBooks.some(({ code }) => chapterCount(code) > 0);

/**
 * Parses a reference in the translation's language. Returns `unintelligible` if it names a deuterocanonical book that
 * the translation lacks.
 */
export function readReference(text: string, shape: TranslationShape): Reference | TooLong | Unintelligible {
  const reference = parseReference(text, shape.language, hasDeuterocanon(shape));
  const lacking =
    reference.kind === 'reference' &&
    reference.spans.find(({ start: { book } }) => isDeuterocanonical(book) && shape.chapterCount(book) === 0);
  if (!lacking) return reference;
  return { kind: 'unintelligible', part: text, reason: 'book not found', missing: lacking.start.book };
}

/** Parses a reference in the translation's language and resolves it. */
export function readPassage(
  text: string,
  shape: TranslationShape,
): ResolvedReference | TooLong | Unintelligible | TooMany {
  const reference = readReference(text, shape);
  return reference.kind === 'reference' ? resolveReference(reference, shape) : reference;
}

interface ClampedSpans {
  /** The spans reduced to verses that exist. A span whose verses are all in earlier spans is left out. */
  existing: readonly ClampedSpan[];
  /** The number of different verses in `existing`. */
  count: number;
  reference: string;
  status: ReferenceStatus;
}

/** Reduces spans to the verses that exist, formats them and counts their verses. */
export function clampSpans(spans: readonly ReferenceSpan[], shape: TranslationShape): ClampedSpans {
  const all = spans.map((span) => clampSpan(span, shape));
  const { distinct, stretches } = withoutRepeats(all.filter((span) => span !== null));
  const status =
    distinct.length === 0 ? 'OUT_OF_RANGE' : all.some((span) => span === null || span.isPartial) ? 'PARTIAL' : 'OK';
  let count = 0;
  for (const stretch of stretches) for (const { verses } of chaptersBetween(stretch, shape)) count += verses.length;
  const formatted = distinct.length === 0 ? spans : distinct.map(({ span }) => span);
  return { existing: distinct, count, reference: formatReference(formatted, shape), status };
}

/**
 * Returns two lists. `distinct` has the spans, without those that lie inside the range of earlier spans. `stretches`
 * has the verses of all spans as ranges that do not overlap.
 */
function withoutRepeats(spans: readonly ClampedSpan[]): { distinct: ClampedSpan[]; stretches: Stretch[] } {
  const distinct: ClampedSpan[] = [];
  let stretches: Stretch[] = [];
  for (const span of spans) {
    const from = verseOrdinal(span.first);
    const to = verseOrdinal(span.last);
    if (stretches.some(({ first, last }) => verseOrdinal(first) <= from && to <= verseOrdinal(last))) continue;
    distinct.push(span);
    const merged: Stretch = { first: span.first, last: span.last };
    const others = stretches.filter((stretch) => {
      const isApart = verseOrdinal(stretch.last) < from || to < verseOrdinal(stretch.first);
      if (!isApart && verseOrdinal(stretch.first) < verseOrdinal(merged.first)) merged.first = stretch.first;
      if (!isApart && verseOrdinal(stretch.last) > verseOrdinal(merged.last)) merged.last = stretch.last;
      return isApart;
    });
    stretches = [...others, merged];
  }
  return { distinct, stretches };
}
