import { bcv_parser as EnglishParser } from 'bible-passage-reference-parser/cjs/en_bcv_parser.js';
import { bcv_parser as SpanishParser } from 'bible-passage-reference-parser/cjs/es_bcv_parser.js';
import { bcv_parser as FullParser } from 'bible-passage-reference-parser/cjs/full_bcv_parser.js';
import { codeAliases, spokenNames } from './added-names';
import { servedNames } from './book-names';
import { type BookCode, books } from './books';
import { foldName } from './fold-name';
import type { ReferencePoint, ReferenceSpan } from './reference';

/** One span with the range of the text that says it. */
export interface Leaf {
  span: ReferenceSpan;
  start: number;
  end: number;
  /** It names its book; others take book, or book and chapter, from the leaf before them. */
  opensBook: boolean;
  /** The book's name and nothing else. */
  bookAlone: boolean;
  /** It says "verse" where others leave the chapter to the leaf before them: `v. 16`. */
  opensVerse: boolean;
}

export interface ReadOptions {
  /** A comma parts chapter from verse and a full stop parts verses, as in `Juan 3,16.18`. */
  commaIsColon?: boolean;
  /** Running text: a book without a number is a word like any other. */
  prose?: boolean;
}

const options = {
  passage_existence_strategy: 'b',
  consecutive_combination_strategy: 'separate',
  sequence_combination_strategy: 'combine',
  invalid_passage_strategy: 'include',
  invalid_sequence_strategy: 'include',
  zero_verse_strategy: 'allow',
};
const wholeText = {
  book_alone_strategy: 'full',
  book_range_strategy: 'include',
  book_sequence_strategy: 'include',
  captive_end_digits_strategy: 'include',
};
const prose = {
  book_alone_strategy: 'ignore',
  book_range_strategy: 'ignore',
  book_sequence_strategy: 'ignore',
  captive_end_digits_strategy: 'delete',
};

/**
 * The reference parser of 50 languages behind three questions. The package's object keeps the last text inside, but each of
 * these functions sets its options, parses and copies out what it found before it returns, so calls cannot disturb each other.
 */
export function createPassageParser() {
  const full = new FullParser().set_options({ ...options });
  full.add_books({ books: [...spokenNames, ...codeAliases] });
  // Its first 66 books are ours in our order; the rest is the apocrypha, which it leaves unread.
  const codeByOsis = new Map(
    full
      .translation_info()
      .books.slice(0, books.length)
      .map((osis, index) => [osis, books[index]?.code]),
  );
  let singleLanguage: { english: EnglishParser; spanish: SpanishParser } | undefined;

  // Only commas need these two, so most processes never pay for them.
  const languageParsers = () => {
    if (singleLanguage) return singleLanguage;
    const english = new EnglishParser().set_options({ ...options, ...wholeText });
    const spanish = new SpanishParser().set_options({ ...options, ...wholeText });
    english.add_books({ books: codeAliases });
    spanish.add_books({ books: spokenNames });
    singleLanguage = { english, spanish };
    return singleLanguage;
  };

  const point = ({ b, c, v }: { b?: string; c?: number; v?: number }, isEnd: boolean): ReferencePoint | null => {
    const book: BookCode | undefined = codeByOsis.get(b ?? '');
    if (!book) return null;
    const whole = (value: number | undefined) => (value === undefined || (isEnd && value === unbounded) ? null : value);
    const chapter = whole(c);
    return { book, chapter, verse: chapter === null ? null : whole(v) };
  };

  return {
    /** The spans that a text says, in the order of the text. What it does not understand is simply not covered by any. */
    read(text: string, { commaIsColon = false, prose: isProse = false }: ReadOptions = {}): Leaf[] {
      full.set_options({ punctuation_strategy: commaIsColon ? 'eu' : 'us', ...(isProse ? prose : wholeText) });
      const leaves: Leaf[] = [];
      for (const { entities } of full.parse(text).parsed_entities()) {
        for (const { type, indices, start: from, end: to } of entities) {
          const first = point(isWholeBook(type, from) ? { b: from.b } : from, false);
          const last = point(isWholeBook(type, to) ? { b: to.b } : to, true);
          if (!first || !last) continue;
          const [start, end] = indices;
          // "f" is one more, "ff" all that follow; the package reads both as "ff".
          const followingOne = type === 'ff' && /(?:^|[^f])f\.?$/i.test(text.slice(start, end));
          const span = tidySpan({ start: first, end: followingOne ? following(first) : last });
          const opensBook = type.startsWith('b') || (from.type ?? '').startsWith('b');
          const opensVerse = !opensBook && /^v/i.test(text.slice(start, end));
          leaves.push({ span, start, end, opensBook, bookAlone: type === 'b', opensVerse });
        }
      }
      return leaves.sort((a, b) => a.start - b.start);
    },
    /** True when English knows every name in the text. */
    isEnglish: (text: string): boolean => sameReading(full, languageParsers().english, text),
    /** True when Spanish knows every name in the text. Its parser knows most of the English full names too: `John` is not Spanish. */
    isSpanish: (text: string): boolean => sameReading(full, languageParsers().spanish, text) && !englishAlone(text),
  };
}

export type PassageParser = ReturnType<typeof createPassageParser>;

/** What the package writes for "to the end" when it does not check what exists. */
const unbounded = 999;

function sameReading(full: FullParser, other: EnglishParser, text: string): boolean {
  full.set_options({ punctuation_strategy: 'us', ...wholeText });
  return full.parse(text).osis() === other.parse(text).osis();
}

// The package gives a lone single-chapter book its chapter 1; "Jude" was asked for as a book.
const isWholeBook = (type: string, end: { type?: string }): boolean =>
  type === 'b' || type === 'b_range_pre' || end.type === 'b';

const englishNames = new Set([...servedNames.eng.values()].map(foldName));
const spanishNames = new Set([...servedNames.spa.values()].map(foldName));

/** A book is named by a full name that English has and Spanish has not. */
const englishAlone = (text: string): boolean =>
  (text.match(/(?:[1-3]\s*)?\p{L}[\p{L}\s]*/gu) ?? [])
    .map(foldName)
    .some((name) => englishNames.has(name) && !spanishNames.has(name));

const following = ({ book, chapter, verse }: ReferencePoint): ReferencePoint =>
  verse === null ? { book, chapter: (chapter ?? 0) + 1, verse } : { book, chapter, verse: verse + 1 };

// The package fills in 1 for what was left out at the beginning; a span that runs to the end of its chapters did not ask for verse 1.
function tidySpan({ start, end }: ReferenceSpan): ReferenceSpan {
  const verse = end.verse === null && start.verse === 1 ? null : start.verse;
  const chapter = end.chapter === null && verse === null && start.chapter === 1 ? null : start.chapter;
  return { start: { book: start.book, chapter, verse }, end };
}
