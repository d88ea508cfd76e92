import type { IndexedVerse, StemEntry } from '../data/files';
import { byCount, type Compare, maxSurfaceForms } from '../data/metadata';
import { countWithin, intersect, noPostings, type Postings, totalCount } from '../data/postings';
import type { Span } from '../data/words';

/** The occurrences of words, or of a Strong's number, in a whole translation. */
export interface ConcordanceResult {
  /** The stems of the query's words, separated by spaces, or the Strong's number. */
  readonly lemma: string;
  readonly postings: Postings;
  /** The Strong's number of the query; null if the query has words, and for an empty result. */
  readonly strongsNumber: string | null;
  /** The numbers of the query's stems. Empty for a Strong's number. */
  readonly stems: ReadonlySet<number>;
  /** The forms of the matched words, the commonest form first, at most `maxSurfaceForms`. */
  surfaceForms(): readonly string[];
  /** Returns the spans of a verse that match, in the order of the text. */
  matchedSpans(verse: IndexedVerse): Span[];
}

/** Finds the verses with a word of each stem. In these, every word of any of the stems matches. */
export function wordsResult(stems: readonly StemEntry[], compare: Compare): ConcordanceResult {
  const postings = stems
    .map((stem) => stem.postings)
    .sort((a, b) => a.ordinals.length - b.ordinals.length)
    .reduce(intersect);
  const numbers = new Set(stems.map((stem) => stem.number).filter((number) => number !== null));
  return {
    lemma: stems.map((stem) => stem.lemma).join(' '),
    postings,
    strongsNumber: null,
    stems: numbers,
    surfaceForms: () => (postings.ordinals.length === 0 ? [] : commonestForms(stems, postings, compare)),
    matchedSpans: (verse) =>
      verse
        .words()
        .filter((word) => numbers.has(word.stem))
        .map(({ start, length }) => ({ start, length })),
  };
}

function commonestForms(stems: readonly StemEntry[], within: Postings, compare: Compare): string[] {
  return stems
    .flatMap((stem) => stem.forms)
    .map(({ text, postings }) => ({
      text,
      occurrences: stems.length === 1 ? totalCount(postings) : countWithin(postings, within),
    }))
    .filter(({ occurrences }) => occurrences > 0)
    .sort(byCount(compare))
    .slice(0, maxSurfaceForms)
    .map(({ text }) => text);
}

/** The result for a Strong's number: each span of text that is tagged with the number matches. */
export function strongsResult(strongsNumber: string, postings: Postings, forms: readonly string[]): ConcordanceResult {
  return {
    lemma: strongsNumber,
    postings,
    strongsNumber,
    stems: new Set(),
    surfaceForms: () => forms,
    matchedSpans: (verse) =>
      verse
        .tags()
        .filter(({ strongs }) => strongs.includes(strongsNumber))
        .map(({ start, length }) => ({ start, length })),
  };
}

export const emptyResult = (lemma: string): ConcordanceResult => ({
  lemma,
  postings: noPostings,
  strongsNumber: null,
  stems: new Set(),
  surfaceForms: () => [],
  matchedSpans: () => [],
});
