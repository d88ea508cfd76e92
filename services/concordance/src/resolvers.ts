import type { BookCode } from '@lectern/canon';
import { parseVerseId, verseId } from '@lectern/canon';
import type { GraphQLResolveInfo } from 'graphql';
import type { ConcordanceArguments, ConcordancePage, Occurrence } from './concordance-page';
import { contextOf, countByBook, countByTestament, numberOf } from './concordance-page';
import { writeCursor } from './cursor';
import type { IndexedTranslation, IndexedVerse } from './indexed-translation';
import { totalOf } from './postings';
import type { RequestContext } from './request-context';
import type { ConcordanceStore, IndexFilter } from './store';
import type { IndexedWord } from './verse-encoding';
import { overlap } from './verse-encoding';

interface VerseWord {
  verse: IndexedVerse;
  word: IndexedWord;
}

interface CountedBook {
  edition: IndexedTranslation;
  book: BookCode;
  count: number;
}

export function createResolvers(store: ConcordanceStore) {
  return {
    Query: {
      concordance: (_: unknown, args: ConcordanceArguments & { word: string }) => store.words(args, args.word),
      concordanceIndex: (_: unknown, args: IndexFilter & { translation: string }) =>
        store.index(args.translation, args),
      strongs: (_: unknown, args: { number: string }) => store.strongs(args.number),
      strongsConcordance: (_: unknown, args: ConcordanceArguments & { number: string }) =>
        store.tagged(args, args.number),
    },
    Translation: {
      __resolveReference: ({ identifier }: { identifier: string }) => store.editionOrNull(identifier),
      concordanceIndexedAt: () => store.builtAt,
    },
    Verse: {
      __resolveReference({ id }: { id: string }, context: RequestContext) {
        const parts = parseVerseId(id);
        const edition = parts && store.editionOrNull(parts.translation);
        return edition ? context.verse(edition, parts) : null;
      },
      id: ({ edition: { identifier }, book, chapter, verse }: IndexedVerse) =>
        verseId({ translation: identifier, book, chapter, verse }),
      bookId: (verse: IndexedVerse) => verse.book,
      bookName: (verse: IndexedVerse) => verse.edition.bookName(verse.book),
      reference: (verse: IndexedVerse) => `${verse.edition.bookName(verse.book)} ${verse.chapter}:${verse.verse}`,
      words(verse: IndexedVerse, _: unknown, context: RequestContext, info: GraphQLResolveInfo): VerseWord[] {
        const words = verse.tags().length === 0 ? [] : verse.words();
        context.giveWords(words.length, info);
        return words.map((word) => ({ verse, word }));
      },
    },
    ConcordanceConnection: {
      entry: (page: ConcordancePage) => page,
      edges: (page: ConcordancePage) => store.occurrences(page),
      pageInfo: (page: ConcordancePage) => page,
    },
    ConcordanceEdge: {
      cursor: ({ verse }: Occurrence) => writeCursor(verse),
      node: (occurrence: Occurrence) => occurrence,
    },
    ConcordanceOccurrence: {
      context: contextOf,
      strongs(occurrence: Occurrence) {
        const number = numberOf(occurrence);
        return number === null ? null : store.entry(number);
      },
    },
    ConcordanceEntry: {
      lemma: ({ finding }: ConcordancePage) => finding.lemma,
      surfaceForms: ({ finding }: ConcordancePage) => finding.surfaceForms(),
      totalOccurrences: ({ finding }: ConcordancePage) => totalOf(finding.postings),
      verseCount: ({ finding }: ConcordancePage) => finding.postings.ordinals.length,
      occurrencesByBook: ({ edition, finding }: ConcordancePage): CountedBook[] =>
        countByBook(finding.postings).map((counted) => ({ edition, ...counted })),
      occurrencesByTestament: ({ finding }: ConcordancePage) => countByTestament(finding.postings),
    },
    BookCount: {
      bookId: ({ book }: CountedBook) => book,
      bookName: ({ edition, book }: CountedBook) => edition.bookName(book),
    },
    Word: {
      text: ({ verse, word }: VerseWord) => verse.text.slice(word.start, word.start + word.length),
      start: ({ word }: VerseWord) => word.start,
      length: ({ word }: VerseWord) => word.length,
      strongs: ({ verse, word }: VerseWord) => numbersOf(verse, word).map((number) => store.entry(number)),
    },
  };
}

const numbersOf = (verse: IndexedVerse, word: IndexedWord): string[] => [
  ...new Set(
    verse
      .tags()
      .filter((tag) => overlap(tag, word))
      .flatMap((tag) => tag.strongs),
  ),
];
