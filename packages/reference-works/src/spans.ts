import type { BookCode, Numbering, Place, ReferencePoint } from '@lectern/canon';
import { bookName, books, chapterEnds, formatReference, fromStandard, placeOf, verseOrdinal } from '@lectern/canon';

/** A range of verses of the King James Version, as numbers such as 43003016 for John 3:16. */
export interface VerseSpan {
  readonly first: number;
  readonly last: number;
}

/** Creates the list of all verses of the 66 books, as the King James Version numbers them. */
export function createStandardVerses() {
  const ordinals: number[] = [];
  for (const { code } of books)
    for (const [index, count] of chapterEnds('standard', code).entries())
      for (let verse = 1; verse <= count; verse += 1)
        ordinals.push(verseOrdinal({ book: code, chapter: index + 1, verse }));
  const indexes = new Map(ordinals.map((ordinal, index) => [ordinal, index]));
  const indexOf = (ordinal: number): number => indexes.get(ordinal) ?? -1;

  /** Returns the span from one verse to another. Null if either does not exist, or if `last` is before `first`. */
  const span = (first: Place, last: Place): VerseSpan | null => {
    const [from, to] = [verseOrdinal(first), verseOrdinal(last)];
    return indexes.has(from) && indexes.has(to) && from <= to ? { first: from, last: to } : null;
  };

  return {
    /** Returns the index of a verse in `ordinals`, or -1 if the verse does not exist. */
    indexOf,
    /** All verses in canonical order, as numbers such as 43003016 for John 3:16. */
    ordinals: ordinals as readonly number[],
    span,
    /** Returns the span of consecutive chapters of a book. Null if the first or the last chapter does not exist. */
    chapterSpan(book: BookCode, firstChapter: number, lastChapter = firstChapter): VerseSpan | null {
      const count = chapterEnds('standard', book)[lastChapter - 1];
      return count === undefined
        ? null
        : span({ book, chapter: firstChapter, verse: 1 }, { book, chapter: lastChapter, verse: count });
    },
    areWholeChapters: ({ first, last }: VerseSpan): boolean =>
      first % 1_000 === 1 && (ordinals[indexOf(last) + 1] ?? 1) % 1_000 === 1,
    count: ({ first, last }: VerseSpan): number => indexOf(last) - indexOf(first) + 1,
    within: ({ first, last }: VerseSpan): readonly number[] => ordinals.slice(indexOf(first), indexOf(last) + 1),
    /** Joins verses, given in any order, to as few spans as possible. */
    join(ordinalsToJoin: Iterable<number>): VerseSpan[] {
      const spans: { first: number; last: number }[] = [];
      for (const ordinal of [...new Set(ordinalsToJoin)].sort((a, b) => a - b)) {
        const previous = spans.at(-1);
        if (previous && indexOf(previous.last) + 1 === indexOf(ordinal)) previous.last = ordinal;
        else spans.push({ first: ordinal, last: ordinal });
      }
      return spans;
    },
  };
}
export type StandardVerses = ReturnType<typeof createStandardVerses>;

/** Writes a range of verses of the King James Version as a reference: whole chapters without verses, `Psalms 23`. */
export function formatSpan(
  span: VerseSpan,
  { verses, ...names }: { language: string; bookName: (book: BookCode) => string; verses: StandardVerses },
): string {
  const [first, last] = [placeOf(span.first), placeOf(span.last)];
  const isWhole =
    first.verse === 1 && last.verse > 1 && verses.chapterSpan(last.book, last.chapter)?.last === span.last;
  const point = (place: Place): ReferencePoint => (isWhole ? { ...place, verse: null } : place);
  return formatReference([{ start: point(first), end: point(last) }], names);
}

/** The resolvers of the fields that references to King James verses have in the schemas of several subgraphs. */
export const referenceResolvers = (verses: StandardVerses) => ({
  reference(span: VerseSpan, { language }: { language: string | null }): string {
    const written = language === 'spa' ? 'spa' : 'eng';
    return formatSpan(span, { verses, language: written, bookName: (book) => bookName(book, written) });
  },
  bookId: ({ first }: VerseSpan) => placeOf(first).book,
  verseCount: (span: VerseSpan) => verses.count(span),
});

/** Returns the first verses of a range that a translation has, at most `limit`, in its numbering. */
export function versesInTranslation(
  translation: { readonly numbering: Numbering; hasVerse(place: Place): boolean },
  span: VerseSpan,
  limit: number,
  verses: StandardVerses,
) {
  const found = new Map<number, Place>();
  for (const ordinal of verses.within(span)) {
    if (found.size >= limit) break;
    const place = fromStandard(translation.numbering, placeOf(ordinal));
    if (place && translation.hasVerse(place)) found.set(verseOrdinal(place), place);
  }
  return [...found.values()];
}
