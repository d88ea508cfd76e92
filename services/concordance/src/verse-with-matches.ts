import type { IndexedVerse } from './indexed-verse';
import { keywordInContext } from './keyword-in-context';
import type { ConcordanceResult } from './occurrences-of-word-or-strongs-number';
import type { Span } from './verse-words-and-tags-encoding';
import { overlap } from './verse-words-and-tags-encoding';

/** A verse of a concordance result, with the spans of its text that match. */
export interface ConcordanceVerse {
  readonly result: ConcordanceResult;
  readonly verse: IndexedVerse;
  readonly matches: readonly Span[];
  /** Returns the cursor of this verse. A page after this cursor begins with the next verse. */
  cursor(): string;
}

export const concordanceVerse = (
  result: ConcordanceResult,
  verse: IndexedVerse,
  cursor: () => string,
): ConcordanceVerse => ({
  cursor,
  result,
  verse,
  matches: result.matchedSpans(verse),
});

/** Returns the matches with the words around them, as HTML. */
export const contextOf = ({ verse, matches }: ConcordanceVerse): string =>
  keywordInContext(verse.text, verse.words(), matches);

/**
 * Returns the Strong's number (of a Hebrew or Greek word) of the query. For a query of words,
 * returns the first Strong's number of the first match, or null if this match is not tagged with a
 * number.
 */
export function strongsNumberOf({ result, verse, matches }: ConcordanceVerse): string | null {
  const [match] = matches;
  if (result.strongsNumber !== null || !match) return result.strongsNumber;
  return verse.tags().find((tag) => overlap(tag, match))?.strongs[0] ?? null;
}
