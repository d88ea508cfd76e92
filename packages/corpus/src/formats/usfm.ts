import { type Attributes, noAttributes } from '../markup/reader';
import { readAttribute } from '../markup/tokens';
import type { UsfmReader } from '../markup/usfm-reader';
import { markerKind } from '../markup/usfm-rules';

/** Matches a milestone, the end of a marker, its start with the space after it, text, or a lone backslash. */
const pattern = /\\([\w-]+)\s*(?:\|([^\\]*))?\\\*|\\(\+?[\w-]+)\*|\\(\+?[\w-]+)(?:[^\S\r\n]|\r?\n|\r|$)?|([^\\]+)|\\/g;
const start = /(?:^|[\r\n\uFEFF])[^\S\r\n]*\\id\s+[A-Za-z0-9]{3}\b/;

/** The maximum length of the attributes of a marker, because searching them takes quadratic time. */
const maxAttributesLength = 2_000;

/** Returns whether a text begins like a USFM file. Some files have a licence before `\id`. */
export const isUsfm = (head: string): boolean => start.test(head);

/**
 * Reads the text of a USFM file (version 1, 2 or 3). Calls `atLine` with the line number of each following part.
 * Returns the text after the code of the book, which is often the name of the translation.
 */
export function readUsfm(text: string, reader: UsfmReader, atLine: (line: number) => void): string {
  const begin = Math.max(text.search(start), 0);
  const matches = [...text.slice(begin).matchAll(pattern)];
  const closed = new Set(matches.flatMap(([, , , close]) => (close === undefined ? [] : [plain(close)])));
  let line = 1 + countLines(text.slice(0, begin));
  let title = '';
  /** The role of the first word of the next text if this word is not text, such as a verse number. */
  let expected = '';

  for (const [index, [whole, milestone, milestoneAttributes = '', close, opened, content]] of matches.entries()) {
    atLine(line);
    if (milestone !== undefined) reader.open(milestone, attributesOf(milestoneAttributes), 'milestone');
    else if (close !== undefined) reader.close(plain(close));
    else if (opened !== undefined) {
      expected = plain(opened);
      const isClosed = closed.has(expected);
      // A private paragraph (\z...) is a remark of another program.
      const marker = expected.startsWith('z') && !isClosed ? 'rem' : expected;
      if (!['id', 'c', 'v'].includes(expected))
        reader.open(marker, attributesAfter(matches, index), isClosed ? 'character' : 'paragraph');
    } else if (content !== undefined) {
      const [, word = '', rest = ''] = /^\s*(\S*)([^]*)$/.exec(content) ?? [];
      if (expected === 'id') {
        reader.book(word.slice(0, 3));
        title = rest.trim();
      } else if (expected === 'c') reader.chapter(word);
      else if (expected === 'v') reader.verse(word);
      else if (expected === 'h' || expected === 'toc2') reader.nameBook(content);
      // The caller of a note is "+", "-" or a letter.
      const isCaller = markerKind(expected) === 'note' && (word.length <= 2 || rest.trim() === '');
      const isText = !isCaller && !['id', 'c', 'v'].includes(expected);
      reader.text(plainText(isText ? withoutAttributes(content, matches[index + 1]) : rest));
      expected = '';
    } else reader.report('markup', 'a backslash stands without a marker');
    line += countLines(whole);
  }
  return title;
}

/** Removes the plus sign of a nested marker: "\+nd" is \nd inside another marker. */
const plain = (marker: string): string => marker.replace('+', '');
const countLines = (text: string): number => text.split(/\r\n|\r|\n/).length - 1;

/** Converts USFM's signs: `~` is a space without a line break, and `//` allows a line break. */
const plainText = (text: string): string => text.replaceAll('~', ' ').replace(/(?<!:)\/\//g, ' ');

/** Returns the text before `|`, if the text has attributes, which follow `|` before the end of a marker. */
function withoutAttributes(text: string, next: RegExpMatchArray | undefined): string {
  const bar = next?.[3] === undefined ? -1 : text.indexOf('|');
  return bar < 0 ? text : text.slice(0, bar);
}

/** Returns the attributes of a marker, which precede its end: \w In|strong="H7225"\w* */
function attributesAfter(matches: readonly RegExpMatchArray[], index: number): Attributes {
  const [content = '', end] = [matches[index + 1]?.[5], matches[index + 2]?.[3]];
  const bar = content.indexOf('|');
  return bar < 0 || end === undefined ? noAttributes : attributesOf(content.slice(bar + 1));
}

/**
 * Parses attributes. An attribute without a name, which is the most important attribute of its marker, has the name ''.
 */
function attributesOf(text: string): Attributes {
  if (text === '' || text.length > maxAttributesLength) return noAttributes;
  return (name) => (name !== '' ? readAttribute(text, name) : text.includes('=') ? '' : text.trim());
}
