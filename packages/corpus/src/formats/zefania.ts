import { type BookCode, books, chapterEnds, findBook, isBookCode, numberings } from '@lectern/canon';
import type { Attributes, MarkupRules } from '../markup/reader';
import { parseStrongs } from '../markup/tokens';
import type { GivenMetadata } from '../resolve-metadata';
import { strongsLetter } from './osis';
import type { ParsedFile } from './verse-collector';
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

/** The names that Beblia XML has for Zefania's elements. */
const bebliaNames: Readonly<Record<string, string>> = { bible: 'xmlbible', book: 'biblebook', verse: 'vers' };

/** Too many chapters (Psalms and 2 Chronicles may have one more), or an unknown name and too few, are another book. */
function isOtherBook(code: string, name: string, lastChapter: number): boolean {
  if (!isBookCode(code)) return false;
  const lengths = numberings.map((numbering) => chapterEnds(numbering, code).length);
  const isNamed = name.trim() === '' || findBook(name, 'eng', undefined, true)?.code === code;
  return lastChapter > Math.max(...lengths) + 1 || !(isNamed || lengths.includes(lastChapter));
}

/** Returns the first of these attributes that an element has, or ''. */
const firstOf = (attribute: Attributes, ...names: string[]): string =>
  names.map((name) => attribute(name).trim()).find((text) => text) ?? '';

/** Parses Zefania or Beblia XML, whose books have numbers. Ignores case of names, as many files ignore the schema. */
export async function parseZefania(file: string, given: GivenMetadata): Promise<ParsedFile> {
  let book = '';
  const rules = rulesFor(() => strongsLetter(book));
  return parseXml(file, [file], given, rules, (markup, verses, found) => {
    let open = { number: 0, name: '' };
    let chapter = 0;
    let lastChapter = 0;
    let inInformation = false;
    const nameOf = (element: string): string => {
      const name = element.toLowerCase();
      return bebliaNames[name] ?? name;
    };
    return {
      open(element, attribute) {
        const name = nameOf(element);
        if (name === 'xmlbible') {
          found.name ||= firstOf(attribute, 'biblename', 'translation', 'language', 'name', 'bible');
          found.note ||= firstOf(attribute, 'status', 'info', 'copyright', 'Copyright');
        }
        if (name === 'information') inInformation = true;
        if (name === 'biblebook' || name === 'chapter' || name === 'vers') verses.end();
        if (name === 'biblebook') {
          open = { number: Number(firstOf(attribute, 'bnumber', 'number')), name: attribute('bname') };
          book = codeOf(open.number, open.name);
          verses.nameBook(book, open.name);
          chapter = lastChapter = 0;
        }
        if (name === 'chapter') {
          chapter = Number(firstOf(attribute, 'cnumber', 'number'));
          lastChapter = Math.max(lastChapter, chapter);
        }
        markup.open(name, attribute);
        if (name === 'vers') verses.begin(book, chapter, firstOf(attribute, 'vnumber', 'number'));
      },
      close(element, ownText) {
        const name = nameOf(element);
        if (name === 'vers') verses.end();
        markup.close(name);
        if (name === 'biblebook') {
          verses.endBook();
          if (given.names === undefined && isOtherBook(book, open.name, lastChapter))
            verses.leaveOutBook(
              book,
              `is book ${open.number} '${open.name}', but its last chapter is ${lastChapter}, so it has the text of another book`,
            );
        }
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
