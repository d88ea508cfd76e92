import { endianness } from 'node:os';
import type { TranslationFileKind } from '@lectern/data-files';

/**
 * Identifies the search.sqlite of a translation. The application id in the header of the SQLite
 * file is the text "LecS" in ASCII. Increase the number in `formatVersion` if the tables change, or
 * the rules for words and stems: a build replaces files of another version. The version includes
 * the byte order of the machine, because the file holds arrays of integers in this byte order.
 */
export const searchFileKind: TranslationFileKind = {
  name: 'search index',
  fileName: 'search',
  applicationId: 0x4c656353,
  formatVersion: `5 ${endianness()}`,
};

/**
 * The tables of the search.sqlite of one translation. `full_text` has one row, which is read when
 * the translation is first searched. A term is a word without case and accents. The columns of
 * `full_text`:
 *
 * - `terms`: one term on each line, sorted. The id of a term is the index of its line.
 * - `written`: the usual spelling of each term, in the order of `terms`.
 * - `stems`: the stem of each term, sorted by stem. `stem_terms`: the id of the term of each stem.
 * - `ordinals`: the verses, as numbers: 43003016 is JHN 3:16.
 * - `words`: the words of all verses as ids of terms. `starts`: where each verse begins in `words`.
 * - `postings`: the verses that contain each term, as indexes into `ordinals`. `posting_starts`: where
 *   each term begins in `postings`.
 *
 * The BLOBs are arrays of integers that are used without decoding. `words` and `stem_terms` have 16
 * bits if there are at most 65,536 terms, `postings` if there are at most 65,536 verses. All other
 * integers have 32 bits.
 */
export const searchTables = `
CREATE TABLE verse (ordinal INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE full_text (
  terms TEXT NOT NULL, written TEXT NOT NULL, stems TEXT NOT NULL, stem_terms BLOB NOT NULL,
  ordinals BLOB NOT NULL, starts BLOB NOT NULL, words BLOB NOT NULL, posting_starts BLOB NOT NULL, postings BLOB NOT NULL
);
`;
