import type { Book, Place } from '@lectern/canon';
import { bookByCode, bookId, bookName, books, parseVerseId, translationId, verseId } from '@lectern/canon';
import type { Translation, TranslationBook } from '@lectern/corpus';
import { errors } from '@lectern/errors';
import { hasStemmer } from '@lectern/words';
import type { DailyPassages } from './daily-passages';
import type { Passage, PassageReader } from './passage-reader';
import type { RequestContext } from './request-context';
import type { Language, TextStore, Verse, VerseKey } from './store';

interface Chapter {
  translation: Translation;
  book: TranslationBook;
  number: number;
}

interface LocalizedBook {
  translation: Translation;
  book: TranslationBook;
}

/** The argument `translation` is null if the client sends null, which means the default. */
type WithTranslation<Args = object> = Args & { translation: string | null };

type VerseArguments = Omit<Place, 'book'> & { book: string };

const defaultTranslation = 'eng-web';

export interface ResolverParts {
  store: TextStore;
  passages: PassageReader;
  dailyPassages: DailyPassages;
}

export function createResolvers(parts: ResolverParts) {
  const { store } = parts;
  return {
    Query: queryResolvers(parts),
    Mutation: { testField: () => 'Hello World' },
    Translation: {
      __resolveReference: (reference: { identifier: string }) => store.findTranslation(reference.identifier),
      id: (translation: Translation) => translationId(translation.identifier),
      books: localizedBooks,
      hasStemming: (translation: Translation) => hasStemmer(translation.language),
      offlineDownloadable: () => false,
      offlinePackage: () => null,
    },
    Language: {
      translationCount: (language: Language) => language.translations.length,
      translations: (language: Language) => language.translations,
    },
    ...bookResolvers,
    Chapter: chapterResolvers,
    Verse: verseResolvers(store),
    Passage: passageResolvers,
  };
}

function queryResolvers({ store, passages, dailyPassages }: ResolverParts) {
  const translationOf = ({ translation }: WithTranslation) => store.translation(translation ?? defaultTranslation);
  return {
    translations: () => store.translations(),
    translation: (_: unknown, args: { identifier: string }) => store.translation(args.identifier),
    languages: () => store.languages(),
    books: () => books,
    bibleIndex: (_: unknown, args: WithTranslation) => localizedBooks(translationOf(args)),
    passage: (_: unknown, args: WithTranslation<{ reference: string }>) =>
      passages.parsePassage(translationOf(args), args.reference),
    chapter(_: unknown, args: WithTranslation<{ book: string; chapter: number }>, context: RequestContext) {
      const translation = translationOf(args);
      return context.rootChapter(translation, store.book(translation, args.book).code, args.chapter);
    },
    verse: (_: unknown, args: WithTranslation<VerseArguments>, context: RequestContext) =>
      existingVerse(store, context, translationOf(args), args),
    randomVerse: (
      _: unknown,
      args: WithTranslation<{ books: string | null; testament: string | null }>,
      { work }: RequestContext,
    ) =>
      work.runInSteps(
        store.randomVerse(translationOf(args), { books: args.books ?? null, testament: args.testament ?? null }),
      ),
    verseOfTheDay: (_: unknown, args: WithTranslation<{ date: unknown }>) =>
      passages.passageOf(translationOf(args), dailyPassages.versesOf(args.date ?? null)),
    references: (_: unknown, args: WithTranslation<{ text: string }>, { work }: RequestContext) =>
      work.runInSteps(passages.findReferences(translationOf(args), args.text)),
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
    chapterCount: ({ book }: LocalizedBook) => book.chapters.length,
    chapters: ({ translation, book }: LocalizedBook): Chapter[] =>
      book.chapters.map((_, index) => ({ translation, book, number: index + 1 })),
  },
};

const chapterResolvers = {
  number: ({ number }: Chapter, _: unknown, context: RequestContext) => context.countValue(number),
  verseCount: ({ book, number }: Chapter, _: unknown, context: RequestContext) =>
    context.countValue(book.chapters[number - 1]?.length ?? 0),
  verses: ({ translation, book, number }: Chapter, _: unknown, context: RequestContext) =>
    context.chapter(translation, book.code, number),
};

const verseResolvers = (store: TextStore) => ({
  __resolveReference: ({ id }: { id: string }, context: RequestContext) => verseById(store, context, id),
  id: ({ translation, book, chapter, verse }: VerseKey, _: unknown, context: RequestContext) =>
    context.countValue(verseId({ translation: translation.identifier, book, chapter, verse })),
  bookId: (verse: VerseKey, _: unknown, context: RequestContext) => context.countValue(verse.book),
  bookName: (verse: VerseKey, _: unknown, context: RequestContext) =>
    context.countValue(store.bookName(verse.translation, verse.book)),
  chapter: (verse: VerseKey, _: unknown, context: RequestContext) => context.countValue(verse.chapter),
  verse: (verse: VerseKey, _: unknown, context: RequestContext) => context.countValue(verse.verse),
  text: (verse: VerseKey | Verse, _: unknown, context: RequestContext) =>
    'text' in verse ? context.countValue(verse.text) : context.textOf(verse).then(context.countValue),
  reference: (verse: VerseKey, _: unknown, context: RequestContext) =>
    context.countValue(`${store.bookName(verse.translation, verse.book)} ${verse.chapter}:${verse.verse}`),
  inTranslation: (verse: VerseKey, args: { identifier: string }, context: RequestContext) => {
    const target = store.translation(args.identifier);
    return context.verse(target, store.renumber(verse, verse.translation.numbering, target));
  },
});

const passageResolvers = {
  translationId: (passage: Passage) => passage.translation.identifier,
  translationName: (passage: Passage) => passage.translation.name,
  translationNote: (passage: Passage) => passage.translation.note,
  text: async (passage: Passage, _: unknown, context: RequestContext) => {
    const verses = await context.passage(passage);
    return verses.map((verse) => context.countValue(verse.text)).join('\n');
  },
  verses: (passage: Passage, _: unknown, context: RequestContext) => context.passage(passage),
};

/** Throws `verseNotFound` if the translation has no such verse. */
function existingVerse(
  store: TextStore,
  context: RequestContext,
  translation: Translation,
  { book, chapter, verse }: VerseArguments,
): Verse | Promise<Verse> {
  const place: Place = { book: store.book(translation, book).code, chapter, verse };
  const orThrow = (found: Verse | null): Verse => {
    if (!found) throw errors.verseNotFound(`${place.book} ${chapter}:${verse}`);
    return found;
  };
  const found = context.rootVerse(translation, place);
  return found instanceof Promise ? found.then(orThrow) : orThrow(found);
}

/** Returns null for a malformed id, and for a translation or verse that does not exist. */
function verseById(store: TextStore, context: RequestContext, id: string): VerseKey | null {
  const parts = parseVerseId(id);
  const translation = parts && store.findTranslation(parts.translation);
  return translation ? context.verseKey(translation, parts) : null;
}
