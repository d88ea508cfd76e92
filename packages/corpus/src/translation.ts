import type { BookCode, Numbering, Place } from '@lectern/canon';
import type { VerseLayout } from '@lectern/verse-layout';

export interface TranslationBook {
  code: BookCode;
  /** The book's name in the language of the translation, or in English if that name is unknown. */
  name: string;
  /** The numbers of the verses with text of each chapter, ascending. `chapters[i]` is chapter i + 1. */
  chapters: readonly (readonly number[])[];
  /** The verses with several numbers, such as 1-2, which are stored at the first number. Absent if there are none. */
  joined?: readonly JoinedNumbers[];
}

export type JoinedNumbers = readonly [chapter: number, first: number, last: number];

export interface TranslationSource {
  /** The format of the source: SWORD, USFM, USX, USFX, OSIS or Zefania. */
  format: string;
  /** The name of the module, or the name of the file without its folder. */
  name: string;
  version: string | null;
  /** The SHA-256 digest of the source's data files. */
  digest: string;
}

/** The features of a translation's text, as far as the source marks them. */
export type TranslationFeature =
  | 'PARAGRAPHS'
  | 'POETRY'
  | 'NOTES'
  | 'WORDS_OF_JESUS'
  | 'ADDED_WORDS'
  | 'DIVINE_NAME'
  | 'HEADINGS'
  | 'STRONGS'
  | 'LEMMAS';

/** The licence in a form for programs. `Translation.note` is the form for people. */
export interface Licence {
  /** `PD` for the public domain, an SPDX identifier, or `NOASSERTION` if none is known. */
  code: string;
  holder: string | null;
  url: string | null;
  /** The maximum number of verses that may be quoted without another permission. Absent if none was stated. */
  maxVerses?: number;
}

/** The properties that do not depend on the verses. */
export interface TranslationMetadata {
  identifier: string;
  name: string;
  abbrev: string | null;
  /** The language as an ISO 639-3 code. */
  language: string;
  languageName: string | null;
  direction: 'LTR' | 'RTL';
  /** The licence or attribution of the translation. Never empty. */
  note: string;
  licence: Licence;
  numbering: Numbering;
}

export type DocumentKind = 'FRONT_MATTER' | 'BOOK_INTRODUCTION' | 'BACK_MATTER' | 'GLOSSARY' | 'INDEX' | 'OTHER';

/** A text outside of verses, such as a glossary or the introduction to a book. */
export interface TranslationDocument {
  /** The USFM code: that of the book for its introduction, otherwise FRT, GLO and the like. */
  code: string;
  kind: DocumentKind;
  title: string;
  paragraphCount: number;
}

export interface DocumentParagraph {
  kind: 'HEADING' | 'PARAGRAPH' | 'LINE' | 'LIST_ITEM';
  /** The level of a heading, a line or a list item, from 1. */
  level: number;
  /** The word that the paragraph begins with, if it begins the entry of this word in a glossary. */
  keyword: string | null;
  text: string;
}

/** A document of an importer. The title is '' if the source has none. */
export interface DraftDocument extends Omit<TranslationDocument, 'paragraphCount'> {
  paragraphs: readonly DocumentParagraph[];
}

/** A translation without its verses. */
export interface Translation extends TranslationMetadata {
  verseCount: number;
  /** Whether all 66 books are present. */
  complete: boolean;
  hasStrongsTagging: boolean;
  /** The features that the text has, in the order of `TranslationFeature`. */
  features: readonly TranslationFeature[];
  books: readonly TranslationBook[];
  source: TranslationSource;
  /** True if only keys with a grant may read the translation. Absent if it is public. */
  restricted?: true;
  /** Absent if the translation has none. */
  documents?: readonly TranslationDocument[];
  /** A digest of the verses, their layout and the documents: `versionsOf`. */
  version: string;
  /** When this data folder first had this version: ISO 8601 in UTC, to the second. */
  changedAt: string;
}

export type TranslationDetails = Omit<Translation, 'books' | 'version' | 'changedAt'>;

export interface CorpusVerse {
  book: BookCode;
  chapter: number;
  verse: number;
  text: string;
}

/** A range of words with the Strong's numbers from the source. Offsets count UTF-16 units. */
export interface WordTag {
  start: number;
  length: number;
  /** The Strong's numbers without leading zeros: G26, H2617. Only a word with a lemma may have none. */
  strongs: readonly string[];
  /** The dictionary form of the word. Absent if the source does not have it. */
  lemma?: string;
}

/** The text of one verse, in NFC and with single spaces. */
export interface VerseText {
  text: string;
  words: readonly WordTag[];
  layout: VerseLayout;
}

export interface DraftVerse extends VerseText {
  ordinal: number;
  /** The last number of a verse with several numbers. Absent if there is one. */
  last?: number;
}

/** A position in a source file. Lines count from 1. In a SWORD module, the line is null. */
export interface Position {
  file: string;
  line: number | null;
  column?: number;
}

export const describePosition = ({ file, line, column }: Position): string =>
  [file, ...(line === null ? [] : [`line ${line}`]), ...(column === undefined ? [] : [`column ${column}`])].join(', ');

/** The kinds of findings of the command `check`, the worst first, each with a sentence that explains it. */
export const findingKinds = {
  encoding: 'files that are not in UTF-8, or hold characters that cannot be read',
  'left-out-verse': 'verses and books that cannot be stored, and are left out',
  'outside-verse': 'text outside of verses, which is left out',
  'doubled-verse': 'verses that occur twice',
  'missing-verse': 'verses of the numbering that are missing',
  'unknown-verse': 'verses that the numbering does not have',
  mapping: 'lines of a file .vrs that are not used',
  'empty-verse': 'verses without text',
  order: 'chapters and verses out of order',
  markup: 'markup that is not closed, closes nothing, or is left in the text',
  marker: 'unknown markers',
  scripts: 'words of several scripts',
  quotes: 'quotation marks and brackets without their partner',
  note: 'notes without text, and cross references without a target',
} as const;
export type FindingKind = keyof typeof findingKinds;

export interface Finding extends Position {
  kind: FindingKind;
  /** The verse ("GEN 1:3"), the book or the chapter. Null for a finding about a whole file. */
  place: string | null;
  message: string;
  /** How often the finding occurs, if only the first place is listed. */
  count?: number;
}

/** Returns the number of findings of each kind, the worst first. */
export function countFindings(findings: readonly Finding[]): Partial<Record<FindingKind, number>> {
  const counts: Partial<Record<FindingKind, number>> = {};
  for (const kind of Object.keys(findingKinds) as FindingKind[])
    for (const each of findings) if (each.kind === kind) counts[kind] = (counts[kind] ?? 0) + (each.count ?? 1);
  return counts;
}

/** Describes the number of findings of each kind: "findings: 3 doubled-verse, 12 markup". */
export const describeCounts = (findings: readonly Finding[]): string =>
  `findings: ${Object.entries(countFindings(findings))
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ')}`;

/** The numbering of a translation as a file .vrs describes it. */
export interface Versification {
  /** The last verse of each chapter that the file has, by "GEN 1". */
  ends: ReadonlyMap<string, number>;
  /** The verses that the translation leaves out on purpose, by their ordinals. */
  leftOut: ReadonlySet<number>;
  lines: readonly VersificationLine[];
}

export interface VersificationLine extends Position {
  text: string;
  /** Verses of the translation with their places in the Hebrew and Greek texts. Null if the line is not understood. */
  pairs: readonly (readonly [own: Place, original: Place | null])[] | null;
}

/** The result of an importer. The verses are in canonical order, and each has text. */
export interface DraftTranslation extends TranslationMetadata {
  /** The book names that the source has. For other books, the names of the package canon are used. */
  bookNames: ReadonlyMap<BookCode, string>;
  verses: readonly DraftVerse[];
  /** In the order in which they are listed. Absent if the format has none. */
  documents?: readonly DraftDocument[];
  source: TranslationSource;
  /** Messages about text that was left out or repaired, for the person who imports the translation. */
  remarks: readonly string[];
  versification?: Versification;
  /** What is wrong in the markup of the source. */
  findings: readonly Finding[];
  /** The position of each verse in the source, by ordinal. Empty for a SWORD module. */
  positions: ReadonlyMap<number, Position>;
}

const errorName = 'ImportError';

/** Creates the error for a bad file, module or option. Callers print its message without a stack trace. */
export function importError(message: string): Error {
  const error = new Error(message);
  error.name = errorName;
  return error;
}

export const isImportError = (error: unknown): error is Error => error instanceof Error && error.name === errorName;

/** Returns whether an error comes from the operating system, such as a full disk or a missing permission. */
export const isSystemError = (error: unknown): error is Error =>
  typeof (error as NodeJS.ErrnoException).syscall === 'string';

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns remarks on the verses and verse numbers that an import leaves out. */
export function omissionRemarks(skippedVerses: number, leftOut: readonly string[], emptyNumbers: number): string[] {
  const remarks: string[] = [];
  if (skippedVerses > 0)
    remarks.push(
      `books beyond the 66 left out: ${leftOut.length} with ${skippedVerses} verses (${leftOut.slice(0, 30).join(' ')})`,
    );
  if (emptyNumbers > 0)
    remarks.push(`numbers that stay empty, because their text is stored at the number before: ${emptyNumbers}`);
  return remarks;
}
