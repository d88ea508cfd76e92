import { type Attributes, noAttributes } from '../markup/reader';
import { readAttribute } from '../markup/tokens';
import type { UsfmReader } from '../markup/usfm-reader';
import { isTextParagraph, markerKind } from '../markup/usfm-rules';

/**
 * Matches the tokens of USFM: a milestone, the end of a marker, a milestone without its end, the start of a marker, text,
 * or a lone backslash. The number in `\v4` is no part of the marker. In text, `\|`, `\~`, `\/` and `\\` stand for
 * the sign itself, but a doubled backslash before a marker is an error. A text with millions of such signs would exceed
 * the stack of the regular expression, so a longer text is several tokens.
 */
const pattern =
  /\\([\w-]+)\s*(?:\|([^\\]*))?\\\*|\\(\+?[\w-]+)\*|\\(\w+-[se])(?![\w-])((?:\s*(?:\|\s*)?[\w-]+="[^"\\]*")*)|\\(\+?(?:[cv](?=\d)|[\w-]+))(?:[^\S\r\n]|\r?\n|\r|$)?|((?:[^\\]+|\\(?:[|~/]|\\(?!\+?[a-z]+\d?[*\s]))){1,10000})|\\/g;
/** Matches the number of each chapter, and the beginning of a book, without a number. */
const numbers = /\\c(?:\s+|(?=\d))(\d*)|\\id(?![\w-])/g;
const start = /(?:^|[\r\n\uFEFF])[^\S\r\n\uFEFF]*\\id\s+[A-Za-z0-9]{3}\b/;

/** The maximum length of a marker's attributes. The time of a search grows with the square of the length. */
const maxAttributesLength = 2_000;

/** Returns whether a text begins like a USFM file. Some files have a licence before `\id`. */
export const isUsfm = (head: string): boolean => start.test(head);

/** Returns whether a text without `\id` has the markers of chapters and verses. */
export const isUsfmWithoutId = (head: string): boolean => head.trimStart().startsWith('\\') && /\\v ?\d/.test(head);

/** Matches the number of a verse that touches a sign or the text of the verse, as in `\v 4. In` and `\v 4In`. */
const gluedNumber = /^(\d{1,3})[.:)]?(\p{L}{2}.*|[“‘«¿¡"'(].*)?$/su;
/** Markers around a number or a sign. Without their end marker, they would hide the text that follows. */
const shortMarkers = new Set(['ca', 'va', 'vp', 'fm']);

/** Reads USFM 1 to 3, with `atLine` before each part. Returns the text after the book's code, often a Bible's name. */
export function readUsfm(text: string, reader: UsfmReader, atLine: (line: number) => void): string {
  const id = text.search(start);
  const names = id < 0 ? Array.from(text.matchAll(/\\(?:h|toc\d|mt1?) ([^\\\r\n]*)/g), ([, name = '']) => name) : [];
  if (id < 0 && !/\\id\s/.test(text) && !reader.bookWithoutId(names)) return '';
  const begin = Math.max(id, 0);
  const body = text.slice(begin);
  /** The markers that have an end marker anywhere. */
  const closed = new Set(Array.from(body.matchAll(/\\\+?([\w-]+)\*/g), ([, marker = '']) => marker));
  const chapters = Array.from(body.matchAll(numbers), ([, number]) =>
    number === undefined ? Infinity : Number(number),
  );
  // The tokens of one chapter take much less memory than those of a long book.
  let matches: RegExpMatchArray[] = [];
  let ended = new Set<number>();
  let line = 1 + countLines(text.slice(0, begin));
  let title = '';
  /** The marker that gives the next word another role, such as `v` for a verse number. Otherwise ''. */
  let expected = '';
  let startsLine = true;
  let nextChapter = 0;
  const verse = (number: string): void => reader.verse(number, chapters[nextChapter] ?? Infinity);

  const open = (marker: string, index: number): string => {
    const isClosed = closed.has(marker);
    if (['id', 'c', 'v'].includes(marker)) {
      if (marker !== 'v') nextChapter += 1;
    } else if (shortMarkers.has(marker) && !isClosedAt(matches, index, marker)) {
      reader.report('markup', `\\${marker} is not closed by \\${marker}*`);
      return 'short';
    } else {
      // Private paragraphs (\z...) are handled like remarks (\rem), because only other programs understand them.
      const isPrivate = marker.startsWith('z') && !isClosed && startsLine;
      const kind = isClosed ? 'character' : 'paragraph';
      const isTitle = reader.isBeforePsalm() && isTextParagraph(marker) && precedesText(matches, index);
      if (isTitle) reader.openTitle(marker);
      else reader.open(isPrivate ? 'rem' : marker, attributesAfter(matches, index), kind, ended.has(index));
    }
    return marker;
  };
  /** Reads a text after `marker`, or elsewhere with the marker ''. Returns the part that is text of the translation. */
  const read = (marker: string, content: string, index: number): string => {
    const [, word = '', rest = ''] = /^\s*(\S*)([^]*)$/.exec(content) ?? [];
    if (marker === 'id') {
      // A name in place of the code, as in "1 Corinthians My Bible", is one of the first words, or that of the book.
      const words = content.trim().split(/\s+/, 3);
      const firstWords = words.map((_, count) => words.slice(0, words.length - count).join(' '));
      const isCode = /^[A-Za-z0-9]{3}(?![A-Za-z0-9])/.test(word);
      if (isCode || !reader.bookWithoutId([...firstWords, ...names], words.join(' '))) reader.book(word.slice(0, 3));
      title = isCode ? rest.trim() : '';
    } else if (marker === 'c' || marker === 'v') {
      const [, number = word, glued = ''] = gluedNumber.exec(word) ?? [];
      (marker === 'c' ? reader.chapter : verse)(number);
      if (number !== word || !/\s$/.test(matches[index - 1]?.[0] ?? ''))
        reader.report('markup', `a space is missing: write \\${marker} ${number}`);
      return glued + rest;
    } else if (marker === 'h' || marker === 'toc2') reader.nameBook(plainText(content));
    // A note begins with its caller: "+", "-" or a letter.
    const isNote = markerKind(marker) === 'note';
    const isCaller = word.length <= 2 ? isNote || marker === 'short' : isNote && rest.trim() === '';
    if (isCaller || marker === 'id') return rest;
    return withoutAttributes(content, marker === 'periph' || matches[index + 1]?.[3] !== undefined);
  };

  for (const part of body.split(/(?=\\c[\s\d])/)) {
    matches = [...part.matchAll(pattern)];
    ended = endsOfSpeech(matches);
    for (const [index, match] of matches.entries()) {
      const [whole, milestone, attributes = '', close, loose, looseAttributes = '', opened, content] = match;
      atLine(line);
      if (milestone !== undefined) reader.open(milestone, attributesOf(attributes), 'milestone');
      else if (close !== undefined) reader.close(plain(close));
      else if (loose !== undefined) {
        reader.report('markup', `\\${loose} is not closed by \\*, as in an old form of milestones`, true);
        reader.open(loose, attributesOf(looseAttributes), 'milestone');
      } else if (opened !== undefined) expected = open(plain(opened), index);
      else if (content !== undefined) {
        reader.text(plainText(read(expected, content, index)));
        expected = '';
      } else reader.report('markup', 'a backslash stands without a marker');
      line += countLines(whole);
      startsLine = /[\r\n]/.test(whole.slice(whole.trimEnd().length));
    }
  }
  return title;
}

/** Returns whether text follows the marker of a paragraph, before any other paragraph or verse. */
function precedesText(matches: readonly RegExpMatchArray[], index: number): boolean {
  const isBlank = !/\S/.test(matches[index + 1]?.[7] ?? '');
  return !isBlank || markerKind(matches[index + 1]?.[6] ?? matches[index + 2]?.[6] ?? '') === 'character';
}

/** Returns whether the end of the marker at `index` follows before any other marker but nested ones. */
function isClosedAt(matches: readonly RegExpMatchArray[], index: number, marker: string): boolean {
  let next = index + 1;
  while (matches[next] && matches[next]?.[3] !== marker && (matches[next]?.[6] ?? '+').startsWith('+')) next += 1;
  return matches[next]?.[3] === marker;
}

/** Returns the indexes of `\wj` whose end follows in the chapter. */
function endsOfSpeech(matches: readonly RegExpMatchArray[]): Set<number> {
  const ended = new Set<number>();
  let speech: number | null = null;
  for (const [index, [, , , close, , , marker]] of matches.entries()) {
    if (close === 'wj' && speech !== null) ended.add(speech);
    if (marker === 'wj') speech = index;
    else if (close === 'wj' || marker === 'c' || marker === 'id') speech = null;
  }
  return ended;
}

/** Removes the plus sign of a nested marker: "\+nd" is \nd inside another marker. */
const plain = (marker: string): string => marker.replace('+', '');
const countLines = (text: string): number => text.split(/\r\n|\r|\n/).length - 1;

/** Converts USFM's signs: `~` is a space without a line break, and `//` allows a line break. Reads `\~` as `~`. */
const plainText = (text: string): string =>
  text.replace(/\\([\\|~/])|~|(?<!:)\/\//g, (_, sign?: string) => sign ?? ' ');

/** Returns where attributes begin, or -1. `\|` is text. */
const barOf = (text: string): number => {
  for (const { 0: sign, index } of text.matchAll(/\\[^]|\|/g)) if (sign === '|') return index;
  return -1;
};

/** Returns the text of a marker that may have attributes without them. They follow `|`. */
function withoutAttributes(text: string, mayHaveAttributes: boolean): string {
  const bar = mayHaveAttributes ? barOf(text) : -1;
  return bar < 0 ? text : text.slice(0, bar);
}

/** Returns the attributes of the marker at `index`, which precede its end marker: \w In|strong="H7225"\w* */
function attributesAfter(matches: readonly RegExpMatchArray[], index: number): Attributes {
  const [content = '', end] = [matches[index + 1]?.[7], matches[index + 2]?.[3]];
  const bar = barOf(content);
  return bar < 0 || end === undefined ? noAttributes : attributesOf(content.slice(bar + 1));
}

/** Parses attributes. The default attribute of a marker, which may have no name in the file, gets the name ''. */
function attributesOf(text: string): Attributes {
  if (text === '' || text.length > maxAttributesLength) return noAttributes;
  return (name) => (name !== '' ? readAttribute(text, name) : text.includes('=') ? '' : text.trim());
}
