import type { BookCode } from '@lectern/canon';
import type { ChecksummedFileKind, TranslationFileKind } from '@lectern/data-files';

/**
 * The kind of the file concordance.sqlite. The application id is "Lcon" in ASCII. Increase the version if the tables,
 * or the rules for words, change.
 */
export const concordanceFileKind: TranslationFileKind = {
  name: 'concordance',
  fileName: 'concordance',
  applicationId: 0x4c636f6e,
  formatVersion: '6',
};

/**
 * The tables of concordance.sqlite. Verses are ordinals (43003016 for JHN 3:16). words.ts and postings.ts encode the
 * BLOBs.
 */
export const concordanceTables = `
CREATE TABLE verse (
  ordinal INTEGER PRIMARY KEY,
  text TEXT NOT NULL,
  words BLOB NOT NULL,      -- the span (start and length) and the stem of each word
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
-- The spellings of each stem, those of its commonest form first, and the verses of each. firstFormId computes the ids.
CREATE TABLE form (id INTEGER PRIMARY KEY, text TEXT NOT NULL, postings BLOB NOT NULL);
-- How readers may write the words of a translation that has lemmas, which are its stems: each spelling without cantillation
-- marks, and folded. written is the lemma itself if is_lemma is 1. Empty for other translations.
CREATE TABLE spelling (folded TEXT NOT NULL, written TEXT NOT NULL, stem TEXT NOT NULL, is_lemma INTEGER NOT NULL, PRIMARY KEY (folded, written, stem, is_lemma)) WITHOUT ROWID;
-- The Strong's numbers of the translation, as integers (encodeStrongsNumber); forms: JSON, the commonest renderings with their counts.
CREATE TABLE tagged (number INTEGER PRIMARY KEY, forms TEXT NOT NULL, postings BLOB NOT NULL);
`;

/**
 * Returns the id of the first spelling of a stem. The other spellings, fewer than 2^20, have the next ids. With a
 * single integer as the key, the table needs half as many pages.
 */
export const firstFormId = (stemNumber: number): number => stemNumber * 2 ** 20;

/** The entry of a translation in concordance-catalogue.sqlite. */
export interface ConcordanceEntry {
  readonly identifier: string;
  /** The language code of ISO 639-3. */
  readonly language: string;
  readonly books: readonly (readonly [code: BookCode, name: string])[];
  /** The time at which the file was built: ISO 8601, in UTC. */
  readonly builtAt: string;
  readonly strongsNumbers: StrongsRanges;
}

/** Strong's numbers as ranges, by letter: `{ G: [1, 3, 5, 6] }` means G1 to G3, and G5 to G6. */
export type StrongsRanges = Readonly<Record<string, readonly number[]>>;

/**
 * The kind of the file strongs.sqlite, which has the Strong's dictionaries. The application id is "LStr" in ASCII.
 * Increase `formatVersion` if the table, or the rules for reading the dictionaries, change.
 */
export const strongsFileKind: ChecksummedFileKind = {
  name: "file of Strong's dictionaries",
  applicationId: 0x4c537472,
  formatVersion: '2',
};

export const strongsTables =
  'CREATE TABLE lexicon (number TEXT PRIMARY KEY, lemma TEXT, spellings TEXT NOT NULL, transliteration TEXT, definition TEXT) WITHOUT ROWID';
