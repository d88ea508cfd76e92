import type { MarkupRules } from '../markup-reader';
import { parseStrongs } from '../strongs-tags';
import { collectVerses, type ParsedFile, parseVerseNumbers } from './collect-verses';

// Elements whose content is not part of a verse, from https://ebible.org/usfx/
const unread = new Set([
  'ca',
  'cl',
  'cp',
  'd',
  'f',
  'fe',
  'fig',
  'generated',
  'h',
  'id',
  'ide',
  'iex',
  'languageCode',
  'mr',
  'ms',
  'r',
  'rem',
  'rq',
  's',
  'sd',
  'sp',
  'sr',
  'toc',
  'va',
  'vp',
  'x',
  'xt',
]);
// Elements that start a new line.
const lines = new Set([
  'b',
  'book',
  'c',
  'cl',
  'cp',
  'd',
  'li',
  'mr',
  'ms',
  'optionalLineBreak',
  'p',
  'q',
  'qa',
  'qs',
  'r',
  's',
  'sd',
  'sp',
  'sr',
  'table',
  'tc',
  'tcr',
  'th',
  'thr',
  'tr',
  'v',
  've',
]);
// USFM styles that make a paragraph a heading: mt main title, s section, d Psalm title, sp speaker, i... introduction.
const headingStyle = /^(?:mte?\d?|s\d?|ms\d?|mr|r|sr|d|sp|cl|cd|qa|i[a-z]+\d?|rem|toc\d?|h\d?)$/;

const rules: MarkupRules = {
  unread: (name, attribute) =>
    unread.has(name) || (name === 'p' && headingStyle.test(attribute('sfm') || attribute('style'))),
  line: (name) => lines.has(name),
  quote: new Set(['wj']),
  addition: new Set(['add']),
  divineName: new Set(['nd']),
  strongs: (name, attribute) => (name === 'w' || name === 'wg' || name === 'wh' ? parseStrongs(attribute('s')) : null),
};

/**
 * Parses a USFX file, the XML form of USFM that eBible.org and the open-bibles collection use.
 * A verse ends at `<ve/>`, or where the next verse, chapter or book begins.
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
