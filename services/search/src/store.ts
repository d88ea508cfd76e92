import type { Book, BookCode, Place } from '@lectern/canon';
import { bookName, findBook, foldName, maxBookListLength, ordinalParts, parseBookList } from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { IndexedTranslation, SearchFiles } from './search-files';

/** A verse to store in the search index. `verseOrdinal` makes the ordinal. */
export interface VerseToIndex {
  readonly ordinal: number;
  readonly text: string;
}

export interface Verse extends Place {
  readonly translation: IndexedTranslation;
  readonly text: string;
}

/** Reads translations and verses from the files of the search index. All expected errors are of the catalogue. */
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
     * Returns null if the translation is not indexed: another subgraph may serve another corpus.
     */
    findTranslation: (identifier: string): IndexedTranslation | null => files.find(identifier),

    bookName: (translation: IndexedTranslation, code: BookCode): string =>
      namesOf(translation).names.get(code) ?? bookName(code, translation.language),

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
  /** The codes by folded name. */
  codes: ReadonlyMap<string, BookCode>;
}

const indexBookNames = ({ books }: IndexedTranslation): BookNames => ({
  names: new Map(books.map(({ code, name }) => [code, name])),
  codes: new Map(books.map(({ code, name }) => [foldName(name), code])),
});
