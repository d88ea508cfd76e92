import type { Book, BookCode, Place } from '@lectern/canon';
import { bookName, findBook, foldName, maxBookListLength, ordinalParts, parseBookList } from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { Database } from 'better-sqlite3';

/** A translation as the search index stores it. */
export interface IndexedTranslation {
  /** Its primary key in search.sqlite. */
  readonly number: number;
  readonly identifier: string;
  /** The language code of ISO 639-3. */
  readonly language: string;
  /** The books in canonical order, with the translation's own names. */
  readonly books: readonly { readonly code: BookCode; readonly name: string }[];
}

/** A verse to store in the search index. `verseOrdinal` makes the ordinal. */
export interface VerseToIndex {
  readonly ordinal: number;
  readonly text: string;
}

export interface Verse extends Place {
  readonly translation: IndexedTranslation;
  readonly text: string;
}

/** Reads translations and verses from search.sqlite. All expected errors are of the catalogue. */
export function createSearchStore(db: Database) {
  const rows = db.prepare<[], { details: string }>('SELECT details FROM edition ORDER BY identifier').all();
  const translations = rows.map(({ details }) => JSON.parse(details) as IndexedTranslation);
  const byIdentifier = new Map(translations.map((translation) => [translation.identifier, translation]));
  const bookCodes = new Map(
    translations.map(({ identifier, books }) => [
      identifier,
      new Map(books.map(({ code, name }) => [foldName(name), code])),
    ]),
  );
  const bookNames = new Map(
    translations.map(({ identifier, books }) => [identifier, new Map(books.map(({ code, name }) => [code, name]))]),
  );
  // LEFT JOIN fixes the join order:
  // SQLite looks up each ordinal by key and never scans a translation.
  // It returns a row for each ordinal, also for a missing verse.
  const selectTexts = db
    .prepare<[string, number], string | null>(
      'SELECT v.text FROM json_each(?) AS wanted LEFT JOIN verse AS v ON v.edition = ? AND v.ordinal = wanted.value ORDER BY wanted.key',
    )
    .pluck();

  const book = (translation: IndexedTranslation, text: string): Book => {
    const found = findBook(text, translation.language, bookCodes.get(translation.identifier));
    if (!found) throw errors.bookNotFound(text);
    return found;
  };

  return {
    translations: (): readonly IndexedTranslation[] => translations,

    /** Returns the translation with this identifier. Throws `translationNotFound`. */
    translation(identifier: string): IndexedTranslation {
      const found = byIdentifier.get(identifier);
      if (!found) throw errors.translationNotFound(identifier);
      return found;
    },

    /**
     * Returns null if the translation is not indexed: another subgraph may serve another corpus.
     */
    findTranslation: (identifier: string): IndexedTranslation | null => byIdentifier.get(identifier) ?? null,

    bookName: (translation: IndexedTranslation, code: BookCode): string =>
      bookNames.get(translation.identifier)?.get(code) ?? bookName(code, translation.language),

    /**
     * Parses a list of book codes and names, separated by commas. Returns null for a blank list.
     * Throws `tooLong` and `bookNotFound`. Yields after each name, because parsing takes long.
     */
    *books(translation: IndexedTranslation, list: string | null): Generator<void, ReadonlySet<BookCode> | null> {
      const codes = new Set<BookCode>();
      const names = parseBookList(list ?? '');
      if (!names) throw errors.tooLong('books', maxBookListLength);
      for (const name of names) {
        codes.add(book(translation, name).code);
        yield;
      }
      return codes.size === 0 ? null : codes;
    },

    /**
     * Reads verses with one SQL statement, in the order of `ordinals`; null for a missing verse.
     */
    verses(translation: IndexedTranslation, ordinals: readonly number[]): (Verse | null)[] {
      if (ordinals.length === 0) return [];
      const texts = selectTexts.all(JSON.stringify(ordinals), translation.number);
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
