import type { BookCode } from './books';
import type { ReferencePoint, ReferenceSpan, TranslationShape } from './types';

/**
 * Formats spans as a normalized reference: `Romans 12:1,3-4,13:2-4`, `Genesis 1:1-Exodus 2:3`,
 * `John 3; Mark 2:1`. Parsing the result in the same language gives spans of the same verses.
 * Therefore:
 * - A book is named again where a number alone would mean something else: `John 3:16; John 4`.
 * - Chapters are separated by a comma only in English: `Genesis 1,3`. In other languages a comma
 *   after a chapter starts a verse, so chapters are separated by a semicolon: `Génesis 1; 3`. In
 *   English, too, if the second chapter is not the later one: `Genesis 3; 1`.
 */
export function formatReference(
  spans: readonly ReferenceSpan[],
  translation: Pick<TranslationShape, 'language' | 'bookName'>,
): string {
  const betweenChapters = translation.language === 'eng' ? ',' : '; ';
  const withBook = (point: ReferencePoint): string =>
    translation.bookName(point.book) + (point.chapter === null ? '' : ` ${numbers(point)}`);
  let text = '';
  let previous: Context | null = null;
  for (const { start: given, end } of spans) {
    const start = completeStart(given, end);
    const continuation = previous && continueWithoutBook(start, previous, betweenChapters);
    text += continuation ?? `${previous ? '; ' : ''}${withBook(start)}`;
    text += formatEnd(start, end, withBook);
    previous = { book: end.book, chapter: end.chapter, inVerses: start.verse !== null };
  }
  return text;
}

/** The end of the previous span. It decides whether the next number alone means a verse or a chapter. */
interface Context {
  book: BookCode;
  chapter: number | null;
  inVerses: boolean;
}

/** Formats the start of a span without the name of its book. Returns null if the name is needed. */
function continueWithoutBook(start: ReferencePoint, previous: Context, betweenChapters: string): string | null {
  if (previous.book !== start.book || previous.chapter === null || start.chapter === null) return null;
  if (!previous.inVerses) return `${start.chapter > previous.chapter ? betweenChapters : '; '}${numbers(start)}`;
  if (start.verse === null) return null;
  return previous.chapter === start.chapter ? `,${start.verse}` : `,${numbers(start)}`;
}

/** Completes the start of a span if its end has a verse: the start of `Gen 1-2:3` becomes 1:1. */
const completeStart = ({ book, chapter, verse }: ReferencePoint, end: ReferencePoint): ReferencePoint => ({
  book,
  chapter: chapter ?? (end.chapter === null ? null : 1),
  verse: verse ?? (end.verse === null ? null : 1),
});

function formatEnd(start: ReferencePoint, end: ReferencePoint, withBook: (point: ReferencePoint) => string): string {
  const isOpenEnded = (end.chapter === null && start.chapter !== null) || (end.verse === null && start.verse !== null);
  if (end.book !== start.book) return `-${withBook(end)}`;
  if (isOpenEnded) return end.chapter === null || end.chapter === start.chapter ? 'ff' : `-${withBook(end)}`;
  if (end.chapter !== start.chapter) return `-${numbers(end)}`;
  return end.verse === start.verse ? '' : `-${end.verse}`;
}

const numbers = ({ chapter, verse }: ReferencePoint): string => (verse === null ? `${chapter}` : `${chapter}:${verse}`);
