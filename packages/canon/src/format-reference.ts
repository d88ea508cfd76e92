import type { BookCode } from './books';
import type { ReferencePoint, ReferenceSpan, TranslationShape } from './reference';

/**
 * The tidy form: `Romans 12:1,3-4,13:2-4`, `Genesis 1:1-Exodus 2:3`, `John 3; Mark 2:1`. It reads back to the same spans in the
 * same language, so a book is named again wherever a bare number would be taken for something else, and only English parts
 * chapters by a comma: `Genesis 1,3`, `Génesis 1; 3`.
 */
export function formatReference(
  spans: readonly ReferenceSpan[],
  translation: Pick<TranslationShape, 'language' | 'bookName'>,
): string {
  const bookName = (book: BookCode): string => translation.bookName(book);
  const betweenChapters = translation.language === 'eng' ? ',' : '; ';
  let text = '';
  let before: Context | null = null;
  for (const { start: asked, end } of spans) {
    const start = beginning(asked, end);
    text += (before && continuing(start, before, betweenChapters)) ?? `${before ? '; ' : ''}${full(start, bookName)}`;
    text += ending(start, end, bookName);
    before = { book: end.book, chapter: end.chapter, inVerses: start.verse !== null };
  }
  return text;
}

/** What a bare number is taken for after a span: a verse of that chapter, or a chapter of that book. */
interface Context {
  book: BookCode;
  chapter: number | null;
  inVerses: boolean;
}

/** Null where the book has to be named. */
function continuing(start: ReferencePoint, before: Context, betweenChapters: string): string | null {
  if (before.book !== start.book || before.chapter === null || start.chapter === null) return null;
  if (!before.inVerses) return `${betweenChapters}${numbers(start)}`;
  if (start.verse === null) return null;
  return before.chapter === start.chapter ? `,${start.verse}` : `,${numbers(start)}`;
}

/** Where the span begins, said as exactly as its end: `Gen 1-2:3` begins at 1:1. */
const beginning = ({ book, chapter, verse }: ReferencePoint, end: ReferencePoint): ReferencePoint => ({
  book,
  chapter: chapter ?? (end.chapter === null ? null : 1),
  verse: verse ?? (end.verse === null ? null : 1),
});

function ending(start: ReferencePoint, end: ReferencePoint, bookName: (book: BookCode) => string): string {
  const open = (end.chapter === null && start.chapter !== null) || (end.verse === null && start.verse !== null);
  if (end.book !== start.book) return `-${full(end, bookName)}`;
  if (open) return end.chapter === null || end.chapter === start.chapter ? 'ff' : `-${full(end, bookName)}`;
  if (end.chapter !== start.chapter) return `-${numbers(end)}`;
  return end.verse === start.verse ? '' : `-${end.verse}`;
}

const numbers = ({ chapter, verse }: ReferencePoint): string => (verse === null ? `${chapter}` : `${chapter}:${verse}`);

const full = (point: ReferencePoint, bookName: (book: BookCode) => string): string =>
  point.chapter === null ? bookName(point.book) : `${bookName(point.book)} ${numbers(point)}`;
