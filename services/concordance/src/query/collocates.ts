import { clampFirst } from '@lectern/subgraph';
import { LRUCache } from 'lru-cache';
import type { ConcordanceContent, ConcordanceTranslation } from '../data/files';
import { createWordReader } from '../data/words';
import { type ConcordanceResult, isMatch, type WordMatch } from './occurrences';

/** The arguments of a field of collocates, as the client sent them. */
export interface CollocateArguments {
  readonly translation: string;
  readonly word: string;
  readonly match?: WordMatch | null;
  readonly window?: number | null;
  readonly minOccurrences?: number | null;
  readonly includeFunctionWords?: boolean | null;
  readonly first?: number | null;
}

interface CollocatesParts {
  verifyInSteps: (identifier: string) => Generator<void, void>;
  /** Returns a translation. Throws `translationNotFound`. */
  translationBy: (identifier: string) => ConcordanceTranslation;
  /** Returns the content of the translation's file. Null if the translation has been replaced or removed. */
  currentContent: (translation: ConcordanceTranslation) => ConcordanceContent | null;
  /** Finds the verses that have all words of a text. Throws `blank` and `tooLong`. */
  resultOf: (translation: ConcordanceTranslation, word: string, match: WordMatch) => Generator<void, ConcordanceResult>;
  /** Returns the lemma of a form, or its stem if it has no lemma. */
  lemmaOf: (translation: ConcordanceTranslation, stem: number, form: string) => string;
}

const defaultWindow = 4;
const maxWindow = 10;
const defaultMinOccurrences = 3;
const defaultFirst = 25;
const maxFirst = 100;

/** The number of verses that are counted, in half a millisecond, before other requests may run. */
const versesPerStep = 250;

/** The number of stems that are read, in about a millisecond, before other requests may run. */
const stemsPerStep = 1_500;

/** The number of stems that are compared, in less than a millisecond, before other requests may run. */
const comparedPerStep = 4_096;

/** A translation has 8,000 to 14,000 stems of five bytes, so the cache takes less than 2 MB. */
const maxCachedTranslations = 20;

/** Finds collocates: words near the query's words more often than by chance, sorted by log-likelihood. */
export function createCollocates({ verifyInSteps, translationBy, currentContent, resultOf, lemmaOf }: CollocatesParts) {
  const stemCountsCache = new LRUCache<string, StemCounts>({ max: maxCachedTranslations });

  /** Reads the counts of all stems. Returns null if the file was replaced between two steps. */
  function* stemCountsOf(translation: ConcordanceTranslation): Generator<void, StemCounts | null> {
    const cached = stemCountsCache.get(translation.cacheKey);
    if (cached) return cached;
    const rows: ReturnType<ConcordanceContent['readStemCounts']> = [];
    for (let isLast = false; !isLast; ) {
      yield;
      const next = currentContent(translation)?.readStemCounts(rows.at(-1)?.[0] ?? '', stemsPerStep);
      if (!next) return null;
      rows.push(...next);
      isLast = next.length < stemsPerStep;
    }
    const counts = { occurrences: new Int32Array(rows.length), isInIndex: new Uint8Array(rows.length), totalWords: 0 };
    for (const [, number, occurrences, isInIndex] of rows) {
      counts.occurrences[number] = occurrences;
      counts.isInIndex[number] = isInIndex;
      counts.totalWords += occurrences;
    }
    stemCountsCache.set(translation.cacheKey, counts);
    return counts;
  }

  /** Returns null if the file was replaced between two steps: stems then have other numbers. The caller restarts. */
  function* collocatesOf(translation: ConcordanceTranslation, result: ConcordanceResult, args: CollocateArguments) {
    const { postings, stems } = result;
    if (postings.ordinals.length === 0) return currentContent(translation) && [];
    const stemCounts = yield* stemCountsOf(translation);
    if (!stemCounts) return null;
    const window = Math.min(Math.max(args.window ?? defaultWindow, 1), maxWindow);
    const counter = createCollocateCounter(stemCounts.occurrences.length, result, window);
    for (let from = 0; from < postings.ordinals.length; from += versesPerStep) {
      yield;
      const content = currentContent(translation);
      if (!content) return null;
      const ordinals = [...postings.ordinals.subarray(from, from + versesPerStep)];
      if (result.spellings) for (const [, text, words] of content.readTexts(ordinals)) counter.addVerse(words, text);
      else for (const words of content.readWords(ordinals)) counter.addVerse(words, '');
    }
    const ranked = yield* rankCollocates(counter.counts(), stemCounts, stems, args);
    yield;
    const content = currentContent(translation);
    return (
      content &&
      ranked.map((counted) => {
        const displayForm = content.readDisplayForm(counted.stem) ?? '';
        return { ...counted, displayForm, lemma: lemmaOf(translation, counted.stem, displayForm) };
      })
    );
  }

  return function* collocates(args: CollocateArguments) {
    yield* verifyInSteps(args.translation);
    for (;;) {
      const translation = translationBy(args.translation);
      const result = yield* resultOf(translation, args.word, args.match ?? 'STEM');
      const found = yield* collocatesOf(translation, result, args);
      if (found) return found;
    }
  };
}

/** The counts of all stems of a translation. The index is the number of the stem. */
interface StemCounts {
  readonly occurrences: Int32Array;
  /** 1 if the stem is in the word index, 0 for a function word such as `the`. */
  readonly isInIndex: Uint8Array;
  readonly totalWords: number;
}

/** The counts of the words near the query's words. The index of each array is the number of a stem. */
interface CollocateCounts {
  readonly together: Int32Array;
  /** How many of a stem's words come before the nearest query word. A word between two query words comes after. */
  readonly before: Int32Array;
  /** The number of all words near a word of the query, whatever their stem is. */
  readonly words: number;
}

/** Counts each word among the `window` words before or after a query word once, but not those of a query's stem. */
function createCollocateCounter(stemCount: number, result: ConcordanceResult, window: number) {
  const [together, before] = [new Int32Array(stemCount), new Int32Array(stemCount)];
  const isQueryStem = new Uint8Array(stemCount);
  for (const stem of result.stems) isQueryStem[stem] = 1;
  const reader = createWordReader();
  let words = 0;

  const count = (stem: number, distanceToPrevious: number, distanceToNext: number): void => {
    if (distanceToPrevious > window && distanceToNext > window) return;
    words += 1;
    together[stem] = (together[stem] ?? 0) + 1;
    if (distanceToNext < distanceToPrevious) before[stem] = (before[stem] ?? 0) + 1;
  };

  return {
    /** Counts the words of a verse, encoded by `encodeWords`. Reads `text` only if not all spellings match. */
    addVerse(bytes: Uint8Array, text: string): void {
      const size = reader.read(bytes);
      const queryWordFrom = (word: number): number => {
        for (let at = word; at < size; at += 1) {
          if (isQueryStem[reader.stemOf(at)] === 0) continue;
          if (!result.spellings || isMatch(result, text.slice(reader.startOf(at), reader.endOf(at)))) return at;
        }
        return Infinity;
      };
      let previous = -Infinity;
      let next = queryWordFrom(0);
      for (let word = 0; word < size; word += 1) {
        if (word === next) [previous, next] = [word, queryWordFrom(word + 1)];
        else if (isQueryStem[reader.stemOf(word)] === 0) count(reader.stemOf(word), word - previous, next - word);
      }
    },
    counts: (): CollocateCounts => ({ together, before, words }),
  };
}

/** Ranks the stems near the query more often than in an even distribution. Ties are by `together`, then by number. */
function* rankCollocates(
  { together, before, words }: CollocateCounts,
  { occurrences, isInIndex, totalWords }: StemCounts,
  queryStems: ReadonlySet<number>,
  { minOccurrences, includeFunctionWords, first }: CollocateArguments,
) {
  const otherWords = totalWords - Array.from(queryStems).reduce((sum, stem) => sum + (occurrences[stem] ?? 0), 0);
  const found = [];
  for (let stem = 0; stem < together.length; stem += 1) {
    if (stem % comparedPerStep === 0) yield;
    const count = together[stem] ?? 0;
    if (count === 0 || count < (minOccurrences ?? defaultMinOccurrences)) continue;
    if (!includeFunctionWords && isInIndex[stem] === 0) continue;
    const expected = (words * (occurrences[stem] ?? 0)) / otherWords;
    if (count <= expected) continue;
    found.push({
      stem,
      together: count,
      before: before[stem] ?? 0,
      after: count - (before[stem] ?? 0),
      expected,
      logLikelihood: logLikelihood(count, occurrences[stem] ?? 0, words, otherWords),
    });
  }
  yield;
  return found
    .sort((a, b) => b.logLikelihood - a.logLikelihood || b.together - a.together || a.stem - b.stem)
    .slice(0, clampFirst(first, defaultFirst, maxFirst));
}

/**
 * Returns Dunning's log-likelihood ratio G2 of a table. Its rows are the `words` near the query's words, and all
 * others. Its columns are the `occurrences` of the stem, and the words of other stems. `count` words of the stem are
 * near the query's words, which are not in the table. Source: T. Dunning, Accurate Methods for the Statistics of
 * Surprise and Coincidence, Computational Linguistics 19(1), 1993.
 */
function logLikelihood(count: number, occurrences: number, words: number, otherWords: number): number {
  const cell = (observed: number, row: number, column: number): number =>
    observed === 0 ? 0 : observed * Math.log((observed * otherWords) / (row * column));
  const farWords = otherWords - words;
  const otherOccurrences = otherWords - occurrences;
  const sum =
    cell(count, words, occurrences) +
    cell(words - count, words, otherOccurrences) +
    cell(occurrences - count, farWords, occurrences) +
    cell(farWords - (occurrences - count), farWords, otherOccurrences);
  return Math.max(0, 2 * sum);
}
