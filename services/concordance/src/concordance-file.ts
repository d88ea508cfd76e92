import type { ChecksummedFileKind } from '@lectern/data-files';

/** "Lcon" in its header; the format is raised when the tables change, or the rules that cut and stem words. */
export const concordanceFileKind: ChecksummedFileKind = {
  name: 'concordance',
  applicationId: 0x4c636f6e,
  formatVersion: '2',
};

// Each edition has its own numbers of stems. What is packed, and how: packed-verse.ts and postings.ts.
export const concordanceTables = `
CREATE TABLE edition (number INTEGER PRIMARY KEY, identifier TEXT NOT NULL UNIQUE, language TEXT NOT NULL, books TEXT NOT NULL);  -- books: JSON, [code, name] each
CREATE TABLE verse (
  edition INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  text TEXT NOT NULL,
  words BLOB NOT NULL,      -- where each word stands, and its stem
  tags BLOB,                -- where each Strong's number stands; null where there are none
  PRIMARY KEY (edition, ordinal)
) WITHOUT ROWID;
CREATE TABLE stem (
  edition INTEGER NOT NULL,
  text TEXT NOT NULL,
  number INTEGER NOT NULL,
  place INTEGER,            -- in the alphabetical index; null for function words, which it leaves out
  display_form TEXT NOT NULL,
  verses INTEGER NOT NULL,
  occurrences INTEGER NOT NULL,
  PRIMARY KEY (edition, text)
) WITHOUT ROWID;
CREATE UNIQUE INDEX stem_place ON stem (edition, place, occurrences) WHERE place IS NOT NULL;
-- The forms of each stem, commonest first, and the verses of each.
CREATE TABLE form (edition INTEGER NOT NULL, stem INTEGER NOT NULL, rank INTEGER NOT NULL, text TEXT NOT NULL, postings BLOB NOT NULL, PRIMARY KEY (edition, stem, rank)) WITHOUT ROWID;
-- Strong's numbers as an edition bears them; forms: JSON, the commonest renderings.
CREATE TABLE tagged (edition INTEGER NOT NULL, number TEXT NOT NULL, forms TEXT NOT NULL, postings BLOB NOT NULL, PRIMARY KEY (edition, number)) WITHOUT ROWID;
CREATE TABLE lexicon (number TEXT PRIMARY KEY, lemma TEXT, transliteration TEXT, definition TEXT) WITHOUT ROWID;
`;

/** What the file says of itself. */
export interface ConcordanceManifest extends Readonly<Record<string, string>> {
  readonly corpusDigest: string;
  /** JSON: the digest of each of Strong's dictionaries that went into it. */
  readonly dictionaries: string;
  /** ISO 8601, in UTC. */
  readonly builtAt: string;
}
