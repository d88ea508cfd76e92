import type { Book, BookCode, Place } from '@lectern/canon';
import { bookName, findBook, foldName, maxBookListLength, ordinalParts, parseBookList } from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { IndexedTranslation, SearchFiles } from './open-search-indexes-on-demand';

/**
 * A verse to store in the search index. The ordinal is the verse as one number: 43003016 for JHN
 * 3:16.
 */
export interface VerseToIndex {
  readonly ordinal: number;
  readonly text: string;
}

export interface Verse extends Place {
  readonly translation: IndexedTranslation;
  readonly text: string;
}

/**
 * Reads translations and verses from the search index. Expected errors come from `@lectern/errors`.
 */
export function createSearchStore(files: SearchFiles) {
  const bookNames = new WeakMap<IndexedTranslation, BookNames>();
  const namesOf = (translation: IndexedTranslation): BookNames => {
    const names = bookNames.get(translation) ?? indexBookNames(translation);
    bookNames.set(translation, names);
    return names;
  };

  const book = (translation: IndexedTranslation, text: string): Book => {
    const found = findBook(text, translation.language, namesOf(translation).codes);
    if (!found) throw errors.bookNotFound(text);
    return found;
  };

  return {
    /** Returns the translation with this identifier. Throws `translationNotFound`. */
    translation(identifier: string): IndexedTranslation {
      const found = files.find(identifier);
      if (!found) throw errors.translationNotFound(identifier);
      return found;
    },

    /**
     * Returns null if the translation is not indexed. Another subgraph with other data may still
     * name it.
     */
    findTranslation: (identifier: string): IndexedTranslation | null => files.find(identifier),

    bookName: (translation: IndexedTranslation, code: BookCode): string =>
      namesOf(translation).names.get(code) ?? bookName(code, translation.language),

    /**
     * Parses a list of book codes and names, separated by commas. Returns null for a blank list.
     * Throws `tooLong` for a long list and `bookNotFound` for an unknown name. Yields after each
     * name, because parsing takes long and other requests can be executed in between.
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
     * Checks the file of a translation against its checksum, if this process has not done so
     * before. Yields between short steps, so that other requests are executed in between.
     */
    verifyInSteps: ({ identifier }: IndexedTranslation): Generator<void, void> => files.verifyInSteps(identifier),

    /**
     * Reads verses with one SQL statement, in the order of `ordinals`. The item of a missing verse
     * is null.
     */
    verses(translation: IndexedTranslation, ordinals: readonly number[]): (Verse | null)[] {
      if (ordinals.length === 0) return [];
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

interface BookNames {
  names: ReadonlyMap<BookCode, string>;
  /** The book codes by the name of the book without case and accents. */
  codes: ReadonlyMap<string, BookCode>;
}

const indexBookNames = ({ books }: IndexedTranslation): BookNames => ({
  names: new Map(books.map(({ code, name }) => [code, name])),
  codes: new Map(books.map(({ code, name }) => [foldName(name), code])),
});
