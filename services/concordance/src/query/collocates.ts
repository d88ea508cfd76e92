import type { WorkBudget } from '@lectern/subgraph';
import { LRUCache } from 'lru-cache';
import type { ConcordanceContent } from '../data/files';
import type { ConcordanceTranslation } from '../data/metadata';
import type { StemCounts } from '../data/stems';
import { readStemCounts } from '../data/stems';
import { createWordReader } from '../data/words';
import type { ConcordanceResult } from './occurrences';

/** The arguments of a client. Null means that the client left the argument out. */
export interface CollocateArguments {
  readonly translation: string;
  readonly word: string;
  readonly window?: number | null;
  readonly minOccurrences?: number | null;
  readonly includeFunctionWords?: boolean | null;
  readonly first?: number | null;
}

export interface Collocate extends CountedCollocate {
  /** The stem, which the forms of a word have in common: `misericordi`. */
  readonly lemma: string;
  /** The commonest form of the stem: `misericordia`. */
  readonly displayForm: string;
}

interface CollocatesParts {
  /**
   * Checks the file of a translation against its checksum, if this process has not done so before.
   * Yields between short steps, so that other requests are executed in between.
   */
  verifyInSteps: (identifier: string) => Generator<void, void>;
  /** Returns the translation with an identifier. Throws `translationNotFound`. */
  translationBy: (identifier: string) => ConcordanceTranslation;
  /**
   * Returns the open file of a translation. Null if the translation has been replaced or removed.
   */
  currentContent: (translation: ConcordanceTranslation) => ConcordanceContent | null;
  /**
   * Finds the verses that contain all words of a text. Yields between short steps, so that other
   * requests are executed in between. Throws `blank` and `tooLong`.
   */
  resultOf: (translation: ConcordanceTranslation, word: string) => Generator<void, ConcordanceResult>;
  /** Returns the text of the stem of a word. */
  stemOf: (translation: ConcordanceTranslation, word: string) => string;
}

const defaultWindow = 4;
const maxWindow = 10;
const defaultMinOccurrences = 3;
const defaultFirst = 25;
const maxFirst = 100;

/** The number of verses between two pauses, which are read and counted in half a millisecond. */
const versesPerStep = 250;

/**
 * Bounds the cached counts to less than 2 MB: the default translations have 8,000 to 14,000 stems
 * of five bytes each.
 */
const maxCachedTranslations = 20;

/**
 * Creates the function that finds the collocates of a query's words: other words that occur near
 * them more often than chance explains.
 */
export function createCollocates({ verifyInSteps, translationBy, currentContent, resultOf, stemOf }: CollocatesParts) {
  const stemCountsCache = new LRUCache<string, StemCounts>({ max: maxCachedTranslations });

  function* stemCountsOf(translation: ConcordanceTranslation): Generator<void, StemCounts | null> {
    const cached = stemCountsCache.get(translation.cacheKey);
    if (cached) return cached;
    const counts = yield* readStemCounts(
      (afterText, limit) => currentContent(translation)?.readStemCounts(afterText, limit) ?? null,
    );
    if (counts) stemCountsCache.set(translation.cacheKey, counts);
    return counts;
  }

  /**
   * Returns null if the file of the translation is replaced between two steps. Stems have other
   * numbers in the new file, so the caller starts again.
   */
  function* collocatesOf(
    translation: ConcordanceTranslation,
    { postings, stems }: ConcordanceResult,
    window: number,
    filter: CollocateFilter,
  ): Generator<void, Collocate[] | null> {
    if (postings.ordinals.length === 0) return currentContent(translation) && [];
    const stemCounts = yield* stemCountsOf(translation);
    if (!stemCounts) return null;
    const counter = createCollocateCounter(stemCounts.occurrences.length, stems, window);
    for (let from = 0; from < postings.ordinals.length; from += versesPerStep) {
      yield;
      const content = currentContent(translation);
      if (!content) return null;
      const ordinals = [...postings.ordinals.subarray(from, from + versesPerStep)];
      for (const words of content.readWords(ordinals)) counter.addVerse(words);
    }
    const ranked = yield* rankCollocates(counter.counts(), stemCounts, stems, filter);
    yield;
    const content = currentContent(translation);
    return (
      content &&
      ranked.map((counted) => {
        const displayForm = content.readDisplayForm(counted.stem) ?? '';
        return { ...counted, displayForm, lemma: stemOf(translation, displayForm) };
      })
    );
  }

  function* steps(args: CollocateArguments): Generator<void, Collocate[]> {
    const window = clamp(args.window ?? defaultWindow, 1, maxWindow);
    const filter: CollocateFilter = {
      minOccurrences: args.minOccurrences ?? defaultMinOccurrences,
      includeFunctionWords: args.includeFunctionWords ?? false,
      first: clamp(args.first ?? defaultFirst, 1, maxFirst),
    };
    yield* verifyInSteps(args.translation);
    for (;;) {
      const translation = translationBy(args.translation);
      const result = yield* resultOf(translation, args.word);
      const collocates = yield* collocatesOf(translation, result, window, filter);
      if (collocates) return collocates;
    }
  }

  /**
   * Finds the collocates of one word or of several words, highest log-likelihood first.
   * Throws or rejects with `translationNotFound`, `blank` and `tooLong`.
   */
  return (args: CollocateArguments, work: WorkBudget) => work.runInSteps(steps(args));
}

const clamp = (count: number, min: number, max: number): number => Math.min(Math.max(count, min), max);

/**
 * How often words occur near the words of a query, by the number of their stem. Forms of one word,
 * such as `misericordia` and `misericordioso`, have one stem.
 */
interface CollocateCounts {
  /** How many words of each stem occur near a word of the query. */
  readonly together: Int32Array;
  /**
   * How many of these words are before the nearest word of the query. A word in the middle between
   * two words of the query counts as after.
   */
  readonly before: Int32Array;
  /** The number of words near a word of the query, over all stems. */
  readonly words: number;
}

interface CollocateFilter {
  readonly minOccurrences: number;
  readonly includeFunctionWords: boolean;
  readonly first: number;
}

/** A stem that occurs near the words of a query more often than expected. */
interface CountedCollocate {
  readonly stem: number;
  readonly together: number;
  readonly before: number;
  readonly after: number;
  /**
   * How many words of the stem would be near words of the query if all words were evenly
   * distributed.
   */
  readonly expected: number;
  readonly logLikelihood: number;
}

/**
 * Creates a counter of the words near the words of a query. A word counts once if it is one of the
 * `window` words before or after a query word. Query words themselves never count.
 */
function createCollocateCounter(stemCount: number, queryStems: ReadonlySet<number>, window: number) {
  const [together, before] = [new Int32Array(stemCount), new Int32Array(stemCount)];
  const isQueryStem = new Uint8Array(stemCount);
  for (const stem of queryStems) isQueryStem[stem] = 1;
  const reader = createWordReader();
  let words = 0;

  const count = (stem: number, distanceToPrevious: number, distanceToNext: number): void => {
    if (distanceToPrevious > window && distanceToNext > window) return;
    words += 1;
    together[stem] = (together[stem] ?? 0) + 1;
    if (distanceToNext < distanceToPrevious) before[stem] = (before[stem] ?? 0) + 1;
  };

  return {
    /** Counts the words of one verse, which `encodeWords` has encoded. */
    addVerse(bytes: Uint8Array): void {
      const size = reader.read(bytes);
      const queryWordFrom = (word: number): number => {
        for (let at = word; at < size; at += 1) if (isQueryStem[reader.stemOf(at)] === 1) return at;
        return Infinity;
      };
      let previous = -Infinity;
      let next = queryWordFrom(0);
      for (let word = 0; word < size; word += 1) {
        if (word === next) [previous, next] = [word, queryWordFrom(word + 1)];
        else count(reader.stemOf(word), word - previous, next - word);
      }
    },
    counts: (): CollocateCounts => ({ together, before, words }),
  };
}

/** The number of stems between two pauses, which are compared in less than a millisecond. */
const stemsPerStep = 4_096;

/**
 * Returns the stems that occur near the query's words more often than expected, highest
 * log-likelihood first. Equal values are sorted by `together`, highest first, then by the number of
 * the stem. Yields between short steps, so that other requests are executed in between.
 */
function* rankCollocates(
  { together, before, words }: CollocateCounts,
  { occurrences, isInIndex, totalWords }: StemCounts,
  queryStems: ReadonlySet<number>,
  { minOccurrences, includeFunctionWords, first }: CollocateFilter,
): Generator<void, CountedCollocate[]> {
  const otherWords = totalWords - Array.from(queryStems).reduce((sum, stem) => sum + (occurrences[stem] ?? 0), 0);
  const found: CountedCollocate[] = [];
  for (let stem = 0; stem < together.length; stem += 1) {
    if (stem % stemsPerStep === 0) yield;
    const count = together[stem] ?? 0;
    if (count === 0 || count < minOccurrences || !(includeFunctionWords || isInIndex[stem] === 1)) continue;
    const occurrencesOfStem = occurrences[stem] ?? 0;
    const expected = (words * occurrencesOfStem) / otherWords;
    if (count <= expected) continue;
    const countBefore = before[stem] ?? 0;
    found.push({
      stem,
      together: count,
      before: countBefore,
      after: count - countBefore,
      expected,
      logLikelihood: logLikelihood({ count, occurrences: occurrencesOfStem, words, otherWords }),
    });
  }
  yield;
  return found
    .sort((a, b) => b.logLikelihood - a.logLikelihood || b.together - a.together || a.stem - b.stem)
    .slice(0, first);
}

/**
 * Returns Dunning's log-likelihood ratio G2 of a table with two rows and two columns. The rows are
 * the words near the query's words and all other words. The columns are the words of the stem and
 * the words of other stems. The words of the query are not in the table. T. Dunning, Accurate
 * Methods for the Statistics of Surprise and Coincidence, Computational Linguistics 19(1), 1993.
 */
function logLikelihood({
  count,
  occurrences,
  words,
  otherWords,
}: {
  /** The number of words of the stem near the query's words. */
  count: number;
  /** The number of words of the stem. */
  occurrences: number;
  /** The number of words near the query's words. */
  words: number;
  /** The number of all words except the query's words. */
  otherWords: number;
}): number {
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
