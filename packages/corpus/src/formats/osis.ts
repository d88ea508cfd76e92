import { osisRules } from '../markup/osis';
import type { Attributes } from '../markup/reader';
import { collectVerses, type ParsedFile, type VerseCollector } from './collect-verses';
import { codeOfOsisBook, parseOsisId } from './osis-books';

/**
 * Parses an OSIS file. Verses are containers (`<verse osisID="...">...</verse>`) or milestones
 * (`sID` ... `eID`). The title and the rights come from the first `<work>` of the header. The
 * abbreviation and the language come from `<osisText>`; without a language there, from `<work>`.
 */
export async function parseOsis(file: string): Promise<ParsedFile> {
  const found = { name: '', abbrev: '', language: '', note: '' };
  const collected = await collectVerses(file, osisRules, (markup, verses) => {
    let field = '';
    let value = '';
    let inHeader = false;
    let workCount = 0;
    let book = '';
    // The open verse elements: true for a container, which ends with its element, and false for a
    // milestone, which ends with its eID.
    const openContainers: boolean[] = [];
    const readHeader = (name: string): void => {
      const text = value.replace(/\s+/g, ' ').trim();
      if (name === 'title' && workCount === 1) found.name ||= text;
      if (name === 'language' && workCount === 1) found.language ||= text;
      if (name === 'rights' && workCount === 1) found.note ||= text;
    };
    return {
      open(name, attribute) {
        if (name === 'osisText') {
          found.language = attribute('xml:lang') || attribute('lang');
          found.abbrev = attribute('osisIDWork').replace(/^Bible\.(?:[a-z-]+\.)?/, '');
        }
        if (name === 'header') inHeader = true;
        if (name === 'work') workCount += 1;
        if (inHeader || name === 'title') {
          field = name;
          value = '';
        }
        if (name === 'div' && attribute('type') === 'book' && attribute('eID') === '') {
          verses.end();
          book = codeOfOsisBook(attribute('osisID'));
        }
        if (name === 'title') verses.nameBook(book, attribute('short'));
        if (name === 'verse' && (attribute('osisID') || attribute('sID') || attribute('eID')) !== '') verses.end();
        markup.open(name, attribute);
        if (name === 'verse') openContainers.push(beginVerse(verses, attribute) && attribute('sID') === '');
      },
      close(name) {
        if (name === 'verse' && openContainers.pop()) verses.end();
        markup.close(name);
        if (name === 'header') inHeader = false;
        if (inHeader && name === field) readHeader(name);
        if (name === field) field = '';
      },
      text(text) {
        if (field !== '') value += text;
        if (!inHeader) markup.text(text);
      },
    };
  });
  return { ...collected, found };
}

/**
 * Begins a verse at its start tag. Returns false if the tag has no valid osisID and no valid sID,
 * or if it ends a verse.
 */
function beginVerse(verses: VerseCollector, attribute: Attributes): boolean {
  const ids = (attribute('osisID') || attribute('sID')).split(/\s+/).flatMap((id) => parseOsisId(id) ?? []);
  const [first] = ids;
  if (!first || attribute('eID') !== '') return false;
  // Several ids ("Gen.1.2 Gen.1.3") mean one verse with several numbers. Ids of another chapter are
  // ignored.
  const last = ids
    .filter(({ book, chapter }) => book === first.book && chapter === first.chapter)
    .reduce((max, { verse }) => Math.max(max, verse), first.verse);
  verses.begin(first.book, first.chapter, { first: first.verse, last, part: first.part });
  return true;
}
