import type { BookCode, ReferencePoint, ReferenceSpan, TranslationShape } from '@lectern/canon';
import {
  bookByCode,
  findReferences,
  firstIndexFrom,
  isDeuterocanonical,
  mayNameChapter,
  ordinalParts,
  parseReference,
  readReference,
  resolveReference,
  verseOrdinal,
} from '@lectern/canon';

export interface QueryReference {
  /** All references of the query as one normalized text, in the translation's language. */
  readonly reference: string;
  /** The verses that the references name, as ordinals in ascending order. Never empty. */
  readonly ordinals: readonly number[];
  readonly rest: string;
}

/** Finds references, also between words ("love John 3:16"). A book alone is a word. Null if no verse is named. */
export function* findQueryReference(query: string, shape: TranslationShape): Generator<void, QueryReference | null> {
  const whole = readReference(query, shape);
  yield;
  if (whole.kind === 'reference' && whole.spans.every(({ start }) => start.chapter !== null))
    return toQueryReference(whole.spans, '', shape);
  const found = yield* findReferences(query, shape);
  if (found.kind !== 'found') return null;
  const spans: ReferenceSpan[] = [];
  let rest = '';
  let at = 0;
  for (const { start, length } of found.references) {
    const part = readReference(query.slice(start, start + length), shape);
    if (part.kind !== 'reference') continue;
    spans.push(...part.spans);
    rest += query.slice(at, start);
    at = start + length;
  }
  return toQueryReference(spans, rest + query.slice(at), shape);
}

/** Returns null if none of the verses exists, or if the reference has more verses than are allowed. */
function toQueryReference(
  spans: readonly ReferenceSpan[],
  rest: string,
  shape: TranslationShape,
): QueryReference | null {
  const resolved = resolveReference({ kind: 'reference', spans }, shape);
  if (resolved.kind !== 'resolved' || resolved.verses.length === 0) return null;
  const ordinals = resolved.verses.map(verseOrdinal).sort((a, b) => a - b);
  return { reference: resolved.reference, ordinals, rest };
}

/** Derives the books, chapters and verses of a translation from its ordinals, which must be ascending. */
export function createTranslationShape(
  ordinals: Uint32Array,
  language: string,
  bookName: (book: BookCode) => string,
): TranslationShape {
  const chapterCount = (book: BookCode): number => {
    const nextBook = (bookByCode(book).position + 1) * 1_000_000;
    const last = ordinalParts(ordinals[firstIndexFrom(ordinals, nextBook) - 1] ?? 0);
    return last?.book === book ? last.chapter : 0;
  };

  return {
    language,
    bookName,
    chapterCount,
    verses(book, chapter) {
      if (chapter < 1 || chapter > chapterCount(book)) return [];
      const first = verseOrdinal({ book, chapter, verse: 0 });
      const verses = ordinals.subarray(firstIndexFrom(ordinals, first), firstIndexFrom(ordinals, first + 1_000));
      return Array.from(verses, (ordinal) => ordinal - first);
    },
  };
}

const maxNumber = 999;

/** Returns at most `limit` of `ordinals`, if all of a query is a reference. A book alone is none: Job is a word. */
export function namedVerses(
  query: string,
  { language, ordinals, limit }: { language: string; ordinals: ArrayLike<number>; limit: number },
): number[] {
  const last = ordinalParts(ordinals[ordinals.length - 1] ?? 0);
  const hasDeuterocanon = last !== null && isDeuterocanonical(last.book);
  const reference = mayNameChapter(query, language) ? parseReference(query, language, hasDeuterocanon) : null;
  if (reference?.kind !== 'reference' || reference.spans.some(({ start }) => start.chapter === null)) return [];
  const ranges = reference.spans.map(({ start, end }) => [ordinalOf(start, 0), ordinalOf(end, maxNumber)] as const);
  const named: number[] = [];
  for (let at = 0; at < ordinals.length && named.length < limit; at += 1) {
    const ordinal = ordinals[at] ?? 0;
    if (ranges.some(([first, last]) => first <= ordinal && ordinal <= last)) named.push(ordinal);
  }
  return named;
}

/** Converts a point of a reference to an ordinal. Where the point has no chapter or verse, `missing` is used. */
const ordinalOf = ({ book, chapter, verse }: ReferencePoint, missing: number): number =>
  verseOrdinal({
    book,
    chapter: Math.min(chapter ?? missing, maxNumber),
    verse: Math.min(verse ?? missing, maxNumber),
  });
