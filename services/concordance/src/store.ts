import type { Place } from '@lectern/canon';
import { verseOrdinal } from '@lectern/canon';
import type { OpenChecksummedFileOptions } from '@lectern/data-files';
import { openChecksummedFile } from '@lectern/data-files';
import { errors } from '@lectern/errors';
import { foldWord, stemmerFor, tokenize } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import type { ConcordanceArguments, ConcordancePage } from './concordance-page';
import { pageOf } from './concordance-page';
import { emptyResult, strongsResult, wordsResult } from './concordance-result';
import { concordanceFileKind } from './concordance-schema';
import type { ConcordanceTranslation, TranslationRow } from './concordance-translation';
import { concordanceTranslation } from './concordance-translation';
import type { ConcordanceVerse } from './concordance-verse';
import { concordanceVerse } from './concordance-verse';
import type { IndexedVerse, VerseRow } from './indexed-verse';
import { indexedVerse } from './indexed-verse';
import { decodePostings } from './postings';
import { createStemReader } from './stem-reader';
import type { StrongsEntry } from './strongs-number';
import { parseStrongsNumber, strongsLanguage } from './strongs-number';

/** A stem in the alphabetical index of words. */
export interface WordIndexEntry {
  /** The stem. */
  readonly lemma: string;
  /** The commonest form of the stem. */
  readonly displayForm: string;
  readonly verseCount: number;
  readonly totalOccurrences: number;
}

/** The arguments of a client. Null means that the client left the argument out. */
export interface WordIndexFilter {
  readonly prefix?: string | null;
  readonly minOccurrences?: number | null;
  readonly first?: number | null;
}

const maxWordLength = 100;
const defaultIndexFirst = 50;
const maxIndexFirst = 200;

/**
 * Opens concordance.sqlite and reads from it. Expected errors are of the catalogue,
 * except the startup errors of `openChecksummedFile`.
 */
export function createConcordanceStore(file: string, options: OpenChecksummedFileOptions = {}) {
  const { db, manifest } = openChecksummedFile(file, concordanceFileKind, options);
  const translations = readTranslations(db);
  const stems = createStemReader(db);
  const strongsEntries = readStrongsEntries(db);
  const selectTagged = db.prepare<[number, string], { forms: string; postings: Buffer }>(
    'SELECT forms, postings FROM tagged WHERE edition = ? AND number = ?',
  );
  const readVerses = createVerseReader(db);
  const readWordIndex = createWordIndexReader(db);

  const translationBy = (identifier: string): ConcordanceTranslation => {
    const translation = translations.get(identifier);
    if (!translation) throw errors.translationNotFound(identifier);
    return translation;
  };
  const strongs = (text: string): StrongsEntry => {
    const number = parseStrongsNumber(text);
    const entry = number === null ? undefined : strongsEntries.get(number);
    if (!entry) throw errors.strongsNotFound(text);
    return entry;
  };

  return {
    /** The digest of the indexed corpus. */
    corpusDigest: manifest.get('corpusDigest') ?? '',

    /** When the index was built: ISO 8601, in UTC. */
    builtAt: manifest.get('builtAt') ?? '',

    /**
     * Returns null if the translation is not indexed: another subgraph may serve a newer corpus.
     */
    findTranslation: (identifier: string): ConcordanceTranslation | null => translations.get(identifier) ?? null,

    /**
     * Finds the verses with every word of a text, in any form of its stem.
     * Throws `translationNotFound`, `blank`, `tooLong`, `bookNotFound` and `invalidCursor`.
     */
    words(args: ConcordanceArguments, text: string): ConcordancePage {
      const translation = translationBy(args.translation);
      const entries = stemsOf(translation, validWord(text)).map((stem) => stems.stemEntry(translation.number, stem));
      const result = entries.length === 0 ? emptyResult('') : wordsResult(entries, translation.compare);
      return pageOf(translation, result, args);
    },

    /**
     * Finds the verses with a Strong's number.
     * Throws `translationNotFound`, `strongsNotFound`, `bookNotFound` and `invalidCursor`.
     */
    strongsOccurrences(args: ConcordanceArguments, text: string): ConcordancePage {
      const translation = translationBy(args.translation);
      const { number } = strongs(text);
      const row = selectTagged.get(translation.number, number);
      const result = row
        ? strongsResult(number, decodePostings(row.postings), JSON.parse(row.forms) as string[])
        : emptyResult(number);
      return pageOf(translation, result, args);
    },

    /** Reads the verses of a page with one SQL statement, in canonical order. */
    concordanceVerses({ translation, result, ordinals }: ConcordancePage): ConcordanceVerse[] {
      const verses = readVerses(translation, ordinals);
      return ordinals.map((ordinal) => {
        const verse = verses.get(ordinal);
        if (!verse) throw new Error(`The index lists a verse without text: ${translation.identifier} ${ordinal}`);
        return concordanceVerse(result, verse);
      });
    },

    /**
     * Reads the index of words in alphabetical order.
     * A prefix that is not blank limits it to stems that begin so.
     * Throws `translationNotFound` and `tooLong`.
     */
    wordIndex(identifier: string, { prefix, minOccurrences, first }: WordIndexFilter): WordIndexEntry[] {
      const translation = translationBy(identifier);
      const trimmed = (prefix ?? '').trim();
      if ([...trimmed].length > maxWordLength) throw errors.tooLong('prefix', maxWordLength);
      return readWordIndex(translation.number, {
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
    strongsEntry: (number: string): StrongsEntry => strongsEntries.get(number) ?? entryWithoutWord(number),

    /** Reads verses with one SQL statement, in the order of `places`; null for a missing verse. */
    verses(translation: ConcordanceTranslation, places: readonly Place[]): (IndexedVerse | null)[] {
      const ordinals = places.map(verseOrdinal);
      const verses = readVerses(translation, [...new Set(ordinals)]);
      return ordinals.map((ordinal) => verses.get(ordinal) ?? null);
    },

    close(): void {
      db.close();
    },
  };
}

export type ConcordanceStore = ReturnType<typeof createConcordanceStore>;

function readTranslations(db: Database): ReadonlyMap<string, ConcordanceTranslation> {
  const rows = db
    .prepare<[], TranslationRow>('SELECT number, identifier, language, books FROM edition ORDER BY identifier')
    .all();
  return new Map(rows.map((row) => [row.identifier, concordanceTranslation(row)]));
}

/**
 * Reads the entries of all Strong's numbers in the dictionaries and in the translations.
 * The 14,000 entries take a few megabytes of memory. `Verse.words` needs an entry for every word.
 */
function readStrongsEntries(db: Database): ReadonlyMap<string, StrongsEntry> {
  const tagged = db.prepare<[], { number: string }>('SELECT DISTINCT number FROM tagged').all();
  const entries = new Map(tagged.map(({ number }) => [number, entryWithoutWord(number)]));
  for (const entry of db
    .prepare<[], Omit<StrongsEntry, 'language'>>('SELECT number, lemma, transliteration, definition FROM lexicon')
    .all())
    entries.set(entry.number, { ...entry, language: strongsLanguage(entry.number) });
  return entries;
}

/**
 * Returns a function that reads verses by ordinal with one SQL statement.
 * Missing verses are left out.
 */
function createVerseReader(db: Database) {
  // CROSS JOIN fixes the join order:
  // SQLite looks up each ordinal by key and never scans a translation.
  const selectVerses = db.prepare<[string, number], VerseRow>(
    'SELECT v.ordinal, v.text, v.words, v.tags FROM json_each(?) AS place CROSS JOIN verse AS v ON v.edition = ? AND v.ordinal = place.value',
  );
  return (translation: ConcordanceTranslation, ordinals: readonly number[]): ReadonlyMap<number, IndexedVerse> =>
    new Map(
      ordinals.length === 0
        ? []
        : selectVerses
            .all(JSON.stringify(ordinals), translation.number)
            .map((row) => [row.ordinal, indexedVerse(translation, row)]),
    );
}

function createWordIndexReader(db: Database) {
  const columns = 'text AS lemma, display_form AS displayForm, verses AS verseCount, occurrences AS totalOccurrences';
  const selectAll = db.prepare<[number, number, number], WordIndexEntry>(
    `SELECT ${columns} FROM stem WHERE edition = ? AND place IS NOT NULL AND occurrences >= ? ORDER BY place LIMIT ?`,
  );
  const selectByPrefix = db.prepare<[number, string, string, number, number], WordIndexEntry>(
    `SELECT ${columns} FROM stem WHERE edition = ? AND text >= ? AND text < ? AND place IS NOT NULL AND occurrences >= ? ORDER BY place LIMIT ?`,
  );
  return (
    translationNumber: number,
    { prefix, minOccurrences, limit }: { prefix: string | null; minOccurrences: number; limit: number },
  ): WordIndexEntry[] =>
    prefix === null
      ? selectAll.all(translationNumber, minOccurrences, limit)
      : selectByPrefix.all(translationNumber, prefix, `${prefix}\u{10ffff}`, minOccurrences, limit);
}

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
