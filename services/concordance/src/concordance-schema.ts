import type { ChecksummedFileKind } from '@lectern/data-files';

/**
 * Identifies concordance.sqlite: "Lcon" in its header.
 * Raise `formatVersion` if the tables change, or the rules for words and stems.
 */
export const concordanceFileKind: ChecksummedFileKind = {
  name: 'concordance',
  applicationId: 0x4c636f6e,
  formatVersion: '2',
};

/**
 * The tables of concordance.sqlite. Stem numbers are local to a translation.
 * verse-encoding.ts and postings.ts define the BLOBs.
 */
export const concordanceTables = `
CREATE TABLE edition (number INTEGER PRIMARY KEY, identifier TEXT NOT NULL UNIQUE, language TEXT NOT NULL, books TEXT NOT NULL);  -- books: JSON, [code, name] each
CREATE TABLE verse (
  edition INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  text TEXT NOT NULL,
  words BLOB NOT NULL,      -- the span and the stem of each word
  tags BLOB,                -- the spans with Strong's numbers; null if there is none
  PRIMARY KEY (edition, ordinal)
) WITHOUT ROWID;
CREATE TABLE stem (
  edition INTEGER NOT NULL,
  text TEXT NOT NULL,
  number INTEGER NOT NULL,
  place INTEGER,            -- the position in the alphabetical index; null for function words, which are not in the index
  display_form TEXT NOT NULL,
  verses INTEGER NOT NULL,
  occurrences INTEGER NOT NULL,
  PRIMARY KEY (edition, text)
) WITHOUT ROWID;
CREATE UNIQUE INDEX stem_place ON stem (edition, place, occurrences) WHERE place IS NOT NULL;
-- The forms of each stem, commonest first, and the verses of each form.
CREATE TABLE form (edition INTEGER NOT NULL, stem INTEGER NOT NULL, rank INTEGER NOT NULL, text TEXT NOT NULL, postings BLOB NOT NULL, PRIMARY KEY (edition, stem, rank)) WITHOUT ROWID;
-- The Strong's numbers of a translation; forms: JSON, the commonest renderings.
CREATE TABLE tagged (edition INTEGER NOT NULL, number TEXT NOT NULL, forms TEXT NOT NULL, postings BLOB NOT NULL, PRIMARY KEY (edition, number)) WITHOUT ROWID;
CREATE TABLE lexicon (number TEXT PRIMARY KEY, lemma TEXT, transliteration TEXT, definition TEXT) WITHOUT ROWID;
`;

/** The manifest of concordance.sqlite, without its format version. */
export interface ConcordanceManifest extends Readonly<Record<string, string>> {
  readonly corpusDigest: string;
  /** JSON: the digest of each Strong's dictionary in the file, by module name. */
  readonly dictionaries: string;
  /** ISO 8601, in UTC. */
  readonly builtAt: string;
}
