import {
  type BookCode,
  type Place,
  parseVerseId,
  parseVerseWordId,
  translationId,
  verseId,
  verseWordId,
} from '@lectern/canon';
import { createItemValueBudget, createPerTranslationLoader, type WorkBudget } from '@lectern/subgraph';
import type { GraphQLResolveInfo } from 'graphql';
import type { IndexedVerse, WordIndexEntry } from './data/files';
import { type ConcordanceTranslation, maxSurfaceForms } from './data/files';
import { totalCount } from './data/postings';
import { type IndexedWord, overlap } from './data/words';
import { parseStrongsNumber, type StrongsEntry } from './lexicon/dictionaries';
import type { CollocateArguments } from './query/collocates';
import { type ConcordanceVerse, contextOf, strongsNumberOf } from './query/context';
import type { ConcordanceArguments, ConcordancePage } from './query/page';
import { countByBook, countByChapter, countByTestament, writeStemCursor } from './query/page';
import type { ConcordanceStore, WordIndexFilter } from './store';

/** About a Gospel with five fields of each word. Counts field values, because aliases can repeat a field of a word. */
const maxWordValuesPerRequest = 150_000;

/** Verses that are loaded in one tick of the event loop share one SQL statement for each translation. */
export function createRequestContext(store: ConcordanceStore, work: WorkBudget) {
  const loader = createPerTranslationLoader(work, { loadBatch: store.verses, prepare: store.verifyInSteps });
  const wordBudget = createItemValueBudget(maxWordValuesPerRequest);
  return {
    work,

    /** Counts the field values of `count` words. Throws if the response has too many. */
    countWords: wordBudget.consume,

    /** Resolves with null if the translation has no such verse. */
    verse: (translation: ConcordanceTranslation, place: Place): Promise<IndexedVerse | null> =>
      loader.load(translation, place),
  };
}

export type RequestContext = ReturnType<typeof createRequestContext>;

interface VerseWord {
  verse: IndexedVerse;
  word: IndexedWord;
  /** Whether the word is the first of its verse. The texts of the words of a verse count as one verse. */
  isFirst: boolean;
}

interface CountedBook {
  translation: ConcordanceTranslation;
  book: BookCode;
}

export function createResolvers(store: ConcordanceStore) {
  return {
    Query: {
      collocates: (_: unknown, args: CollocateArguments, { work }: RequestContext) =>
        work.runInSteps(store.collocates(args)),
      concordance: (_: unknown, args: ConcordanceArguments & { word: string }, { work }: RequestContext) =>
        work.runInSteps(store.words(args, args.word)),
      concordanceIndex: (_: unknown, args: WordIndexFilter & { translation: string }, { work }: RequestContext) =>
        work.runInSteps(store.wordIndex(args.translation, args)),
      strongs: (_: unknown, args: { number: string }, { work }: RequestContext) =>
        work.runInSteps(store.strongs(args.number)),
      strongsConcordance: (_: unknown, args: ConcordanceArguments & { number: string }, { work }: RequestContext) =>
        work.runInSteps(store.strongsOccurrences(args, args.number)),
    },
    Translation: {
      __resolveReference: ({ identifier }: { identifier: string }) => store.findTranslation(identifier),
      id: ({ identifier }: { identifier: string }) => translationId(identifier),
      concordanceIndexedAt: ({ identifier }: { identifier: string }) => store.findTranslation(identifier)?.builtAt,
    },
    Verse: {
      __resolveReference({ id }: { id: string }, context: RequestContext) {
        const parts = parseVerseId(id);
        const translation = parts && store.findTranslation(parts.translation);
        return translation ? context.verse(translation, parts) : null;
      },
      id: ({ translation, book, chapter, verse }: IndexedVerse) =>
        verseId({ translation: translation.identifier, book, chapter, verse }),
      bookId: (verse: IndexedVerse) => verse.book,
      bookName: (verse: IndexedVerse) => verse.translation.bookName(verse.book),
      text({ translation, text }: IndexedVerse, _: unknown, { work }: RequestContext) {
        work.verses.add(translation.identifier);
        return text;
      },
      reference: (verse: IndexedVerse) => `${verse.translation.bookName(verse.book)} ${verse.chapter}:${verse.verse}`,
      words(verse: IndexedVerse, _: unknown, context: RequestContext, info: GraphQLResolveInfo): VerseWord[] {
        const words = verse.tags().length === 0 ? [] : verse.words();
        context.countWords(words.length, info);
        return words.map((word, index) => ({ verse, word, isFirst: index === 0 }));
      },
    },
    ConcordanceConnection: {
      entry: (page: ConcordancePage) => page,
      edges: (page: ConcordancePage) => store.concordanceVerses(page),
      pageInfo: (page: ConcordancePage) => page,
    },
    ConcordanceEdge: {
      cursor: (verse: ConcordanceVerse) => verse.cursor(),
      node: (verse: ConcordanceVerse) => verse,
    },
    ConcordanceOccurrence: {
      translation: ({ verse }: ConcordanceVerse) => verse.translation,
      context(verse: ConcordanceVerse, _: unknown, { work }: RequestContext) {
        work.verses.add(verse.verse.translation.identifier);
        return contextOf(verse);
      },
      strongs(verse: ConcordanceVerse) {
        const number = strongsNumberOf(verse);
        return number === null ? null : store.strongsEntry(number);
      },
    },
    ConcordanceEntry: {
      lemma: ({ result }: ConcordancePage) => result.lemma,
      surfaceForms: ({ result }: ConcordancePage) =>
        result
          .formCounts()
          .slice(0, maxSurfaceForms)
          .map(({ form }) => form),
      formCounts: ({ result }: ConcordancePage) => result.formCounts(),
      totalOccurrences: ({ result }: ConcordancePage) => totalCount(result.postings),
      verseCount: ({ result }: ConcordancePage) => result.postings.ordinals.length,
      occurrencesByBook: ({ translation, result }: ConcordancePage) =>
        countByBook(result.postings).map((count) => ({ translation, ...count })),
      occurrencesByChapter: ({ translation, result }: ConcordancePage) =>
        countByChapter(result.postings).map((counts) => ({ translation, ...counts })),
      occurrencesByTestament: ({ result }: ConcordancePage) => countByTestament(result.postings),
    },
    StrongsEntry: {
      __resolveReference({ number }: { number: string }) {
        const parsed = parseStrongsNumber(number);
        return parsed === null ? null : store.strongsEntry(parsed);
      },
      renderings: (
        { number }: StrongsEntry,
        { translation, first }: { translation: string; first: number | null },
        { work }: RequestContext,
      ) => work.runInSteps(store.renderings(translation, number, first)),
    },
    ConcordanceIndexEntry: { cursor: ({ lemma }: WordIndexEntry) => writeStemCursor(lemma) },
    BookCount: bookResolvers,
    ChapterCounts: bookResolvers,
    Word: {
      async __resolveReference({ id }: { id: string }, context: RequestContext): Promise<VerseWord | null> {
        const parts = parseVerseWordId(id);
        const translation = parts && store.findTranslation(parts.verse.translation);
        const verse = translation ? await context.verse(translation, parts.verse) : null;
        const words = verse?.words() ?? [];
        const word = words.find(({ start }) => start === parts?.start);
        return verse && word ? { verse, word, isFirst: word === words[0] } : null;
      },
      id: ({ verse, word }: VerseWord) =>
        verseWordId({ ...verse, translation: verse.translation.identifier }, word.start),
      text({ verse, word, isFirst }: VerseWord, _: unknown, { work }: RequestContext) {
        if (isFirst) work.verses.add(verse.translation.identifier);
        return verse.text.slice(word.start, word.start + word.length);
      },
      start: ({ word }: VerseWord) => word.start,
      length: ({ word }: VerseWord) => word.length,
      strongs({ verse, word }: VerseWord) {
        const tags = verse.tags().filter((tag) => overlap(tag, word));
        return Array.from(new Set(tags.flatMap((tag) => tag.strongs)), (number) => store.strongsEntry(number));
      },
    },
  };
}

const bookResolvers = {
  bookId: ({ book }: CountedBook) => book,
  bookName: ({ translation, book }: CountedBook) => translation.bookName(book),
};
