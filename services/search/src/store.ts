import { endianness } from 'node:os';
import type { BookCode, Numbering, Place } from '@lectern/canon';
import { createBookNames, maxBookListLength, ordinalParts, parseBookList } from '@lectern/canon';
import type { TranslationFileKind, TranslationFiles, TranslationFilesOptions } from '@lectern/data-files';
import { openTranslationFiles } from '@lectern/data-files';
import { errors } from '@lectern/errors';
import type { Database } from 'better-sqlite3';
import { bytesOfIndex, createIndexReader, type TranslationIndex } from './full-text/translation-index';
import type { Need } from './needs';

/**
 * The application id is "LecS" in ASCII. Increase `formatVersion` if the tables, or the rules for words and stems,
 * change. It includes the byte order of the arrays of integers.
 */
export const searchFileKind: TranslationFileKind = {
  name: 'search index',
  fileName: 'search',
  applicationId: 0x4c656353,
  formatVersion: `9 ${endianness()}`,
};

/**
 * The tables of a search.sqlite. `full_text` has one row, which is read when the translation is first searched. A term
 * is a word without case and accents, but a mark keeps the accent that makes it another word (`createTermFolding`). The
 * columns:
 * - `terms`: one term on each line, sorted. The id of a term is the index of its line.
 * - `written`: the usual spelling of each term, in the order of `terms`.
 * - `stems`: the stem of each term, sorted by stem. `stem_terms`: the id of the term of each stem.
 *   If the source has lemmas, the stems are a term itself and the lemmas of which it is a form.
 * - `ordinals`: the verses, as numbers: 43003016 is JHN 3:16.
 * - `words`: the words of all verses as ids of terms. `starts`: where each verse begins in `words`.
 * - `postings`: the verses of each term, as indexes into `ordinals`. `posting_starts`: where each term begins there.
 * The BLOBs are arrays of integers that are used without decoding. `words` and `stem_terms` have 16 bits for at most
 * 65,536 terms, and `postings` for at most 65,536 verses. All other integers have 32 bits.
 */
export const searchTables = `
CREATE TABLE verse (ordinal INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE full_text (
  terms TEXT NOT NULL, written TEXT NOT NULL, stems TEXT NOT NULL, stem_terms BLOB NOT NULL,
  ordinals BLOB NOT NULL, starts BLOB NOT NULL, words BLOB NOT NULL, posting_starts BLOB NOT NULL, postings BLOB NOT NULL
);
`;

/** A translation in search-catalogue.sqlite. */
export interface IndexedTranslation {
  readonly identifier: string;
  /** The language code of ISO 639-3. */
  readonly language: string;
  readonly numbering: Numbering;
  /** True if only keys with a grant may read the translation. Undefined otherwise. */
  readonly restricted: true | undefined;
  /** The books in canonical order, with the translation's own names. */
  readonly books: readonly { readonly code: BookCode; readonly name: string }[];
}

type SearchContent = ReturnType<typeof readContent>;

export type SearchFiles = TranslationFiles<IndexedTranslation, SearchContent>;

export type SearchFilesOptions = Pick<
  TranslationFilesOptions<IndexedTranslation, SearchContent>,
  'dataDir' | 'memory' | 'report' | 'onStatement'
>;

/** Opens files when requests need them. Throws an error of one line if the catalogue is unreadable. */
export const openSearchFiles = (options: SearchFilesOptions) =>
  openTranslationFiles<IndexedTranslation, SearchContent>({
    ...options,
    kind: searchFileKind,
    toEntry: ({ entry }) => JSON.parse(entry) as IndexedTranslation,
    readContent: (db, { language }) => ({ content: readContent(db, language), bytes: bytesOfIndex(db) }),
  });

function readContent(db: Database, language: string) {
  // LEFT JOIN returns missing verses too, and fixes the join order: SQLite looks up ordinals by key, without a scan.
  const selectTexts = db
    .prepare<[string], string | null>(
      'SELECT v.text FROM json_each(?) AS wanted LEFT JOIN verse AS v ON v.ordinal = wanted.value ORDER BY wanted.key',
    )
    .pluck();
  return {
    index: createIndexReader(db, language),
    /** Reads texts with one SQL statement, in the order of `ordinals`. The text of a missing verse is null. */
    textsOf: (ordinals: readonly number[]) => selectTexts.all(JSON.stringify(ordinals)),
  };
}

/** Opens a translation and reads its index. Null if it does not exist or its file is unusable. */
export function* readIndexInSteps(files: SearchFiles, identifier: string): Generator<void, TranslationIndex | null> {
  yield* files.verifyInSteps(identifier);
  yield;
  const reader = files.use(identifier)?.index;
  if (!reader) return null;
  // If the memory for open files is too small, the file may close between steps. Then it is read in one step.
  return (yield* reader.readInSteps()) ?? files.use(identifier)?.index.read() ?? null;
}

export interface Verse extends Place {
  readonly translation: IndexedTranslation;
  readonly text: string;
  /** The need of the person whose search found the verse. Absent if there is none. */
  readonly need?: Need;
}

export function createSearchStore(files: SearchFiles) {
  const bookNames = new WeakMap<IndexedTranslation, ReturnType<typeof createBookNames>>();
  const namesOf = (translation: IndexedTranslation) => {
    const names = bookNames.get(translation) ?? createBookNames(translation);
    bookNames.set(translation, names);
    return names;
  };

  return {
    /** Returns a translation. Throws `translationNotFound` if it has no search index. */
    translation(identifier: string): IndexedTranslation {
      const found = files.find(identifier);
      if (!found) throw errors.translationNotFound(identifier);
      return found;
    },

    /** Returns a translation, or null if it has no search index. Another subgraph may still have the translation. */
    findTranslation: (identifier: string): IndexedTranslation | null => files.find(identifier),

    /** Returns at most five other translations that a quotation may come from: two of the same language, and `common`. */
    otherTranslations(translation: IndexedTranslation, common: readonly string[]): IndexedTranslation[] {
      const all = [...files.translationDigests().keys()].flatMap((identifier) => files.find(identifier) ?? []);
      const others = all.filter((each) => each !== translation);
      const related = others.filter(({ language }) => language === translation.language).slice(0, 2);
      return [...new Set([...related, ...others.filter(({ identifier }) => common.includes(identifier))])];
    },

    bookName: (translation: IndexedTranslation, code: BookCode): string => namesOf(translation).bookName(code),

    /** Finds the books of a list, or null for a blank one. Throws `tooLong` or `bookNotFound`. */
    *books(
      translation: IndexedTranslation,
      list: string | null | undefined,
    ): Generator<void, ReadonlySet<BookCode> | null> {
      const codes = new Set<BookCode>();
      const names = parseBookList(list ?? '');
      if (!names) throw errors.tooLong('books', maxBookListLength);
      for (const name of names) {
        const book = namesOf(translation).findBook(name);
        if (!book) throw errors.bookNotFound(name);
        codes.add(book.code);
        yield;
      }
      return codes.size === 0 ? null : codes;
    },

    verifyInSteps: ({ identifier }: IndexedTranslation): Generator<void, void> => files.verifyInSteps(identifier),

    /** Reads verses with one SQL statement, in the order of `ordinals`. Null for a missing verse. */
    verses(translation: IndexedTranslation, ordinals: readonly number[]): (Verse | null)[] {
      const texts = files.use(translation.identifier)?.textsOf(ordinals);
      if (!texts) throw errors.translationNotFound(translation.identifier);
      return ordinals.map((ordinal, index) => {
        const place = ordinalParts(ordinal);
        const text = texts[index] ?? null;
        return place && text !== null
          ? { book: place.book, chapter: place.chapter, verse: place.verse, translation, text }
          : null;
      });
    },
  };
}

export type SearchStore = ReturnType<typeof createSearchStore>;
