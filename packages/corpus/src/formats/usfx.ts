import type { HeadingKind, TextMarkKind } from '@lectern/verse-layout';
import { indentOf } from '../markup/osis-rules';
import type { Attributes, MarkupRules } from '../markup/reader';
import { parseStrongs } from '../markup/tokens';
import { type ParsedFile, parseVerseNumbers } from './verses';
import { parseXml } from './xml';

// Elements whose content is not part of a verse, from https://ebible.org/usfx/
const unread = new Set(
  'ca cl cp d f fe fig generated h id ide iex languageCode mr ms r rem rq s sd sp sr toc va vp x xt'.split(' '),
);
// USFM styles of paragraphs that are not part of a verse, such as mt (title) and s (section).
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

const styleOf = (attribute: Attributes): string => attribute('sfm') || attribute('style');

const rules: MarkupRules = {
  unread: (name, attribute) => unread.has(name) || (name === 'p' && unreadStyle.test(styleOf(attribute))),
  line: new Set(
    'b book c cl cp d li mr ms optionalLineBreak p q qa qs r s sd sp sr table tc tcr th thr tr v ve'.split(' '),
  ),
  quote: new Set(['wj']),
  addition: new Set(['add']),
  divineName: new Set(['nd']),
  strongs: (name, attribute) => (name === 'w' || name === 'wg' || name === 'wh' ? parseStrongs(attribute('s')) : null),
  aside(name, attribute) {
    if (name === 'f' || name === 'fe') return 'TRANSLATION';
    if (name === 'x') return 'CROSS_REFERENCE';
    return headingKinds[name === 'p' ? styleOf(attribute) : name] ?? null;
  },
  noteOrigin: (name) => name === 'fr' || name === 'xo',
  textMark: (name) => textMarks[name] ?? null,
  textBreak(name, attribute) {
    if (name === 'b') return { kind: 'STANZA', indent: 0 };
    if (name === 'q' || name === 'li') return { kind: 'LINE', indent: indentOf(attribute('level')) };
    return name === 'p' ? { kind: 'PARAGRAPH', indent: 0 } : null;
  },
};

/** Parses USFX, eBible.org's XML form of USFM. The end of a verse, `<ve/>`, is optional. */
export const parseUsfx = (file: string): Promise<ParsedFile> =>
  parseXml(file, rules, (markup, verses, found) => {
    let book = '';
    let chapter = 0;
    return {
      open(name, attribute) {
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
      close(name, ownText) {
        markup.close(name);
        if (name === 'book') verses.end();
        if (name === 'h') verses.nameBook(book, ownText);
        if (name === 'languageCode') found.language ||= ownText.trim();
      },
      text: markup.text,
    };
  });
