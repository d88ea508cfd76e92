import { createHash } from 'node:crypto';
import { allBooks, type Book, type BookCode, bookName, books, isDeuterocanonical, placeOf } from '@lectern/canon';
import {
  type CatalogueRow,
  formatBuildTime,
  readChecksummedFileManifest,
  type TranslationFileKind,
  translationFile,
  writeTranslationFile,
} from '@lectern/data-files';
import type { HeadingKind, Note, NoteKind, TextBreakKind, TextMarkKind, VerseLayout } from '@lectern/verse-layout';
import type {
  DocumentParagraph,
  DraftTranslation,
  DraftVerse,
  Translation,
  TranslationBook,
  TranslationDetails,
  TranslationFeature,
  WordTag,
} from './translation';
import { versionsOf } from './versions';

/** Identifies the text.sqlite of a translation. The application id is "Lect" in ASCII. */
export const textKind: TranslationFileKind = {
  name: 'translation text',
  fileName: 'text',
  applicationId: 0x4c656374,
  formatVersion: '4',
  // Most requests read one verse or one chapter, which is faster from mapped memory.
  isMemoryMapped: true,
};

/** The version of the importers. When it increases, the default translations are built again. */
export const importerVersion = '3';

/** The tags and the layout have their own tables, so that reading text does not read them. */
const tables = `
CREATE TABLE verse (ordinal INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE word_tags (ordinal INTEGER PRIMARY KEY, tags TEXT NOT NULL);
CREATE TABLE layout (ordinal INTEGER PRIMARY KEY, layout TEXT NOT NULL);
CREATE TABLE version (ordinal INTEGER PRIMARY KEY, version TEXT NOT NULL);
`;

/** Only translations with documents have this table. */
const documentTable = `
CREATE TABLE document_paragraph (code TEXT NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL,
  level INTEGER NOT NULL, keyword TEXT, text TEXT NOT NULL, PRIMARY KEY (code, position));
`;

/** Who made the translation. `default`: Lectern, which makes it again when its sources change. `import`: a user. */
type Origin = 'default' | 'import';

export interface StoredVerse {
  ordinal: number;
  text: string;
  /** The tags in the form of `encodeTags`. Null if the verse has no tags. */
  tags: string | null;
  /** The layout in the form of `encodeLayout`. Null if the source has no layout for the verse. */
  layout: string | null;
}

export interface StoredParagraph extends DocumentParagraph {
  /** The code of the document. */
  code: string;
  /** The index of the paragraph in the document. */
  position: number;
}

/** A translation as it is stored in its file text.sqlite and in the catalogue. */
export interface StoredTranslation {
  origin: Origin;
  details: TranslationDetails;
  books: readonly TranslationBook[];
  verses: Iterable<StoredVerse>;
  /** The paragraphs of all documents, in the order of `details.documents`. */
  paragraphs: Iterable<StoredParagraph>;
  /** Changes when the translation's source or metadata in a catalogue change. Absent without a catalogue. */
  importKey?: string;
}

/** The entry of a translation in text-catalogue.sqlite: everything except its verses. */
export interface TextEntry {
  readonly origin: Origin;
  readonly importer: string;
  readonly importKey?: string | undefined;
  readonly version: string;
  readonly changedAt: string;
  readonly details: TranslationDetails;
  readonly books: readonly (Omit<TranslationBook, 'chapters'> & { readonly chapters: StoredChapters })[];
}

/** The verses of each chapter: the number n if they are 1 to n, otherwise a list of numbers. */
type StoredChapters = readonly (number | readonly number[])[];

/** A translation as text-catalogue.sqlite describes it. */
export interface ListedTranslation extends Pick<TextEntry, 'origin' | 'importer' | 'importKey' | 'details'> {
  readonly digest: string;
  readonly translation: Translation;
}

export function toStoredTranslation(draft: DraftTranslation, origin: Origin): StoredTranslation {
  const translationBooks = booksOf(draft);
  const { documents = [] } = draft;
  const features = featureTests.filter(([, test]) => draft.verses.some(test)).map(([feature]) => feature);
  return {
    origin,
    // The digest depends on the order of these properties.
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
      complete: translationBooks.filter(({ code }) => !isDeuterocanonical(code)).length === books.length,
      hasStrongsTagging: features.includes('STRONGS'),
      features,
      numbering: draft.numbering,
      source: draft.source,
      ...(documents.length > 0 && {
        documents: documents.map(({ code, kind, title, paragraphs }) => ({
          code,
          kind,
          title: title || (translationBooks.find((book) => book.code === code)?.name ?? code),
          paragraphCount: paragraphs.length,
        })),
      }),
    },
    books: translationBooks,
    verses: draft.verses.map(({ ordinal, text, words, layout }) => ({
      ordinal,
      text,
      tags: encodeTags(words),
      layout: encodeLayout(layout),
    })),
    paragraphs: documents.flatMap(({ code, paragraphs }) =>
      paragraphs.map((paragraph, position) => ({ code, position, ...paragraph })),
    ),
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
  ['STRONGS', ({ words }) => words.some(({ strongs }) => strongs.length > 0)],
  ['LEMMAS', ({ words }) => words.some(({ lemma }) => lemma !== undefined)],
];

/** Languages whose book names canon has: its parser knows them, so clients can send references from responses back. */
const canonNames = new Set(['eng', 'spa']);

function booksOf({ verses, language, bookNames, positions }: DraftTranslation): TranslationBook[] {
  const chapters = new Map<BookCode, number[][]>();
  const joined = new Map<BookCode, [number, number, number][]>();
  for (const { ordinal, last } of verses) {
    const place = placeOf(ordinal);
    const book = chapters.get(place.book) ?? [];
    chapters.set(place.book, book);
    while (book.length < place.chapter) book.push([]);
    book[place.chapter - 1]?.push(place.verse);
    if (last !== undefined)
      joined.set(place.book, [...(joined.get(place.book) ?? []), [place.chapter, place.verse, last]]);
  }
  return orderedBooks(positions).flatMap((code) => {
    const bookChapters = chapters.get(code);
    const ownName = canonNames.has(language) ? null : bookNames.get(code);
    const ownJoined = joined.get(code);
    const name = ownName ?? bookName(code, language);
    return bookChapters ? [{ code, name, chapters: bookChapters, ...(ownJoined && { joined: ownJoined }) }] : [];
  });
}

/**
 * Returns all books in canonical order, but the deuterocanonical ones where the source has them, such as Tobit after
 * Nehemiah. They stay at the end if the source sorts its books by their codes, or has another order of the Old Testament.
 */
function orderedBooks(positions: DraftTranslation['positions']): BookCode[] {
  const numbers = new Set(Array.from(positions.keys(), (ordinal) => Math.floor(ordinal / 1_000_000)));
  const source = [...numbers].flatMap((number) => allBooks[number - 1] ?? []);
  const isAscending = (order: readonly (number | string)[]) =>
    order.every((each, index) => index === 0 || each > (order[index - 1] ?? 0));
  const oldTestament = source.filter(({ testament }) => testament === 'OT').map(({ position }) => position);
  const isUsable = isAscending(oldTestament) && !isAscending(source.map(({ code }) => code));
  const places = new Map<BookCode, number>();
  let place = 0;
  for (const { code, position } of isUsable ? source : []) {
    place = position <= books.length ? position : place + 0.01;
    places.set(code, place);
  }
  const rankOf = ({ code, position }: Book): number => places.get(code) ?? position;
  return [...allBooks].sort((a, b) => rankOf(a) - rankOf(b)).map(({ code }) => code);
}

/** Writes tags as `gap,length,G26+G3588`, or `gap,length,G25,ἀγαπάω`. The gap is from the previous tag's start. */
function encodeTags(words: readonly WordTag[]): string | null {
  const tags = words.map(
    ({ start, length, strongs, lemma }, index) =>
      `${start - (words[index - 1]?.start ?? 0)},${length},${strongs.join('+')}${lemma === undefined ? '' : `,${lemma.replaceAll(' ', '_')}`}`,
  );
  return tags.join(' ') || null;
}

export function decodeTags(encoded: string | null | undefined): WordTag[] {
  if (!encoded) return [];
  let start = 0;
  return encoded.split(' ').map((tag) => {
    const [gap, length, strongs = '', lemma] = tag.split(',');
    start += Number(gap);
    const word = { start, length: Number(length), strongs: strongs === '' ? [] : strongs.split('+') };
    return lemma === undefined ? word : { ...word, lemma: lemma.replaceAll('_', ' ') };
  });
}

/** The stored form of a verse's layout. Arrays take less space than objects, which repeat their property names. */
interface EncodedLayout {
  b?: [kind: TextBreakKind, start: number, indent: number][];
  m?: [kind: TextMarkKind, start: number, length: number][];
  n?: [kind: NoteKind, start: number, text: string, links?: [start: number, length: number, target: string][]][];
  h?: [kind: HeadingKind, start: number, text: string][];
}

function encodeLayout({ breaks, marks, notes, headings }: VerseLayout): string | null {
  const encoded: EncodedLayout = {
    ...(breaks.length > 0 && { b: breaks.map(({ kind, start, indent }) => [kind, start, indent]) }),
    ...(marks.length > 0 && { m: marks.map(({ kind, start, length }) => [kind, start, length]) }),
    ...(notes.length > 0 && { n: notes.map(encodeNote) }),
    ...(headings.length > 0 && { h: headings.map(({ kind, start, text }) => [kind, start, text]) }),
  };
  return Object.keys(encoded).length === 0 ? null : JSON.stringify(encoded);
}

type EncodedNote = NonNullable<EncodedLayout['n']>[number];

const encodeNote = ({ kind, start, text, links }: Note): EncodedNote =>
  links ? [kind, start, text, links.map((link) => [link.start, link.length, link.target])] : [kind, start, text];

const decodeNote = ([kind, start, text, links]: EncodedNote): Note => ({
  kind,
  start,
  text,
  ...(links && { links: links.map(([from, length, target]) => ({ start: from, length, target })) }),
});

const emptyLayout: VerseLayout = { breaks: [], marks: [], notes: [], headings: [] };

export function decodeLayout(encoded: string | undefined): VerseLayout {
  if (encoded === undefined) return emptyLayout;
  const { b = [], m = [], n = [], h = [] } = JSON.parse(encoded) as EncodedLayout;
  return {
    breaks: b.map(([kind, start, indent]) => ({ kind, start, indent })),
    marks: m.map(([kind, start, length]) => ({ kind, start, length })),
    notes: n.map(decodeNote),
    headings: h.map(([kind, start, text]) => ({ kind, start, text })),
  };
}

/** Creates the function that parses rows of text-catalogue.sqlite. Equal lists of verses share memory. */
export function createEntryParser(): (row: Pick<CatalogueRow, 'entry' | 'textDigest'>) => ListedTranslation {
  const countedVerses = memoized((count: number) => Array.from({ length: count }, (_, index) => index + 1));
  const chaptersOf = memoized((json: string): TranslationBook['chapters'] =>
    (JSON.parse(json) as StoredChapters).map((verses) => (typeof verses === 'number' ? countedVerses(verses) : verses)),
  );
  return ({ entry, textDigest }) => {
    const { origin, importer, importKey, version, changedAt, details, books: stored } = JSON.parse(entry) as TextEntry;
    const parsed = stored.map((book) => ({ ...book, chapters: chaptersOf(JSON.stringify(book.chapters)) }));
    const translation = { ...details, version, changedAt, books: parsed };
    return { origin, importer, importKey, details, digest: textDigest, translation };
  };
}

function memoized<Key, Value>(create: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => {
    const value = values.get(key) ?? create(key);
    values.set(key, value);
    return value;
  };
}

function digestTranslation({ details, books: storedBooks, verses, paragraphs }: StoredTranslation): string {
  const hash = createHash('sha256').update(`${JSON.stringify(details)}\n${JSON.stringify(storedBooks)}\n`);
  for (const { ordinal, text, tags, layout } of verses)
    hash.update(`${ordinal}\t${text}\t${tags ?? ''}\t${layout ?? ''}\n`);
  for (const { code, kind, level, keyword, text } of paragraphs)
    hash.update(`${JSON.stringify([code, kind, level, keyword, text])}\n`);
  return hash.digest('hex');
}

/** Replaces a text, unless anything fails. The caller must hold the folder's lock, and then call `updateCatalogue`. */
export async function writeTranslationText(
  dataDir: string,
  translation: StoredTranslation,
  now = () => new Date(),
): Promise<void> {
  const { origin, importKey, details, verses, paragraphs } = translation;
  const entryBooks = translation.books.map((book) => ({
    ...book,
    chapters: book.chapters.map((numbers) =>
      numbers.length > 0 && numbers.every((verse, index) => verse === index + 1) ? numbers.length : numbers,
    ),
  }));
  const versions = versionsOf(verses, paragraphs);
  const version = versions.translation;
  const changedAt = changeTimeOf(dataDir, details.identifier, version) ?? formatBuildTime(now());
  const entry: TextEntry = {
    origin,
    importer: importerVersion,
    importKey,
    version,
    changedAt,
    details,
    books: entryBooks,
  };
  await writeTranslationFile(dataDir, textKind, details.identifier, (db) => {
    db.exec(tables);
    const insertVerse = db.prepare('INSERT INTO verse (ordinal, text) VALUES (?, ?)');
    const insertTags = db.prepare('INSERT INTO word_tags (ordinal, tags) VALUES (?, ?)');
    const insertLayout = db.prepare('INSERT INTO layout (ordinal, layout) VALUES (?, ?)');
    for (const { ordinal, text, tags, layout } of verses) {
      insertVerse.run(ordinal, text);
      if (tags !== null) insertTags.run(ordinal, tags);
      if (layout !== null) insertLayout.run(ordinal, layout);
    }
    const insertVersion = db.prepare('INSERT INTO version VALUES (?, ?)');
    for (const part of versions.parts) insertVersion.run(...part);
    if (details.documents) {
      db.exec(documentTable);
      const insertParagraph = db.prepare(
        'INSERT INTO document_paragraph VALUES (:code, :position, :kind, :level, :keyword, :text)',
      );
      for (const paragraph of paragraphs) insertParagraph.run(paragraph);
    }
    return {
      identifier: details.identifier,
      textDigest: digestTranslation(translation),
      entry: JSON.stringify(entry),
      builtAt: now().toISOString(),
    };
  });
}

/** Returns the time at which the text changed, if the folder has the translation in the same version. */
function changeTimeOf(dataDir: string, identifier: string, version: string): string | null {
  const file = translationFile(dataDir, textKind, identifier);
  const written = readChecksummedFileManifest(file, textKind, 'headers')?.get('entry');
  const entry = written === undefined ? null : (JSON.parse(written) as TextEntry);
  return entry?.version === version ? entry.changedAt : null;
}
