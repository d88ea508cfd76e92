import type { TranslationFiles, TranslationMemory } from '@lectern/data-files';
import { openTranslationFiles } from '@lectern/data-files';
import type { Database } from 'better-sqlite3';
import type { ConcordanceEntry } from './concordance-schema';
import { concordanceFileKind } from './concordance-schema';
import type { ConcordanceTranslation } from './concordance-translation';
import { concordanceTranslation } from './concordance-translation';
import type { VerseRow } from './indexed-verse';
import type { StemEntry } from './stem-reader';
import { createStemReader } from './stem-reader';
import { encodeStrongsNumber } from './verse-encoding';

/** A stem in the alphabetical index of words. */
export interface WordIndexEntry {
  /** The stem. */
  readonly lemma: string;
  /** The commonest form of the stem. */
  readonly displayForm: string;
  readonly verseCount: number;
  readonly totalOccurrences: number;
}

/** What requests read from the open concordance.sqlite of a translation. */
export interface ConcordanceContent {
  readStem(lemma: string): StemEntry;
  /** The forms are JSON. */
  readTagged(strongsNumber: string): { forms: string; postings: Buffer } | undefined;
  /** Reads verses with one SQL statement. Missing verses are left out. */
  readVerses(ordinals: readonly number[]): VerseRow[];
  readWordIndex(filter: { prefix: string | null; minOccurrences: number; limit: number }): WordIndexEntry[];
}

export type ConcordanceFiles = TranslationFiles<ConcordanceTranslation, ConcordanceContent>;

export interface ConcordanceFilesOptions {
  /** The data folder. */
  dataDir: string;
  memory?: TranslationMemory | undefined;
  /** Receives one line when a translation cannot be served. */
  report?: ((line: string) => void) | undefined;
  onStatement?: ((statement: string) => void) | undefined;
}

/** Opens the translations of the concordance. Throws an error of one line if their catalogue cannot be read. */
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
  // CROSS JOIN fixes the join order:
  // SQLite looks up each ordinal by key and never scans a translation.
  const selectVerses = db.prepare<[string], VerseRow>(
    'SELECT v.ordinal, v.text, v.words, v.tags FROM json_each(?) AS place CROSS JOIN verse AS v ON v.ordinal = place.value',
  );
  return {
    readStem: createStemReader(db),
    readTagged: (strongsNumber) => selectTagged.get(encodeStrongsNumber(strongsNumber)),
    readVerses: (ordinals) => (ordinals.length === 0 ? [] : selectVerses.all(JSON.stringify(ordinals))),
    readWordIndex: createWordIndexReader(db),
  };
}

function createWordIndexReader(db: Database): ConcordanceContent['readWordIndex'] {
  const columns = 'text AS lemma, display_form AS displayForm, verses AS verseCount, occurrences AS totalOccurrences';
  const selectAll = db.prepare<[number, number], WordIndexEntry>(
    `SELECT ${columns} FROM stem WHERE place IS NOT NULL AND occurrences >= ? ORDER BY place LIMIT ?`,
  );
  const selectByPrefix = db.prepare<[string, string, number, number], WordIndexEntry>(
    `SELECT ${columns} FROM stem WHERE text >= ? AND text < ? AND place IS NOT NULL AND occurrences >= ? ORDER BY place LIMIT ?`,
  );
  return ({ prefix, minOccurrences, limit }) =>
    prefix === null
      ? selectAll.all(minOccurrences, limit)
      : selectByPrefix.all(prefix, `${prefix}\u{10ffff}`, minOccurrences, limit);
}
