import { bcv_parser as FullParser } from 'bible-passage-reference-parser/cjs/full_bcv_parser.js';
import { type BookCode, books } from './books';
import { shortenBlankRuns } from './normalize-text';
import type { ReferencePoint, ReferenceSpan } from './types';

export interface ParsedSpan {
  span: ReferenceSpan;
  start: number;
  end: number;
  /** Whether the span names its book. If false, it has the book, or the book and chapter, of the previous span. */
  namesBook: boolean;
  /** Whether the span names a book without any number. */
  isBookOnly: boolean;
  /** Whether the span's text starts with a word for "verse", as in "v. 16". */
  startsWithVerse: boolean;
}

/** Returns whether a dash joins two spans, which are then the ends of an invalid range such as "John 3:16-1". */
export const isAfterDash = (before: ParsedSpan, { start, namesBook }: ParsedSpan, text: string): boolean =>
  !namesBook && !before.isBookOnly && text.slice(before.end, start).includes('-');

const options = {
  passage_existence_strategy: 'b',
  consecutive_combination_strategy: 'separate',
  sequence_combination_strategy: 'combine',
  invalid_passage_strategy: 'include',
  invalid_sequence_strategy: 'include',
  zero_verse_strategy: 'allow',
};
// The options for a text that is one reference: a book's name without a number means the whole book.
const wholeText = {
  book_alone_strategy: 'full',
  book_range_strategy: 'include',
  book_sequence_strategy: 'include',
  captive_end_digits_strategy: 'include',
};
// The options for running text: a book's name without a number is no reference.
const prose = {
  book_alone_strategy: 'ignore',
  book_range_strategy: 'ignore',
  book_sequence_strategy: 'ignore',
  captive_end_digits_strategy: 'delete',
};

/** The two USFM codes that the package does not know. It knows those of the other 64 books. */
const unknownCodes = [
  ['Joel', 'JOL'],
  ['Nah', 'NAM'],
] as const;

/** The deuterocanonical books with the package's names. It has two names for the Prayer of Azariah. */
const deuterocanonicalCodes = (
  'Tob:TOB Jdt:JDT GkEsth:ESG Wis:WIS Sir:SIR Bar:BAR EpJer:LJE GkDan:DAG PrAzar:S3Y SgThree:S3Y Sus:SUS Bel:BEL ' +
  '1Macc:1MA 2Macc:2MA 3Macc:3MA 4Macc:4MA 1Esd:1ES 2Esd:2ES PrMan:MAN Ps151:PS2'
)
  .split(' ')
  .map((pair) => pair.split(':') as [osis: string, code: BookCode]);

/** The parser object keeps its options between calls, so each function sets them all before it parses. */
function createPassageParser(deuterocanon: boolean) {
  const full = prepare(new FullParser(), deuterocanon);
  // The package lists the 66 books first, in the order of `books`.
  const codeByOsis = new Map<string, BookCode | undefined>([
    ...full
      .translation_info()
      .books.slice(0, books.length)
      .map((osis, index) => [osis, books[index]?.code] as const),
    ...(deuterocanon ? deuterocanonicalCodes : []),
  ]);
  const point = ({ b, c, v }: { b?: string; c?: number; v?: number }, isEnd: boolean): ReferencePoint | null => {
    const book: BookCode | undefined = codeByOsis.get(b ?? '');
    if (!book) return null;
    const whole = (value: number | undefined) => (value === undefined || (isEnd && value === unbounded) ? null : value);
    const chapter = whole(c);
    if (deuterocanon && book === 'PSA' && chapter === 151) return { book: 'PS2', chapter: 1, verse: whole(v) };
    return { book, chapter, verse: chapter === null ? null : whole(v) };
  };

  return {
    /** Parses the references in a text and returns their spans in order. `prose` tells whether it is running text. */
    read(text: string, { prose: isProse = false } = {}): ParsedSpan[] {
      full.set_options({ punctuation_strategy: 'us', ...(isProse ? prose : wholeText) });
      const shortened = shortenBlankRuns(text);
      const parsedSpans: ParsedSpan[] = [];
      for (const { entities } of full.parse(shortened.text).parsed_entities()) {
        for (const { type, indices, start: from, end: to } of entities) {
          const first = point(isWholeBook(type, from) ? { b: from.b } : from, false);
          const last = point(isWholeBook(type, to) ? { b: to.b } : to, true);
          if (!first || !last) continue;
          const written = shortened.text.slice(...indices);
          // The package reads "John 3:16f" (3:16-17) like "John 3:16ff" (3:16 to the end of the chapter).
          const followingOne = type === 'ff' && /(?:^|[^f])f\.?$/i.test(written);
          const span = restoreWholeChapters({ start: first, end: followingOne ? following(first, last) : last });
          const namesBook = type.startsWith('b') || (from.type ?? '').startsWith('b');
          const startsWithVerse = !namesBook && /^v/i.test(written);
          const start = shortened.originalIndex(indices[0]);
          const end = shortened.originalIndex(indices[1] - 1) + 1;
          parsedSpans.push({ span, start, end, namesBook, isBookOnly: type === 'b', startsWithVerse });
        }
      }
      return parsedSpans.sort((a, b) => a.start - b.start);
    },
  };
}

/** Adds codes of books to a parser, and the two deuterocanonical books that the package lacks. */
function prepare(parser: FullParser, deuterocanon: boolean): FullParser {
  if (deuterocanon) {
    const { order, chapters } = parser.translations.systems.default;
    order['Ps151'] = Object.keys(order).length + 1;
    order['GkDan'] = Object.keys(order).length + 1;
    chapters['GkDan'] = Array.from({ length: 14 }, () => 100);
  }
  parser.set_options({ ...options, ...(deuterocanon && { testaments: 'ona' }) });
  const added = [...unknownCodes, ...(deuterocanon ? deuterocanonicalCodes : [])];
  parser.add_books({ books: added.map(([osis, code]) => ({ osis: [osis], regexp: new RegExp(code) })) });
  return parser;
}

export type PassageParser = ReturnType<typeof createPassageParser>;

/** What the package, which does not know the last verse, returns for "to the end", as in "John 3:16ff". */
const unbounded = 999;

// Returns whether a span is a book without a chapter. The package reads "Jude" as its chapter 1.
const isWholeBook = (type: string, end: { type?: string }): boolean =>
  type === 'b' || type === 'b_range_pre' || end.type === 'b';

// Returns the end of a span with "f": the next verse, or the next chapter if the package has read on to the book's end.
const following = ({ book, chapter, verse }: ReferencePoint, end: ReferencePoint): ReferencePoint =>
  end.chapter === null
    ? { book, chapter: (chapter ?? 0) + 1, verse: null }
    : { book, chapter, verse: (verse ?? 0) + 1 };

// Restores whole chapters. The package reads "John 3" as 3:1 to the end, for which Lectern has null verses.
function restoreWholeChapters({ start, end }: ReferenceSpan): ReferenceSpan {
  const verse = end.verse === null && start.verse === 1 ? null : start.verse;
  const chapter = end.chapter === null && verse === null && start.chapter === 1 ? null : start.chapter;
  return { start: { book: start.book, chapter, verse }, end };
}

let parser: PassageParser | undefined;
let deuterocanonParser: PassageParser | undefined;

/** Module-level state, because creating a parser is slow. No call can change the result of another. */
export const sharedParser = (deuterocanon = false): PassageParser =>
  deuterocanon ? (deuterocanonParser ??= createPassageParser(true)) : (parser ??= createPassageParser(false));

/** Creates the parser and compiles its regular expressions, which takes half a second. */
export function warmReferenceParser(): void {
  // V8 compiles a regular expression at its second use, for Latin-1 text and other text apart: each is parsed twice.
  const texts = ['Juan 3,16', 'Иоанна 3,16', 'nothing', 'ничего', 'Juan 3,16 é'];
  for (const text of [...texts, ...texts]) sharedParser().read(text);
}
