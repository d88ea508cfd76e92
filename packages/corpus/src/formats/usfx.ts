import type { Attributes, MarkupRules } from '../markup/reader';
import { usfmRules } from '../markup/usfm-rules';
import type { GivenMetadata } from '../resolve-metadata';
import type { ParsedFile } from './verse-collector';
import { parseXml } from './xml';

// The elements without text of verses that USFX adds to those of USFM, from https://ebible.org/usfx/
const unread = new Set(['generated', 'languageCode']);
const lines = new Set(['book', 'optionalLineBreak', 'table', 've']);
const rules: MarkupRules = {
  ...usfmRules,
  unread: (marker, attribute) => unread.has(marker) || usfmRules.unread(marker, attribute),
  line: { has: (marker) => lines.has(marker) || usfmRules.line.has(marker) },
};

/** Returns the USFM marker that an element stands for. For example, <q level="2"> is q2. */
function markerOf(name: string, attribute: Attributes): string {
  if (name === 'p') return attribute('sfm') || attribute('style') || name;
  const level = Number.parseInt(attribute('level'), 10);
  return (name === 'q' || name === 'li') && level >= 1 && level <= 9 ? `${name}${level}` : name;
}

/** Parses USFX, eBible.org's XML form of USFM. The end of a verse, `<ve/>`, is optional. */
export const parseUsfx = (file: string, given: GivenMetadata): Promise<ParsedFile> =>
  parseXml(file, [file], given, rules, (markup, verses, found) => {
    let book = '';
    let chapter = 0;
    const open: string[] = [];
    return {
      open(name, attribute) {
        if (name === 'book' || name === 'c' || name === 'v' || name === 've') verses.end();
        if (name === 'book') {
          book = attribute('id').toUpperCase();
          chapter = 0;
          verses.beginBook(book);
        }
        if (name === 'c') {
          verses.endChapter();
          chapter = Number(attribute('id'));
        }
        const marker = markerOf(name, attribute);
        open.push(marker);
        markup.open(marker, attribute);
        if (name === 'v' && book !== '') verses.begin(book, chapter, attribute('id'));
      },
      close(name, ownText) {
        markup.close(open.pop() ?? name);
        if (name === 'book') verses.end();
        if (name === 'h') verses.nameBook(book, ownText);
        if (name === 'languageCode') found.language ||= ownText.trim();
      },
      text: markup.text,
    };
  });
