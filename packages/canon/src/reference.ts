import type { BookCode } from './books';
import type { Place } from './ids';

/** One end of a span. A null verse means the whole chapter, a null chapter the whole book. */
export interface ReferencePoint {
  book: BookCode;
  chapter: number | null;
  verse: number | null;
}

/** A run of verses as it was asked for: `John 3` keeps a null verse at both ends, so that it can be said again as `John 3`. */
export interface ReferenceSpan {
  start: ReferencePoint;
  end: ReferencePoint;
}

/** A reference that was understood. Nothing says yet that its verses exist in any translation. */
export interface Reference {
  kind: 'reference';
  spans: readonly ReferenceSpan[];
}

/** What a translation holds: all that resolving needs to know of it. Each call should be cheap; a span may ask for every chapter. */
export interface TranslationShape {
  /** ISO 639-3. */
  language: string;
  /** The number of the book's last chapter; 0 when the translation lacks the book. */
  chapterCount(book: BookCode): number;
  /** The verse numbers that exist, ascending; [] where there are none. */
  verses(book: BookCode, chapter: number): readonly number[];
  /** The name the translation serves. */
  bookName(book: BookCode): string;
}

export type ReferenceStatus = 'OK' | 'PARTIAL' | 'OUT_OF_RANGE';

export interface ResolvedReference {
  kind: 'resolved';
  /** In the order asked, repeats dropped; [] when the reference is out of range. */
  verses: readonly Place[];
  /** Tidy and in the translation's language; names what is held, or what was asked when nothing is. */
  reference: string;
  status: ReferenceStatus;
}

export interface TooLong {
  kind: 'too-long';
}
export interface Unintelligible {
  kind: 'unintelligible';
  /** The part of the text that was not understood, as it was written. */
  part: string;
  reason: 'book not found';
}
export interface TooMany {
  kind: 'too-many';
  /** Distinct verses that the translation holds of the reference. */
  count: number;
}
export interface TextTooLong {
  kind: 'text-too-long';
}
export type ReferenceFailure = TooLong | Unintelligible | TooMany | TextTooLong;

export const referenceLimits = {
  /** UTF-16 units of a reference. */
  length: 200,
  /** Verses of one reference: Psalms, the largest book, holds 2,461. */
  verses: 2_500,
  /** UTF-16 units of a text in which references are looked for. */
  textLength: 10_000,
  /** References given back for one text. */
  found: 200,
} as const;

/** The words clients see. Only the unintelligible one says "not found": client libraries classify errors by it. */
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
