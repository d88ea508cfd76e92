/**
 * Identifies the SQLite files of packages: `PRAGMA application_id`. Released clients compare this
 * value.
 */
export const packageApplicationId = 0x42514c31;

/** The tables of schema version 1. Released clients read them, so they never change. */
export const textTables = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE books (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL,
  name TEXT NOT NULL,
  testament TEXT NOT NULL,
  chapters INTEGER NOT NULL
);
CREATE TABLE verses (
  id INTEGER PRIMARY KEY,
  book_id INTEGER NOT NULL REFERENCES books (id),
  chapter INTEGER NOT NULL,
  verse INTEGER NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (book_id, chapter, verse)
);
CREATE VIRTUAL TABLE verses_fts USING fts5 (
  text, content='verses', content_rowid='id', tokenize='unicode61 remove_diacritics 2'
);
`;

/** The tables that schema version 2 adds. `position` counts the rows of a verse from 0. */
export const layoutTables = `
CREATE TABLE breaks (
  verse_id INTEGER NOT NULL REFERENCES verses (id),
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  start INTEGER NOT NULL,
  indent INTEGER NOT NULL,
  PRIMARY KEY (verse_id, position)
) WITHOUT ROWID;
CREATE TABLE marks (
  verse_id INTEGER NOT NULL REFERENCES verses (id),
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  start INTEGER NOT NULL,
  length INTEGER NOT NULL,
  PRIMARY KEY (verse_id, position)
) WITHOUT ROWID;
CREATE TABLE notes (
  verse_id INTEGER NOT NULL REFERENCES verses (id),
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  start INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (verse_id, position)
) WITHOUT ROWID;
CREATE TABLE headings (
  verse_id INTEGER NOT NULL REFERENCES verses (id),
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  start INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (verse_id, position)
) WITHOUT ROWID;
CREATE TABLE strongs (
  verse_id INTEGER NOT NULL REFERENCES verses (id),
  position INTEGER NOT NULL,
  start INTEGER NOT NULL,
  length INTEGER NOT NULL,
  number TEXT NOT NULL,
  PRIMARY KEY (verse_id, position)
) WITHOUT ROWID;
`;
