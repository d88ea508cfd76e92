import { endianness } from 'node:os';
import type { TranslationFileKind } from '@lectern/data-files';

/**
 * Identifies search.sqlite: "LecS" in its header.
 * Raise the number in `formatVersion` if the tables change, or the rules for words and stems.
 * The file holds arrays of integers in the byte order of the machine that built it.
 */
export const searchFileKind: TranslationFileKind = {
  name: 'search index',
  fileName: 'search',
  applicationId: 0x4c656353,
  formatVersion: `2 ${endianness()}`,
};

/**
 * The tables of the search.sqlite of one translation.
 * `full_text` has one row. A term's id is its position in `terms`.
 * `terms`, `written` and `stems` hold one line for each term.
 * The BLOBs are arrays of integers:
 * `verses` counts the verses of each term, `ordinals` identifies the verses,
 * `starts` and `words` are the verses as term ids (see TermStream).
 * The integers of `words` have 16 bits if there are at most 65,536 terms. All other integers have 32 bits.
 *
 * The words in the FTS5 table are folded and separated by spaces, so the simplest tokenizer suffices.
 * Queries only use which words are in which column, so positions are not stored.
 */
export const searchTables = `
CREATE TABLE verse (ordinal INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE full_text (
  terms TEXT NOT NULL, written TEXT NOT NULL, stems TEXT NOT NULL,
  verses BLOB NOT NULL, ordinals BLOB NOT NULL, starts BLOB NOT NULL, words BLOB NOT NULL
);
CREATE VIRTUAL TABLE verse_words USING fts5(exact, stem, content='', detail=column, columnsize=0, prefix='2 3 4', tokenize='ascii');
`;
