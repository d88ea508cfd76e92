import type { BookCode } from '@lectern/canon';
import type { StandardVerses, VerseSpan } from './standard-verses';

export interface ReadNumbers {
  readonly spans: readonly VerseSpan[];
  /** The numbers that name no verse, with the book's code. */
  readonly unresolved: readonly string[];
  /** The text after the numbers. */
  readonly rest: string;
}

const chapterAndVerses = /^[\s;,.]*(?:with\s+)?(\d+):\s*(\d+(?:\s*-\s*\d+)?(?:\s*,\s*\d+(?:\s*-\s*\d+)?)*)(?!\s*:|\d)/;
const chapterAlone = /^[\s;,.]*with\s+(\d+)(?![:\d])|^\s*;\s*(\d+)(?=\s*(?:;|\.?$))/;

/**
 * Reads the numbers at the start of a text, which belong to a book: "15:1-15", "; with 25:33;
 * 26:9". A chapter without verses counts only after "with", because other numbers may be no
 * reference.
 */
export function readVerseNumbers(text: string, book: BookCode, verses: StandardVerses): ReadNumbers {
  const spans: VerseSpan[] = [];
  const unresolved: string[] = [];
  let rest = text;
  let isAfterWith = false;
  const add = (span: VerseSpan | null, written: string): void => {
    if (span) spans.push(span);
    else unresolved.push(`${book} ${written}`);
  };
  for (;;) {
    const withVerses = chapterAndVerses.exec(rest);
    const alone = withVerses ? null : chapterAlone.exec(rest);
    const match = withVerses ?? (alone?.[1] !== undefined || isAfterWith ? alone : null);
    if (!match) return { spans, unresolved, rest };
    isAfterWith ||= /with/.test(match[0]);
    const chapter = Number(match[1] ?? match[2]);
    if (!withVerses) add(verses.chapterSpan(book, chapter), String(chapter));
    for (const range of withVerses?.[2]?.split(',') ?? []) {
      const [first = 0, last = first] = range.split('-').map(Number);
      add(verses.span({ book, chapter, verse: first }, { book, chapter, verse: last }), `${chapter}:${range.trim()}`);
    }
    rest = rest.slice(match[0].length);
  }
}
