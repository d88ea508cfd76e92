import { type BookCode, books, findBook } from '@lectern/canon';
import type { MarkupRules } from '../markup/reader';
import { parseStrongs } from '../markup/tokens';
import { type ParsedFile, parseVerseNumbers } from './verse-collector';
import { parseXml } from './xml';

const unread = new Set(['caption', 'information', 'media', 'note', 'prolog', 'remark', 'xref']);

/**
 * The numbers of deuterocanonical books, as files of the Zefania project have them: we found no documentation that
 * lists them. The additions to Daniel and Esther are left out, because sources disagree on their numbers.
 */
const deuterocanonicalNumbers: ReadonlyMap<number, BookCode> = new Map([
  [67, 'JDT'],
  [68, 'WIS'],
  [69, 'TOB'],
  [70, 'SIR'],
  [71, 'BAR'],
  [72, '1MA'],
  [73, '2MA'],
  [77, '3MA'],
  [78, '4MA'],
  [80, '1ES'],
  [87, 'SUS'],
  [89, 'PS2'],
  [91, 'BEL'],
]);

/** Returns the code of a book. From 67 on, a name that is understood counts before the number. */
function codeOf(number: number, name: string): string {
  const known = books[number - 1]?.code;
  if (known) return known;
  const named = findBook(name, 'eng', undefined, true);
  const code = named?.testament === 'DC' ? named.code : deuterocanonicalNumbers.get(number);
  return code ?? `book ${number}`;
}

/** The rules of Zefania. A Strong's number without a letter gets H in the Old Testament, G in the New Testament. */
const rulesFor = (strongsLetter: () => string): MarkupRules => ({
  unread: (name) => unread.has(name),
  line: new Set(['br', 'caption', 'chapter', 'div', 'prolog', 'vers', 'biblebook', 'remark']),
  strongs: (name, attribute) => {
    if (name !== 'gr' && name !== 'gram') return null;
    return parseStrongs(attribute('str').replace(/(^|[\s,;|])(?=\d)/g, `$1${strongsLetter()}`));
  },
  aside(name) {
    if (name === 'note') return 'TRANSLATION';
    if (name === 'xref') return 'CROSS_REFERENCE';
    return name === 'caption' ? 'SECTION' : null;
  },
  textBreak(name, attribute) {
    if (name !== 'br') return null;
    return { kind: attribute('art') === 'x-p' ? 'PARAGRAPH' : 'LINE', indent: 0 };
  },
});

/** Parses a Zefania file. Ignores the case of element names, because many files do not follow the schema. */
export async function parseZefania(file: string): Promise<ParsedFile> {
  let book = '';
  const rules = rulesFor(() => (books.find(({ code }) => code === book)?.testament === 'NT' ? 'G' : 'H'));
  return parseXml(file, rules, (markup, verses, found) => {
    let chapter = 0;
    let inInformation = false;
    return {
      open(element, attribute) {
        const name = element.toLowerCase();
        if (name === 'xmlbible') found.name ||= attribute('biblename').trim();
        if (name === 'information') inInformation = true;
        if (name === 'biblebook' || name === 'chapter' || name === 'vers') verses.end();
        if (name === 'biblebook') {
          book = codeOf(Number(attribute('bnumber')), attribute('bname'));
          verses.nameBook(book, attribute('bname'));
          chapter = 0;
        }
        if (name === 'chapter') chapter = Number(attribute('cnumber'));
        markup.open(name, attribute);
        const numbers = name === 'vers' ? parseVerseNumbers(attribute('vnumber')) : null;
        if (numbers) verses.begin(book, chapter, numbers);
      },
      close(element, ownText) {
        const name = element.toLowerCase();
        if (name === 'vers') verses.end();
        markup.close(name);
        if (name === 'information') inInformation = false;
        if (!inInformation) return;
        const text = ownText.trim();
        if (name === 'title') found.name = text || found.name;
        if (name === 'identifier') found.abbrev = text;
        if (name === 'language') found.language = text;
        if (name === 'rights') found.note = text;
      },
      text: markup.text,
    };
  });
}
