import type { IndexedVerse } from './indexed-translation';
import type { Postings } from './postings';
import { intersect, noPostings, totalOf, totalWithin } from './postings';
import type { StemEntry } from './stem-reader';
import { byCount, maxSurfaceForms } from './surface-forms';
import type { Span } from './verse-encoding';

/** What was looked for in one edition and where it stands, over the whole of it. */
export interface ConcordanceResult {
  /** What it is filed under. */
  readonly lemma: string;
  readonly postings: Postings;
  /** The Strong's number that was looked for; null when words were. */
  readonly number: string | null;
  /** The commonest first. */
  surfaceForms(): readonly string[];
  /** Where it stands in a verse, in the text's order. */
  hits(verse: IndexedVerse): Span[];
}

/** Verses that hold a word of every group; every word of every group in them is a hit. */
export function wordsResult(
  groups: readonly StemEntry[],
  compare: (a: string, b: string) => number,
): ConcordanceResult {
  const postings = groups
    .map((group) => group.postings)
    .sort((a, b) => a.ordinals.length - b.ordinals.length)
    .reduce(intersect);
  const numbers = new Set(groups.map((group) => group.number));
  return {
    lemma: groups.map((group) => group.lemma).join(' '),
    postings,
    number: null,
    surfaceForms: () => (postings.ordinals.length === 0 ? [] : commonest(groups, postings, compare)),
    hits: (verse) =>
      verse
        .words()
        .filter((word) => numbers.has(word.stem))
        .map(({ start, length }) => ({ start, length })),
  };
}

function commonest(
  groups: readonly StemEntry[],
  within: Postings,
  compare: (a: string, b: string) => number,
): string[] {
  const forms = groups
    .flatMap((group) => group.forms)
    .map(({ text, postings }) => ({
      text,
      occurrences: groups.length === 1 ? totalOf(postings) : totalWithin(postings, within),
    }));
  return forms
    .filter(({ occurrences }) => occurrences > 0)
    .sort(byCount(compare))
    .slice(0, maxSurfaceForms)
    .map(({ text }) => text);
}

/** Verses that bear a Strong's number; each stretch of text that stands for the word is a hit. */
export function strongsResult(number: string, postings: Postings, forms: readonly string[]): ConcordanceResult {
  return {
    lemma: number,
    postings,
    number,
    surfaceForms: () => forms,
    hits: (verse) =>
      verse
        .tags()
        .filter(({ strongs }) => strongs.includes(number))
        .map(({ start, length }) => ({ start, length })),
  };
}

/** What stands nowhere. */
export const emptyResult = (lemma: string): ConcordanceResult => ({
  lemma,
  postings: noPostings,
  number: null,
  surfaceForms: () => [],
  hits: () => [],
});
