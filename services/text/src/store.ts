import { randomInt } from 'node:crypto';
import type { Book, BookCode, Numbering, Place, TranslationShape } from '@lectern/canon';
import { bookByCode, bookName, findBook, foldName, renumber } from '@lectern/canon';
import type { Corpus, CorpusVerse, Translation, TranslationBook } from '@lectern/corpus';
import { errors } from '@lectern/errors';

/** A verse that an edition has. */
export interface VerseKey extends Place {
  readonly edition: Translation;
}

/** The same with its text. */
export interface Verse extends VerseKey {
  readonly text: string;
}

export interface Language {
  readonly code: string;
  readonly editions: readonly Translation[];
}

export interface RandomVerseFilter {
  readonly books: string | null;
  readonly testament: string | null;
}

/** The reading side of the corpus as the resolvers need it. Everything it throws is in the catalogue. */
export function createTextStore(corpus: Corpus, { random = (below: number) => randomInt(below) } = {}) {
  const known = new Map(corpus.translations.map((edition) => [edition.identifier, indexed(edition)]));

  const indexOf = (identifier: string): IndexedTranslation => {
    const found = known.get(identifier);
    if (!found) throw errors.translationNotFound(identifier);
    return found;
  };

  const book = (edition: Translation, text: string): Book => {
    const found = findBook(text, edition.language, indexOf(edition.identifier).bookNames);
    if (!found) throw errors.bookNotFound(text);
    return found;
  };

  return {
    editions: (): readonly Translation[] => corpus.translations,

    edition: (identifier: string): Translation => indexOf(identifier).edition,

    /** Null for an identifier that is not served: a reference from another subgraph may be out of date. */
    editionOrNull: (identifier: string): Translation | null => known.get(identifier)?.edition ?? null,

    languages(): Language[] {
      const codes = [...new Set(corpus.translations.map((edition) => edition.language))].sort();
      return codes.map((code) => ({
        code,
        editions: corpus.translations.filter((edition) => edition.language === code),
      }));
    },

    book,

    /** What reference resolution has to know of an edition. */
    shape: (edition: Translation): TranslationShape => indexOf(edition.identifier).shape,

    bookName: (edition: Translation, code: BookCode): string => indexOf(edition.identifier).shape.bookName(code),

    /** Whether the edition has such a verse; numbers may be any that a client sends. */
    has: (edition: Translation, { book, chapter, verse }: Place): boolean =>
      indexOf(edition.identifier).shape.verses(book, chapter).includes(verse),

    /** In one statement: the verses at these places, in their order; null where the edition has none. */
    verses: (edition: Translation, places: readonly Place[]): (Verse | null)[] =>
      corpus.verses(edition.identifier, places).map((verse) => verse && inEdition(edition, verse)),

    /** In one statement: a whole chapter, empty when the book has no such one. */
    chapter: (edition: Translation, book: BookCode, chapter: number): Verse[] =>
      corpus.chapter(edition.identifier, book, chapter).map((verse) => inEdition(edition, verse)),

    /** Where an edition has the text that stands at this place in another numbering. */
    placeIn: (edition: Translation, from: Numbering, place: Place): Place => renumber(place, from, edition.numbering),

    /** Uniform over the verses that fit. */
    randomVerse(edition: Translation, filter: RandomVerseFilter): Verse {
      const chosen = chosenBooks(edition, filter, (name) => book(edition, name));
      const total = chosen.reduce((sum, each) => sum + verseCount(each), 0);
      if (total === 0) throw errors.noVerses();
      const place = nthVerse(chosen, random(total));
      const verse = corpus.verse(edition.identifier, place.book, place.chapter, place.verse);
      if (!verse)
        throw new Error(
          `the corpus lacks a verse that it lists: ${edition.identifier} ${place.book} ${place.chapter}:${place.verse}`,
        );
      return inEdition(edition, verse);
    },

    close: () => corpus.close(),
  };
}

export type TextStore = ReturnType<typeof createTextStore>;

// Written out: this runs for every verse that is served, and a spread costs several times as much.
const inEdition = (edition: Translation, { book, chapter, verse, text }: CorpusVerse): Verse => ({
  book,
  chapter,
  verse,
  text,
  edition,
});

interface IndexedTranslation {
  edition: Translation;
  shape: TranslationShape;
  /** The edition's own names of its books, folded. */
  bookNames: ReadonlyMap<string, BookCode>;
}

function indexed(edition: Translation): IndexedTranslation {
  const byCode = new Map(edition.books.map((each) => [each.code, each]));
  return {
    edition,
    bookNames: new Map(edition.books.map((each) => [foldName(each.name), each.code])),
    shape: {
      language: edition.language,
      chapterCount: (code) => byCode.get(code)?.chapters.length ?? 0,
      verses: (code, chapter) => byCode.get(code)?.chapters[chapter - 1] ?? [],
      bookName: (code) => byCode.get(code)?.name ?? bookName(code, edition.language),
    },
  };
}

function chosenBooks(
  edition: Translation,
  { books, testament }: RandomVerseFilter,
  find: (name: string) => Book,
): readonly TranslationBook[] {
  const names = (books ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length > 0) {
    const codes = new Set(names.map((name) => find(name).code));
    return edition.books.filter((each) => codes.has(each.code));
  }
  if (testament === null) return edition.books;
  const wanted = testament.toUpperCase();
  if (wanted !== 'OT' && wanted !== 'NT') throw errors.testamentUnknown();
  return edition.books.filter((each) => bookByCode(each.code).testament === wanted);
}

const verseCount = (each: TranslationBook): number => each.chapters.reduce((sum, verses) => sum + verses.length, 0);

function nthVerse(chosen: readonly TranslationBook[], index: number): Place {
  let left = index;
  for (const each of chosen) {
    for (const [at, verses] of each.chapters.entries()) {
      const verse = verses[left];
      if (verse !== undefined) return { book: each.code, chapter: at + 1, verse };
      left -= verses.length;
    }
  }
  throw new Error(`there is no verse ${index} among the chosen`);
}
