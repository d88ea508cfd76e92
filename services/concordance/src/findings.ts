import type { IndexedVerse } from './indexed-edition';
import type { Span } from './packed-verse';
import type { Postings } from './postings';
import { intersect, noPostings, totalOf, totalWithin } from './postings';
import { byCount, mostSurfaceForms } from './surface-forms';
import type { WordGroup } from './word-groups';

/** What was looked for in one edition and where it stands, over the whole of it. */
export interface Finding {
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
export function findWords(groups: readonly WordGroup[], compare: (a: string, b: string) => number): Finding {
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
  groups: readonly WordGroup[],
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
    .slice(0, mostSurfaceForms)
    .map(({ text }) => text);
}

/** Verses that bear a Strong's number; each stretch of text that stands for the word is a hit. */
export function findTagged(number: string, postings: Postings, forms: readonly string[]): Finding {
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
export const findNothing = (lemma: string): Finding => ({
  lemma,
  postings: noPostings,
  number: null,
  surfaceForms: () => [],
  hits: () => [],
});
