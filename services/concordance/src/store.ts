import { type Place, verseOrdinal } from '@lectern/canon';
import { errors } from '@lectern/errors';
import { clampFirst } from '@lectern/subgraph';
import { foldWord, stemmerFor, stemsTakenFrom, verseWords } from '@lectern/words';
import { LRUCache } from 'lru-cache';
import type {
  ConcordanceContent,
  ConcordanceFiles,
  ConcordanceFilesOptions,
  ConcordanceTranslation,
  IndexedVerse,
  StemEntry,
  WordIndexEntry,
} from './data/files';
import { indexedVerse, openConcordanceFiles } from './data/files';
import { decodePostings, noPostings } from './data/postings';
import { memoizeByWord } from './data/words';
import { createStrongsLookup, readStrongsEntries } from './lexicon/dictionaries';
import { createCollocates } from './query/collocates';
import type { ConcordanceVerse } from './query/context';
import type { FormCount, QueryWord, WordMatch } from './query/occurrences';
import {
  type ConcordanceResult,
  emptyResult,
  renderedResult,
  strongsResult,
  uniteStems,
  wordsResult,
} from './query/occurrences';
import { type ConcordanceArguments, type ConcordancePage, pageOf, parseStemCursor } from './query/page';
import { createNeighbourWordSorter } from './query/word-order';

/** The arguments that filter the word index, as the client sent them. */
export interface WordIndexFilter {
  readonly prefix?: string | null;
  readonly minOccurrences?: number | null;
  readonly first?: number | null;
  readonly after?: string | null;
}

const maxWordLength = 100;
const defaultIndexFirst = 50;
const maxIndexFirst = 200;
const defaultRenderingsFirst = 10;
/** The number of verses that are read before other requests may run. */
const versesPerStep = 250;
/** The maximum number of spans with Strong's numbers that are cached, in about 10 MB. */
const maxCachedSpans = 100_000;

interface RenderedSpan {
  readonly ordinal: number;
  readonly written: string;
}

/** Verses in the lists of all cached stems, in about 24 MB. Enough for nearly all stems of one translation. */
const maxCachedVerses = 1_500_000;

type StemCache = LRUCache<string, StemEntry>;

/** Throws an error that names the command for repair if strongs.sqlite or the catalogue cannot be opened. */
export function openConcordanceStores(options: ConcordanceFilesOptions) {
  const dictionary = readStrongsEntries(options.dataDir);
  const files = openConcordanceFiles(options);
  const stemCache: StemCache = new LRUCache({
    maxSize: maxCachedVerses,
    sizeCalculation: (entry) =>
      1 +
      entry.postings.ordinals.length +
      entry.spellings.reduce((sum, each) => sum + each.postings.ordinals.length, 0),
  });
  return {
    dataset: files,
    /** Creates the store for callers that may read these restricted translations. */
    storeFor: (granted: ReadonlySet<string>) =>
      createConcordanceStore(files.withRights(granted), dictionary, stemCache),
    close: (): void => files.close(),
  };
}

/** Expected errors come from `@lectern/errors`. Generators yield between short steps, so that other requests run. */
function createConcordanceStore(
  files: ConcordanceFiles,
  dictionary: ReturnType<typeof readStrongsEntries>,
  stemCache: StemCache,
) {
  const reader = createTranslationReader(files);
  const { translationBy, contentOf, currentContent, readVerses } = reader;
  const { strongs, strongsEntry } = createStrongsLookup(dictionary, files);
  const wordsIn = createWordSearch(reader, stemCache);
  const taggedIn = createTaggedSearch(reader);
  const sortedVerses = createNeighbourWordSorter(currentContent);

  /** Returns one page. For an order other than the canonical one, first sorts all verses of the result. */
  function* pageInSteps(
    args: ConcordanceArguments,
    resultIn: (translation: ConcordanceTranslation) => Generator<void, ConcordanceResult>,
  ): Generator<void, ConcordancePage> {
    const { order } = args;
    yield* files.verifyInSteps(args.translation);
    // Starts again if the translation was replaced between two steps.
    for (;;) {
      const translation = translationBy(args.translation);
      const result = yield* resultIn(translation);
      if (!reader.isCurrent(translation)) continue;
      if (order !== 'WORD_BEFORE' && order !== 'WORD_AFTER') return pageOf(translation, result, args);
      const sorted = yield* sortedVerses(translation, result, order);
      if (sorted) return pageOf(translation, result, args, { order, sorted });
    }
  }

  /** Finds the words that render a Strong's number in a translation, at most 100. Throws `translationNotFound`. */
  function* renderings(identifier: string, number: string, first: number | null): Generator<void, FormCount[]> {
    yield* files.verifyInSteps(identifier);
    const row = contentOf(translationBy(identifier)).readTagged(number);
    const forms = row ? (JSON.parse(row.forms) as FormCount[]) : [];
    return forms.slice(0, Math.max(first ?? defaultRenderingsFirst, 1));
  }

  return {
    strongs,
    strongsEntry,

    /** Returns a translation, or null if it has no concordance. Another subgraph may already have the translation. */
    findTranslation: (identifier: string): ConcordanceTranslation | null => files.find(identifier),

    /** Verses with every word. Throws `translationNotFound`, `blank`, `tooLong`, `bookNotFound`, `invalidCursor`. */
    words: (args: ConcordanceArguments, text: string) =>
      pageInSteps(args, (translation) => wordsIn(translation, text, args.match ?? 'STEM')),

    /** Verses with this number. Throws `translationNotFound`, `strongsNotFound`, `bookNotFound`, `invalidCursor`. */
    strongsOccurrences: (args: ConcordanceArguments, text: string) =>
      pageInSteps(args, function* (translation) {
        const { number } = yield* strongs(text);
        return yield* taggedIn(translation, number, args.rendering);
      }),

    renderings,

    verifyInSteps: ({ identifier }: ConcordanceTranslation): Generator<void, void> => files.verifyInSteps(identifier),

    collocates: createCollocates({
      verifyInSteps: files.verifyInSteps,
      translationBy,
      currentContent,
      resultOf: wordsIn,
      lemmaOf: (translation, stem, form) =>
        contentOf(translation).readLemma(stem, form) ?? firstStemOf(translation, form),
    }),

    /** Reads the verses of a page with one SQL statement, in the order of the page. */
    concordanceVerses({ translation, result, ordinals, cursorAt }: ConcordancePage): ConcordanceVerse[] {
      const verses = readVerses(translation, ordinals);
      return ordinals.map((ordinal, index) => {
        const verse = verses.get(ordinal);
        if (!verse) throw new Error(`The index lists a verse without text: ${translation.identifier} ${ordinal}`);
        return { result, verse, matches: result.matchedSpans(verse), cursor: () => cursorAt(index) };
      });
    },

    /** Reads the stems of the word index. Throws `translationNotFound`, `tooLong` and `invalidCursor`. */
    *wordIndex(identifier: string, filter: WordIndexFilter): Generator<void, WordIndexEntry[]> {
      yield* files.verifyInSteps(identifier);
      return readWordIndex(contentOf(translationBy(identifier)), filter);
    },

    /** Reads verses with one SQL statement, in the order of `places`. Null for a missing verse. */
    verses(translation: ConcordanceTranslation, places: readonly Place[]): (IndexedVerse | null)[] {
      const ordinals = places.map(verseOrdinal);
      const verses = readVerses(translation, [...new Set(ordinals)]);
      return ordinals.map((ordinal) => verses.get(ordinal) ?? null);
    },
  };
}

export type ConcordanceStore = ReturnType<typeof createConcordanceStore>;

function createTranslationReader(files: ConcordanceFiles) {
  function translationBy(identifier: string): ConcordanceTranslation {
    const translation = files.find(identifier);
    if (!translation) throw errors.translationNotFound(identifier);
    return translation;
  }

  /** Returns the content of a translation's current file. Throws `translationNotFound`. */
  function contentOf({ identifier }: ConcordanceTranslation): ConcordanceContent {
    const content = files.use(identifier);
    if (!content) throw errors.translationNotFound(identifier);
    return content;
  }

  /** Returns false if the translation was replaced or removed after the request began. */
  const isCurrent = (translation: ConcordanceTranslation): boolean =>
    files.find(translation.identifier) === translation;

  return {
    translationBy,
    contentOf,
    isCurrent,

    currentContent: (translation: ConcordanceTranslation): ConcordanceContent | null =>
      isCurrent(translation) ? files.use(translation.identifier) : null,

    /** Reads verses. Leaves out missing verses. */
    readVerses: (translation: ConcordanceTranslation, ordinals: readonly number[]) =>
      new Map(
        contentOf(translation)
          .readVerses(ordinals)
          .map((row) => [row.ordinal, indexedVerse(translation, row)]),
      ),
  };
}

type TranslationReader = ReturnType<typeof createTranslationReader>;

/** Creates the function that finds the verses with every word of a text. Throws `blank` and `tooLong`. */
function createWordSearch({ contentOf, isCurrent }: TranslationReader, stemCache: StemCache) {
  function stemEntry(translation: ConcordanceTranslation, lemma: string): StemEntry {
    const key = `${translation.cacheKey} ${lemma}`;
    const cached = stemCache.get(key);
    if (cached) return cached;
    const entry = contentOf(translation).readStem(lemma);
    // Only stems that exist are cached, because clients can send any number of unknown words.
    if (entry.numbers.length > 0 && isCurrent(translation)) stemCache.set(key, entry);
    return entry;
  }

  return function* wordsIn(translation: ConcordanceTranslation, text: string, match: WordMatch) {
    const word = text.trim();
    if (word === '') throw errors.blank('word');
    if ([...word].length > maxWordLength) throw errors.tooLong('word', maxWordLength);
    const { language } = translation;
    const stemOf = stemmerFor(language, 'distinct');
    /** Returns the stem of a word. If the translation lacks this stem, returns those that took its words, if any. */
    const stemsOfWord = (stem: string): string[] => {
      const taken = stemEntry(translation, stem).numbers.length > 0 ? [] : stemsTakenFrom(stem, language);
      return taken.length > 0 ? taken : [stem];
    };
    const words: QueryWord[] = [];
    for (const { text: written, folded } of verseWords(word, language)) {
      const { hasLemmas, findLemmas } = contentOf(translation);
      const entries: StemEntry[] = [];
      for (const lemma of hasLemmas ? findLemmas(written) : stemsOfWord(stemOf(folded))) {
        entries.push(stemEntry(translation, lemma));
        yield;
      }
      words.push({ written, entry: uniteStems(folded, entries) });
    }
    return words.length === 0 ? emptyResult('') : wordsResult(words, match, translation.compare);
  };
}

/** Creates the function that finds the verses with a Strong's number, all or those with a rendering. */
function createTaggedSearch({ contentOf, isCurrent, readVerses }: TranslationReader) {
  const spanCache = new LRUCache<string, RenderedSpan[]>({
    maxSize: maxCachedSpans,
    sizeCalculation: (spans) => spans.length + 1,
  });

  /** Reads the spans of text that have a Strong's number, in canonical order. */
  function* readSpans(translation: ConcordanceTranslation, all: ConcordanceResult): Generator<void, RenderedSpan[]> {
    const key = `${translation.cacheKey} ${all.lemma}`;
    const spans = spanCache.get(key) ?? [];
    const { ordinals } = spans.length > 0 ? noPostings : all.postings;
    for (let from = 0; from < ordinals.length && isCurrent(translation); from += versesPerStep) {
      yield;
      const step = [...ordinals.subarray(from, from + versesPerStep)];
      const verses = readVerses(translation, step);
      for (const verse of step.flatMap((ordinal) => verses.get(ordinal) ?? []))
        for (const { start, length } of all.matchedSpans(verse))
          spans.push({ ordinal: verseOrdinal(verse), written: verse.text.slice(start, start + length) });
    }
    if (isCurrent(translation)) spanCache.set(key, spans);
    return spans;
  }

  function* renderedBy(translation: ConcordanceTranslation, all: ConcordanceResult, rendering: string) {
    if ([...rendering].length > maxWordLength) throw errors.tooLong('rendering', maxWordLength);
    const keyOf = (text: string) =>
      ['', ...verseWords(text, translation.language).map(({ folded }) => folded), ''].join(' ');
    const wanted = keyOf(rendering);
    if (wanted.trim() === '') throw errors.blank('rendering');
    const isRendering = memoizeByWord((written) => keyOf(written).includes(wanted));
    const counts = new Map<number, number>();
    for (const { ordinal, written } of yield* readSpans(translation, all))
      if (isRendering(written)) counts.set(ordinal, (counts.get(ordinal) ?? 0) + 1);
    return renderedResult(all, wanted, isRendering, counts);
  }

  return function* taggedIn(translation: ConcordanceTranslation, number: string, rendering?: string | null) {
    const row = contentOf(translation).readTagged(number);
    if (!row) return emptyResult(number);
    const all = strongsResult(number, decodePostings(row.postings), JSON.parse(row.forms) as FormCount[]);
    return typeof rendering === 'string' ? yield* renderedBy(translation, all, rendering) : all;
  };
}

/** Reads the stems that begin with a prefix, in alphabetical order. */
function readWordIndex(content: ConcordanceContent, { prefix, minOccurrences, first, after }: WordIndexFilter) {
  const trimmed = (prefix ?? '').trim();
  if ([...trimmed].length > maxWordLength) throw errors.tooLong('prefix', maxWordLength);
  const afterPlace = after ? content.readPlace(parseStemCursor(after) ?? '') : 0;
  if (afterPlace === null) throw errors.invalidCursor();
  const limit = clampFirst(first, defaultIndexFirst, maxIndexFirst);
  return content.readWordIndex(afterPlace, trimmed === '' ? null : foldWord(trimmed), minOccurrences ?? 1, limit);
}

/** Returns the stem of a text's first word. A text without letters and digits has the stem ''. */
function firstStemOf({ language }: ConcordanceTranslation, text: string): string {
  const [word] = verseWords(text, language);
  return word ? stemmerFor(language, 'distinct')(word.folded) : '';
}
