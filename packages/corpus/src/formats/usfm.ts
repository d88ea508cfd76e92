import { type Attributes, noAttributes } from '../markup/reader';
import { readAttribute } from '../markup/tokens';
import type { UsfmReader } from '../markup/usfm-reader';
import { markerKind } from '../markup/usfm-rules';

/** Matches the tokens of USFM: a milestone, the end or the start of a marker, text, or a lone backslash. */
const pattern = /\\([\w-]+)\s*(?:\|([^\\]*))?\\\*|\\(\+?[\w-]+)\*|\\(\+?[\w-]+)(?:[^\S\r\n]|\r?\n|\r|$)?|([^\\]+)|\\/g;
const start = /(?:^|[\r\n\uFEFF])[^\S\r\n\uFEFF]*\\id\s+[A-Za-z0-9]{3}\b/;

/** The maximum length of a marker's attributes. The time of a search grows with the square of the length. */
const maxAttributesLength = 2_000;

/** Returns whether a text begins like a USFM file. Some files have a licence before `\id`. */
export const isUsfm = (head: string): boolean => start.test(head);

/** Returns whether a text without `\id` has the markers of chapters and verses. */
export const isUsfmWithoutId = (head: string): boolean =>
  head.trimStart().startsWith('\\') && /\\c ?\d/.test(head) && /\\v ?\d/.test(head);

/** Matches a marker that touches its number, as in `\v4` and `\c2`, and the text that touches the number. */
const gluedMarker = /^([cv])(\d{1,3}(?:[a-z]?-\d{1,3})?(?:[a-z](?![a-z]))?)(.*)$/;
/** Matches the number of a verse that touches a sign or the text of the verse, as in `\v 4. In` and `\v 4In`. */
const gluedNumber = /^(\d{1,3})[.:)]?(\p{L}{2}.*|[“‘«¿¡"'(].*)?$/su;
/** Markers around a number or a sign. Without their end marker, they would hide the text that follows. */
const shortMarkers = new Set(['ca', 'va', 'vp', 'fm']);
/** Matches one attribute of a milestone whose end `\*` is missing. */
const looseAttribute = /\s*(?:\|\s*)?[\w-]+="[^"]*"/y;
const isMilestone = (marker: string): boolean => /-[se]$/.test(marker);

/**
 * Reads the text of a USFM file (version 1, 2 or 3). Calls `atLine` with the line number of each part before it reads
 * the part. Returns the text after the code of the book, which is often the name of the translation.
 */
export function readUsfm(text: string, reader: UsfmReader, atLine: (line: number) => void): string {
  const id = text.search(start);
  const begin = Math.max(id, 0);
  const matches = [...text.slice(begin).matchAll(pattern)];
  if (id < 0 && !reader.bookWithoutId(bookNames(matches))) return '';
  const { closed, ended, chapters } = lookAhead(matches);
  let line = 1 + countLines(text.slice(0, begin));
  let title = '';
  /** The marker that gives the next word another role, such as `v` for a verse number. Otherwise ''. */
  let expected = '';
  let startsLine = true;
  let nextChapter = 0;
  const verse = (number: string): void => reader.verse(number, chapters[nextChapter] ?? Infinity);

  /** Opens a marker, or reads the chapter or the verse of a marker that touches its number. */
  const open = (marker: string, index: number): void => {
    const isClosed = closed.has(marker);
    const [, glued, number = '', rest = ''] = gluedMarker.exec(marker) ?? [];
    if (marker === 'id' || marker === 'c' || glued === 'c') nextChapter += 1;
    if (glued) {
      (glued === 'c' ? reader.chapter : verse)(number);
      reader.report('markup', `a space is missing: write \\${glued} ${number}`);
      if (rest !== '') reader.text(`${rest} `);
      expected = '';
    } else if (isMilestone(marker) && !isClosed) {
      reader.report('markup', `\\${marker} is not closed by \\*, as in an old form of milestones`, true);
      const content = matches[index + 1]?.[5] ?? '';
      reader.open(marker, attributesOf(content.slice(0, attributesEnd(content))), 'milestone');
    } else if (shortMarkers.has(marker) && !ended.has(index))
      reader.report('markup', `\\${marker} is not closed by \\${marker}*`);
    else if (!['id', 'c', 'v'].includes(marker)) {
      // Private paragraphs (\z...) are handled like remarks (\rem), because only other programs understand them.
      const isPrivate = marker.startsWith('z') && !isClosed && startsLine;
      const kind = isClosed ? 'character' : 'paragraph';
      reader.open(isPrivate ? 'rem' : marker, attributesAfter(matches, index), kind, ended.has(index));
    }
  };
  /** Reads a text after `marker`, or elsewhere with the marker ''. Returns the part that is text of the translation. */
  const read = (marker: string, content: string, index: number): string => {
    const [, word = '', rest = ''] = /^\s*(\S*)([^]*)$/.exec(content) ?? [];
    if (marker === 'id') {
      reader.book(word.slice(0, 3));
      title = rest.trim();
      return rest;
    }
    if (marker === 'c') reader.chapter(word);
    if (marker === 'v') {
      const [, number, text = ''] = gluedNumber.exec(word) ?? [];
      if (number === undefined || number === word) verse(word);
      else {
        verse(number);
        reader.report('markup', `'${word.slice(0, 20)}' is read as verse ${number}`);
        return text + rest;
      }
    }
    if (marker === 'h' || marker === 'toc2') reader.nameBook(content);
    // A note begins with its caller: "+", "-" or a letter.
    const isCaller = markerKind(marker) === 'note' && (word.length <= 2 || rest.trim() === '');
    const isShort = shortMarkers.has(marker) && !ended.has(index - 1) && (marker !== 'fm' || word.length <= 2);
    if (isCaller || isShort || marker === 'c' || marker === 'v') return rest;
    const written = isMilestone(marker) && !closed.has(marker) ? content.slice(attributesEnd(content)) : content;
    return withoutAttributes(written, marker === 'periph' || matches[index + 1]?.[3] !== undefined);
  };

  for (const [index, [whole, milestone, milestoneAttributes = '', close, opened, content]] of matches.entries()) {
    atLine(line);
    if (milestone !== undefined) reader.open(milestone, attributesOf(milestoneAttributes), 'milestone');
    else if (close !== undefined) reader.close(plain(close));
    else if (opened !== undefined) {
      expected = plain(opened);
      open(expected, index);
    } else if (content !== undefined) {
      reader.text(plainText(read(expected, content, index)));
      expected = '';
    } else reader.report('markup', 'a backslash stands without a marker');
    line += countLines(whole);
    startsLine = /[\r\n]/.test(whole.slice(whole.trimEnd().length));
  }
  return title;
}

/**
 * Returns the markers that have an end marker anywhere, the indexes of the markers that their end marker follows in
 * the same chapter (of `shortMarkers` in the same verse and paragraph), and the numbers of the chapters. A number is
 * Infinity where a book begins.
 */
function lookAhead(matches: readonly RegExpMatchArray[]) {
  const closed = new Set<string>();
  const ended = new Set<number>();
  const chapters: number[] = [];
  const opened = new Map<string, number>();
  for (const [index, [, , , close, marker]] of matches.entries()) {
    const name = plain(close ?? marker ?? '');
    if (close !== undefined) {
      closed.add(name);
      const at = opened.get(name);
      if (at !== undefined) ended.add(at);
      opened.delete(name);
    } else if (name === 'id' || /^c\d*$/.test(name)) {
      const number = name === 'c' ? matches[index + 1]?.[5] : name.slice(1);
      chapters.push(name === 'id' ? Infinity : Number.parseInt(number ?? '', 10));
      opened.clear();
    } else if (name === 'wj' || shortMarkers.has(name)) opened.set(name, index);
    else if (/^v\d*$/.test(name) || markerKind(name) === 'paragraph')
      for (const short of shortMarkers) opened.delete(short);
  }
  return { closed, ended, chapters };
}

/** Returns the names of the book that a file has in \h, \toc and \mt. */
const bookNames = (matches: readonly RegExpMatchArray[]): string[] =>
  matches.flatMap(([, , , , marker = ''], index) =>
    /^(?:h|toc[123]?|mt1?)$/.test(marker) ? (matches[index + 1]?.[5] ?? []) : [],
  );

/** Returns where the attributes at the start of a text end. */
function attributesEnd(text: string): number {
  let end = 0;
  for (looseAttribute.lastIndex = 0; looseAttribute.test(text); ) end = looseAttribute.lastIndex;
  return end;
}

/** Removes the plus sign of a nested marker: "\+nd" is \nd inside another marker. */
const plain = (marker: string): string => marker.replace('+', '');
const countLines = (text: string): number => text.split(/\r\n|\r|\n/).length - 1;

/** Converts USFM's signs: `~` is a space without a line break, and `//` allows a line break. */
const plainText = (text: string): string => text.replaceAll('~', ' ').replace(/(?<!:)\/\//g, ' ');

/** Returns the text of a marker that may have attributes without them. They follow `|`. */
function withoutAttributes(text: string, mayHaveAttributes: boolean): string {
  const bar = mayHaveAttributes ? text.indexOf('|') : -1;
  return bar < 0 ? text : text.slice(0, bar);
}

/** Returns the attributes of the marker at `index`, which precede its end marker: \w In|strong="H7225"\w* */
function attributesAfter(matches: readonly RegExpMatchArray[], index: number): Attributes {
  const [content = '', end] = [matches[index + 1]?.[5], matches[index + 2]?.[3]];
  const bar = content.indexOf('|');
  return bar < 0 || end === undefined ? noAttributes : attributesOf(content.slice(bar + 1));
}

/** Parses attributes. The default attribute of a marker, which may have no name in the file, gets the name ''. */
function attributesOf(text: string): Attributes {
  if (text === '' || text.length > maxAttributesLength) return noAttributes;
  return (name) => (name !== '' ? readAttribute(text, name) : text.includes('=') ? '' : text.trim());
}
