import { type Book, bookByCode, books, deuterocanonicalBooks, isBookCode } from '@lectern/canon';
import { osisRules } from '../markup/osis-rules';
import type { Attributes, MarkupRules } from '../markup/reader';
import { parseStrongs } from '../markup/tokens';
import type { GivenMetadata } from '../resolve-metadata';
import type { ParsedFile, VerseCollector } from './verse-collector';
import { type NamedBytes, parseXml } from './xml';

/** Returns the letter of Strong's numbers in a book, for sources that leave the letter out. */
export const strongsLetter = (book: string): string =>
  isBookCode(book) && bookByCode(book).testament === 'NT' ? 'G' : 'H';

/**
 * Parses OSIS, a file or one for each book, with verses as containers or milestones (`sID` ... `eID`). Title and rights
 * are from the first `<work>`, the abbreviation and the language from `<osisText>`, or else the language from `<work>`.
 * In the Open Scriptures Hebrew Bible, slashes separate morphemes, and Strong's numbers have no letter ("b/7225", "1254
 * a"). A note has the qere of the word before it.
 */
export function parseOsis(
  file: string,
  given: GivenMetadata,
  sources: readonly (string | NamedBytes)[] = [file],
): Promise<ParsedFile> {
  let book = '';
  let isInChapter = false;
  const rules: MarkupRules = {
    ...osisRules,
    strongs(name, attribute) {
      const found = osisRules.strongs(name, attribute);
      const [number] = /^\d{1,4}/.exec(attribute('lemma').split('/').at(-1) ?? '') ?? [];
      return found?.length === 0 && number ? parseStrongs(strongsLetter(book) + number) : found;
    },
    // The title of a book is not a heading, but a title between verses is.
    aside: (name, attribute) =>
      name === 'title' && attribute('type') === 'main' && isInChapter ? 'SECTION' : osisRules.aside(name, attribute),
  };
  return parseXml(file, sources, given, rules, (markup, verses, found) => {
    let inHeader = false;
    let workCount = 0;
    let noteType = '';
    /** What the open elements contain. A milestone contains nothing, because it ends with its eID. */
    const contents: ('book' | 'verse' | 'morphemes' | 'variant' | null)[] = [];
    return {
      open(name, attribute) {
        const isEnd = attribute('eID') !== '';
        const isContainer = attribute('sID') === '' && !isEnd;
        let content: (typeof contents)[number] = null;
        if (name === 'osisText') {
          found.language = attribute('xml:lang') || attribute('lang');
          found.abbrev = attribute('osisIDWork').replace(/^Bible\.(?:[a-z-]+\.)?/, '');
        }
        if (name === 'header') inHeader = true;
        if (name === 'work') workCount += 1;
        if (name === 'div' && attribute('type') === 'book') {
          if (isEnd) verses.endBook();
          else verses.end();
          if (!isEnd) book = codeOfAnyOsisBook(attribute('osisID'));
          if (isContainer) content = 'book';
          isInChapter = false;
        }
        if (name === 'chapter') isInChapter = false;
        if (name === 'note') noteType = attribute('type');
        if (name === 'catchWord' && noteType === 'variant') content = 'variant';
        if (name === 'rdg' && attribute('type') === 'x-qere') markup.text(' Qere: ');
        if (name === 'w' && (attribute('morph') + attribute('lemma')).includes('/')) content = 'morphemes';
        if (name === 'title') verses.nameBook(book, attribute('short'));
        if (name === 'verse' && (attribute('osisID') || attribute('sID') || attribute('eID')) !== '') verses.end();
        markup.open(name, attribute);
        if (name === 'verse' && beginVerse(verses, attribute)) {
          isInChapter = true;
          if (isContainer) content = 'verse';
        }
        contents.push(content);
      },
      close(name, ownText) {
        const content = contents.pop();
        if (content === 'verse') verses.end();
        markup.close(name);
        if (content === 'book') verses.endBook();
        if (name === 'header') inHeader = false;
        if (!inHeader || workCount !== 1) return;
        if (name === 'title') found.name ||= ownText.trim();
        if (name === 'language') found.language ||= ownText.trim();
        if (name === 'rights') found.note ||= ownText.trim();
      },
      text(text) {
        const content = contents.at(-1);
        // The word of the text for which the margin has another reading stands before the note.
        if (!inHeader && content !== 'variant') markup.text(content === 'morphemes' ? text.replaceAll('/', '') : text);
      },
    };
  });
}

/** Begins a verse at its start tag. Returns false if the tag ends a verse or has no valid id. */
function beginVerse(verses: VerseCollector, attribute: Attributes): boolean {
  // A range ("Gen.1.4-Gen.1.5") has the numbers from its first to its last id.
  const ids = (attribute('osisID') || attribute('sID'))
    .split(/\s+|-(?=[\w:.]+\.\d)/)
    .flatMap((id) => parseOsisId(id) ?? []);
  const [first] = ids;
  if (!first || attribute('eID') !== '') return false;
  const { book, chapter, verse, part } = first;
  // A verse with several ids ("Gen.1.2 Gen.1.3") has several numbers.
  const numbers = ids.filter((id) => id.book === book && id.chapter === chapter).map((id) => id.verse);
  verses.begin(book, chapter, verse === 0 ? '0' : { first: verse, last: Math.max(...numbers), part });
  return true;
}

/** Parses an osisID such as "Bible:Gen.1.2!a", where "!a" means a part of the verse. */
function parseOsisId(id: string) {
  const match = /^(?:[^:\s]*:)?(\w+)\.(\d{1,3})\.(\d{1,3})([a-z]?)(![\w.]+)?$/.exec(id);
  if (!match) return null;
  const [, book = '', chapter, verse, letter, part] = match;
  return {
    book: codeOfAnyOsisBook(book),
    chapter: Number(chapter),
    verse: Number(verse),
    part: `${letter}${part ?? ''}`,
  };
}

// OSIS book identifiers in canonical order (OSIS 2.1 manual, appendix C).
const osisNames =
  'Gen Exod Lev Num Deut Josh Judg Ruth 1Sam 2Sam 1Kgs 2Kgs 1Chr 2Chr Ezra Neh Esth Job Ps Prov Eccl Song ' +
  'Isa Jer Lam Ezek Dan Hos Joel Amos Obad Jonah Mic Nah Hab Zeph Hag Zech Mal ' +
  'Matt Mark Luke John Acts Rom 1Cor 2Cor Gal Eph Phil Col 1Thess 2Thess 1Tim 2Tim Titus Phlm Heb Jas ' +
  '1Pet 2Pet 1John 2John 3John Jude Rev';
// The identifiers of the deuterocanonical books, in the order of `deuterocanonicalBooks`.
const deuterocanonicalNames =
  'Tob Jdt EsthGr Wis Sir Bar EpJer DanGr PrAzar Sus Bel 1Macc 2Macc 3Macc 4Macc 1Esd 2Esd PrMan AddPs';
const codesOf = (names: string, list: readonly Book[]) =>
  names.split(' ').map((name, index) => [name, list[index]?.code ?? ''] as const);
const codesByName = new Map<string, string>(codesOf(osisNames, books));
const deuterocanonicalCodes = new Map<string, string>([
  ...codesOf(deuterocanonicalNames, deuterocanonicalBooks),
  ['AddEsth', 'ESG'],
  ['SgThree', 'S3Y'],
]);

/** Translates an OSIS identifier of one of the 66 books to its USFM code. Returns other identifiers unchanged. */
export const codeOfOsisBook = (name: string): string => codesByName.get(name) ?? name;

/** Translates like `codeOfOsisBook`, and also the identifiers of deuterocanonical books. */
export const codeOfAnyOsisBook = (name: string): string => deuterocanonicalCodes.get(name) ?? codeOfOsisBook(name);
