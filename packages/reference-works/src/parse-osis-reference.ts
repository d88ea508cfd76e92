import { type BookCode, bookByCode, findBook } from '@lectern/canon';
import { codeOfOsisBook } from '@lectern/corpus';
import type { StandardVerses, VerseSpan } from './standard-verses';

// A part of a reference: book, chapter, verse, last book, last chapter or verse, verse of the last chapter.
const part =
  /^(?:(?:[A-Za-z]+:)?(\d?[A-Za-z]+)[. ])?(\d+)(?:[.:](\d+))?(?:-(?:(\d?[A-Za-z]+)[. ])?(\d+)(?:[.:](\d+))?)?(?:\s+|$)/;

/**
 * Creates the parser of the attribute `osisRef`: `Exod.6.16-Exod.6.20`, `Num.17`, or as some modules write it,
 * `ge 12:2 ge 12:3`, `Scofield:Ge 3:16-19`. The parser remembers the books' names.
 */
export function createOsisReferenceParser(verses: StandardVerses) {
  // Scofield's "jud" is Judges. As a USFM code it would be Jude, which the module writes "jude".
  const booksByName = new Map<string, BookCode | null>([
    ['jud', 'JDG'],
    ['Jud', 'JDG'],
  ]);
  /** Finds a book by its OSIS name or by an English abbreviation. */
  const bookOf = (name: string): BookCode | null => {
    const known = booksByName.get(name);
    if (known !== undefined) return known;
    const code = bookByCode(codeOfOsisBook(name))?.code ?? findBook(name)?.code ?? null;
    booksByName.set(name, code);
    return code;
  };

  /**
   * Returns one span for each part of the reference. Returns null if a part is not understood or does not exist.
   */
  const parse = (text: string): VerseSpan[] | null => {
    const spans: VerseSpan[] = [];
    let book: BookCode | null = null;
    for (let rest = text.trim(); rest !== ''; ) {
      const match = part.exec(rest);
      if (!match) return null;
      rest = rest.slice(match[0].length);
      const [, name, chapter = '', verse, lastName, second, third] = match;
      book = name === undefined ? book : bookOf(name);
      const lastBook: BookCode | null = lastName === undefined ? book : bookOf(lastName);
      if (!book || !lastBook) return null;
      const first = { book, chapter: Number(chapter), verse: verse === undefined ? null : Number(verse) };
      const span = spanOf(first, lastOf({ ...first, lastBook, second, third }), verses);
      if (!span) return null;
      spans.push(span);
      book = lastBook;
    }
    return spans.length === 0 ? null : spans;
  };
  return {
    bookOf,
    parse,

    /** Like `parse`, but repairs errors that the modules repeat. */
    parseOfModule: (text: string): VerseSpan[] | null => parse(text) ?? parse(repair(text)),
  };
}

/** Repairs a reference that does not resolve, if its error is one that the modules repeat. */
const repair = (text: string): string =>
  text
    // "Psalm 16:8-11. 2" in the text has become the range Ps.16.8-Ps.11.2.
    .replace(/^(\w+\.)(\d+)(\.\d+-)\1(\d+)\.\d+$/, (range, book, chapter, middle, last) =>
      Number(last) < Number(chapter) ? `${book}${chapter}${middle}${book}${chapter}.${last}` : range,
    )
    // "Phil" has become Philemon, which has one chapter, and "2 Co" has become Colossians, which has four.
    .replace(/\bphm (?=[2-4]:)/g, 'php ')
    .replace(/^Col\.(?=(?:[5-9]|1[0-3])\.)/, '2Cor.');

export type OsisReferenceParser = ReturnType<typeof createOsisReferenceParser>;

interface Point {
  readonly book: BookCode;
  readonly chapter: number;
  readonly verse: number | null;
}

interface WrittenEnd extends Point {
  readonly lastBook: BookCode;
  readonly second: string | undefined;
  readonly third: string | undefined;
}

/** Returns the end of a range. Without a second number, the range ends where it begins. */
function lastOf({ book, chapter, verse, lastBook, second, third }: WrittenEnd): Point {
  if (second === undefined) return { book, chapter, verse };
  if (third !== undefined) return { book: lastBook, chapter: Number(second), verse: Number(third) };
  const isChapter = verse === null || lastBook !== book;
  return isChapter
    ? { book: lastBook, chapter: Number(second), verse: null }
    : { book, chapter, verse: Number(second) };
}

function spanOf(first: Point, last: Point, verses: StandardVerses): VerseSpan | null {
  const start = verses.chapterSpan(first.book, first.chapter)?.first;
  const end = verses.chapterSpan(last.book, last.chapter)?.last;
  if (start === undefined || end === undefined) return null;
  const lastVerse = last.verse ?? end % 1_000;
  return verses.span({ ...first, verse: first.verse ?? 1 }, { ...last, verse: lastVerse });
}
