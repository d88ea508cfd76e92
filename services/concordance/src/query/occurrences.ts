import { foldWord, isHebrewOrGreek, spellingTest } from '@lectern/words';
import { byCount, type Compare, formKey, type IndexedVerse, maxFormCounts, type StemEntry } from '../data/files';
import { countWithin, intersect, noPostings, type Postings, recount, unite, uniteAll } from '../data/postings';
import type { Span } from '../data/words';

/** What words must have in common with the query's words: the stem, the form, or the spelling including its case. */
export type WordMatch = 'STEM' | 'FORM' | 'EXACT_CASE';

/** A form of a word in its most frequent spelling, and the number of verses with the form. */
export interface FormCount {
  readonly form: string;
  readonly occurrences: number;
  readonly verses: number;
}

/** All occurrences of words, or of a Strong's number, in a translation. */
export interface ConcordanceResult {
  /** The stems of the query's words, separated by spaces, or the Strong's number. */
  readonly lemma: string;
  readonly postings: Postings;
  /** The Strong's number of the query. Null for a query of words, and for an empty result. */
  readonly strongsNumber: string | null;
  /** The numbers of the stems of the query's words. Empty for a Strong's number. */
  readonly stems: ReadonlySet<number>;
  /** The spellings that match, as `spellingOf` returns them. Null if all spellings of the stems match. */
  readonly spellings: ReadonlySet<string> | null;
  readonly match: WordMatch;
  /** Returns the forms of the matching words, the most frequent first, at most `maxFormCounts`. */
  formCounts(): readonly FormCount[];
  /** Returns the matching spans of a verse, in order. */
  matchedSpans(verse: IndexedVerse): Span[];
}

/** Returns the part of a spelling that is compared. For `STEM` it is '', because all spellings of a stem match. */
const spellingOf = (written: string, match: WordMatch): string =>
  match === 'EXACT_CASE' ? written.normalize('NFC') : formKey(written);

/** Returns whether a word's spelling matches. The word must have one of the result's stems. */
export const isMatch = ({ spellings, match }: ConcordanceResult, written: string): boolean =>
  spellings?.has(spellingOf(written, match)) ?? true;

/** A word of a query, and its stem in a translation. */
export interface QueryWord {
  readonly written: string;
  readonly entry: StemEntry;
}

/** Joins all lemmas of a word into one stem, the most frequent first. Without any, it has no occurrences. */
export function uniteStems(word: string, entries: readonly StemEntry[]): StemEntry {
  const stems = entries.toSorted((a, b) => b.postings.ordinals.length - a.postings.ordinals.length);
  const [first, ...others] = stems;
  if (first && others.length === 0) return first;
  return {
    lemma: stems.map(({ lemma }) => lemma).join(', ') || word,
    numbers: stems.flatMap(({ numbers }) => numbers),
    parts: stems,
    spellings: stems.flatMap(({ spellings }) => spellings),
    postings: uniteAll(stems.map(({ postings }) => postings)),
  };
}

/** Tests whether a spelling matches. In Hebrew and Greek, points and accents count only if the word has them. */
function createSpellingTest(word: string, match: WordMatch): (text: string) => boolean {
  const spelling = spellingOf(word, match);
  const isEqual = (text: string): boolean => spellingOf(text, match) === spelling;
  if (match !== 'FORM' || !isHebrewOrGreek(word)) return isEqual;
  const [folded, hasMarks] = [foldWord(word), spellingTest(spelling)];
  return (text) => isEqual(text) || (foldWord(text) === folded && hasMarks(text));
}

/** Finds the verses that have each word of the query. Every word in them that matches one of these is a match. */
export function wordsResult(words: readonly QueryWord[], match: WordMatch, compare: Compare): ConcordanceResult {
  // The Map removes repetitions of a query word.
  const distinct = new Map(
    words.map(({ written, entry }) =>
      match === 'STEM' ? [entry.lemma, entry] : [spellingOf(written, match), restricted(entry, written, match)],
    ),
  );
  const found = [...distinct.values()];
  const numbers = found.flatMap((stem) => stem.numbers);
  const stems = new Set(numbers);
  const spelled = new Set(found.flatMap(({ spellings }) => spellings));
  const common = found
    .map((stem) => stem.postings)
    .sort((a, b) => a.ordinals.length - b.ordinals.length)
    .reduce(intersect);
  // If two words of the query may belong to one lemma, the lemma is counted once.
  const counted = (): Iterable<{ postings: Postings }> =>
    match === 'STEM' ? new Set(found.flatMap((stem) => stem.parts ?? [stem])) : spelled;
  const postings =
    numbers.length === stems.size ? common : recount(common, uniteAll(Array.from(counted(), (each) => each.postings)));
  const result: ConcordanceResult = {
    lemma: [...new Set(found.map((stem) => stem.lemma))].join(' '),
    postings,
    strongsNumber: null,
    stems,
    spellings: match === 'STEM' ? null : new Set(Array.from(spelled, ({ text }) => spellingOf(text, match))),
    match,
    formCounts: () => (postings.ordinals.length === 0 ? [] : countForms(spelled, postings, match, compare)),
    matchedSpans: (verse) =>
      verse
        .words()
        .filter(
          ({ stem, start, length }) => stems.has(stem) && isMatch(result, verse.text.slice(start, start + length)),
        )
        .map(({ start, length }) => ({ start, length })),
  };
  return result;
}

/** Returns the stem, but only with the spellings that match the word. */
function restricted(entry: StemEntry, written: string, match: WordMatch): StemEntry {
  const isSame = createSpellingTest(written, match);
  const spellings = entry.spellings.filter(({ text }) => isSame(text));
  return { ...entry, spellings, postings: uniteAll(spellings.map(({ postings }) => postings)) };
}

function countForms(
  spellings: Iterable<StemEntry['spellings'][number]>,
  within: Postings,
  match: WordMatch,
  compare: Compare,
): readonly FormCount[] {
  const forms = new Map<string, { text: string; postings: Postings }>();
  for (const { text, postings } of spellings) {
    const key = spellingOf(text, match);
    const form = forms.get(key);
    forms.set(key, form ? { ...form, postings: unite(form.postings, postings) } : { text, postings });
  }
  return Array.from(forms.values(), ({ text, postings }) => ({ text, ...countWithin(postings, within) }))
    .filter(({ occurrences }) => occurrences > 0)
    .sort(byCount(compare))
    .slice(0, maxFormCounts)
    .map(({ text, ...counts }) => ({ form: text, ...counts }));
}

/** Returns the result for a Strong's number. The matches are the spans of text that are tagged with it. */
export function strongsResult(
  strongsNumber: string,
  postings: Postings,
  forms: readonly FormCount[],
): ConcordanceResult {
  return {
    ...emptyResult(strongsNumber),
    postings,
    strongsNumber,
    formCounts: () => forms,
    matchedSpans: (verse) =>
      verse
        .tags()
        .filter(({ strongs }) => strongs.includes(strongsNumber))
        .map(({ start, length }) => ({ start, length })),
  };
}

/** Keeps the spans of a Strong's number that have the words of a rendering. `counts` has their number for each verse. */
export const renderedResult = (
  all: ConcordanceResult,
  rendering: string,
  isRendering: (written: string) => boolean,
  counts: ReadonlyMap<number, number>,
): ConcordanceResult => ({
  ...all,
  spellings: new Set([rendering]),
  postings: { ordinals: Int32Array.from(counts.keys()), counts: Int32Array.from(counts.values()) },
  formCounts: () => all.formCounts().filter(({ form }) => isRendering(form)),
  matchedSpans: (verse) =>
    all.matchedSpans(verse).filter(({ start, length }) => isRendering(verse.text.slice(start, start + length))),
});

export const emptyResult = (lemma: string): ConcordanceResult => ({
  lemma,
  postings: noPostings,
  strongsNumber: null,
  stems: new Set(),
  spellings: null,
  match: 'STEM',
  formCounts: () => [],
  matchedSpans: () => [],
});
