import type { InterlinearOrder, LecternClient, SearchMode } from '@lectern/client';
import * as lectern from '@lectern/client';
import { offeredPackages } from './offline/offered-packages';
import { type ParallelPlace, readParallel } from './parallel';

export interface VersePlace {
  readonly translation: string;
  /** A USFM code, such as JHN. */
  readonly book: string;
  readonly chapter: number;
  readonly verse: number;
}

export interface SearchRequest {
  readonly query: string;
  readonly translation: string;
  readonly mode: SearchMode;
  /** The `endCursor` of the previous page. */
  readonly after?: string | undefined;
}

/**
 * The requests of the screens. Every function sends at most one query with `@lectern/client`, and
 * rejects with the errors of `@lectern/client`. The signal cancels the request when the user leaves
 * the screen.
 */
export function createApi(client: LecternClient) {
  return {
    translations: (signal: AbortSignal) => lectern.translations(client, {}, { signal }),
    /** The packages that can be downloaded, by the identifiers of their translations. */
    offeredPackages: (signal: AbortSignal) => offeredPackages(client, signal),
    /** The books of a translation, with the number of verses of each chapter. */
    books: (translation: string, signal: AbortSignal) => lectern.bibleIndex(client, { translation }, { signal }),
    chapter: (translation: string, book: string, chapter: number, signal: AbortSignal) =>
      lectern.readingChapter(client, { translation, book, chapter }, { signal }),
    /** The verses of a chapter in two translations, in rows with the same text. */
    parallel: (place: ParallelPlace, signal: AbortSignal) => readParallel(client, place, signal),
    verse: (place: VersePlace, signal: AbortSignal) => lectern.verse(client, place, { signal }),
    verseOfTheDay: (translation: string, date: string, signal: AbortSignal) =>
      lectern.verseOfTheDay(client, { translation, date }, { signal }),
    search: (request: SearchRequest, signal: AbortSignal) =>
      lectern.searchVerses(client, { ...request, first: 20 }, { signal }),
    /** The verses of a reference as people write it, such as `Rom 12:1`. */
    passage: (translation: string, reference: string, signal: AbortSignal) =>
      lectern.passage(client, { translation, reference }, { signal }),
    /** Returns the reference if the whole text is one with a digit, such as `Rom 12:1`, and null otherwise. */
    async readReference(translation: string, text: string) {
      if (!/\p{Nd}/u.test(text)) return null;
      const [reference, ...others] = await lectern.references(client, { translation, text });
      return reference && others.length === 0 && reference.length === text.length ? reference : null;
    },
    verseWords: (place: VersePlace, signal: AbortSignal) => lectern.verseWords(client, place, { signal }),
    crossReferences: (place: VersePlace, signal: AbortSignal) =>
      lectern.crossReferences(client, { ...place, first: 12 }, { signal }),
    verseTopics: (place: VersePlace, signal: AbortSignal) =>
      lectern.verseTopics(client, { ...place, first: 20 }, { signal }),
    commentary: (place: VersePlace, signal: AbortSignal) =>
      lectern.commentary(client, { ...place, first: 5 }, { signal }),
    similarVerses: (place: VersePlace, signal: AbortSignal) =>
      lectern.similarVerses(client, { ...place, limit: 5 }, { signal }),
    concordance: (translation: string, word: string, after: string | undefined, signal: AbortSignal) =>
      lectern.concordance(client, { translation, word, after, first: 25 }, { signal }),
    wordDistribution: (translation: string, word: string, signal: AbortSignal) =>
      lectern.wordDistribution(client, { translation, word }, { signal }),
    collocates: (translation: string, word: string, signal: AbortSignal) =>
      lectern.collocates(client, { translation, word, first: 15 }, { signal }),
    strongs: (number: string, signal: AbortSignal) => lectern.strongs(client, { number }, { signal }),
    strongsConcordance: (translation: string, number: string, after: string | undefined, signal: AbortSignal) =>
      lectern.strongsConcordance(client, { translation, number, after, first: 25 }, { signal }),
    /** A verse in the order of its translation, with the Hebrew or Greek words of each word. */
    interlinear: (place: VersePlace, signal: AbortSignal) =>
      lectern.interlinear(client, { ...place, order: 'TRANSLATION' }, { signal }),
    interlinearPassage: (translation: string, reference: string, order: InterlinearOrder, signal: AbortSignal) =>
      lectern.interlinearPassage(client, { translation, reference, order }, { signal }),
    /** What a translation writes for a Hebrew or Greek word, and the lexicons' entries of the word. */
    lexicons: (translation: string, number: string, signal: AbortSignal) =>
      lectern.strongsLexicons(client, { translation, number, first: 12 }, { signal }),
    /** The verses of the Hebrew or Greek text with a word, each with its text in a translation. */
    occurrences: (
      translation: string,
      word: lectern.OriginalWordQuery,
      after: string | undefined,
      signal: AbortSignal,
    ) =>
      lectern.searchOriginals(client, { words: [word], translation, withVerses: true, after, first: 20 }, { signal }),
    topics: (query: string, after: string | undefined, signal: AbortSignal) =>
      lectern.topics(client, { query, after, first: 50 }, { signal }),
    topic: (name: string, signal: AbortSignal) => lectern.topic(client, { name }, { signal }),
  };
}

export type Api = ReturnType<typeof createApi>;

type Value<Name extends keyof Api> = Awaited<ReturnType<Api[Name]>>;
export type Translation = Value<'translations'>[number];
export type Book = Value<'books'>[number];
export type Chapter = Value<'chapter'>;
export type SearchPage = Value<'search'>;
export type Word = Value<'verseWords'>[number];
export type Column = Value<'interlinear'>[number];
export type OriginalWord = Column['originalWords'][number];
export type TopicsPage = Value<'topics'>;
export type ConcordancePage = Value<'concordance'>;
