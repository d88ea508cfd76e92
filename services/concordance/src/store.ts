import type { Place } from '@lectern/canon';
import { verseOrdinal } from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { WorkBudget } from '@lectern/subgraph';
import { foldWord, stemmerFor, tokenize } from '@lectern/words';
import type { ConcordanceFilesOptions, IndexedVerse, WordIndexEntry } from './data/files';
import { openConcordanceFiles } from './data/files';
import type { ConcordanceTranslation } from './data/metadata';
import { decodePostings } from './data/postings';
import type { StemEntry } from './data/stems';
import { readStrongsEntries } from './lexicon/file';
import { createStrongsLookup } from './lexicon/lookup';
import { createCollocates } from './query/collocates';
import type { ConcordanceVerse } from './query/context';
import { concordanceVerse } from './query/context';
import { parseStemCursor } from './query/cursor';
import type { ConcordanceResult } from './query/occurrences';
import { emptyResult, strongsResult, wordsResult } from './query/occurrences';
import type { ConcordanceArguments, ConcordancePage } from './query/page';
import { pageInWordOrder, pageOf } from './query/page';
import { createNeighbourWordSorter } from './query/sort';
import { createTranslationReader } from './query/stems';

/** The arguments of a client. Null means that the client left the argument out. */
export interface WordIndexFilter {
  readonly prefix?: string | null;
  readonly minOccurrences?: number | null;
  readonly first?: number | null;
  readonly after?: string | null;
}

const maxWordLength = 100;
const defaultIndexFirst = 50;
const maxIndexFirst = 200;

/**
 * Opens the files of the concordance and reads from them. Expected errors come from
 * `@lectern/errors`. If strongs.sqlite or concordance-catalogue.sqlite cannot be opened, throws an
 * error that names the command to repair the file.
 */
export function createConcordanceStore(options: ConcordanceFilesOptions) {
  const dictionary = readStrongsEntries(options.dataDir);
  const files = openConcordanceFiles(options);
  const { strongs, strongsEntry } = createStrongsLookup(dictionary, files);
  const reader = createTranslationReader(files);
  const pageInSteps = createPageReader(reader);

  function* wordsIn(translation: ConcordanceTranslation, text: string): Generator<void, ConcordanceResult> {
    const entries: StemEntry[] = [];
    for (const stem of stemsOf(translation, validWord(text))) {
      entries.push(reader.stemEntry(translation, stem));
      yield;
    }
    return entries.length === 0 ? emptyResult('') : wordsResult(entries, translation.compare);
  }
  function* strongsIn(translation: ConcordanceTranslation, text: string): Generator<void, ConcordanceResult> {
    const { number } = yield* strongs(text);
    const row = reader.contentOf(translation).readTagged(number);
    return row
      ? strongsResult(number, decodePostings(row.postings), JSON.parse(row.forms) as string[])
      : emptyResult(number);
  }

  return {
    /**
     * The translations that concordance-catalogue.sqlite lists, which `createSubgraph` watches for
     * changes.
     */
    dataset: files,

    strongs,
    strongsEntry,

    /**
     * Returns null if the translation is not indexed. Another subgraph with newer data may already
     * name it.
     */
    findTranslation: (identifier: string): ConcordanceTranslation | null => files.find(identifier),

    /**
     * Finds the verses with every word of a text, in any form of its stem.
     * Throws or rejects with `translationNotFound`, `blank`, `tooLong`, `bookNotFound` and
     * `invalidCursor`.
     */
    words: (args: ConcordanceArguments, text: string, work: WorkBudget) =>
      work.runInSteps(pageInSteps(args, (translation) => wordsIn(translation, text))),

    /**
     * Finds the verses with a word that has this Strong's number (of a Hebrew or Greek word).
     * Throws or rejects with `translationNotFound`, `strongsNotFound`, `bookNotFound` and
     * `invalidCursor`.
     */
    strongsOccurrences: (args: ConcordanceArguments, text: string, work: WorkBudget) =>
      work.runInSteps(pageInSteps(args, (translation) => strongsIn(translation, text))),

    /**
     * Checks the file of a translation against its checksum, if this process has not done so
     * before. Yields between short steps, so that other requests are executed in between.
     */
    verifyInSteps: ({ identifier }: ConcordanceTranslation): Generator<void, void> => reader.verifyInSteps(identifier),

    /** Finds the words that occur near a word more often than chance explains. */
    collocates: createCollocates({
      verifyInSteps: reader.verifyInSteps,
      translationBy: reader.translationBy,
      currentContent: reader.currentContent,
      resultOf: wordsIn,
      stemOf: (translation, word) => stemsOf(translation, word)[0] ?? '',
    }),

    /** Reads the verses of a page with one SQL statement, in the order of the page. */
    concordanceVerses: (page: ConcordancePage): ConcordanceVerse[] => versesOfPage(reader, page),

    /**
     * Reads the stems of the word index in alphabetical order.
     * A prefix that is not blank selects the stems that begin with it. With the cursor of an entry
     * as `after`, the list begins after this entry.
     * Throws or rejects with `translationNotFound`, `tooLong` and `invalidCursor`.
     */
    wordIndex: (identifier: string, filter: WordIndexFilter, work: WorkBudget) =>
      work.runInSteps(readWordIndex(reader, identifier, filter)),

    /** Reads verses with one SQL statement, in the order of `places`. A missing verse is null. */
    verses(translation: ConcordanceTranslation, places: readonly Place[]): (IndexedVerse | null)[] {
      const ordinals = places.map(verseOrdinal);
      const verses = reader.readVerses(translation, [...new Set(ordinals)]);
      return ordinals.map((ordinal) => verses.get(ordinal) ?? null);
    },

    close: (): void => files.close(),
  };
}

export type ConcordanceStore = ReturnType<typeof createConcordanceStore>;
type TranslationReader = ReturnType<typeof createTranslationReader>;
type FindResult = (translation: ConcordanceTranslation) => Generator<void, ConcordanceResult>;

/**
 * Creates the function that returns a page of a result. In an order other than the canonical order,
 * the function first sorts all verses of the result. It yields between short steps, so that other
 * requests are executed in between.
 */
function createPageReader({ translationBy, currentContent, isCurrent, verifyInSteps }: TranslationReader) {
  const sortedVerses = createNeighbourWordSorter(currentContent);

  return function* pageInSteps(args: ConcordanceArguments, resultIn: FindResult): Generator<void, ConcordancePage> {
    const { order } = args;
    yield* verifyInSteps(args.translation);
    for (;;) {
      const translation = translationBy(args.translation);
      const result = yield* resultIn(translation);
      // The translation may have been replaced between two steps. The loop then reads the new file.
      if (!isCurrent(translation)) continue;
      if (order !== 'WORD_BEFORE' && order !== 'WORD_AFTER') return pageOf(translation, result, args);
      const sorted = yield* sortedVerses(translation, result, order);
      // `sorted` is null if the translation was replaced meanwhile. The loop then reads the new
      // file.
      if (sorted) return pageInWordOrder(translation, result, { order, sorted }, args);
    }
  };
}

function versesOfPage(
  { readVerses }: TranslationReader,
  { translation, result, ordinals, cursorAt }: ConcordancePage,
): ConcordanceVerse[] {
  const verses = readVerses(translation, ordinals);
  return ordinals.map((ordinal, index) => {
    const verse = verses.get(ordinal);
    if (!verse) throw new Error(`The index lists a verse without text: ${translation.identifier} ${ordinal}`);
    return concordanceVerse(result, verse, () => cursorAt(index));
  });
}

function* readWordIndex(
  { contentOf, translationBy, verifyInSteps }: TranslationReader,
  identifier: string,
  { prefix, minOccurrences, first, after }: WordIndexFilter,
): Generator<void, WordIndexEntry[]> {
  yield* verifyInSteps(identifier);
  const translation = translationBy(identifier);
  const trimmed = (prefix ?? '').trim();
  if ([...trimmed].length > maxWordLength) throw errors.tooLong('prefix', maxWordLength);
  const content = contentOf(translation);
  const afterPlace = after ? content.readPlace(parseStemCursor(after) ?? '') : 0;
  if (afterPlace === null) throw errors.invalidCursor();
  return content.readWordIndex({
    afterPlace,
    prefix: trimmed === '' ? null : foldWord(trimmed),
    minOccurrences: minOccurrences ?? 1,
    limit: Math.min(Math.max(first ?? defaultIndexFirst, 1), maxIndexFirst),
  });
}

/** Returns the trimmed text. Throws `blank` if nothing is left, and `tooLong` for a long text. */
function validWord(text: string): string {
  const word = text.trim();
  if (word === '') throw errors.blank('word');
  if ([...word].length > maxWordLength) throw errors.tooLong('word', maxWordLength);
  return word;
}

/**
 * Returns the distinct stems of the words of a text, in the order of the text. A text without
 * letters and digits has no stems.
 */
function stemsOf({ language }: ConcordanceTranslation, text: string): string[] {
  const stem = stemmerFor(language);
  return [...new Set(tokenize(text).map(({ folded }) => stem(folded)))];
}
