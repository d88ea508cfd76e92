import type { BookCode } from '@lectern/canon';
import type { CatalogueRow } from '@lectern/data-files';
import type { Origin } from './convert-to-stored-translation';
import type { Translation, TranslationBook } from './translation';

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
export interface StoredBook {
  readonly code: BookCode;
  readonly name: string;
  readonly chapters: readonly (number | readonly number[])[];
}

export const toStoredBooks = (books: readonly TranslationBook[]): StoredBook[] =>
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
 * Creates a function that parses rows of text-catalogue.sqlite. Most translations divide most books
 * into the same verses, so equal lists of verses share their memory.
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
