import { type BookCode, bookByCode, findBook } from '@lectern/canon';
import { codeOfOsisBook } from '@lectern/corpus';
import { createStandardVerses, type StandardVerses, type VerseSpan } from './spans';

/** What all readers of reference works share. `parser` reads the attribute `osisRef`. */
export interface VersesAndParser {
  readonly verses: StandardVerses;
  readonly parser: OsisReferenceParser;
}

export function createVersesAndParser(): VersesAndParser {
  const verses = createStandardVerses();
  return { verses, parser: createOsisReferenceParser(verses) };
}

/** A reference to verses that do not exist, or a link to a topic that was not found. */
export interface UnresolvedReference {
  /** Where the reference is: the verse of the note ("GEN 1:1"), or the name of the topic. */
  readonly place: string;
  /** The reference itself, such as "Exod.3.29" or "EXO 3:29", or the words of the link. */
  readonly reference: string;
}

// Matches a part of an `osisRef`: book, chapter, verse, last book, last chapter or verse, last verse after a chapter.
const part =
  /^(?:(?:[A-Za-z]+:)?(\d?[A-Za-z]+)[. ])?(\d+)(?:[.:](\d+))?(?:-(?:(\d?[A-Za-z]+)[. ])?(\d+)(?:[.:](\d+))?)?(?:\s+|$)/;

/** Parses `osisRef`: `Exod.6.16-Exod.6.20`, `Num.17`, and other forms: `ge 12:2 ge 12:3`, `Scofield:Ge 3:16-19`. */
function createOsisReferenceParser(verses: StandardVerses) {
  // Scofield's module writes "jud" for Judges, which `findBook` would read as JUD, the USFM code of Jude.
  const booksByName = new Map<string, BookCode | null>([
    ['jud', 'JDG'],
    ['Jud', 'JDG'],
  ]);
  /** Finds a book by its OSIS name or by an English abbreviation of its name. */
  const bookOf = (name: string): BookCode | null => {
    const known = booksByName.get(name);
    if (known !== undefined) return known;
    const code = bookByCode(codeOfOsisBook(name))?.code ?? findBook(name)?.code ?? null;
    booksByName.set(name, code);
    return code;
  };

  /** Returns the range of verses of each part. Null for an empty text, unknown parts and verses that do not exist. */
  const parse = (text: string): VerseSpan[] | null => {
    const spans: VerseSpan[] = [];
    let book: BookCode | null = null;
    for (let rest = text.trim(); rest !== ''; ) {
      const match = part.exec(rest);
      if (!match) return null;
      rest = rest.slice(match[0].length);
      const [, name, chapter, verse, lastName, second, third] = match;
      book = name === undefined ? book : bookOf(name);
      const lastBook: BookCode | null = lastName === undefined ? book : bookOf(lastName);
      if (!book || !lastBook) return null;
      const first = { book, chapter: Number(chapter), verse: numberOf(verse) };
      // Without a second number, the range is a single verse or chapter.
      let last: Point = first;
      if (second !== undefined) {
        const isVerse = third === undefined && first.verse !== null && lastBook === book;
        last = isVerse
          ? { ...first, verse: Number(second) }
          : { book: lastBook, chapter: Number(second), verse: numberOf(third) };
      }
      const span = spanOf(first, last, verses);
      if (!span) return null;
      spans.push(span);
      book = lastBook;
    }
    return spans.length === 0 ? null : spans;
  };
  return {
    bookOf,
    parse,
    /** Parses a reference of a module. If `parse` cannot read it, repairs it and parses it again. */
    parseOfModule: (text: string): VerseSpan[] | null => parse(text) ?? parse(repair(text)),
  };
}
export type OsisReferenceParser = ReturnType<typeof createOsisReferenceParser>;

const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

/** Repairs the errors that references in the modules often have. */
const repair = (text: string): string =>
  text
    // A module has Ps.16.8-Ps.11.2 for the printed "Psalm 16:8-11. 2", in which 11 is in fact the last verse.
    .replace(/^(\w+\.)(\d+)(\.\d+-)\1(\d+)\.\d+$/, (range, book, chapter, middle, last) =>
      Number(last) < Number(chapter) ? `${book}${chapter}${middle}${book}${chapter}.${last}` : range,
    )
    // Modules abbreviate "Phil" as Philemon and "2 Co" as Colossians. A chapter that this book lacks reveals the error.
    .replace(/\bphm (?=[2-4]:)/g, 'php ')
    .replace(/^Col\.(?=(?:[5-9]|1[0-3])\.)/, '2Cor.');

interface Point {
  readonly book: BookCode;
  readonly chapter: number;
  /** The verse number. Null if the reference is to the whole chapter. */
  readonly verse: number | null;
}

function spanOf(first: Point, last: Point, verses: StandardVerses): VerseSpan | null {
  const start = verses.chapterSpan(first.book, first.chapter);
  const end = verses.chapterSpan(last.book, last.chapter);
  if (!start || !end) return null;
  return verses.span({ ...first, verse: first.verse ?? 1 }, { ...last, verse: last.verse ?? end.last % 1_000 });
}
