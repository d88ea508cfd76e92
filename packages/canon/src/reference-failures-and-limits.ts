export interface TooLong {
  kind: 'too-long';
}
export interface Unintelligible {
  kind: 'unintelligible';
  /** The part of the text that could not be parsed, as it was written. */
  part: string;
  reason: 'book not found' | 'range not found';
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
 * Returns the error message for clients. Only the message of an unintelligible reference contains
 * "not found". Its error code is NOT_FOUND, and clients are promised these words only with this
 * code.
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
