import type { BookCode, Numbering } from '@lectern/canon';

export interface TranslationBook {
  code: BookCode;
  /** In the translation's language. */
  name: string;
  /** chapters[i] holds the ascending numbers of the verses with text in chapter i + 1. */
  chapters: readonly (readonly number[])[];
}

export interface TranslationSource {
  /** SWORD, USFX, OSIS or Zefania. */
  format: string;
  /** The module's name, or the file's name without its folder. */
  name: string;
  version: string | null;
  /** sha256 over the source's data files. */
  digest: string;
}

export interface Translation {
  identifier: string;
  name: string;
  abbrev: string | null;
  /** ISO 639-3. */
  language: string;
  /** In English; null where no name is known. */
  languageName: string | null;
  direction: 'LTR' | 'RTL';
  /** Licence or attribution; never empty. */
  note: string;
  verseCount: number;
  /** All 66 books are present. */
  complete: boolean;
  hasStrongsTagging: boolean;
  numbering: Numbering;
  books: readonly TranslationBook[];
  source: TranslationSource;
}

export interface CorpusVerse {
  book: BookCode;
  chapter: number;
  verse: number;
  text: string;
}

/** Some words of a verse and what stands behind them: offsets are UTF-16, into the verse's text. */
export interface WordTag {
  start: number;
  length: number;
  /** G26, H2617: no leading zeros. */
  strongs: readonly string[];
}

/** What people choose about a translation; the rest is read from its source. */
export interface TranslationLabels {
  identifier: string;
  name: string;
  abbrev: string | null;
  language: string;
  languageName: string | null;
  direction: 'LTR' | 'RTL';
  note: string;
  numbering: Numbering;
}

export interface DraftVerse {
  ordinal: number;
  text: string;
  words: readonly WordTag[];
}

/** What an importer hands over: verses in canonical order, each with text. */
export interface DraftTranslation extends TranslationLabels {
  /** Names found in the source, by code; the canon's are used for the rest. */
  bookNames: ReadonlyMap<BookCode, string>;
  verses: readonly DraftVerse[];
  source: TranslationSource;
  /** Lines for the person who imports: what was left out or mended. */
  remarks: readonly string[];
}
