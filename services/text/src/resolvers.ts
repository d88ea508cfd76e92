import type { Book, Place } from '@lectern/canon';
import { bookByCode, bookId, bookName, books, parseVerseId, translationId, verseId } from '@lectern/canon';
import type { Translation, TranslationBook } from '@lectern/corpus';
import { errors } from '@lectern/errors';
import { hasStemmer } from '@lectern/words';
import type { DailyPassages } from './daily-passages';
import type { Passage, PassageReader } from './passage-reader';
import type { RequestContext } from './request-context';
import type { Language, TextStore, Verse, VerseKey } from './store';

interface EditionChapter {
  edition: Translation;
  book: TranslationBook;
  number: number;
}

interface LocalizedBook {
  edition: Translation;
  book: TranslationBook;
}

/** Arguments with a default: a client that sends null means the default. */
type Translated<Args = object> = Args & { translation: string | null };

const defaultTranslation = 'eng-web';

export interface ResolverParts {
  store: TextStore;
  passages: PassageReader;
  daily: DailyPassages;
}

export function createResolvers({ store, passages, daily }: ResolverParts) {
  const edition = ({ translation }: { translation: string | null }) => store.edition(translation ?? defaultTranslation);
  const localized = (of: Translation): LocalizedBook[] => of.books.map((book) => ({ edition: of, book }));

  return {
    Query: {
      translations: () => store.editions(),
      translation: (_: unknown, args: { identifier: string }) => store.edition(args.identifier),
      languages: () => store.languages(),
      books: () => books,
      bibleIndex: (_: unknown, args: Translated) => localized(edition(args)),
      passage: (_: unknown, args: Translated<{ reference: string }>) => passages.read(edition(args), args.reference),
      chapter(_: unknown, args: Translated<{ book: string; chapter: number }>, context: RequestContext) {
        const of = edition(args);
        return context.rootChapter(of, store.book(of, args.book).code, args.chapter);
      },
      verse: (_: unknown, args: Translated<Omit<Place, 'book'> & { book: string }>, context: RequestContext) =>
        oneVerse(store, context, edition(args), args),
      randomVerse: (_: unknown, args: Translated<{ books: string | null; testament: string | null }>) =>
        store.randomVerse(edition(args), { books: args.books ?? null, testament: args.testament ?? null }),
      verseOfTheDay: (_: unknown, args: Translated<{ date: unknown }>) =>
        passages.daily(edition(args), daily.places(args.date ?? null)),
      references: (_: unknown, args: Translated<{ text: string }>) => passages.find(edition(args), args.text),
    },
    Mutation: { testField: () => 'Hello World' },
    Translation: {
      __resolveReference: (reference: { identifier: string }) => store.editionOrNull(reference.identifier),
      id: (of: Translation) => translationId(of.identifier),
      books: localized,
      hasStemming: (of: Translation) => hasStemmer(of.language),
      offlineDownloadable: () => false,
      offlinePackage: () => null,
    },
    Language: {
      translationCount: (language: Language) => language.editions.length,
      translations: (language: Language) => language.editions,
    },
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
      chapters: ({ edition, book }: LocalizedBook): EditionChapter[] =>
        book.chapters.map((_, index) => ({ edition, book, number: index + 1 })),
    },
    Chapter: {
      number: ({ number }: EditionChapter, _: unknown, context: RequestContext) => context.give(number),
      verseCount: ({ book, number }: EditionChapter, _: unknown, context: RequestContext) =>
        context.give(book.chapters[number - 1]?.length ?? 0),
      verses: ({ edition, book, number }: EditionChapter, _: unknown, context: RequestContext) =>
        context.chapter(edition, book.code, number),
    },
    Verse: {
      __resolveReference: (reference: { id: string }, context: RequestContext) =>
        verseById(store, context, reference.id),
      id: (verse: VerseKey, _: unknown, context: RequestContext) =>
        context.give(
          verseId({
            translation: verse.edition.identifier,
            book: verse.book,
            chapter: verse.chapter,
            verse: verse.verse,
          }),
        ),
      bookId: (verse: VerseKey, _: unknown, context: RequestContext) => context.give(verse.book),
      bookName: (verse: VerseKey, _: unknown, context: RequestContext) =>
        context.give(store.bookName(verse.edition, verse.book)),
      chapter: (verse: VerseKey, _: unknown, context: RequestContext) => context.give(verse.chapter),
      verse: (verse: VerseKey, _: unknown, context: RequestContext) => context.give(verse.verse),
      text: (verse: VerseKey | Verse, _: unknown, context: RequestContext) =>
        'text' in verse ? context.give(verse.text) : context.textOf(verse).then(context.give),
      reference: (verse: VerseKey, _: unknown, context: RequestContext) =>
        context.give(`${store.bookName(verse.edition, verse.book)} ${verse.chapter}:${verse.verse}`),
      inTranslation: (verse: VerseKey, args: { identifier: string }, context: RequestContext) => {
        const other = store.edition(args.identifier);
        return context.verse(other, store.placeIn(other, verse.edition.numbering, verse));
      },
    },
    Passage: {
      translationId: (passage: Passage) => passage.edition.identifier,
      translationName: (passage: Passage) => passage.edition.name,
      translationNote: (passage: Passage) => passage.edition.note,
      text: async (passage: Passage, _: unknown, context: RequestContext) => {
        const verses = await context.passage(passage);
        return verses.map((verse) => context.give(verse.text)).join('\n');
      },
      verses: (passage: Passage, _: unknown, context: RequestContext) => context.passage(passage),
    },
  };
}

function oneVerse(
  store: TextStore,
  context: RequestContext,
  edition: Translation,
  { book, chapter, verse }: Omit<Place, 'book'> & { book: string },
): Verse | Promise<Verse> {
  const place: Place = { book: store.book(edition, book).code, chapter, verse };
  const found = (one: Verse | null): Verse => {
    if (!one) throw errors.verseNotFound(`${place.book} ${chapter}:${verse}`);
    return one;
  };
  const one = context.rootVerse(edition, place);
  return one instanceof Promise ? one.then(found) : found(one);
}

function verseById(store: TextStore, context: RequestContext, id: string): VerseKey | null {
  const parts = parseVerseId(id);
  const edition = parts && store.editionOrNull(parts.translation);
  return edition ? context.named(edition, parts) : null;
}
