import type { WorkBudget } from '@lectern/subgraph';
import { LRUCache } from 'lru-cache';
import type { ConcordanceTranslation } from './concordance-translation-metadata';
import type { CollocateFilter, CountedCollocate } from './count-and-rank-collocates';
import { createCollocateCounter, rankCollocates } from './count-and-rank-collocates';
import type { ConcordanceResult } from './occurrences-of-word-or-strongs-number';
import type { ConcordanceContent } from './open-concordance-files';
import type { StemCounts } from './read-stem-counts';
import { readStemCounts } from './read-stem-counts';

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

export interface CollocatesParts {
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
