import { type BookCode, bookName, books, ordinalParts } from '@lectern/canon';
import { encodeTags } from './strongs-tags';
import type { DraftTranslation, Translation, TranslationBook } from './translation';

/**
 * The origin of a translation. A build makes `default` translations again from their sources. The
 * build copies translations of origin `import` unchanged.
 */
export type Origin = 'default' | 'import';

export interface StoredVerse {
  ordinal: number;
  text: string;
  /** The tags in the form of `encodeTags`. Null if the verse has no tags. */
  tags: string | null;
}

/** A translation as corpus.sqlite stores it. */
export interface StoredTranslation {
  origin: Origin;
  details: Omit<Translation, 'books'>;
  books: readonly TranslationBook[];
  verses: Iterable<StoredVerse>;
}

/** Books in these languages have the fixed names of canon, because clients send served references back to be parsed. */
const canonNames = new Set(['eng', 'spa']);

/** Derives the stored form of an import: book list, verse counts and encoded tags. */
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
      verseCount: draft.verses.length,
      complete: translationBooks.length === books.length,
      hasStrongsTagging: draft.verses.some(({ words }) => words.length > 0),
      numbering: draft.numbering,
      source: draft.source,
    },
    books: translationBooks,
    verses: draft.verses.map(({ ordinal, text, words }) => ({
      ordinal,
      text,
      tags: words.length > 0 ? encodeTags(words) : null,
    })),
  };
}

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
