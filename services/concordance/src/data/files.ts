import type { Place } from '@lectern/canon';
import { ordinalParts } from '@lectern/canon';
import type { WordTag } from '@lectern/corpus';
import type { TranslationFileCache, TranslationFiles } from '@lectern/data-files';
import { openTranslationFiles } from '@lectern/data-files';
import type { Database } from 'better-sqlite3';
import type { ConcordanceEntry } from './formats';
import { concordanceFileKind, firstFormId } from './formats';
import type { ConcordanceTranslation } from './metadata';
import { concordanceTranslation } from './metadata';
import type { ReadStemCounts, StemEntry } from './stems';
import { createStemCountReader, createStemReader } from './stems';
import type { IndexedWord } from './words';
import { decodeTags, decodeWords, encodeStrongsNumber } from './words';

interface VerseRow {
  ordinal: number;
  text: string;
  words: Buffer;
  tags: Buffer | null;
}

/** A verse whose words and tags are decoded at first use. */
export interface IndexedVerse extends Place {
  readonly translation: ConcordanceTranslation;
  readonly text: string;
  words(): readonly IndexedWord[];
  /**
   * Returns the spans of the text that are tagged with Strong's numbers (of the Hebrew or Greek
   * words that they translate), sorted by start. Empty if the verse has none.
   */
  tags(): readonly WordTag[];
}

export function indexedVerse(
  translation: ConcordanceTranslation,
  { ordinal, text, words, tags }: VerseRow,
): IndexedVerse {
  const place = ordinalParts(ordinal);
  if (!place) throw new Error(`${ordinal} is not the ordinal of a verse`);
  let decodedWords: readonly IndexedWord[] | undefined;
  let decodedTags: readonly WordTag[] | undefined;
  return {
    ...place,
    translation,
    text,
    words: () => (decodedWords ??= decodeWords(words)),
    tags: () => (decodedTags ??= tags === null ? [] : decodeTags(tags)),
  };
}

/**
 * A stem in the word index, which lists stems alphabetically. A stem is what the forms of a
 * word have in common: `misericordi` of `misericordia` and `misericordioso`.
 */
export interface WordIndexEntry {
  /** The stem. */
  readonly lemma: string;
  /** The commonest form of the stem. */
  readonly displayForm: string;
  readonly verseCount: number;
  readonly totalOccurrences: number;
}

/** The ordinal (43003016 for JHN 3:16), the text and the encoded words of a verse. */
type TextRow = readonly [ordinal: number, text: string, words: Buffer];

interface WordIndexRange {
  readonly prefix: string | null;
  readonly minOccurrences: number;
  /**
   * The list begins after this position of the alphabetical index. 0 for the start of the index.
   */
  readonly afterPlace: number;
  readonly limit: number;
}

/** The functions that read from the open concordance.sqlite of a translation. */
export interface ConcordanceContent {
  /** Reads a stem with its forms and verses. */
  readStem(lemma: string): StemEntry;
  /**
   * Reads the verses with a Strong's number, which identifies a Hebrew or Greek word. `forms` is a
   * JSON list: the commonest words of the text that have this number.
   */
  readTagged(strongsNumber: string): { forms: string; postings: Buffer } | undefined;
  /** Reads verses with one SQL statement. Missing verses are left out. */
  readVerses(ordinals: readonly number[]): VerseRow[];
  /**
   * Reads the texts and the encoded words of verses with one SQL statement. Missing verses are left
   * out.
   */
  readTexts(ordinals: readonly number[]): TextRow[];
  /** Reads the encoded words of verses with one SQL statement. Missing verses are left out. */
  readWords(ordinals: readonly number[]): Buffer[];
  readStemCounts: ReadStemCounts;
  /** Reads the commonest form of a stem. */
  readDisplayForm(stem: number): string | undefined;
  /**
   * Returns the position of a stem in the word index. Null for an unknown stem and for a
   * function word such as `the`.
   */
  readPlace(lemma: string): number | null;
  /** Reads the stems of the index after the position `afterPlace`. */
  readWordIndex(filter: WordIndexRange): WordIndexEntry[];
}

export type ConcordanceFiles = TranslationFiles<ConcordanceTranslation, ConcordanceContent>;

export interface ConcordanceFilesOptions {
  /** The data folder. */
  dataDir: string;
  memory?: TranslationFileCache | undefined;
  /** Receives one line when a translation cannot be served. */
  report?: ((line: string) => void) | undefined;
  onStatement?: ((statement: string) => void) | undefined;
}

/**
 * Opens the concordance.sqlite of each translation when a request needs it. Throws an error of one
 * line if the catalogue that lists the translations cannot be read.
 */
export const openConcordanceFiles = (options: ConcordanceFilesOptions): ConcordanceFiles =>
  openTranslationFiles<ConcordanceTranslation, ConcordanceContent>({
    ...options,
    kind: concordanceFileKind,
    toEntry: ({ entry, textDigest }) => concordanceTranslation(JSON.parse(entry) as ConcordanceEntry, textDigest),
    readContent: (db) => ({ content: readContent(db), bytes: 0 }),
  });

function readContent(db: Database): ConcordanceContent {
  const selectTagged = db.prepare<[number], { forms: string; postings: Buffer }>(
    'SELECT forms, postings FROM tagged WHERE number = ?',
  );
  // CROSS JOIN fixes the join order, so that SQLite looks up each ordinal by key and never scans
  // the table of verses.
  const ofVerses = 'FROM json_each(?) AS place CROSS JOIN verse AS v ON v.ordinal = place.value';
  const selectVerses = db.prepare<[string], VerseRow>(`SELECT v.ordinal, v.text, v.words, v.tags ${ofVerses}`);
  // Reads rows as arrays, which takes half the time of reading rows as objects.
  const selectTexts = db.prepare<[string], TextRow>(`SELECT v.ordinal, v.text, v.words ${ofVerses}`).raw(true);
  const selectWords = db.prepare<[string], Buffer>(`SELECT v.words ${ofVerses}`).pluck();
  const selectDisplayForm = db.prepare<[number], string>('SELECT text FROM form WHERE id = ?').pluck();
  const selectPlace = db.prepare<[string], number | null>('SELECT place FROM stem WHERE text = ?').pluck();
  return {
    readStem: createStemReader(db),
    readTagged: (strongsNumber) => selectTagged.get(encodeStrongsNumber(strongsNumber)),
    readVerses: (ordinals) => (ordinals.length === 0 ? [] : selectVerses.all(JSON.stringify(ordinals))),
    readTexts: (ordinals) => selectTexts.all(JSON.stringify(ordinals)),
    readWords: (ordinals) => selectWords.all(JSON.stringify(ordinals)),
    readStemCounts: createStemCountReader(db),
    readDisplayForm: (stem) => selectDisplayForm.get(firstFormId(stem)),
    readPlace: (lemma) => selectPlace.get(lemma) ?? null,
    readWordIndex: createWordIndexReader(db),
  };
}

function createWordIndexReader(db: Database): ConcordanceContent['readWordIndex'] {
  const columns = 'text AS lemma, display_form AS displayForm, verses AS verseCount, occurrences AS totalOccurrences';
  const isListed = 'place IS NOT NULL AND place > ? AND occurrences >= ? ORDER BY place LIMIT ?';
  const selectAll = db.prepare<[number, number, number], WordIndexEntry>(
    `SELECT ${columns} FROM stem WHERE ${isListed}`,
  );
  const selectByPrefix = db.prepare<[string, string, number, number, number], WordIndexEntry>(
    `SELECT ${columns} FROM stem WHERE text >= ? AND text < ? AND ${isListed}`,
  );
  return ({ prefix, minOccurrences, afterPlace, limit }) =>
    prefix === null
      ? selectAll.all(afterPlace, minOccurrences, limit)
      : selectByPrefix.all(prefix, `${prefix}\u{10ffff}`, afterPlace, minOccurrences, limit);
}
