import type { BookCode } from '@lectern/canon';
import type { ChecksummedFileKind, TranslationFileKind } from '@lectern/data-files';

/**
 * Identifies concordance.sqlite: "Lcon" in its header.
 * Raise `formatVersion` if the tables change, or the rules for words and stems.
 */
export const concordanceFileKind: TranslationFileKind = {
  name: 'concordance',
  fileName: 'concordance',
  applicationId: 0x4c636f6e,
  formatVersion: '4',
};

/**
 * The tables of the concordance.sqlite of one translation.
 * verse-encoding.ts and postings.ts define the BLOBs.
 */
export const concordanceTables = `
CREATE TABLE verse (
  ordinal INTEGER PRIMARY KEY,
  text TEXT NOT NULL,
  words BLOB NOT NULL,      -- the span and the stem of each word
  tags BLOB                 -- the spans with Strong's numbers; null if there is none
);
CREATE TABLE stem (
  text TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  place INTEGER,            -- the position in the alphabetical index; null for function words, which are not in the index
  display_form TEXT NOT NULL,
  verses INTEGER NOT NULL,
  occurrences INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX stem_place ON stem (place, occurrences) WHERE place IS NOT NULL;
-- The forms of each stem, commonest first, and the verses of each form. The ids are those of firstFormId.
CREATE TABLE form (id INTEGER PRIMARY KEY, text TEXT NOT NULL, postings BLOB NOT NULL);
-- The Strong's numbers of the translation, as integers (encodeStrongsNumber); forms: JSON, the commonest renderings.
CREATE TABLE tagged (number INTEGER PRIMARY KEY, forms TEXT NOT NULL, postings BLOB NOT NULL);
`;

/** The maximum number of forms of one stem. */
const maxForms = 2 ** 20;

/**
 * Returns the id of the commonest form of a stem. The ids of its other forms follow. An integer is the key, because
 * SQLite stores long rows of a table with any other key on pages that are half empty.
 */
export const firstFormId = (stemNumber: number): number => stemNumber * maxForms;

/** The entry of a translation in the catalogue. */
export interface ConcordanceEntry {
  readonly identifier: string;
  /** The language code of ISO 639-3. */
  readonly language: string;
  readonly books: readonly (readonly [code: BookCode, name: string])[];
  /** ISO 8601, in UTC. */
  readonly builtAt: string;
  readonly strongsNumbers: StrongsRanges;
}

/** Strong's numbers by letter (G, H): the first and the last number of each range, ascending. */
export type StrongsRanges = Readonly<Record<string, readonly number[]>>;

/** Identifies strongs.sqlite, the Strong's dictionaries of all translations: "LStr" in its header. */
export const strongsFileKind: ChecksummedFileKind = {
  name: "file of Strong's dictionaries",
  applicationId: 0x4c537472,
  formatVersion: '1',
};

export const strongsTables =
  'CREATE TABLE lexicon (number TEXT PRIMARY KEY, lemma TEXT, transliteration TEXT, definition TEXT) WITHOUT ROWID';

/** The manifest of strongs.sqlite, without its format version. */
export interface StrongsManifest extends Readonly<Record<string, string>> {
  /** JSON: the digest of each Strong's dictionary in the file, by module name. */
  readonly dictionaries: string;
  /** ISO 8601, in UTC. */
  readonly builtAt: string;
}
