import { osisRules } from '../markup/osis';
import type { Attributes } from '../markup/reader';
import { collectVerses, type ParsedFile, type VerseCollector } from './xml';

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
    // The open verse elements: true for a container, false for a milestone, which ends with its
    // eID.
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

/** Begins a verse at its start tag. Returns false if the tag ends a verse or has no valid id. */
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

// OSIS book identifiers (OSIS 2.1 manual, appendix C) and the USFM codes of the same books, both in
// canonical order.
const osis =
  'Gen Exod Lev Num Deut Josh Judg Ruth 1Sam 2Sam 1Kgs 2Kgs 1Chr 2Chr Ezra Neh Esth Job Ps Prov Eccl Song Isa Jer Lam Ezek Dan Hos Joel Amos Obad Jonah Mic Nah Hab Zeph Hag Zech Mal ' +
  'Matt Mark Luke John Acts Rom 1Cor 2Cor Gal Eph Phil Col 1Thess 2Thess 1Tim 2Tim Titus Phlm Heb Jas 1Pet 2Pet 1John 2John 3John Jude Rev';
const usfm =
  'GEN EXO LEV NUM DEU JOS JDG RUT 1SA 2SA 1KI 2KI 1CH 2CH EZR NEH EST JOB PSA PRO ECC SNG ISA JER LAM EZK DAN HOS JOL AMO OBA JON MIC NAM HAB ZEP HAG ZEC MAL ' +
  'MAT MRK LUK JHN ACT ROM 1CO 2CO GAL EPH PHP COL 1TH 2TH 1TI 2TI TIT PHM HEB JAS 1PE 2PE 1JN 2JN 3JN JUD REV';

const codes = usfm.split(' ');
const byOsis: ReadonlyMap<string, string> = new Map(osis.split(' ').map((name, index) => [name, codes[index] ?? '']));

/**
 * Translates an OSIS book identifier to its USFM code. Returns an identifier beyond the 66 books
 * unchanged.
 */
export const codeOfOsisBook = (name: string): string => byOsis.get(name) ?? name;

/**
 * Parses an osisID such as "Bible:Gen.1.2!a", where "!a" means a part of the verse, or returns
 * null.
 */
function parseOsisId(id: string): { book: string; chapter: number; verse: number; part: boolean } | null {
  const match = /^(?:[^:\s]*:)?([\w-]+)\.(\d{1,3})\.(\d{1,3})([a-z]?)(![\w.]+)?$/.exec(id);
  if (!match) return null;
  const [, book = '', chapter, verse, letter, part] = match;
  return {
    book: codeOfOsisBook(book),
    chapter: Number(chapter),
    verse: Number(verse),
    part: letter !== '' || part !== undefined,
  };
}
