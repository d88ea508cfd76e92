import type { BookCode, ReferenceSpan, TranslationShape } from '@lectern/canon';
import {
  bookByCode,
  findReferences,
  firstIndexFrom,
  ordinalParts,
  parseReference,
  resolveReference,
  verseOrdinal,
} from '@lectern/canon';

/** The references in a query, such as `John 3:16`. */
export interface QueryReference {
  /** All references as one normalized text in the translation's language. */
  readonly reference: string;
  /**
   * The ordinals of the verses of the references, ascending, at least one (JHN 3:16 is 43003016).
   */
  readonly ordinals: readonly number[];
  /** The query without the references. */
  readonly rest: string;
}

/**
 * Returns whether a query has a digit. A query without a digit names no chapter, so the caller does
 * not look for references in it. Looking for references takes longer than the search itself.
 */
export const hasDigit = (query: string): boolean => /\p{Nd}/u.test(query);

/**
 * Finds the references in a query: the whole query ("ps 23"), or references between words ("love
 * John 3:16"). A book's name alone counts as a word, not as a reference. Returns null if the query
 * names no verse of the translation. Yields between short steps, so that other requests are
 * executed in between.
 */
export function* findQueryReference(query: string, shape: TranslationShape): Generator<void, QueryReference | null> {
  const whole = parseReference(query, shape.language);
  yield;
  if (whole.kind === 'reference' && whole.spans.every(({ start }) => start.chapter !== null))
    return toQueryReference([whole.spans], '', shape);
  const found = yield* findReferences(query, shape);
  if (found.kind !== 'found') return null;
  const parts: (readonly ReferenceSpan[])[] = [];
  let rest = '';
  let at = 0;
  for (const { start, length } of found.references) {
    const part = parseReference(query.slice(start, start + length), shape.language);
    if (part.kind !== 'reference') continue;
    parts.push(part.spans);
    rest += query.slice(at, start);
    at = start + length;
  }
  return toQueryReference(parts, rest + query.slice(at), shape);
}

/**
 * Resolves the parsed references in a translation. Returns null if none of their verses exists, or
 * if there are more verses than a reference may have.
 */
function toQueryReference(
  parts: readonly (readonly ReferenceSpan[])[],
  rest: string,
  shape: TranslationShape,
): QueryReference | null {
  const resolved = resolveReference({ kind: 'reference', spans: parts.flat() }, shape);
  if (resolved.kind !== 'resolved' || resolved.verses.length === 0) return null;
  const ordinals = resolved.verses.map(verseOrdinal).sort((a, b) => a - b);
  return { reference: resolved.reference, ordinals, rest };
}

/**
 * Returns the books, chapters and verses of a translation in the form that the reference parser
 * takes. `ordinals` are the ordinals of the translation's verses, ascending.
 */
export function createTranslationShape(
  ordinals: Uint32Array,
  language: string,
  bookName: (book: BookCode) => string,
): TranslationShape {
  const lowerBound = (ordinal: number): number => firstIndexFrom(ordinals, ordinal);
  const chapterCount = (book: BookCode): number => {
    const nextBook = (bookByCode(book).position + 1) * 1_000_000;
    const last = ordinalParts(ordinals[lowerBound(nextBook) - 1] ?? 0);
    return last?.book === book ? last.chapter : 0;
  };

  return {
    language,
    bookName,
    chapterCount,
    verses(book, chapter) {
      if (chapter < 1 || chapter > chapterCount(book)) return [];
      const first = verseOrdinal({ book, chapter, verse: 0 });
      const verses = ordinals.subarray(lowerBound(first), lowerBound(first + 1_000));
      return Array.from(verses, (ordinal) => ordinal - first);
    },
  };
}
