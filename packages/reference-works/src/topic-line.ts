import { type BookCode, bookByCode, placeOf } from '@lectern/canon';
import type { VersesAndParser } from './references';
import type { StandardVerses, VerseSpan } from './spans';

const chapterAndVerses = /^[\s;,.]*(?:with\s+)?(\d+):\s*(\d+(?:\s*-\s*\d+)?(?:\s*,\s*\d+(?:\s*-\s*\d+)?)*)(?!\s*:|\d)/;
const chapterAlone = /^[\s;,.]*with\s+(\d+)(?![:\d])|^\s*;\s*(\d+)(?=\s*(?:;|\.?$))/;

/** Reads "15:1-15" and "; with 25:33; 26:9". After "with", a number alone is a chapter. Returns the text after. */
function readVerseNumbers(
  text: string,
  book: BookCode,
  verses: StandardVerses,
  add: (span: VerseSpan | null, written: string) => void,
): string {
  let rest = text;
  let isAfterWith = false;
  for (;;) {
    const withVerses = chapterAndVerses.exec(rest);
    const alone = withVerses ? null : chapterAlone.exec(rest);
    const match = withVerses ?? (alone?.[1] !== undefined || isAfterWith ? alone : null);
    if (!match) return rest;
    isAfterWith ||= /with/.test(match[0]);
    const chapter = Number(match[1] ?? match[2]);
    if (!withVerses) add(verses.chapterSpan(book, chapter), `${book} ${chapter}`);
    for (const range of withVerses?.[2]?.split(',') ?? []) {
      const [first = 0, last = first] = range.split('-').map(Number);
      const span = verses.span({ book, chapter, verse: first }, { book, chapter, verse: last });
      add(span, `${book} ${chapter}:${range.trim()}`);
    }
    rest = rest.slice(match[0].length);
  }
}

/** A piece of a line of a topic: words, a reference to verses, or a link to another topic (`see`). */
export type TopicPiece =
  | { readonly kind: 'text' | 'see'; readonly text: string }
  | { readonly kind: 'reference'; readonly text: string; readonly osisRef: string };

export interface TopicLine {
  /** The words of the line without its references. '' if there are none, or only "See" and a link. */
  readonly text: string;
  readonly references: readonly VerseSpan[];
  /** Links to other topics. `fullName` also has the words in capitals after the link, such as ", PUNISHMENT OF". */
  readonly links: readonly { readonly name: string; readonly fullName: string }[];
  readonly unresolved: readonly string[];
}

/** Matches the rest of a book's abbreviation whose number is in the piece before: "2" + "Ch 9:9". */
const bookRest = /^(Ch|Co|Jo|Ki|Pe|Sa|Th|Ti)\s+(?=\d)/;

/** Reads one line of a topic. Repairs references whose parts are in several pieces. */
export function readTopicLine(pieces: readonly TopicPiece[], { verses, parser }: VersesAndParser): TopicLine {
  const references: VerseSpan[] = [];
  const unresolved: string[] = [];
  const links: { name: string; fullName: string }[] = [];
  let text = '';
  /** The book of the last reference. Numbers without a book belong to it. */
  let book: BookCode | null = null;

  const add = (span: VerseSpan | null, written: string): void => {
    if (span) references.push(span);
    else unresolved.push(written);
  };
  const readNumbers = (numbers: string): string => (book ? readVerseNumbers(numbers, book, verses, add) : numbers);

  /** Reads a reference and the numbers after it. Returns the text after these numbers. */
  const readReference = (written: string, osisRef: string, following: string): string => {
    const split = bookRest.exec(following);
    const number = /[123]$/.exec(written)?.[0];
    if (split && number) {
      // The module marks "Azariah 2" in "Azariah 2Ch 15:1" as a reference, but 2 belongs to the book 2Ch.
      text += `${written.slice(0, -1).trimEnd()} `;
      book = parser.bookOf(`${number}${split[1] ?? ''}`);
      return readNumbers(following.slice(split[0].length));
    }
    const chapter = /\.(\d+)(?:\.1)?$/.exec(osisRef)?.[1];
    const spans = parser.parseOfModule(osisRef);
    const start = spans?.[0] ? placeOf(spans[0].first) : null;
    if (start) book = start.book;
    // The module marks only "Jude 1" as a reference in "Jude 1:8-13,16".
    if (start && chapter && /^:\d/.test(following)) return readNumbers(chapter + following);
    const isWholeBook = start && bookByCode(start.book).singleChapter && /\D\s1$/.test(written);
    const whole = isWholeBook ? verses.chapterSpan(start.book, 1) : null;
    if (spans) references.push(...(whole ? [whole] : spans));
    else unresolved.push(osisRef);
    return readNumbers(following);
  };

  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index];
    const next = pieces[index + 1];
    const following = next?.kind === 'text' ? next.text : '';
    if (piece?.kind === 'text' || piece?.kind === 'see') text += piece.text;
    if (piece?.kind === 'see')
      links.push({ name: piece.text, fullName: piece.text + (/^, [\p{Lu} ,-]+/u.exec(following)?.[0] ?? '') });
    if (piece?.kind === 'reference') {
      const rest = readReference(piece.text, piece.osisRef, following);
      text += `${rest} `;
      if (following !== '') index += 1;
    }
  }
  const cleaned = cleanText(text);
  return { text: /^See\b/.test(cleaned) && links.length > 0 ? '' : cleaned, references, links, unresolved };
}

/** Removes an arrow at the start, the separators between references, and superfluous spaces. */
const cleanText = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/^ ?→/, '')
    .replace(/(\w)' (?=s\b)/g, "$1'")
    .replace(/“ /g, '“')
    // The module has encoded this entity twice, so it remains in the decoded text.
    .replace(/&gt;/g, '')
    // Rows of dots represent white space on the printed page.
    .replace(/\.{4,}/g, '')
    .replace(/(?<!\s)(?:\s*[;,](?:\s*with\b)?)+\s*(?=[;,.]|$)/g, '')
    .replace(/ (?=[;,])/g, '')
    .replace(/^[\s;,.]+/, '')
    .trim();
