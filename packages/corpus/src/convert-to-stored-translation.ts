import { type BookCode, bookName, books, ordinalParts } from '@lectern/canon';
import { encodeLayout } from './encode-verse-layout';
import { encodeTags } from './parse-and-encode-strongs-tags';
import type { DraftTranslation, DraftVerse, Translation, TranslationBook, TranslationFeature } from './translation';

/**
 * The origin of a translation. `default`: Lectern imports it from its known SWORD module, and again
 * when the module or the importers change. `import`: a user has imported it, and builds do not
 * change it.
 */
export type Origin = 'default' | 'import';

export interface StoredVerse {
  ordinal: number;
  text: string;
  /** The tags in the form of `encodeTags`. Null if the verse has no tags. */
  tags: string | null;
  /** The layout in the form of `encodeLayout`. Null if the source has no layout of the verse. */
  layout: string | null;
}

/** A translation as its file text.sqlite and the catalogue store it. */
export interface StoredTranslation {
  origin: Origin;
  details: Omit<Translation, 'books'>;
  books: readonly TranslationBook[];
  verses: Iterable<StoredVerse>;
}

/**
 * The languages in which the package canon has a name for each book. Translations in these
 * languages get these names instead of the names in their source, because the parser of canon knows
 * these names: clients can send a reference from a response back to the service.
 */
const canonNames = new Set(['eng', 'spa']);

/**
 * Converts an imported translation to its stored form: with its list of books, its features, and
 * encoded tags and layout.
 */
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
      licence: draft.licence,
      verseCount: draft.verses.length,
      complete: translationBooks.length === books.length,
      hasStrongsTagging: draft.verses.some(({ words }) => words.length > 0),
      features: featuresOf(draft.verses),
      numbering: draft.numbering,
      source: draft.source,
    },
    books: translationBooks,
    verses: draft.verses.map(({ ordinal, text, words, layout }) => ({
      ordinal,
      text,
      tags: words.length > 0 ? encodeTags(words) : null,
      layout: encodeLayout(layout),
    })),
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
  ['STRONGS', ({ words }) => words.length > 0],
];

const featuresOf = (verses: readonly DraftVerse[]): TranslationFeature[] =>
  featureTests.filter(([, test]) => verses.some(test)).map(([feature]) => feature);

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
