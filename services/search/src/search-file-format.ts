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
  formatVersion: `5 ${endianness()}`,
};

/**
 * The tables of the search.sqlite of one translation.
 * `full_text` has one row, which is read when the translation is first searched.
 * `terms` holds one term a line, sorted. A term's id is its line. `written` has the usual spelling of each term.
 * `stems` holds the stem of each term, sorted, and `stem_terms` the ids of the terms in that order.
 * The BLOBs are arrays of integers that are used as they are:
 * `ordinals` identifies the verses, `starts` and `words` are the verses as term ids (see TermStream),
 * `posting_starts` and `postings` are the verses of each term (see Postings).
 * `words` and `stem_terms` have 16 bits if there are at most 65,536 terms, `postings` if there are at most 65,536 verses.
 * All other integers have 32 bits.
 */
export const searchTables = `
CREATE TABLE verse (ordinal INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE full_text (
  terms TEXT NOT NULL, written TEXT NOT NULL, stems TEXT NOT NULL, stem_terms BLOB NOT NULL,
  ordinals BLOB NOT NULL, starts BLOB NOT NULL, words BLOB NOT NULL, posting_starts BLOB NOT NULL, postings BLOB NOT NULL
);
`;
