import type { BookCode } from '@lectern/canon';
import type { StandardVerses, VerseSpan } from './standard-verse-spans';

export interface ReadNumbers {
  readonly spans: readonly VerseSpan[];
  /** The numbers that name no existing verse, with the code of the book before them. */
  readonly unresolved: readonly string[];
  /** The text after the numbers. */
  readonly rest: string;
}

const chapterAndVerses = /^[\s;,.]*(?:with\s+)?(\d+):\s*(\d+(?:\s*-\s*\d+)?(?:\s*,\s*\d+(?:\s*-\s*\d+)?)*)(?!\s*:|\d)/;
const chapterAlone = /^[\s;,.]*with\s+(\d+)(?![:\d])|^\s*;\s*(\d+)(?=\s*(?:;|\.?$))/;

/**
 * Reads the chapters and verses of a book at the start of a text: "15:1-15", "; with 25:33; 26:9".
 * A number alone is a chapter only after "with", because elsewhere it may not be a reference.
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
