import type { Book, Place } from '@lectern/canon';
import { bookByCode, bookId, bookName, books, formatPlace, parseVerseId, translationId, verseId } from '@lectern/canon';
import {
  attributionLine,
  licenceTerms,
  type OfflinePackages,
  packagePath,
  type Translation,
  type TranslationBook,
} from '@lectern/corpus';
import { errors } from '@lectern/errors';
import { connectionResolvers, type PageArguments } from '@lectern/subgraph';
import type { Note } from '@lectern/verse-layout';
import { hasStemmer } from '@lectern/words';
import type { RequestContext } from './context';
import type { DailyPassages } from './daily';
import { parallelResolvers, readParallel } from './parallel';
import type { FoundIn, Passage, PassageReader } from './passages';
import type { Language, RandomVerseFilter, TextStore, TranslationArguments, Verse, VerseKey } from './store';

interface LocalizedBook {
  translation: Translation;
  book: TranslationBook;
}

interface Chapter extends LocalizedBook {
  number: number;
}

/** The argument `translation`. Null stands for the default translation. */
type WithTranslation<Args = object> = Args & { translation: string | null };

type VerseArguments = Omit<Place, 'book'> & { book: string };

const defaultTranslation = 'eng-web';

const maxVerseIds = 200;

const defaultSchemaVersion = 1;

/** A note, and the translation of its verse. References in the note are to verses of this translation. */
interface TranslatedNote extends Note {
  readonly translation: Translation;
}

interface ResolverParts {
  store: TextStore;
  passages: PassageReader;
  dailyPassages: DailyPassages;
  offlinePackages: OfflinePackages;
  /** The base URL of the offline packages, without a slash at its end. */
  offlineBaseUrl: string;
}

export function createResolvers(parts: ResolverParts) {
  const { store, passages } = parts;
  return {
    Query: queryResolvers(parts),
    Mutation: { testField: () => 'Hello World' },
    Translation: {
      __resolveReference: (reference: { identifier: string }) => store.findTranslation(reference.identifier),
      id: (translation: Translation) => translationId(translation.identifier),
      licence: ({ licence, note }: Translation) => ({ ...licenceTerms(licence.code), ...licence, attribution: note }),
      attribution: attributionLine,
      books: localizedBooks,
      hasStemming: ({ language, features }: Translation) => hasStemmer(language) || features.includes('LEMMAS'),
      ...offlineResolvers(parts),
    },
    Language: {
      name: ({ code, translations }: Language) => translations[0]?.languageName ?? code,
      direction: ({ translations }: Language) =>
        translations.every(({ direction }) => direction === 'RTL') ? 'RIGHT_TO_LEFT' : 'LEFT_TO_RIGHT',
      translationCount: (language: Language) => language.translations.length,
      translations: (language: Language) => language.translations,
    },
    ...bookResolvers,
    Chapter: chapterResolvers,
    ReadingChapter: readingChapterResolvers(store),
    Verse: { ...verseResolvers(store), ...verseLayoutResolvers },
    Note: {
      translation: ({ translation }: TranslatedNote, _: unknown, context: RequestContext) =>
        context.countValue(translation),
      references: (note: TranslatedNote, _: unknown, { work }: RequestContext) =>
        work.runInSteps(passages.referencesOf(note.translation, note)),
    },
    Passage: { ...passageResolvers, otherReading: passages.otherPassage },
    ParsedReference: {
      otherReading: (found: FoundIn, _: unknown, { work }: RequestContext) =>
        work.runInSteps(passages.otherReference(found)),
    },
    ...parallelResolvers,
    DocumentParagraphConnection: connectionResolvers,
  };
}

const offlineResolvers = ({ offlinePackages, offlineBaseUrl }: ResolverParts) => ({
  offlineDownloadable: ({ identifier }: Translation) => offlinePackages.has(identifier),
  offlinePackage({ identifier }: Translation, args: { schemaVersion: number | null }) {
    const maxSchemaVersion = args.schemaVersion ?? defaultSchemaVersion;
    if (maxSchemaVersion < 1)
      throw errors.badUserInput(
        `schemaVersion is ${maxSchemaVersion}; send the highest version that the client reads, from 1`,
      );
    const found = offlinePackages.find(identifier, maxSchemaVersion);
    return found && { ...found, url: `${offlineBaseUrl}${packagePath(identifier, found)}` };
  },
});

function queryResolvers({ store, passages, dailyPassages }: ResolverParts) {
  const translationOf = ({ translation }: WithTranslation) => store.translation(translation ?? defaultTranslation);
  return {
    translations: (_: unknown, args: TranslationArguments, { work }: RequestContext) =>
      work.runInSteps(store.translations(args)),
    translation: (_: unknown, args: { identifier: string }) => store.translation(args.identifier),
    languages: (_: unknown, __: unknown, { work }: RequestContext) => work.runInSteps(store.languages()),
    books: () => books,
    bibleIndex: (_: unknown, args: WithTranslation) => localizedBooks(translationOf(args)),
    passage: (_: unknown, args: WithTranslation<{ reference: string; numbering?: string | null }>) =>
      passages.parsePassage(translationOf(args), args.reference, args.numbering),
    parallel: (_: unknown, args: Parameters<typeof readParallel>[1]) => readParallel(store, args),
    chapter(_: unknown, args: WithTranslation<{ book: string; chapter: number }>, context: RequestContext) {
      const translation = translationOf(args);
      return context.rootChapter(translation, store.book(translation, args.book).code, args.chapter);
    },
    verse: (_: unknown, args: WithTranslation<VerseArguments>, context: RequestContext) =>
      existingVerse(store, context, translationOf(args), args),
    verses(_: unknown, { ids }: { ids: readonly string[] }, context: RequestContext) {
      if (ids.length > maxVerseIds)
        throw errors.badUserInput(`ids has ${ids.length} items; send at most ${maxVerseIds}`);
      return ids.map((id) => verseById(store, context, id));
    },
    readingChapter: (_: unknown, args: WithTranslation<{ book: string; chapter: number }>) =>
      existingChapter(store, translationOf(args), args),
    translationDocuments: (_: unknown, args: WithTranslation) => store.documents(translationOf(args)),
    translationDocument: (
      _: unknown,
      args: WithTranslation<PageArguments & { code: string }>,
      { work }: RequestContext,
    ) => work.runInSteps(store.documentPage(translationOf(args), args.code, args)),
    randomVerse(_: unknown, args: WithTranslation<RandomVerseFilter>, { work, setUncacheable }: RequestContext) {
      setUncacheable();
      return work.runInSteps(store.randomVerse(translationOf(args), args));
    },
    verseOfTheDay(_: unknown, args: WithTranslation<{ date: unknown }>, { setUncacheable }: RequestContext) {
      const date = args.date ?? null;
      if (date === null) setUncacheable();
      return passages.passageOf(translationOf(args), dailyPassages.versesOf(date));
    },
    references: (
      _: unknown,
      args: WithTranslation<{ text: string; numbering?: string | null }>,
      { work }: RequestContext,
    ) => work.runInSteps(passages.findReferences(translationOf(args), args.text, args.numbering ?? null)),
  };
}

const localizedBooks = (translation: Translation): LocalizedBook[] =>
  translation.books.map((book) => ({ translation, book }));

const bookResolvers = {
  Book: {
    id: (book: Book) => bookId(book.code),
    bookId: (book: Book) => book.code,
    name: (book: Book) => bookName(book.code, 'eng'),
  },
  LocalizedBook: {
    bookId: ({ book }: LocalizedBook) => book.code,
    name: ({ book }: LocalizedBook) => book.name,
    testament: ({ book }: LocalizedBook) => bookByCode(book.code).testament,
    position: ({ book }: LocalizedBook) => bookByCode(book.code).position,
    version: ({ translation, book }: LocalizedBook, _: unknown, context: RequestContext) =>
      context.version(translation, book.code, 0),
    chapterCount: ({ book }: LocalizedBook) => book.chapters.length,
    chapters: ({ translation, book }: LocalizedBook): Chapter[] =>
      book.chapters.flatMap(({ length }, index) => (length > 0 ? [{ translation, book, number: index + 1 }] : [])),
  },
};

const chapterResolvers = {
  number: ({ number }: Chapter, _: unknown, context: RequestContext) => context.countValue(number),
  verseCount: ({ book, number }: Chapter, _: unknown, context: RequestContext) =>
    context.countValue(book.chapters[number - 1]?.length ?? 0),
  version: ({ translation, book, number }: Chapter, _: unknown, context: RequestContext) =>
    context.version(translation, book.code, number),
  verses: ({ translation, book, number }: Chapter, _: unknown, context: RequestContext) =>
    context.chapter(translation, book.code, number),
};

const verseResolvers = (store: TextStore) => ({
  __resolveReference: ({ id }: { id: string }, context: RequestContext) => verseById(store, context, id),
  id: ({ translation, book, chapter, verse }: VerseKey, _: unknown, context: RequestContext) =>
    context.countValue(verseId({ translation: translation.identifier, book, chapter, verse })),
  bookId: (verse: VerseKey, _: unknown, context: RequestContext) => context.countValue(verse.book),
  bookName: (verse: VerseKey, _: unknown, context: RequestContext) =>
    context.countValue(store.shape(verse.translation).bookName(verse.book)),
  chapter: (verse: VerseKey, _: unknown, context: RequestContext) => context.countValue(verse.chapter),
  verse: (verse: VerseKey, _: unknown, context: RequestContext) => context.countValue(verse.verse),
  text: (verse: VerseKey | Verse, _: unknown, context: RequestContext) =>
    'text' in verse
      ? context.countText(verse, verse.text)
      : context.textOf(verse).then((text) => context.countText(verse, text)),
  reference: (verse: VerseKey, _: unknown, context: RequestContext) =>
    context.countValue(`${store.shape(verse.translation).bookName(verse.book)} ${verse.chapter}:${verse.verse}`),
  translation: (verse: VerseKey, _: unknown, context: RequestContext) => context.countValue(verse.translation),
  inTranslation: (verse: VerseKey, args: { identifier: string }, context: RequestContext) => {
    const target = store.translation(args.identifier);
    const place = store.renumber(verse, verse.translation.numbering, target);
    return place && context.verse(target, place);
  },
});

// The items of these lists have three fields, which have no resolvers. `layoutItems` counts their values instead.
const verseLayoutResolvers = {
  breaks: (verse: VerseKey, _: unknown, context: RequestContext) => context.layoutItems(verse, 'breaks'),
  marks: (verse: VerseKey, _: unknown, context: RequestContext) => context.layoutItems(verse, 'marks'),
  notes: (verse: VerseKey, _: unknown, context: RequestContext) =>
    context
      .layoutItems(verse, 'notes')
      .then((notes) => notes.map((note): TranslatedNote => ({ ...note, translation: verse.translation }))),
  headings: (verse: VerseKey, _: unknown, context: RequestContext) => context.layoutItems(verse, 'headings'),
  previous: (verse: VerseKey, _: unknown, context: RequestContext) => context.adjacentVerse(verse, -1),
  next: (verse: VerseKey, _: unknown, context: RequestContext) => context.adjacentVerse(verse, 1),
};

const readingChapterResolvers = (store: TextStore) => {
  const placeBeside = ({ translation, book, number }: Chapter, step: -1 | 1) => {
    const place = store.adjacentChapter(translation, { book: book.code, chapter: number }, step);
    const { bookName } = store.shape(translation);
    return place && { bookId: place.book, bookName: bookName(place.book), number: place.chapter };
  };
  return {
    book: (chapter: Chapter): LocalizedBook => chapter,
    verses: chapterResolvers.verses,
    previous: (chapter: Chapter) => placeBeside(chapter, -1),
    next: (chapter: Chapter) => placeBeside(chapter, 1),
  };
};

const passageResolvers = {
  translationId: (passage: Passage) => passage.translation.identifier,
  translationName: (passage: Passage) => passage.translation.name,
  translationNote: (passage: Passage) => passage.translation.note,
  text: async (passage: Passage, _: unknown, context: RequestContext) => {
    const verses = await context.passage(passage);
    return verses.map((verse) => context.countText(verse, verse.text)).join('\n');
  },
  verses: (passage: Passage, _: unknown, context: RequestContext) => context.passage(passage),
};

/** Returns a verse without its text. Throws `verseNotFound` if the translation does not have it. */
function existingVerse(
  store: TextStore,
  context: RequestContext,
  translation: Translation,
  { book, chapter, verse }: VerseArguments,
): Verse | Promise<Verse> {
  const place: Place = { book: store.book(translation, book).code, chapter, verse };
  const orThrow = (found: Verse | null): Verse => {
    if (!found) throw errors.verseNotFound(formatPlace(place));
    return found;
  };
  const found = context.rootVerse(translation, place);
  return found instanceof Promise ? found.then(orThrow) : orThrow(found);
}

/** Returns a chapter. Throws `chapterNotFound` if the translation has no verse in it. */
function existingChapter(
  store: TextStore,
  translation: Translation,
  { book: name, chapter }: { book: string; chapter: number },
): Chapter {
  const { code } = store.book(translation, name);
  const book = translation.books.find((each) => each.code === code);
  if (!book?.chapters[chapter - 1]?.length) throw errors.chapterNotFound(`${code} ${chapter}`);
  return { translation, book, number: chapter };
}

/** Returns the verse of a global id. Returns null if the id is malformed or the verse does not exist. */
function verseById(store: TextStore, context: RequestContext, id: string): VerseKey | null {
  const parts = parseVerseId(id);
  const translation = parts && store.findTranslation(parts.translation);
  return translation ? context.verseKey(translation, parts) : null;
}
