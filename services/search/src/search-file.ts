import { endianness } from 'node:os';
import type { ChecksummedFileKind } from '@lectern/data-files';

/**
 * Identifies search.sqlite: "LecS" in its header.
 * Raise the number in `formatVersion` if the tables change, or the rules for words and stems.
 * The file holds arrays of integers in the byte order of the machine that built it.
 */
export const searchFileKind: ChecksummedFileKind = {
  name: 'search index',
  applicationId: 0x4c656353,
  formatVersion: `1 ${endianness()}`,
};

/**
 * The tables of search.sqlite, without the FTS5 table of each translation.
 * `full_text` has one row for each translation. A term's id is its position in `terms`.
 * `terms`, `written` and `stems` hold one line for each term.
 * The BLOBs are arrays of 32-bit integers:
 * `verses` counts the verses of each term, `ordinals` identifies the verses,
 * `starts` and `words` are the verses as term ids (see TermStream).
 */
export const searchTables = `
CREATE TABLE edition (number INTEGER PRIMARY KEY, identifier TEXT NOT NULL UNIQUE, details TEXT NOT NULL);
CREATE TABLE verse (edition INTEGER NOT NULL, ordinal INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (edition, ordinal)) WITHOUT ROWID;
CREATE TABLE full_text (
  edition INTEGER PRIMARY KEY, terms TEXT NOT NULL, written TEXT NOT NULL, stems TEXT NOT NULL,
  verses BLOB NOT NULL, ordinals BLOB NOT NULL, starts BLOB NOT NULL, words BLOB NOT NULL
);
`;
