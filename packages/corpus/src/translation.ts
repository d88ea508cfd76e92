import type { BookCode, Numbering } from '@lectern/canon';
import type { VerseLayout } from '@lectern/verse-layout';

export interface TranslationBook {
  code: BookCode;
  /** The book's name in the language of the translation, or in English if none is known. */
  name: string;
  /** `chapters[i]` holds the numbers of the verses with text in chapter i + 1, ascending. */
  chapters: readonly (readonly number[])[];
}

export interface TranslationSource {
  /** The format of the source: SWORD, USFX, OSIS or Zefania. */
  format: string;
  /** The module's name, or the file's name without its folder. */
  name: string;
  version: string | null;
  /** The SHA-256 digest of the source's data files. */
  digest: string;
}

/** What the source of a translation marks in its text, such as paragraphs or notes. */
export type TranslationFeature =
  | 'PARAGRAPHS'
  | 'POETRY'
  | 'NOTES'
  | 'WORDS_OF_JESUS'
  | 'ADDED_WORDS'
  | 'DIVINE_NAME'
  | 'HEADINGS'
  | 'STRONGS';

/** A licence in a form that programs can read. The attribution for people is `Translation.note`. */
export interface Licence {
  /**
   * `PD` for the public domain, an SPDX identifier, or `NOASSERTION` if the source names no known
   * licence.
   */
  code: string;
  /** The holder of the rights. Null if the person who imported the translation named none. */
  holder: string | null;
  /** The address of the terms. Null if the person who imported the translation named none. */
  url: string | null;
}

/** A translation without its verses. */
export interface Translation {
  identifier: string;
  name: string;
  abbrev: string | null;
  /** The language as an ISO 639-3 code. */
  language: string;
  /** The English name of the language. Null if the name is not known. */
  languageName: string | null;
  direction: 'LTR' | 'RTL';
  /** The licence or attribution of the translation. Never empty. */
  note: string;
  verseCount: number;
  /** Whether all 66 books are present. */
  complete: boolean;
  hasStrongsTagging: boolean;
  /** In the order of `TranslationFeature`. */
  features: readonly TranslationFeature[];
  licence: Licence;
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

/**
 * A range of words in a verse with the Strong's numbers that the source gives them. `start` and
 * `length` count UTF-16 units.
 */
export interface WordTag {
  start: number;
  length: number;
  /** The Strong's numbers without leading zeros: G26, H2617. */
  strongs: readonly string[];
}

/**
 * The properties of a translation that do not depend on its verses. The person who imports the
 * translation gives them, or they come from its source.
 */
export interface TranslationMetadata {
  identifier: string;
  name: string;
  abbrev: string | null;
  language: string;
  languageName: string | null;
  direction: 'LTR' | 'RTL';
  note: string;
  licence: Licence;
  numbering: Numbering;
}

export interface DraftVerse {
  ordinal: number;
  text: string;
  words: readonly WordTag[];
  layout: VerseLayout;
}

/** The result of an importer: verses in canonical order, each with text. */
export interface DraftTranslation extends TranslationMetadata {
  /** The book names found in the source. Other books get the names of the package canon. */
  bookNames: ReadonlyMap<BookCode, string>;
  verses: readonly DraftVerse[];
  source: TranslationSource;
  /** Messages about left-out or repaired text, for the person who imports the translation. */
  remarks: readonly string[];
}
