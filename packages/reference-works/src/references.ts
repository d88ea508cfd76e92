import { type BookCode, bookByCode, findBook } from '@lectern/canon';
import { codeOfOsisBook } from '@lectern/corpus';
import { createStandardVerses, type StandardVerses, type VerseSpan } from './spans';

/** The parts that all readers of reference works use: the list of existing verses, and the parser of `osisRef`. */
export interface VersesAndParser {
  readonly verses: StandardVerses;
  readonly parser: OsisReferenceParser;
}

export function createVersesAndParser(): VersesAndParser {
  const verses = createStandardVerses();
  return { verses, parser: createOsisReferenceParser(verses) };
}

/** A reference that names no existing verse, or a link for which no topic was found. */
export interface UnresolvedReference {
  /** The place of the reference: the verse of a note ("GEN 1:1"), or the name of a topic. */
  readonly place: string;
  /** The reference as it was read, such as "Exod.3.29" or "EXO 3:29", or the words of the link. */
  readonly reference: string;
}

// Matches one part of an `osisRef` value. The groups are: book, chapter, verse, last book, last
// chapter or last verse, and last verse after a last chapter.
const part =
  /^(?:(?:[A-Za-z]+:)?(\d?[A-Za-z]+)[. ])?(\d+)(?:[.:](\d+))?(?:-(?:(\d?[A-Za-z]+)[. ])?(\d+)(?:[.:](\d+))?)?(?:\s+|$)/;

/**
 * Creates the parser of the attribute `osisRef`: `Exod.6.16-Exod.6.20`, `Num.17`. It also reads the
 * forms of some modules: `ge 12:2 ge 12:3`, `Scofield:Ge 3:16-19`.
 */
function createOsisReferenceParser(verses: StandardVerses) {
  // Caches the books of names. Scofield's module writes "jud" for Judges and "jude" for Jude.
  // `findBook` would read "jud" as JUD, the USFM code of Jude.
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

  /**
   * Returns a range of verses for each part of an `osisRef`. Returns null if a part is unknown or missing, or the text
   * is empty.
   */
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
      // A range without a second number ends where it begins.
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
    /** Like `parse`, but a reference that `parse` cannot read is repaired and parsed again. */
    parseOfModule: (text: string): VerseSpan[] | null => parse(text) ?? parse(repair(text)),
  };
}
export type OsisReferenceParser = ReturnType<typeof createOsisReferenceParser>;

const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

/** Repairs a reference with one of the errors that occur many times in the modules. */
const repair = (text: string): string =>
  text
    // A module has the range Ps.16.8-Ps.11.2 for the printed text "Psalm 16:8-11. 2". The number in the place of the
    // last chapter (11) is the last verse.
    .replace(/^(\w+\.)(\d+)(\.\d+-)\1(\d+)\.\d+$/, (range, book, chapter, middle, last) =>
      Number(last) < Number(chapter) ? `${book}${chapter}${middle}${book}${chapter}.${last}` : range,
    )
    // Modules have the abbreviation of Philemon (one chapter) for "Phil", and of Colossians (four chapters) for "2 Co".
    // A higher chapter number reveals the error.
    .replace(/\bphm (?=[2-4]:)/g, 'php ')
    .replace(/^Col\.(?=(?:[5-9]|1[0-3])\.)/, '2Cor.');

interface Point {
  readonly book: BookCode;
  readonly chapter: number;
  /** The verse number. Null for the whole chapter. */
  readonly verse: number | null;
}

function spanOf(first: Point, last: Point, verses: StandardVerses): VerseSpan | null {
  const start = verses.chapterSpan(first.book, first.chapter);
  const end = verses.chapterSpan(last.book, last.chapter);
  if (!start || !end) return null;
  return verses.span({ ...first, verse: first.verse ?? 1 }, { ...last, verse: last.verse ?? end.last % 1_000 });
}
