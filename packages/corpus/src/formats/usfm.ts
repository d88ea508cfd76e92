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

/**
 * Reads the text of a USFM file (version 1, 2 or 3). Calls `atLine` with the line number of each part before it reads
 * the part. Returns the text after the code of the book, which is often the name of the translation.
 */
export function readUsfm(text: string, reader: UsfmReader, atLine: (line: number) => void): string {
  const begin = Math.max(text.search(start), 0);
  const matches = [...text.slice(begin).matchAll(pattern)];
  const closed = new Set(matches.flatMap(([, , , close]) => (close === undefined ? [] : [plain(close)])));
  let line = 1 + countLines(text.slice(0, begin));
  let title = '';
  /** The marker that gives the next word another role, such as `v` for a verse number. Otherwise ''. */
  let expected = '';

  for (const [index, [whole, milestone, milestoneAttributes = '', close, opened, content]] of matches.entries()) {
    atLine(line);
    if (milestone !== undefined) reader.open(milestone, attributesOf(milestoneAttributes), 'milestone');
    else if (close !== undefined) reader.close(plain(close));
    else if (opened !== undefined) {
      expected = plain(opened);
      const isClosed = closed.has(expected);
      // Private paragraphs (\z...) are handled like remarks (\rem), because only other programs understand them.
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
      // A note begins with its caller: "+", "-" or a letter.
      const isCaller = markerKind(expected) === 'note' && (word.length <= 2 || rest.trim() === '');
      const isText = !isCaller && !['id', 'c', 'v'].includes(expected);
      reader.text(
        plainText(
          isText ? withoutAttributes(content, expected === 'periph' || matches[index + 1]?.[3] !== undefined) : rest,
        ),
      );
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
