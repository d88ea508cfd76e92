import { allBooks, type BookCode, bookByCode, isDeuterocanonical } from './books';
import { type Place, verseOrdinal } from './ids';
import { parseReference } from './parse-reference';
import { hasDeuterocanon, namesOf } from './shape';
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

interface Stretch {
  first: Place;
  last: Place;
}

interface ClampedSpan extends Stretch {
  /** The clamped span, as exact as the original one: "Gen 49-60" becomes "Genesis 49-50". */
  span: ReferenceSpan;
  /** Whether the original span's first or last place does not exist. Missing verses in between do not matter. */
  isPartial: boolean;
}

/** Reduces a span to existing verses, or returns null. Reads each chapter at most twice. */
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
      // `first` and `last` as verses of this chapter: below 1 in an earlier chapter, above all verses in a later one.
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

/** Resolves a reference to existing verses. Counts them before it lists any, so that a huge range is fast. */
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

/** Parses a reference. `unintelligible` also if it names a deuterocanonical book that the translation lacks. */
export function readReference(text: string, shape: TranslationShape): Reference | TooLong | Unintelligible {
  const reference = parseReference(text, shape.language, hasDeuterocanon(shape), namesOf(shape));
  const lacking =
    reference.kind === 'reference' &&
    reference.spans.find(({ start: { book } }) => isDeuterocanonical(book) && shape.chapterCount(book) === 0);
  if (!lacking) return reference;
  return { kind: 'unintelligible', part: text, reason: 'book not found', missing: lacking.start.book };
}

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
  count: number;
  reference: string;
  status: ReferenceStatus;
}

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

/** `distinct` leaves out spans inside earlier ones. `stretches` has all verses as ranges that do not overlap. */
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

/**
 * Formats spans as a reference that parses to the same verses in the same language: `Romans 12:1,3-4,13:2-4`. A book is
 * named again where a number alone would mean something else: `John 3:16; John 4`. A comma separates ascending chapters
 * only in English (`Genesis 1,3`), because elsewhere it starts a verse: `Génesis 1; 3`.
 */
export function formatReference(
  spans: readonly ReferenceSpan[],
  translation: Pick<TranslationShape, 'language' | 'bookName'>,
): string {
  const betweenChapters = translation.language === 'eng' ? ',' : '; ';
  const withBook = (point: ReferencePoint): string =>
    translation.bookName(point.book) + (point.chapter === null ? '' : ` ${numbers(point)}`);
  let text = '';
  let previous: Context | null = null;
  for (const { start: given, end } of spans) {
    const start = completeStart(given, end);
    const continuation = previous && continueWithoutBook(start, previous, betweenChapters);
    text += continuation ?? `${previous ? '; ' : ''}${withBook(start)}`;
    text += formatEnd(start, end, withBook);
    previous = { book: end.book, chapter: end.chapter, inVerses: start.verse !== null };
  }
  return text;
}

/** The end of the previous span. It decides whether the next number alone means a verse or a chapter. */
interface Context {
  book: BookCode;
  chapter: number | null;
  inVerses: boolean;
}

/** Formats the start of a span without the name of its book. Returns null if the name is needed. */
function continueWithoutBook(start: ReferencePoint, previous: Context, betweenChapters: string): string | null {
  if (previous.book !== start.book || previous.chapter === null || start.chapter === null) return null;
  if (!previous.inVerses) return `${start.chapter > previous.chapter ? betweenChapters : '; '}${numbers(start)}`;
  if (start.verse === null) return null;
  return previous.chapter === start.chapter ? `,${start.verse}` : `,${numbers(start)}`;
}

/** Completes the start of a span if its end has a verse: the start of `Gen 1-2:3` becomes 1:1. */
const completeStart = ({ book, chapter, verse }: ReferencePoint, end: ReferencePoint): ReferencePoint => ({
  book,
  chapter: chapter ?? (end.chapter === null ? null : 1),
  verse: verse ?? (end.verse === null ? null : 1),
});

function formatEnd(start: ReferencePoint, end: ReferencePoint, withBook: (point: ReferencePoint) => string): string {
  const isOpenEnded = (end.chapter === null && start.chapter !== null) || (end.verse === null && start.verse !== null);
  if (end.book !== start.book) return `-${withBook(end)}`;
  if (isOpenEnded) return end.chapter === null || end.chapter === start.chapter ? 'ff' : `-${withBook(end)}`;
  if (end.chapter !== start.chapter) return `-${numbers(end)}`;
  return end.verse === start.verse ? '' : `-${end.verse}`;
}

const numbers = ({ chapter, verse }: ReferencePoint): string => (verse === null ? `${chapter}` : `${chapter}:${verse}`);
