import { type BookCode, bookName } from './books';
import type { Place } from './ids';

export type TooLong = { kind: 'too-long' };
export interface Unintelligible {
  kind: 'unintelligible';
  /** The part of the text that could not be parsed, as the client wrote it. */
  part: string;
  reason: 'book not found' | 'range not found';
  /** The deuterocanonical book that the part names, if the translation lacks this book. */
  missing: BookCode | null;
}
export interface TooMany {
  kind: 'too-many';
  /** The number of different verses of the reference that exist in the translation. */
  count: number;
}
export type TextTooLong = { kind: 'text-too-long' };
export type ReferenceFailure = TooLong | Unintelligible | TooMany | TextTooLong;

export const referenceLimits = {
  /** The maximum length of a reference, in UTF-16 units. */
  length: 200,
  /** The maximum number of verses that are read at once. Psalms, the longest book, has 2,461. */
  verses: 2_500,
  /** The maximum length of a text in which references are searched, in UTF-16 units. */
  textLength: 10_000,
  found: 200,
} as const;

/** Returns the message for clients, who rely on "not found" coming only with the code NOT_FOUND. */
export function referenceFailureMessage(failure: ReferenceFailure): string {
  switch (failure.kind) {
    case 'too-long':
      return `reference must be ${referenceLimits.length} characters or fewer`;
    case 'unintelligible': {
      const { part, reason, missing } = failure;
      const book = missing === null ? '' : `: this translation does not have ${bookName(missing, 'eng')}`;
      return `Invalid reference: '${part}' (${reason}${book})`;
    }
    case 'too-many':
      return `Reference covers ${failure.count} verses; ask for at most ${referenceLimits.verses}`;
    case 'text-too-long':
      return `text must be ${referenceLimits.textLength} characters or fewer`;
  }
}

/** Null stands for the first chapter or verse at the start of a span, and for the last at its end. */
export interface ReferencePoint {
  book: BookCode;
  chapter: number | null;
  verse: number | null;
}

/** A range of verses. It stays as exact as it was written: `John 3` has a null verse at its start and its end. */
export interface ReferenceSpan {
  start: ReferencePoint;
  end: ReferencePoint;
}

export interface Reference {
  kind: 'reference';
  spans: readonly ReferenceSpan[];
}

/** The books, chapters and verse numbers of a translation. Resolving one span may call `verses` for every chapter. */
export interface TranslationShape {
  language: string;
  /** The number of the book's last chapter, or 0 if the translation lacks the book. */
  chapterCount(book: BookCode): number;
  /** The existing verse numbers of a chapter, ascending. */
  verses(book: BookCode, chapter: number): readonly number[];
  bookName(book: BookCode): string;
}

/** Whether all (OK), a part (PARTIAL) or nothing (OUT_OF_RANGE) of the reference exists in the translation. */
export type ReferenceStatus = 'OK' | 'PARTIAL' | 'OUT_OF_RANGE';

export interface ResolvedReference {
  kind: 'resolved';
  /** The existing verses, in the order of the reference, without duplicates. */
  verses: readonly Place[];
  /** The normalized reference. It names the existing verses, or all verses of the text if none exists. */
  reference: string;
  status: ReferenceStatus;
}
