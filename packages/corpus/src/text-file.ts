import { createHash } from 'node:crypto';
import type { BookCode } from '@lectern/canon';
import { type CatalogueRow, type TranslationFileKind, writeTranslationFile } from '@lectern/data-files';
import type { Origin, StoredTranslation, Translation, TranslationBook } from './translation';

/** The entry of a translation in text-catalogue.sqlite: everything except its verses. */
export interface TextEntry {
  readonly origin: Origin;
  /** The version of the importers that made the text. */
  readonly importer: string;
  readonly details: Omit<Translation, 'books'>;
  readonly books: readonly StoredBook[];
}

/**
 * A book with its chapters. A chapter with the verses 1 to n is the number n. Any other chapter
 * lists its verses.
 */
interface StoredBook {
  readonly code: BookCode;
  readonly name: string;
  readonly chapters: readonly (number | readonly number[])[];
}

const toStoredBooks = (books: readonly TranslationBook[]): StoredBook[] =>
  books.map(({ code, name, chapters }) => ({
    code,
    name,
    chapters: chapters.map((verses) =>
      verses.length > 0 && verses.every((verse, index) => verse === index + 1) ? verses.length : verses,
    ),
  }));

/** A translation as its row of text-catalogue.sqlite describes it. */
export interface ListedTranslation {
  readonly origin: Origin;
  readonly importer: string;
  readonly digest: string;
  readonly translation: Translation;
}

/**
 * Creates a parser of rows of text-catalogue.sqlite, whose results share equal lists of verses in
 * memory.
 */
export function createEntryParser(): (row: Pick<CatalogueRow, 'entry' | 'textDigest'>) => ListedTranslation {
  const chaptersByText = new Map<string, TranslationBook['chapters']>();
  const versesByCount = new Map<number, readonly number[]>();

  const countedVerses = (count: number): readonly number[] => {
    const verses = versesByCount.get(count) ?? Array.from({ length: count }, (_, index) => index + 1);
    versesByCount.set(count, verses);
    return verses;
  };
  const sharedChapters = (chapters: StoredBook['chapters']): TranslationBook['chapters'] => {
    const text = JSON.stringify(chapters);
    const shared =
      chaptersByText.get(text) ??
      chapters.map((verses) => (typeof verses === 'number' ? countedVerses(verses) : verses));
    chaptersByText.set(text, shared);
    return shared;
  };

  return ({ entry, textDigest }) => {
    const { origin, importer, details, books } = JSON.parse(entry) as TextEntry;
    const translationBooks = books.map(({ code, name, chapters }) => ({
      code,
      name,
      chapters: sharedChapters(chapters),
    }));
    return { origin, importer, digest: textDigest, translation: { ...details, books: translationBooks } };
  };
}

/** Identifies the text.sqlite of a translation. The application id is "Lect" in ASCII. */
export const textKind: TranslationFileKind = {
  name: 'translation text',
  fileName: 'text',
  applicationId: 0x4c656374,
  formatVersion: '3',
  // Most requests read one verse or one chapter, which takes less time if the file is mapped into
  // memory.
  isMemoryMapped: true,
};

/**
 * The tables of text.sqlite. Tags and layout are separate from the verses, so that reading text
 * reads neither.
 */
export const textTables = `
CREATE TABLE verse (ordinal INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE word_tags (ordinal INTEGER PRIMARY KEY, tags TEXT NOT NULL);
CREATE TABLE layout (ordinal INTEGER PRIMARY KEY, layout TEXT NOT NULL);
`;

/**
 * Computes the digest of a translation from its details, its books and, added in order, its verses.
 */
export function createTranslationHash(details: StoredTranslation['details'], books: StoredTranslation['books']) {
  const hash = createHash('sha256').update(`${JSON.stringify(details)}\n${JSON.stringify(books)}\n`);
  return {
    add: (ordinal: number, text: string, tags: string | null, layout: string | null): void => {
      hash.update(`${ordinal}\t${text}\t${tags ?? ''}\t${layout ?? ''}\n`);
    },
    digest: (): string => hash.digest('hex'),
  };
}

/** The version of the importers. When it increases, the default translations are built again. */
export const importerVersion = '2';

/**
 * Writes the text of one translation in place of its old text, which stays if anything fails. The
 * caller holds the lock of the data folder, and calls `updateCatalogue` afterwards. Resolves with
 * the digest of the text.
 */
export async function writeTranslationText(
  dataDir: string,
  translation: StoredTranslation,
  now = () => new Date(),
): Promise<string> {
  const { origin, details, books, verses } = translation;
  const { textDigest } = await writeTranslationFile(dataDir, textKind, details.identifier, (db) => {
    db.exec(textTables);
    const insertVerse = db.prepare('INSERT INTO verse (ordinal, text) VALUES (?, ?)');
    const insertTags = db.prepare('INSERT INTO word_tags (ordinal, tags) VALUES (?, ?)');
    const insertLayout = db.prepare('INSERT INTO layout (ordinal, layout) VALUES (?, ?)');
    const hash = createTranslationHash(details, books);
    for (const { ordinal, text, tags, layout } of verses) {
      insertVerse.run(ordinal, text);
      if (tags !== null) insertTags.run(ordinal, tags);
      if (layout !== null) insertLayout.run(ordinal, layout);
      hash.add(ordinal, text, tags, layout);
    }
    const entry: TextEntry = { origin, importer: importerVersion, details, books: toStoredBooks(books) };
    return {
      identifier: details.identifier,
      textDigest: hash.digest(),
      entry: JSON.stringify(entry),
      builtAt: now().toISOString(),
    };
  });
  return textDigest;
}
