import { type BookCode, bookByCode, ordinalParts } from '@lectern/canon';
import { readVerseNumbers } from './read-verse-numbers';
import type { ReadingTools } from './reading-tools';
import type { VerseSpan } from './standard-verses';

/** A part of a line of Nave's Topical Bible, in the order of the line. */
export type TopicPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reference'; readonly text: string; readonly osisRef: string }
  | { readonly kind: 'see'; readonly text: string };

export interface TopicLine {
  /** The words of the line without its references. '' for a line of references, or of links to other topics. */
  readonly text: string;
  readonly references: readonly VerseSpan[];
  /** The links to other topics: the linked name, and the name with the words after the link. */
  readonly links: readonly { readonly name: string; readonly fullName: string }[];
  readonly unresolved: readonly string[];
}

/** The rest of a book's abbreviation after its number: "2" + "Ch 9:9". */
const bookRest = /^(Ch|Co|Jo|Ki|Pe|Sa|Th|Ti)\s+(?=\d)/;

/** Reads one line. Repairs the references that the module has split. */
export function readTopicLine(pieces: readonly TopicPiece[], { verses, parser }: ReadingTools): TopicLine {
  const references: VerseSpan[] = [];
  const unresolved: string[] = [];
  const links: { name: string; fullName: string }[] = [];
  let text = '';
  /** The book of the last reference. A number after the reference belongs to this book. */
  let book: BookCode | null = null;

  /** Reads the numbers at the start of a text that continue a reference. Returns the rest of the text. */
  const readNumbers = (numbers: string): string => {
    const read = book ? readVerseNumbers(numbers, book, verses) : { spans: [], unresolved: [], rest: numbers };
    references.push(...read.spans);
    unresolved.push(...read.unresolved);
    return read.rest;
  };

  /** Reads a reference together with the text after it. Returns the rest of that text. */
  const readReference = (written: string, osisRef: string, following: string): string => {
    const split = bookRest.exec(following);
    const number = split && /^(.*?)\s*([123])$/s.exec(written);
    if (split && number) {
      // "Azariah 2" + "Ch 15:1" is the name Azariah and the reference 2Ch 15:1.
      text += `${number[1] ?? ''} `;
      book = parser.bookOf(`${number[2] ?? ''}${split[1] ?? ''}`);
      return readNumbers(following.slice(split[0].length));
    }
    const chapter = /\.(\d+)(?:\.1)?$/.exec(osisRef)?.[1];
    const spans = parser.parseOfModule(osisRef);
    const start = spans?.[0] ? ordinalParts(spans[0].first) : null;
    if (start) book = start.book;
    // "Jude 1" + ":8-13,16" is a chapter and its verses.
    if (start && chapter && /^:\d/.test(following)) return readNumbers(chapter + following);
    const isWholeBook = start && bookByCode(start.book).singleChapter && /\D\s+1$/.test(written);
    const whole = isWholeBook ? verses.chapterSpan(start.book, 1) : null;
    if (spans) references.push(...(whole ? [whole] : spans));
    else unresolved.push(osisRef);
    return readNumbers(following);
  };

  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index];
    const next = pieces[index + 1];
    const following = next?.kind === 'text' ? next.text : '';
    if (piece?.kind === 'text') text += piece.text;
    if (piece?.kind === 'see') {
      text += piece.text;
      links.push({ name: piece.text, fullName: piece.text + (/^, [\p{Lu} ,-]+/u.exec(following)?.[0] ?? '') });
    }
    if (piece?.kind === 'reference') {
      const rest = readReference(piece.text, piece.osisRef, following);
      text += `${rest} `;
      if (following !== '') index += 1;
    }
  }
  const cleaned = cleanText(text);
  return { text: /^See\b/.test(cleaned) && links.length > 0 ? '' : cleaned, references, links, unresolved };
}

/** Removes the arrow at the start and the separators that stood between references. */
const cleanText = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/^ ?→/, '')
    .replace(/(\w)' (?=s\b)/g, "$1'")
    .replace(/“ /g, '“')
    // An entity that the module has encoded twice.
    .replace(/&gt;/g, '')
    .replace(/(?:\s*[;,](?:\s*with\b)?)+\s*(?=[;,.]|$)/g, '')
    .replace(/ (?=[;,])/g, '')
    .replace(/^[\s;,.]+/, '')
    .trim();
