import { books } from '@lectern/canon';
import type { MarkupRules } from '../markup/reader';
import { parseStrongs } from '../markup/tokens';
import { collectVerses, type ParsedFile, parseVerseNumbers } from './xml';

// Elements whose content is not part of a verse.
const unread = new Set(['caption', 'information', 'media', 'note', 'prolog', 'remark', 'xref']);
// Elements that start a new line.
const lines = new Set(['br', 'caption', 'chapter', 'div', 'prolog', 'vers', 'biblebook', 'remark']);

/**
 * Creates the rules of Zefania files. The attribute `str` may have Strong's numbers without a
 * letter ("7225"). These get the letter G in the New Testament and H in the Old. "G1722" stays as
 * it is.
 */
const rulesFor = (strongsLetter: () => string): MarkupRules => ({
  unread: (name) => unread.has(name),
  line: (name) => lines.has(name),
  strongs: (name, attribute) => {
    if (name !== 'gr' && name !== 'gram') return null;
    return parseStrongs(attribute('str').replace(/(^|[\s,;|])(?=\d)/g, `$1${strongsLetter()}`));
  },
  aside(name) {
    if (name === 'note' || name === 'xref')
      return { kind: 'note', noteKind: name === 'note' ? 'TRANSLATION' : 'CROSS_REFERENCE' };
    return name === 'caption' ? { kind: 'heading', headingKind: 'SECTION' } : null;
  },
  textBreak(name, attribute) {
    if (name !== 'br') return null;
    return { kind: attribute('art') === 'x-p' ? 'PARAGRAPH' : 'LINE', indent: 0 };
  },
});

/**
 * Parses a Zefania XML file. Element names match in any case, because many files do not follow the
 * schema.
 */
export async function parseZefania(file: string): Promise<ParsedFile> {
  const found = { name: '', abbrev: '', language: '', note: '' };
  let book = '';
  const rules = rulesFor(() => (books.find(({ code }) => code === book)?.testament === 'NT' ? 'G' : 'H'));
  const collected = await collectVerses(file, rules, (markup, verses) => {
    let chapter = 0;
    let field = '';
    let value = '';
    let inInformation = false;
    const readInformation = (name: string): void => {
      const text = value.replace(/\s+/g, ' ').trim();
      if (name === 'title') found.name = text || found.name;
      if (name === 'identifier') found.abbrev = text;
      if (name === 'language') found.language = text;
      if (name === 'rights') found.note = text;
    };
    return {
      open(element, attribute) {
        const name = element.toLowerCase();
        if (name === 'xmlbible') found.name ||= attribute('biblename').trim();
        if (inInformation) {
          field = name;
          value = '';
        }
        if (name === 'information') inInformation = true;
        if (name === 'biblebook' || name === 'chapter' || name === 'vers') verses.end();
        if (name === 'biblebook') {
          const number = Number(attribute('bnumber'));
          book = books[number - 1]?.code ?? `book ${attribute('bnumber')}`;
          verses.nameBook(book, attribute('bname'));
          chapter = 0;
        }
        if (name === 'chapter') chapter = Number(attribute('cnumber'));
        markup.open(name, attribute);
        const numbers = name === 'vers' ? parseVerseNumbers(attribute('vnumber')) : null;
        if (numbers) verses.begin(book, chapter, numbers);
      },
      close(element) {
        const name = element.toLowerCase();
        if (name === 'vers') verses.end();
        markup.close(name);
        if (name === 'information') inInformation = false;
        if (name === field) readInformation(name);
        if (name === field) field = '';
      },
      text(text) {
        if (field !== '') value += text;
        markup.text(text);
      },
    };
  });
  return { ...collected, found };
}
