import { type BookCode, bookName, books, type Numbering, ordinalParts } from '@lectern/canon';
import type { HeadingKind, NoteKind, TextBreakKind, TextMarkKind, VerseLayout } from '@lectern/verse-layout';

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

/**
 * The properties of a translation that do not depend on its verses, from its source or the person
 * who imports it.
 */
export interface TranslationMetadata {
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
  licence: Licence;
  numbering: Numbering;
}

/** A translation without its verses. */
export interface Translation extends TranslationMetadata {
  verseCount: number;
  /** Whether all 66 books are present. */
  complete: boolean;
  hasStrongsTagging: boolean;
  /** In the order of `TranslationFeature`. */
  features: readonly TranslationFeature[];
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
 * A range of words with the Strong's numbers that the source gives them. Offsets count UTF-16
 * units.
 */
export interface WordTag {
  start: number;
  length: number;
  /** The Strong's numbers without leading zeros: G26, H2617. */
  strongs: readonly string[];
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

/**
 * `default`: Lectern imports the translation from its known SWORD module, and again when the module
 * or the importers change. `import`: a user has imported it.
 */
export type Origin = 'default' | 'import';

export interface StoredVerse {
  ordinal: number;
  text: string;
  /** The tags in the form of `encodeTags`. Null if the verse has no tags. */
  tags: string | null;
  /** The layout in the form of `encodeLayout`. Null if the source has no layout of the verse. */
  layout: string | null;
}

/** A translation as its file text.sqlite and the catalogue store it. */
export interface StoredTranslation {
  origin: Origin;
  details: Omit<Translation, 'books'>;
  books: readonly TranslationBook[];
  verses: Iterable<StoredVerse>;
}

/**
 * The languages whose books get their names from canon, not from the source: the parser of canon
 * knows these names, so clients can send a reference from a response back to the service.
 */
const canonNames = new Set(['eng', 'spa']);

/** Converts an imported translation to its stored form. */
export function toStoredTranslation(draft: DraftTranslation, origin: Origin): StoredTranslation {
  const translationBooks = booksOf(draft);
  return {
    origin,
    details: {
      identifier: draft.identifier,
      name: draft.name,
      abbrev: draft.abbrev,
      language: draft.language,
      languageName: draft.languageName,
      direction: draft.direction,
      note: draft.note,
      licence: draft.licence,
      verseCount: draft.verses.length,
      complete: translationBooks.length === books.length,
      hasStrongsTagging: draft.verses.some(({ words }) => words.length > 0),
      features: featureTests.filter(([, test]) => draft.verses.some(test)).map(([feature]) => feature),
      numbering: draft.numbering,
      source: draft.source,
    },
    books: translationBooks,
    verses: draft.verses.map(({ ordinal, text, words, layout }) => ({
      ordinal,
      text,
      tags: words.length > 0 ? encodeTags(words) : null,
      layout: encodeLayout(layout),
    })),
  };
}

const featureTests: readonly [TranslationFeature, (verse: DraftVerse) => boolean][] = [
  ['PARAGRAPHS', ({ layout }) => layout.breaks.some(({ kind }) => kind === 'PARAGRAPH')],
  ['POETRY', ({ layout }) => layout.breaks.some(({ kind }) => kind === 'LINE')],
  ['NOTES', ({ layout }) => layout.notes.length > 0],
  ['WORDS_OF_JESUS', ({ layout }) => layout.marks.some(({ kind }) => kind === 'WORDS_OF_JESUS')],
  ['ADDED_WORDS', ({ layout }) => layout.marks.some(({ kind }) => kind === 'ADDED_WORDS')],
  ['DIVINE_NAME', ({ layout }) => layout.marks.some(({ kind }) => kind === 'DIVINE_NAME')],
  ['HEADINGS', ({ layout }) => layout.headings.length > 0],
  ['STRONGS', ({ words }) => words.length > 0],
];

function booksOf(draft: DraftTranslation): TranslationBook[] {
  const chapters = new Map<BookCode, number[][]>();
  for (const { ordinal } of draft.verses) {
    const place = ordinalParts(ordinal);
    if (!place) continue;
    const book = chapters.get(place.book) ?? [];
    chapters.set(place.book, book);
    while (book.length < place.chapter) book.push([]);
    book[place.chapter - 1]?.push(place.verse);
  }
  return books.flatMap(({ code }) => {
    const verses = chapters.get(code);
    const ownName = canonNames.has(draft.language) ? null : draft.bookNames.get(code);
    return verses ? [{ code, name: ownName ?? bookName(code, draft.language), chapters: verses }] : [];
  });
}

/** The layout of a verse whose source has none. */
export const emptyLayout: VerseLayout = { breaks: [], marks: [], notes: [], headings: [] };

/** The stored form of a verse's layout. Arrays take less space than objects with property names. */
interface EncodedLayout {
  b?: [kind: TextBreakKind, start: number, indent: number][];
  m?: [kind: TextMarkKind, start: number, length: number][];
  n?: [kind: NoteKind, start: number, text: string][];
  h?: [kind: HeadingKind, start: number, text: string][];
}

/** Encodes a layout as JSON. Returns null if the layout is empty. */
function encodeLayout({ breaks, marks, notes, headings }: VerseLayout): string | null {
  const encoded: EncodedLayout = {
    ...(breaks.length > 0 && { b: breaks.map(({ kind, start, indent }) => [kind, start, indent]) }),
    ...(marks.length > 0 && { m: marks.map(({ kind, start, length }) => [kind, start, length]) }),
    ...(notes.length > 0 && { n: notes.map(({ kind, start, text }) => [kind, start, text]) }),
    ...(headings.length > 0 && { h: headings.map(({ kind, start, text }) => [kind, start, text]) }),
  };
  return Object.keys(encoded).length === 0 ? null : JSON.stringify(encoded);
}

/** Decodes a result of `encodeLayout`. */
export function decodeLayout(encoded: string | null | undefined): VerseLayout {
  if (!encoded) return emptyLayout;
  const { b = [], m = [], n = [], h = [] } = JSON.parse(encoded) as EncodedLayout;
  return {
    breaks: b.map(([kind, start, indent]) => ({ kind, start, indent })),
    marks: m.map(([kind, start, length]) => ({ kind, start, length })),
    notes: n.map(([kind, start, text]) => ({ kind, start, text })),
    headings: h.map(([kind, start, text]) => ({ kind, start, text })),
  };
}

const errorName = 'ImportError';

/**
 * Creates the error for bad input: a file, a module or an option. Callers print its message without
 * a stack trace.
 */
export function importError(message: string): Error {
  const error = new Error(message);
  error.name = errorName;
  return error;
}

export const isImportError = (error: unknown): error is Error => error instanceof Error && error.name === errorName;

/** Returns the remarks on the verses and the verse numbers that an import leaves out. */
export const omissionRemarks = (
  skippedVerses: number,
  otherBooks: readonly string[],
  emptyNumbers: number,
): string[] => [
  ...(skippedVerses > 0
    ? [`left out, because their books are not among the 66: ${skippedVerses} verses (${otherBooks.join(' ')})`]
    : []),
  ...(emptyNumbers > 0
    ? [`numbers that stay empty, because their text is stored at the number before: ${emptyNumbers}`]
    : []),
];

/**
 * Encodes the tags of a verse as one line. A tag, which is a range of words with its Strong's
 * numbers, becomes `gap,length,G26+G3588`. The gap is the distance from the start of the previous
 * tag to the start of this tag.
 */
function encodeTags(words: readonly WordTag[]): string {
  let previousStart = 0;
  return words
    .map(({ start, length, strongs }) => {
      const gap = start - previousStart;
      previousStart = start;
      return `${gap},${length},${strongs.join('+')}`;
    })
    .join(' ');
}

/** Decodes a line of `encodeTags`. */
export function decodeTags(line: string): WordTag[] {
  let start = 0;
  return line.split(' ').map((tag) => {
    const [gap, length, strongs = ''] = tag.split(',');
    start += Number(gap);
    return { start, length: Number(length), strongs: strongs.split('+') };
  });
}
