import { join } from 'node:path';
import type { ChecksummedFileKind, TranslationFileKind } from '@lectern/data-files';
import { foldWord } from '@lectern/words';

/** Returns the form in which names are compared: without case, accents, and superfluous spaces. */
export const foldTopicName = (name: string): string => foldWord(name.trim().replace(/\s+/g, ' '));

export const referenceWorksKind: ChecksummedFileKind = {
  name: 'file of reference works',
  applicationId: 0x4c726566, // "Lref" in ASCII
  // Increase this version if the tables, the rules for translations' notes or imported files, or
  // computed-references.tsv change. A build replaces files of another version.
  formatVersion: '6',
};

/** The kind of each translation's study.sqlite, which has only a manifest. */
export const studyFileKind: TranslationFileKind = {
  name: 'study file',
  fileName: 'study',
  applicationId: 0x4c737475, // "Lstu" in ASCII
  formatVersion: '1',
};

export const referenceWorksFile = (dataDir: string): string => join(dataDir, 'reference-works.sqlite');

/**
 * Verses are ordinals in the standard numbering: 43003016 for JHN 3:16. A rank is the position in the list of a verse.
 * In `verse_note`, a verse has a list for each source.
 */
export const referenceWorksTables = `
CREATE TABLE source (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, author TEXT, year INTEGER, licence TEXT NOT NULL, note_count INTEGER NOT NULL DEFAULT 0);
CREATE TABLE topic (
  number INTEGER PRIMARY KEY,   -- from 1, in alphabetical order
  name TEXT NOT NULL,
  folded_name TEXT NOT NULL UNIQUE,
  verse_count INTEGER NOT NULL,
  see_also TEXT NOT NULL        -- JSON: numbers of topics
);
CREATE TABLE topic_entry (
  topic INTEGER NOT NULL,
  number INTEGER NOT NULL,      -- from 0, in the order of the topic
  section INTEGER NOT NULL,     -- from 0
  heading TEXT,                 -- the section's heading
  text TEXT,
  spans TEXT NOT NULL,          -- JSON: [first, last] of each reference
  PRIMARY KEY (topic, number)
) WITHOUT ROWID;
CREATE TABLE verse_topic (verse INTEGER NOT NULL, rank INTEGER NOT NULL, topic INTEGER NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (verse, rank)) WITHOUT ROWID;
-- The folded words of the names and of the headings, to search in.
CREATE VIRTUAL TABLE topic_words USING fts5(name, headings, content='', tokenize='unicode61 remove_diacritics 0', prefix='3');
-- sources: JSON, the numbers of the sources.
CREATE TABLE cross_reference (verse INTEGER NOT NULL, rank INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, sources TEXT NOT NULL, PRIMARY KEY (verse, rank)) WITHOUT ROWID;
CREATE TABLE note (
  number INTEGER PRIMARY KEY,
  source INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  heading TEXT,
  text TEXT NOT NULL,
  spans TEXT NOT NULL           -- JSON: [start, length, first, last] of each reference in the text
);
CREATE TABLE verse_note (verse INTEGER NOT NULL, rank INTEGER NOT NULL, source INTEGER NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (verse, rank, source)) WITHOUT ROWID;
`;

/** The key-value pairs in the table `manifest` of reference-works.sqlite. */
export interface ReferenceWorksManifest extends Readonly<Record<string, string>> {
  /** The digest of each source in the file, by source id, as JSON. */
  readonly sources: string;
  /** One line for each reference in a reference work to verses that do not exist, as JSON. */
  readonly unresolved: string;
  /** The ids of the reference works that this machine did not have, as JSON. */
  readonly missing: string;
  /** The time at which the file was built: ISO 8601, in UTC. */
  readonly builtAt: string;
}

/** The maximum number of topics, cross references, or notes of one commentary for a verse, and of `first`. */
export const maxPerVerse = 100;
