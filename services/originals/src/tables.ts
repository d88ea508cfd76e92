import { join } from 'node:path';
import type { ChecksummedFileKind } from '@lectern/data-files';

export const originalsKind: ChecksummedFileKind = {
  name: 'file of original texts',
  applicationId: 0x4c6f7267, // "Lorg" in ASCII
  // Increase this version if the tables or the data that the importer writes into them change.
  formatVersion: '9',
};

export const originalsFile = (dataDir: string): string => join(dataDir, 'originals.sqlite');

/**
 * Verses and words have numbers without gaps, in order, one text after another. An ordinal is a place as one number:
 * 43003016 for JHN 3:16. `folded` is the form of `foldOriginal`: without points, accents and final letters.
 */
export const originalsTables = `
-- Texts with at least one verse. number and id: those of texts.ts.
CREATE TABLE text (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, words INTEGER NOT NULL, verses INTEGER NOT NULL);
CREATE TABLE verse (
  number INTEGER PRIMARY KEY,   -- from 1
  text INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,     -- in the numbering of the original
  first_word INTEGER NOT NULL,
  words INTEGER NOT NULL,       -- the words are first_word to first_word + words - 1; at least one
  UNIQUE (text, ordinal)
);
-- Which verse of the King James Version a verse renders. A verse may render several, and several may
-- render one. is_partial: 1 if only a part of either verse corresponds.
CREATE TABLE rendering (standard INTEGER NOT NULL, verse INTEGER NOT NULL, is_partial INTEGER NOT NULL, PRIMARY KEY (standard, verse)) WITHOUT ROWID;
-- A lemma as the source distinguishes it: Hebrew by its extended Strong's number, Greek by its spelling.
CREATE TABLE lemma (
  number INTEGER PRIMARY KEY,   -- from 1
  key TEXT NOT NULL UNIQUE,     -- H1254a, H430 (the inseparable preposition of לָהֶם: Hl), or the Greek spelling
  text TEXT NOT NULL,           -- in its own script: בָּרָא
  folded TEXT NOT NULL,
  latin TEXT NOT NULL,          -- the search form of its transliteration (foldTransliteration)
  strongs TEXT,                 -- H1254 or G26, as in Strong's dictionaries. Null if none is known
  letter TEXT,                  -- a to f: the sense within a Hebrew Strong's number. Else null
  gloss TEXT,                   -- a few English words. Null if none is known
  spanish_gloss TEXT            -- a few Spanish words. Null if none is known
);
-- The lemmas of each Strong's number: those with the number, or if there are none, those of other-numbers.tsv.
CREATE TABLE lemma_number (strongs TEXT NOT NULL, lemma INTEGER NOT NULL, PRIMARY KEY (strongs, lemma)) WITHOUT ROWID;
-- Parsings as segments of words have them. code: the source's own, such as HR/Ncfsa, or "V- 3AAI-S--".
-- prefixes: the lemmas of the prefixes, such as c/b, which stand before the word's own segment;
-- the segments after it are suffixes. '' for none and for Greek.
CREATE TABLE parsing (number INTEGER PRIMARY KEY, code TEXT NOT NULL, prefixes TEXT NOT NULL, UNIQUE (code, prefixes));
-- Spellings with their transliterations. surface: NFC, with points and accents; '/' separates the segments
-- of a Hebrew word. A few spellings have two transliterations, by their parsing, and so two rows.
CREATE TABLE form (
  number INTEGER PRIMARY KEY,   -- from 1
  surface TEXT NOT NULL,
  transliteration TEXT NOT NULL,
  folded TEXT NOT NULL,
  latin TEXT NOT NULL           -- the search form of the transliteration
);
-- What stands around a word. before: opening punctuation: ( [ ⟦ —. after: punctuation and blanks up to
-- the next word.
CREATE TABLE punctuation (number INTEGER PRIMARY KEY, before TEXT NOT NULL, after TEXT NOT NULL);
-- The numbers of all words in their order, little-endian: form in four bytes, lemma and parsing in two,
-- punctuation in one. The first number is that of word 1.
CREATE TABLE word_column (name TEXT PRIMARY KEY, numbers BLOB NOT NULL);
-- How many words of a lemma a book has, and how many have a form.
CREATE TABLE lemma_book (lemma INTEGER, book INTEGER, words INTEGER NOT NULL, PRIMARY KEY (lemma, book)) WITHOUT ROWID;
CREATE TABLE lemma_form (lemma INTEGER, form INTEGER, words INTEGER NOT NULL, PRIMARY KEY (lemma, form)) WITHOUT ROWID;
-- What is read in place of a word of the text, from position 0; words without such rows are read as
-- written. A word that is not read has one row without form. Words that only the margin has follow
-- the word before them, which is then at position 0.
CREATE TABLE qere (
  word INTEGER NOT NULL,
  position INTEGER NOT NULL,
  form INTEGER,
  lemma INTEGER,
  parsing INTEGER,
  PRIMARY KEY (word, position)
) WITHOUT ROWID;
`;

/** The typed array for each row of the table `word_column`: the smallest type that can hold its numbers. */
export const columnTypes = {
  form: Uint32Array,
  lemma: Uint16Array,
  parsing: Uint16Array,
  punctuation: Uint8Array,
} as const;

/** The importer creates the indexes after all rows are written, which is faster. */
export const originalsIndexes = `
CREATE INDEX rendering_of_verse ON rendering (verse);
CREATE INDEX form_folded ON form (folded);
CREATE INDEX form_latin ON form (latin);
CREATE INDEX lemma_folded ON lemma (folded);
CREATE INDEX lemma_latin ON lemma (latin);
`;

/** The key-value pairs in the table `manifest` of originals.sqlite. */
export interface OriginalsManifest extends Readonly<Record<string, string>> {
  /** A digest of the source files. '' if this machine had none. */
  readonly sources: string;
  /** When the file was built: ISO 8601, in UTC. */
  readonly builtAt: string;
}
