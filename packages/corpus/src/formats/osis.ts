import type { Attributes } from '../markup-reader';
import { osisRules } from '../osis-markup-rules';
import { collectVerses } from './collect-verses';
import { codeOfOsisBook, parseOsisId } from './osis-books';
import type { ParsedFile } from './parsed-file';
import type { VerseCollector } from './verse-collector';

/** OSIS: verses as containers (<verse osisID>...</verse>) or as milestones (sID ... eID); the header's first work names the text. */
export async function parseOsis(file: string): Promise<ParsedFile> {
  const found = { name: '', abbrev: '', language: '', note: '' };
  const collected = await collectVerses(file, osisRules, (markup, verses) => {
    let field = '';
    let value = '';
    let inHeader = false;
    let works = 0;
    let book = '';
    // Container verses end with their element, milestones with their eID.
    const open: boolean[] = [];
    const readHeader = (name: string): void => {
      const text = value.replace(/\s+/g, ' ').trim();
      if (name === 'title' && works === 1) found.name ||= text;
      if (name === 'language' && works === 1) found.language ||= text;
      if (name === 'rights' && works === 1) found.note ||= text;
    };
    return {
      open(name, attribute) {
        if (name === 'osisText') {
          found.language = attribute('xml:lang') || attribute('lang');
          found.abbrev = attribute('osisIDWork').replace(/^Bible\.(?:[a-z-]+\.)?/, '');
        }
        if (name === 'header') inHeader = true;
        if (name === 'work') works += 1;
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
        if (name === 'verse') open.push(beginVerse(verses, attribute) && attribute('sID') === '');
      },
      close(name) {
        if (name === 'verse' && open.pop()) verses.end();
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

function beginVerse(verses: VerseCollector, attribute: Attributes): boolean {
  const ids = (attribute('osisID') || attribute('sID')).split(/\s+/).flatMap((id) => parseOsisId(id) ?? []);
  const [first] = ids;
  if (!first || attribute('eID') !== '') return false;
  // Several ids are one verse with several numbers; those of another chapter cannot be counted on.
  const last = ids
    .filter(({ book, chapter }) => book === first.book && chapter === first.chapter)
    .reduce((most, { verse }) => Math.max(most, verse), first.verse);
  verses.begin(first.book, first.chapter, { first: first.verse, last, part: first.part });
  return true;
}
