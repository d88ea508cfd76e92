import type { Book, BookCode, Place } from '@lectern/canon';
import { bookName, findBook, foldName, ordinalParts } from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { Database } from 'better-sqlite3';

export const storeSchema = `
CREATE TABLE edition (number INTEGER PRIMARY KEY, identifier TEXT NOT NULL UNIQUE, details TEXT NOT NULL);
CREATE TABLE verse (edition INTEGER NOT NULL, ordinal INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (edition, ordinal)) WITHOUT ROWID;
`;

/** What the search index knows of an edition. */
export interface IndexedTranslation {
  /** Its number in this file. */
  readonly number: number;
  readonly identifier: string;
  /** ISO 639-3. */
  readonly language: string;
  /** Those it holds, in canonical order, named as it names them. */
  readonly books: readonly { readonly code: BookCode; readonly name: string }[];
}

/** A verse as it lies in the index; `verseOrdinal` made the number. */
export interface IndexedVerse {
  readonly ordinal: number;
  readonly text: string;
}

/** A verse together with the edition it is read in. */
export interface Verse extends Place {
  readonly edition: IndexedTranslation;
  readonly text: string;
}

/** Of the corpus that the index was made from: what else is made of the verses has to be of the same. */
export const corpusDigestOf = (db: Database): string =>
  db.prepare<[], { value: string }>("SELECT value FROM manifest WHERE key = 'corpusDigest'").get()?.value ?? '';

/** The editions and their verses in search.sqlite. Everything it throws is in the catalogue. */
export function createSearchStore(db: Database) {
  const rows = db.prepare<[], { details: string }>('SELECT details FROM edition ORDER BY identifier').all();
  const editions = rows.map(({ details }) => JSON.parse(details) as IndexedTranslation);
  const known = new Map(editions.map((edition) => [edition.identifier, edition]));
  const foldedNames = new Map(
    editions.map((edition) => [
      edition.identifier,
      new Map(edition.books.map(({ code, name }) => [foldName(name), code])),
    ]),
  );
  const names = new Map(
    editions.map((edition) => [edition.identifier, new Map(edition.books.map(({ code, name }) => [code, name]))]),
  );
  // LEFT JOIN keeps the planner to this order, a look-up by key for each verse and never a scan of the edition, and gives a row for each that is asked for.
  const some = db
    .prepare<[string, number], string | null>(
      'SELECT v.text FROM json_each(?) AS wanted LEFT JOIN verse AS v ON v.edition = ? AND v.ordinal = wanted.value ORDER BY wanted.key',
    )
    .pluck();

  const book = (edition: IndexedTranslation, text: string): Book => {
    const found = findBook(text, edition.language, foldedNames.get(edition.identifier));
    if (!found) throw errors.bookNotFound(text);
    return found;
  };

  return {
    editions: (): readonly IndexedTranslation[] => editions,

    edition(identifier: string): IndexedTranslation {
      const found = known.get(identifier);
      if (!found) throw errors.translationNotFound(identifier);
      return found;
    },

    /** Null for an identifier that is not served: a reference from another subgraph may be out of date. */
    editionOrNull: (identifier: string): IndexedTranslation | null => known.get(identifier) ?? null,

    bookName: (edition: IndexedTranslation, code: BookCode): string =>
      names.get(edition.identifier)?.get(code) ?? bookName(code, edition.language),

    /** The books that a list of codes and names with commas between means; null when it is blank. */
    books(edition: IndexedTranslation, list: string | null): ReadonlySet<BookCode> | null {
      const wanted = (list ?? '')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '');
      return wanted.length === 0 ? null : new Set(wanted.map((name) => book(edition, name).code));
    },

    /** In one statement: the verses with these numbers, in their order; null where the edition has none. */
    verses(edition: IndexedTranslation, ordinals: readonly number[]): (Verse | null)[] {
      if (ordinals.length === 0) return [];
      const texts = some.all(JSON.stringify(ordinals), edition.number);
      return ordinals.map((ordinal, index) => {
        const place = ordinalParts(ordinal);
        const text = texts[index] ?? null;
        return place && text !== null
          ? { book: place.book, chapter: place.chapter, verse: place.verse, edition, text }
          : null;
      });
    },
  };
}

export type SearchStore = ReturnType<typeof createSearchStore>;
