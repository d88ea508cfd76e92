import type { Place } from '@lectern/canon';
import { verseOrdinal } from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { WorkBudget } from '@lectern/subgraph';
import { foldWord, stemmerFor, tokenize } from '@lectern/words';
import { createCollocates } from './collocates';
import type { ConcordanceContent, ConcordanceFilesOptions, WordIndexEntry } from './concordance-files';
import { openConcordanceFiles } from './concordance-files';
import type { ConcordanceArguments, ConcordancePage } from './concordance-page';
import { pageInWordOrder, pageOf } from './concordance-page';
import type { ConcordanceResult } from './concordance-result';
import { emptyResult, strongsResult, wordsResult } from './concordance-result';
import type { ConcordanceTranslation } from './concordance-translation';
import type { ConcordanceVerse } from './concordance-verse';
import { concordanceVerse } from './concordance-verse';
import type { IndexedVerse } from './indexed-verse';
import { indexedVerse } from './indexed-verse';
import { decodePostings } from './postings';
import { createSortedVerses } from './sorted-verses';
import type { StemEntry } from './stem-reader';
import { createStemCache } from './stem-reader';
import { readStrongsEntries } from './strongs-dictionaries';
import type { StrongsEntry } from './strongs-number';
import { parseStrongsNumber, strongsLanguage } from './strongs-number';
import { parseStemCursor } from './word-index-cursor';
import type { WordOrder } from './word-order';

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
 * Opens the files of the concordance and reads from them. Expected errors are of the catalogue,
 * except the startup errors of `openChecksummedFile`.
 */
export function createConcordanceStore(options: ConcordanceFilesOptions) {
  const dictionary = readStrongsEntries(options.dataDir);
  const files = openConcordanceFiles(options);
  const stemCache = createStemCache();

  const translationBy = (identifier: string): ConcordanceTranslation => {
    const translation = files.find(identifier);
    if (!translation) throw errors.translationNotFound(identifier);
    return translation;
  };
  const contentOf = ({ identifier }: ConcordanceTranslation): ConcordanceContent => {
    const content = files.use(identifier);
    if (!content) throw errors.translationNotFound(identifier);
    return content;
  };
  const currentContent = (translation: ConcordanceTranslation): ConcordanceContent | null =>
    files.find(translation.identifier) === translation ? files.use(translation.identifier) : null;
  const stemEntry = (translation: ConcordanceTranslation, lemma: string): StemEntry => {
    const key = `${translation.cacheKey} ${lemma}`;
    const cached = stemCache.get(key);
    if (cached) return cached;
    const entry = contentOf(translation).readStem(lemma);
    // Clients can send any number of unknown words, so only existing stems are cached.
    if (entry.number !== null) stemCache.set(key, entry);
    return entry;
  };
  const readVerses = (translation: ConcordanceTranslation, ordinals: readonly number[]) =>
    new Map(
      contentOf(translation)
        .readVerses(ordinals)
        .map((row): [number, IndexedVerse] => [row.ordinal, indexedVerse(translation, row)]),
    );
  const sortedVerses = createSortedVerses(currentContent);
  const wordsIn = (translation: ConcordanceTranslation, text: string): ConcordanceResult => {
    const entries = stemsOf(translation, validWord(text)).map((stem) => stemEntry(translation, stem));
    return entries.length === 0 ? emptyResult('') : wordsResult(entries, translation.compare);
  };
  const strongs = (text: string): StrongsEntry => {
    const number = parseStrongsNumber(text);
    if (number !== null) {
      const entry = dictionary.get(number);
      if (entry) return entry;
      // Without a dictionary, a number exists if a translation has it.
      if (files.entries().some((translation) => translation.hasStrongsNumber(number))) return entryWithoutWord(number);
    }
    throw errors.strongsNotFound(text);
  };

  const strongsIn = (translation: ConcordanceTranslation, text: string): ConcordanceResult => {
    const { number } = strongs(text);
    const row = contentOf(translation).readTagged(number);
    return row
      ? strongsResult(number, decodePostings(row.postings), JSON.parse(row.forms) as string[])
      : emptyResult(number);
  };

  /** Cuts a page from a result: at once in canonical order, in steps in another order. */
  const pageFrom = (
    args: ConcordanceArguments,
    work: WorkBudget,
    resultIn: (translation: ConcordanceTranslation) => ConcordanceResult,
  ): ConcordancePage | Promise<ConcordancePage> => {
    const { order } = args;
    if (order === 'WORD_BEFORE' || order === 'WORD_AFTER') return work.runInSteps(pageInSteps(args, order, resultIn));
    const translation = translationBy(args.translation);
    return pageOf(translation, resultIn(translation), args);
  };

  function* pageInSteps(
    args: ConcordanceArguments,
    order: WordOrder,
    resultIn: (translation: ConcordanceTranslation) => ConcordanceResult,
  ): Generator<void, ConcordancePage> {
    for (;;) {
      const translation = translationBy(args.translation);
      const result = resultIn(translation);
      const sorted = yield* sortedVerses(translation, result, order);
      // Without `sorted`, the translation was replaced meanwhile.
      if (sorted) return pageInWordOrder(translation, result, { order, sorted }, args);
    }
  }

  return {
    /** The indexed texts. */
    dataset: files,

    /**
     * Returns null if the translation is not indexed: another subgraph may serve a newer corpus.
     */
    findTranslation: (identifier: string): ConcordanceTranslation | null => files.find(identifier),

    /**
     * Finds the verses with every word of a text, in any form of its stem.
     * Throws or rejects with `translationNotFound`, `blank`, `tooLong`, `bookNotFound` and `invalidCursor`.
     */
    words: (args: ConcordanceArguments, text: string, work: WorkBudget) =>
      pageFrom(args, work, (translation) => wordsIn(translation, text)),

    /**
     * Finds the verses with a Strong's number.
     * Throws or rejects with `translationNotFound`, `strongsNotFound`, `bookNotFound` and `invalidCursor`.
     */
    strongsOccurrences: (args: ConcordanceArguments, text: string, work: WorkBudget) =>
      pageFrom(args, work, (translation) => strongsIn(translation, text)),

    /** Finds the words that occur near a word. See `createCollocates`. */
    collocates: createCollocates({
      translationBy,
      currentContent,
      resultOf: wordsIn,
      stemOf: (translation, word) => stemsOf(translation, word)[0] ?? '',
    }),

    /** Reads the verses of a page with one SQL statement, in the order of the page. */
    concordanceVerses({ translation, result, ordinals, cursorAt }: ConcordancePage): ConcordanceVerse[] {
      const verses = readVerses(translation, ordinals);
      return ordinals.map((ordinal, index) => {
        const verse = verses.get(ordinal);
        if (!verse) throw new Error(`The index lists a verse without text: ${translation.identifier} ${ordinal}`);
        return concordanceVerse(result, verse, () => cursorAt(index));
      });
    },

    /**
     * Reads the index of words in alphabetical order.
     * A prefix that is not blank limits it to stems that begin so. `after` is the cursor of an entry.
     * Throws `translationNotFound`, `tooLong` and `invalidCursor`.
     */
    wordIndex(identifier: string, { prefix, minOccurrences, first, after }: WordIndexFilter): WordIndexEntry[] {
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
    },

    /** Parses a Strong's number in any spelling and returns its entry. Throws `strongsNotFound`. */
    strongs,

    /**
     * Returns the entry of a number in a verse.
     * The entry has only the number if no dictionary has it.
     */
    strongsEntry: (number: string): StrongsEntry => dictionary.get(number) ?? entryWithoutWord(number),

    /** Reads verses with one SQL statement, in the order of `places`; null for a missing verse. */
    verses(translation: ConcordanceTranslation, places: readonly Place[]): (IndexedVerse | null)[] {
      const ordinals = places.map(verseOrdinal);
      const verses = readVerses(translation, [...new Set(ordinals)]);
      return ordinals.map((ordinal) => verses.get(ordinal) ?? null);
    },

    close(): void {
      files.close();
    },
  };
}

export type ConcordanceStore = ReturnType<typeof createConcordanceStore>;

const entryWithoutWord = (number: string): StrongsEntry => ({
  number,
  lemma: null,
  transliteration: null,
  definition: null,
  language: strongsLanguage(number),
});

/** Trims the text. Throws `blank` and `tooLong`. */
function validWord(text: string): string {
  const word = text.trim();
  if (word === '') throw errors.blank('word');
  if ([...word].length > maxWordLength) throw errors.tooLong('word', maxWordLength);
  return word;
}

/**
 * Returns the distinct stems of a text, in its order. A text without letters and digits has none.
 */
function stemsOf({ language }: ConcordanceTranslation, text: string): string[] {
  const stem = stemmerFor(language);
  return [...new Set(tokenize(text).map(({ folded }) => stem(folded)))];
}
