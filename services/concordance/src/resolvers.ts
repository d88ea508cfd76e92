import type { BookCode } from '@lectern/canon';
import { parseVerseId, verseId } from '@lectern/canon';
import type { GraphQLResolveInfo } from 'graphql';
import { writeCursor } from './cursor';
import type { IndexedEdition, IndexedVerse } from './indexed-edition';
import type { IndexedWord } from './packed-verse';
import { overlap } from './packed-verse';
import type { Asked, FoundPage, Occurrence } from './pages';
import { contextOf, countByBook, countByTestament, numberOf } from './pages';
import { totalOf } from './postings';
import type { RequestContext } from './request-context';
import type { ConcordanceStore, IndexFilter } from './store';

interface VerseWord {
  verse: IndexedVerse;
  word: IndexedWord;
}

interface CountedBook {
  edition: IndexedEdition;
  book: BookCode;
  count: number;
}

export function createResolvers(store: ConcordanceStore) {
  return {
    Query: {
      concordance: (_: unknown, args: Asked & { word: string }) => store.words(args, args.word),
      concordanceIndex: (_: unknown, args: IndexFilter & { translation: string }) =>
        store.index(args.translation, args),
      strongs: (_: unknown, args: { number: string }) => store.strongs(args.number),
      strongsConcordance: (_: unknown, args: Asked & { number: string }) => store.tagged(args, args.number),
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
      entry: (page: FoundPage) => page,
      edges: (page: FoundPage) => store.occurrences(page),
      pageInfo: (page: FoundPage) => page,
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
      lemma: ({ finding }: FoundPage) => finding.lemma,
      surfaceForms: ({ finding }: FoundPage) => finding.surfaceForms(),
      totalOccurrences: ({ finding }: FoundPage) => totalOf(finding.postings),
      verseCount: ({ finding }: FoundPage) => finding.postings.ordinals.length,
      occurrencesByBook: ({ edition, finding }: FoundPage): CountedBook[] =>
        countByBook(finding.postings).map((counted) => ({ edition, ...counted })),
      occurrencesByTestament: ({ finding }: FoundPage) => countByTestament(finding.postings),
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
