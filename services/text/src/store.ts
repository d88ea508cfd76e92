import { randomInt } from 'node:crypto';
import type { Book, BookCode, Numbering, ParallelText, Place, TranslationShape } from '@lectern/canon';
import {
  bookByCode,
  createBookNames,
  formatPlace,
  isDeuterocanonical,
  maxBookListLength,
  parseBookList,
  renumber,
  translationShape,
} from '@lectern/canon';
import {
  type Corpus,
  type CorpusVerse,
  type DocumentParagraph,
  type Translation,
  type TranslationBook,
  type TranslationDocument,
  type TranslationFeature,
  toIso639,
} from '@lectern/corpus';
import { errors } from '@lectern/errors';
import { clampFirst, type Page, type PageArguments, readPage } from '@lectern/subgraph';
import type { VerseLayout } from '@lectern/verse-layout';

export interface VerseKey extends Place {
  readonly translation: Translation;
}

export interface Verse extends VerseKey {
  readonly text: string;
}

export interface Language {
  readonly code: string;
  readonly translations: readonly Translation[];
}

export interface TranslatedDocument extends TranslationDocument {
  readonly translation: Translation;
}

export interface DocumentPage extends Page<DocumentParagraph> {
  readonly document: TranslatedDocument;
}

/** The arguments of the list of translations. Null stands for no filter and no page. */
export interface TranslationArguments extends PageArguments {
  readonly language?: string | null;
  readonly licence?: string | null;
  readonly features?: readonly TranslationFeature[] | null;
  readonly changedSince?: unknown;
}

export interface RandomVerseFilter {
  /** Codes or names separated by commas, which override `testament`. Null or blank means all books. */
  readonly books?: string | null;
  /** OT or NT, in any case. Null means both testaments, but not the deuterocanonical books. */
  readonly testament?: string | null;
}

/** Reads translations and verses from the corpus. Generators yield between short steps. */
export function createTextStore(corpus: Corpus, random = (below: number) => randomInt(below)) {
  const places = createPlaces();
  return { ...createTranslationList(corpus), ...places, ...createReader(corpus, places, random) };
}

export type TextStore = ReturnType<typeof createTextStore>;

const maxTranslations = 100;
const maxIdentifierLength = 100;
const maxLicenceLength = 64;

function createTranslationList(corpus: Corpus) {
  /** Yields between short steps, because a catalogue of many translations is slow to parse. */
  function* translations(): Generator<void, readonly Translation[]> {
    yield* corpus.parseTranslationsInSteps();
    return corpus.translations;
  }

  return {
    /** Returns the translations that pass the filters, sorted by identifier. Throws `badUserInput` or `tooLong`. */
    *translations({ first, after, ...filter }: TranslationArguments): Generator<void, readonly Translation[]> {
      const passes = translationFilter(filter);
      if (after && after.length > maxIdentifierLength) throw errors.tooLong('after', maxIdentifierLength);
      const found = (yield* translations()).filter((each) => each.identifier > (after ?? '') && passes(each));
      return typeof first === 'number' ? found.slice(0, clampFirst(first, maxTranslations, maxTranslations)) : found;
    },

    /** Returns whether the file of a translation is open, or its checksum is verified already. */
    isVerified: ({ identifier }: Translation): boolean => corpus.isVerified(identifier),

    /** Verifies the checksum of a translation's file, once in this process. Yields between short steps. */
    verifyInSteps: ({ identifier }: Translation): Generator<void, void> => corpus.verifyInSteps(identifier),

    translation(identifier: string): Translation {
      const translation = corpus.translation(identifier);
      if (!translation) throw errors.translationNotFound(identifier);
      return translation;
    },

    /** Returns a translation, or null if the corpus lacks it. Another subgraph with older data may still have it. */
    findTranslation: (identifier: string): Translation | null => corpus.translation(identifier),

    *languages(): Generator<void, Language[]> {
      const all = yield* translations();
      const codes = [...new Set(all.map(({ language }) => language))].sort();
      return codes.map((code) => ({ code, translations: all.filter(({ language }) => language === code) }));
    },
  };
}

/** Finds the books, chapters and verses of translations. Reads no text. */
function createPlaces() {
  const shapes = new WeakMap<Translation, TranslationShape & ReturnType<typeof createBookNames>>();

  /** Returns the books, chapters and verses of a translation in the form that the reference parser needs. */
  function shape(translation: Translation) {
    const known = shapes.get(translation);
    if (known) return known;
    const created = { ...translationShape(translation), ...createBookNames(translation) };
    shapes.set(translation, created);
    return created;
  }

  /** Finds a book by its code, name or abbreviation. Throws `bookNotFound`. */
  function book(translation: Translation, text: string): Book {
    const found = shape(translation).findBook(text);
    if (!found) throw errors.bookNotFound(text);
    return found;
  }

  const hasVerse = (translation: Translation, { book, chapter, verse }: Place): boolean =>
    shape(translation).verses(book, chapter).includes(verse);

  return {
    book,
    shape,

    /** Returns whether the translation has a verse. Any numbers may be passed, because they come from clients. */
    hasVerse,

    /** Returns the next or previous verse. Null after the last and before the first verse of the translation. */
    adjacentVerse(translation: Translation, { book, chapter, verse }: Place, step: -1 | 1): VerseKey | null {
      const { verses: versesOf } = shape(translation);
      const verses = versesOf(book, chapter);
      const inChapter = verses[verses.indexOf(verse) + step];
      if (inChapter !== undefined) return { translation, book, chapter, verse: inChapter };
      const place = adjacentChapter(translation, { book, chapter }, step);
      if (!place) return null;
      const nearest = versesOf(place.book, place.chapter).at(step === 1 ? 0 : -1);
      return nearest === undefined ? null : { translation, ...place, verse: nearest };
    },

    adjacentChapter,

    /** Returns where the translation has the text of `place`, a place in the numbering `from`, or null. */
    renumber: (place: Place, from: Numbering, translation: Translation): Place | null =>
      renumber(place, from, translation.numbering, (slot) => hasVerse(translation, slot)),

    parallelText: (translation: Translation): ParallelText => ({
      numbering: translation.numbering,
      shape: shape(translation),
      joinedTo: ({ book, chapter, verse }) => {
        const { joined = [] } = translation.books.find(({ code }) => code === book) ?? {};
        const found = joined.find(([of, first, last]) => of === chapter && first < verse && verse <= last);
        return found ? { book, chapter, verse: found[1] } : null;
      },
    }),
  };
}

function createReader(corpus: Corpus, { book }: ReturnType<typeof createPlaces>, random: (below: number) => number) {
  const documents = (translation: Translation): TranslatedDocument[] =>
    (translation.documents ?? []).map((document) => ({ ...document, translation }));

  return {
    documents,

    /** Reads verses with one SQL statement, in the order of `places`. Null for a missing verse. */
    verses: (translation: Translation, places: readonly Place[]): (Verse | null)[] =>
      corpus.verses(translation.identifier, places).map((verse) => verse && withTranslation(translation, verse)),

    /** Reads a chapter with one SQL statement. Returns [] if the book has no such chapter. */
    chapter: (translation: Translation, book: BookCode, chapter: number): Verse[] =>
      corpus.chapter(translation.identifier, book, chapter).map((verse) => withTranslation(translation, verse)),

    /** Reads the layouts of verses with one SQL statement, in the order of `places`. */
    layouts: (translation: Translation, places: readonly Place[]): VerseLayout[] =>
      corpus.layouts(translation.identifier, places),

    /** Draws a verse from the books that pass the filter. All verses have the same probability. Throws `noVerses`. */
    *randomVerse(translation: Translation, filter: RandomVerseFilter): Generator<void, Verse> {
      const place = yield* drawRandomVerse(translation, filter, random, (name) => book(translation, name));
      yield* corpus.verifyInSteps(translation.identifier);
      const verse = corpus.verse(translation.identifier, place.book, place.chapter, place.verse);
      if (!verse) throw missingText(translation, place);
      return withTranslation(translation, verse);
    },

    /** Reads a page of a document with one SQL statement. Throws `documentNotFound` or `invalidCursor`. */
    *documentPage(translation: Translation, code: string, page: PageArguments): Generator<void, DocumentPage> {
      const document = documents(translation).find((each) => each.code === code.toUpperCase());
      if (!document) throw errors.documentNotFound(code);
      const { start, limit } = readPage(page);
      yield* corpus.verifyInSteps(translation.identifier);
      const nodes = corpus.documentParagraphs(translation.identifier, document.code, start, limit);
      return { document, totalCount: document.paragraphCount, start, nodes };
    },

    /** Returns the versions of chapters with one SQL statement. A place with the chapter 0 is the whole book. */
    versions: (translation: Translation, places: readonly Place[]): string[] =>
      corpus.versions(translation.identifier, places),
  };
}

function translationFilter({
  language,
  licence,
  features,
  changedSince,
}: TranslationArguments): (each: Translation) => boolean {
  const code = language ? toIso639(language) : null;
  if (typeof language === 'string' && code === null)
    throw errors.badUserInput('language must be an ISO 639-3 code, such as eng or spa');
  if (licence && licence.length > maxLicenceLength) throw errors.tooLong('licence', maxLicenceLength);
  const wanted = [...new Set(features ?? [])];
  const since = changeTime(changedSince ?? null);
  return (each) =>
    (code === null || each.language === code) &&
    (since === null || Date.parse(each.changedAt) >= since) &&
    (typeof licence !== 'string' || each.licence.code.toUpperCase() === licence.toUpperCase()) &&
    wanted.every((feature) => each.features.includes(feature));
}

/** Parses `changedSince` to milliseconds since 1970. Parts of a second are left out, as in `changedAt`. */
function changeTime(text: unknown): number | null {
  if (text === null) return null;
  const [, date] =
    (typeof text === 'string' && /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.exec(text)) ||
    [];
  const day = date === undefined ? Number.NaN : Date.parse(date);
  // JavaScript reads February 31 as March 3.
  const isDay = !Number.isNaN(day) && new Date(day).toISOString().startsWith(`${date}`);
  const time = isDay ? Date.parse(String(text)) : Number.NaN;
  if (Number.isNaN(time))
    throw errors.badUserInput('changedSince must be a time with an offset, such as 2026-03-01T12:00:00Z');
  return Math.floor(time / 1_000) * 1_000;
}

/** Draws a verse, with equal probabilities if those of the numbers from `random` are equal. Throws `noVerses`. */
function* drawRandomVerse(
  translation: Translation,
  filter: RandomVerseFilter,
  random: (below: number) => number,
  findBook: (name: string) => Book,
): Generator<void, Place> {
  const books = yield* filteredBooks(translation, filter, findBook);
  let total = 0;
  for (const { chapters } of books) for (const verses of chapters) total += verses.length;
  if (total === 0) throw errors.noVerses();
  let remaining = random(total);
  for (const { code, chapters } of books) {
    for (const [index, verses] of chapters.entries()) {
      const verse = verses[remaining];
      if (verse !== undefined) return { book: code, chapter: index + 1, verse };
      remaining -= verses.length;
    }
  }
  throw new Error(`random(${total}) returned no integer below ${total}`);
}

/** Yields after each name, because finding a book may take long. */
function* filteredBooks(
  { books: all }: Translation,
  { books, testament }: RandomVerseFilter,
  findBook: (name: string) => Book,
): Generator<void, readonly TranslationBook[]> {
  const codes = new Set<BookCode>();
  const names = parseBookList(books ?? '');
  if (!names) throw errors.tooLong('books', maxBookListLength);
  for (const name of names) {
    codes.add(findBook(name).code);
    yield;
  }
  if (codes.size > 0) return all.filter(({ code }) => codes.has(code));
  if (testament === null || testament === undefined) return all.filter(({ code }) => !isDeuterocanonical(code));
  if (!/^(OT|NT)$/i.test(testament)) throw errors.testamentUnknown();
  return all.filter(({ code }) => bookByCode(code).testament === testament.toUpperCase());
}

export const missingText = ({ identifier }: Translation, place: Place): Error =>
  new Error(`The corpus lists a verse without text: ${identifier} ${formatPlace(place)}`);

type ChapterPlace = Omit<Place, 'verse'>;

/** Returns the next or previous chapter with verses. Null after the last and before the first chapter. */
function adjacentChapter({ books }: Translation, { book, chapter }: ChapterPlace, step: -1 | 1): ChapterPlace | null {
  let position = books.findIndex(({ code }) => code === book);
  let next = chapter + step;
  for (let own = books[position]; own; own = books[position]) {
    for (; next >= 1 && next <= own.chapters.length; next += step)
      if (own.chapters[next - 1]?.length) return { book: own.code, chapter: next };
    position += step;
    next = step === 1 ? 1 : (books[position]?.chapters.length ?? 0);
  }
  return null;
}

// Field by field, because this runs for every verse of a response, and a spread takes several times as long.
const withTranslation = (translation: Translation, { book, chapter, verse, text }: CorpusVerse): Verse => ({
  book,
  chapter,
  verse,
  text,
  translation,
});
