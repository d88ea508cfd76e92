import type { BookCode } from './books';
import type { Place } from './ids';

export interface TooLong {
  kind: 'too-long';
}
export interface Unintelligible {
  kind: 'unintelligible';
  /** The part of the text that could not be parsed, as it was written. */
  part: string;
  /** `book not found` also names the deuterocanonical book, if the part begins with one. */
  reason: `book not found${string}` | 'range not found';
}
export interface TooMany {
  kind: 'too-many';
  /** The number of distinct verses of the reference that exist in the translation. */
  count: number;
}
export interface TextTooLong {
  kind: 'text-too-long';
}
export type ReferenceFailure = TooLong | Unintelligible | TooMany | TextTooLong;

export const referenceLimits = {
  /** The maximum length of a reference, in UTF-16 units. */
  length: 200,
  /** The maximum number of verses that are read at once. Psalms, the longest book, has 2,461. */
  verses: 2_500,
  /** The maximum length of a text in which references are searched, in UTF-16 units. */
  textLength: 10_000,
  /** The maximum number of references that are found in a text. */
  found: 200,
} as const;

/**
 * Returns the error message for clients. Only the message of an unintelligible reference, whose
 * code is NOT_FOUND, contains "not found": clients are promised these words only with this code.
 */
export function referenceFailureMessage(failure: ReferenceFailure): string {
  switch (failure.kind) {
    case 'too-long':
      return `reference must be ${referenceLimits.length} characters or fewer`;
    case 'unintelligible':
      return `Invalid reference: '${failure.part}' (${failure.reason})`;
    case 'too-many':
      return `Reference covers ${failure.count} verses; ask for at most ${referenceLimits.verses}`;
    case 'text-too-long':
      return `text must be ${referenceLimits.textLength} characters or fewer`;
  }
}

/**
 * The start or the end of a span. At the start, a null chapter or verse means the first one. At the end, it means the
 * last one.
 */
export interface ReferencePoint {
  book: BookCode;
  chapter: number | null;
  verse: number | null;
}

/** A range of verses. It keeps how exactly it was written: `John 3` has a null verse at both ends. */
export interface ReferenceSpan {
  start: ReferencePoint;
  end: ReferencePoint;
}

/** A parsed reference. Its verses may not exist in a translation. */
export interface Reference {
  kind: 'reference';
  spans: readonly ReferenceSpan[];
}

/**
 * The books, chapters and verses that a translation has. To resolve one span, `verses` may be called for every chapter.
 */
export interface TranslationShape {
  /** The language of the translation, as an ISO 639-3 code. */
  language: string;
  /** The number of the book's last chapter, or 0 if the translation lacks the book. */
  chapterCount(book: BookCode): number;
  /** The existing verse numbers of a chapter, ascending. */
  verses(book: BookCode, chapter: number): readonly number[];
  bookName(book: BookCode): string;
}

/** Whether the reference exists in the translation: all of it, a part of it, or nothing. */
export type ReferenceStatus = 'OK' | 'PARTIAL' | 'OUT_OF_RANGE';

export interface ResolvedReference {
  kind: 'resolved';
  /** The existing verses, in the order of the reference, without duplicates. */
  verses: readonly Place[];
  /**
   * The normalized reference to the existing verses, in the translation's language. If no verse exists, the reference
   * as a whole.
   */
  reference: string;
  status: ReferenceStatus;
}
