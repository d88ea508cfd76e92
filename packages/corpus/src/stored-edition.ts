import { type BookCode, bookName, books, ordinalParts } from '@lectern/canon';
import type { DraftEdition, Edition, EditionBook } from './edition';
import { encodeTags } from './word-tags';

/** `default` editions are made anew from their sources at each build; what people import stays as it is. */
export type Origin = 'default' | 'import';

export interface StoredVerse {
  ordinal: number;
  text: string;
  /** As `encodeTags` writes them; null where the verse has none. */
  tags: string | null;
}

/** An edition in the form that the file keeps. */
export interface StoredEdition {
  origin: Origin;
  details: Omit<Edition, 'books'>;
  books: readonly EditionBook[];
  verses: Iterable<StoredVerse>;
}

/** The names of books in these languages are fixed, because readers parse served references back. */
const canonNames = new Set(['eng', 'spa']);

export function storeDraft(draft: DraftEdition, origin: Origin): StoredEdition {
  const editionBooks = booksOf(draft);
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
      complete: editionBooks.length === books.length,
      hasStrongsTagging: draft.verses.some(({ words }) => words.length > 0),
      numbering: draft.numbering,
      source: draft.source,
    },
    books: editionBooks,
    verses: draft.verses.map(({ ordinal, text, words }) => ({
      ordinal,
      text,
      tags: words.length > 0 ? encodeTags(words) : null,
    })),
  };
}

function booksOf(draft: DraftEdition): EditionBook[] {
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
