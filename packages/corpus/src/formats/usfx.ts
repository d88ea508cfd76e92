import type { HeadingKind, TextMarkKind } from '@lectern/verse-layout';
import { indentOf } from '../markup/osis';
import type { MarkupRules } from '../markup/reader';
import { parseStrongs } from '../markup/tokens';
import { collectVerses, type ParsedFile, parseVerseNumbers } from './xml';

// Elements whose content is not part of a verse, from https://ebible.org/usfx/
const unread = new Set(
  'ca cl cp d f fe fig generated h id ide iex languageCode mr ms r rem rq s sd sp sr toc va vp x xt'.split(' '),
);
// Elements that start a new line.
const lines = new Set(
  'b book c cl cp d li mr ms optionalLineBreak p q qa qs r s sd sp sr table tc tcr th thr tr v ve'.split(' '),
);
// USFM styles of paragraphs that are not part of a verse, such as mt (title), s (section) and i...
// (introduction).
const unreadStyle = /^(?:mte?\d?|s\d?|ms\d?|mr|r|sr|d|sp|cl|cd|qa|i[a-z]+\d?|rem|toc\d?|h\d?)$/;

// USFM styles, and USFX elements of the same name, that hold a heading.
const headingKinds: Readonly<Record<string, HeadingKind>> = {
  d: 'PSALM_TITLE',
  qa: 'ACROSTIC',
  s: 'SECTION',
  s1: 'SECTION',
  s2: 'SECTION',
  s3: 'SECTION',
  sp: 'SECTION',
};
const textMarks: Readonly<Record<string, TextMarkKind>> = {
  add: 'ADDED_WORDS',
  nd: 'DIVINE_NAME',
  wj: 'WORDS_OF_JESUS',
};
// The elements of a note that repeat the place of the note, such as "3:16".
const noteOrigins = new Set(['fr', 'xo']);

const rules: MarkupRules = {
  unread: (name, attribute) =>
    unread.has(name) || (name === 'p' && unreadStyle.test(attribute('sfm') || attribute('style'))),
  line: (name) => lines.has(name),
  quote: new Set(['wj']),
  addition: new Set(['add']),
  divineName: new Set(['nd']),
  strongs: (name, attribute) => (name === 'w' || name === 'wg' || name === 'wh' ? parseStrongs(attribute('s')) : null),
  aside(name, attribute) {
    if (name === 'f' || name === 'fe') return { kind: 'note', noteKind: 'TRANSLATION' };
    if (name === 'x') return { kind: 'note', noteKind: 'CROSS_REFERENCE' };
    const headingKind = headingKinds[name === 'p' ? attribute('sfm') || attribute('style') : name];
    return headingKind ? { kind: 'heading', headingKind } : null;
  },
  noteOrigin: (name) => noteOrigins.has(name),
  textMark: (name) => textMarks[name] ?? null,
  textBreak(name, attribute) {
    if (name === 'b') return { kind: 'STANZA', indent: 0 };
    if (name === 'q' || name === 'li') return { kind: 'LINE', indent: indentOf(attribute('level')) };
    return name === 'p' ? { kind: 'PARAGRAPH', indent: 0 } : null;
  },
};

/**
 * Parses a USFX file, the XML form of USFM that eBible.org uses. A verse ends at `<ve/>`, or where
 * the next verse, chapter or book begins.
 */
export async function parseUsfx(file: string): Promise<ParsedFile> {
  let language = '';
  const collected = await collectVerses(file, rules, (markup, verses) => {
    let book = '';
    let chapter = 0;
    let field = '';
    let value = '';
    return {
      open(name, attribute) {
        if (name === 'languageCode' || name === 'h') {
          field = name;
          value = '';
        }
        if (name === 'book' || name === 'c' || name === 'v' || name === 've') verses.end();
        if (name === 'book') {
          book = attribute('id').toUpperCase();
          chapter = 0;
        }
        if (name === 'c') chapter = Number(attribute('id'));
        markup.open(name, attribute);
        const numbers = name === 'v' ? parseVerseNumbers(attribute('id')) : null;
        if (numbers && book !== '') verses.begin(book, chapter, numbers);
      },
      close(name) {
        markup.close(name);
        if (name === 'book') verses.end();
        if (name !== field) return;
        if (name === 'h') verses.nameBook(book, value);
        else language ||= value.trim();
        field = '';
      },
      text(text) {
        if (field !== '') value += text;
        markup.text(text);
      },
    };
  });
  return { ...collected, found: { name: '', abbrev: '', language, note: '' } };
}
