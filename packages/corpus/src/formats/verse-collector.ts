import { type BookCode, formatPlace, isBookCode, type Place, placeOf, verseOrdinal } from '@lectern/canon';
import type { HeadingKind } from '@lectern/verse-layout';
import type { MarkupReader } from '../markup/reader';
import { addAtEnd, joinVerses } from '../markup/verse-builder';
import { type FoundMetadata, type GivenMetadata, oneLine } from '../resolve-metadata';
import {
  type DraftDocument,
  type DraftVerse,
  describePosition,
  type Finding,
  type FindingKind,
  importError,
  omissionRemarks,
  type Position,
  type VerseText,
} from '../translation';

export interface ParsedFile {
  /** The collected verses, in canonical order. */
  verses: DraftVerse[];
  /** Absent if the format has none. */
  documents?: DraftDocument[];
  bookNames: ReadonlyMap<BookCode, string>;
  remarks: string[];
  found: FoundMetadata;
  findings: Finding[];
  positions: ReadonlyMap<number, Position>;
}

interface VerseNumbers {
  first: number;
  last: number;
  /** The letters of a number that stands for a part of a verse, such as "3a". The parts "3a" and "3b" are joined. */
  part: string;
}

/** Parses "3", "1-2", "3a". Returns null if the text is not a verse number. */
export function parseVerseNumbers(text: string): VerseNumbers | null {
  // Right-to-left texts have marks of direction around the hyphen.
  const plain = text.replace(/[\u200E\u200F]/g, '').replace('\u2011', '-');
  const match = /^\s*(\d{1,3})([a-z]?)(?:\s*[-–—,]\s*(\d{1,3})([a-z]?))?\s*$/i.exec(plain);
  if (!match) return null;
  const [, start, letter, end = start, lastLetter] = match;
  const first = Number(start);
  const last = Number(end);
  return first < 1 || last < first ? null : { first, last, part: `${letter}${lastLetter ?? ''}` };
}

const maxVerseLength = 20_000;
/** The maximum number of findings that are kept. A file that is not a Bible could have millions. */
const maxFindings = 100_000;
/**
 * Collects verses, in any order of the file. Of a verse with several numbers ("1-2"), only the first has text. If a
 * number occurs twice, the first text counts, but parts ("3a", "3b", then "3") are joined. Books outside the 66 are
 * counted and left out. `position` is the place in the file. With `reportsOutside`, text that stands in no verse is a
 * finding. Throws an ImportError for a verse that cannot be stored, without `keepGoing`.
 */
export function createVerseCollector(
  markup: MarkupReader,
  position: () => Position,
  { keepGoing = false }: GivenMetadata = {},
  reportsOutside = false,
) {
  const verses = new Map<number, DraftVerse>();
  const bookNames = new Map<BookCode, string>();
  const leftOut = new Set<string>();
  /** The codes of books outside the 66 books of the Bible, such as a glossary. */
  const documents = new Set<string>();
  let skippedCount = 0;
  let emptyNumberCount = 0;
  let repeatedCount = 0;
  /** The current verse. `place` is null in books outside the canon of 66. */
  let current: { place: Place | null; part: string; last: number; at: Position } | null = null;
  const findings: Finding[] = [];
  const positions = new Map<number, Position>();
  /** The parts of verses so far. Verse 1 itself may follow 1a and 1b, as in Greek Esther. */
  const partsOf = new Map<number, string[]>();
  /** The verse that was stored last. Notes on a verse without text are added to it. */
  let stored: DraftVerse | undefined;
  let lastBegun = 0;
  /** The verse of the last finding, if it has no text: consecutive ones are one finding. */
  let lastEmpty = 0;
  /** Whether it is reported that the text which follows is no part of a verse. */
  let isReported = false;
  /** The book and the chapter of the last verse, such as "GEN 1". */
  let chapterBegun = '';

  const report = (kind: FindingKind, place: string | null, message: string, at = position()): void => {
    lastEmpty = 0;
    if (findings.length < maxFindings) findings.push({ kind, place, message, file: at.file, line: at.line });
  };
  /** Leaves out a verse that cannot be stored. Throws an ImportError without `keepGoing`. */
  const leaveOut = (place: string, why: string): void => {
    const message = `${place} ${why}`;
    if (keepGoing) return report('left-out-verse', place, message, current?.at);
    throw importError(`${describePosition(position())}: ${message}; correct it, or leave it out with --keep-going`);
  };
  /** Ends a chapter: the title of a psalm after its last verse stays with this verse. */
  const endChapter = (kind: HeadingKind | null = 'PSALM_TITLE'): void => {
    end();
    addAtEnd(stored, { headings: markup.takeHeadings(kind) });
  };
  /** Ends a book: headings after its last verse stay with this verse, and no more text is added to the verse. */
  const endBook = (): void => {
    endChapter(null);
    reportOutside(chapterBegun);
    endMilestones();
    stored = undefined;
    lastBegun = 0;
  };
  const reportOutside = (place: string): void => {
    const outside = markup.takeOutside();
    if (reportsOutside && !isReported && outside !== '' && place !== '')
      report('outside-verse', place, `'${outside}' stands in no verse`);
    isReported = false;
  };
  const endMilestones = (): void => {
    if (markup.endMilestones())
      report('markup', chapterBegun, 'words of Jesus that begin in the chapter have no end, and end with the chapter');
  };
  const store = (place: Place, { part, last }: { part: string; last: number }, verse: VerseText): void => {
    if (verse.text.length > maxVerseLength)
      return leaveOut(formatPlace(place), `is longer than ${maxVerseLength} characters, so this is not a verse`);
    if (keepGoing && verse.text.includes('\uFFFD'))
      return leaveOut(formatPlace(place), 'holds characters that cannot be read');
    const ordinal = verseOrdinal(place);
    const previous = verses.get(ordinal);
    const parts = partsOf.get(ordinal) ?? [];
    partsOf.set(ordinal, [...parts, part]);
    if (previous && ((part === '' && !parts[0]) || parts.includes(part))) {
      repeatedCount += 1;
      const first = positions.get(ordinal) ?? position();
      return report('doubled-verse', formatPlace(place), `it stands in ${describePosition(first)} too`, current?.at);
    }
    stored = { ordinal, ...(previous ? joinVerses(previous, verse) : verse), ...(last > place.verse && { last }) };
    verses.set(ordinal, stored);
  };
  const end = (): void => {
    if (!current) return;
    const verse = markup.finish();
    if (current.place === null) skippedCount += verse.text === '' ? 0 : 1;
    else if (verse.text !== '') store(current.place, current, verse);
    else {
      addAtEnd(stored, { notes: verse.layout.notes });
      const ordinal = verseOrdinal(current.place);
      const before = findings.at(-1);
      if (before?.place && ordinal === lastEmpty + 1) before.place = `${before.place.split('-')[0]}-${current.last}`;
      else report('empty-verse', formatPlace(current.place), 'it has no text', current.at);
      lastEmpty = ordinal + current.last - current.place.verse;
    }
    current = null;
  };

  return {
    /** Ends the previous verse and begins one, with the number as written or parsed. `book` may be outside the 66. */
    begin(book: string, chapter: number, number: string | VerseNumbers): void {
      end();
      reportOutside(`${book} ${chapter}`);
      const numbers = typeof number === 'string' ? parseVerseNumbers(number) : number;
      isReported = !numbers;
      if (!numbers)
        return report(
          'outside-verse',
          `${book} ${chapter}`,
          `'${String(number).slice(0, 20)}' is no number of a verse`,
        );
      const { first, last, part } = numbers;
      if (chapterBegun !== `${book} ${chapter}`) endMilestones();
      chapterBegun = `${book} ${chapter}`;
      markup.start();
      if (!isBookCode(book)) {
        leftOut.add(book);
        current = { place: null, part: '', last, at: position() };
        return;
      }
      if (!Number.isInteger(chapter) || chapter < 1 || chapter > 999)
        return leaveOut(book, `has the verse ${first} in no chapter`);
      emptyNumberCount += last - first;
      const place = { book, chapter, verse: first };
      const ordinal = verseOrdinal(place);
      current = { place, part, last, at: position() };
      if (ordinal < lastBegun && !positions.has(ordinal))
        report('order', formatPlace(place), 'it follows a later verse');
      lastBegun = ordinal;
      for (let verse = first; verse <= last; verse += 1) {
        const each = verseOrdinal({ book, chapter, verse });
        if (!positions.has(each)) positions.set(each, current.at);
      }
    },
    end,
    /** Leaves out the verses of a book that is another one than it says. Throws an ImportError without `keepGoing`. */
    leaveOutBook(book: string, why: string): void {
      leaveOut(book, why);
      for (const ordinal of verses.keys()) if (placeOf(ordinal).book === book) verses.delete(ordinal);
    },
    endChapter: (): void => endChapter(),
    endBook,
    /** Ends the current book, and begins the book `next`. */
    beginBook(next = ''): void {
      endBook();
      markup.reset();
      if (next !== '' && !isBookCode(next)) documents.add(next);
    },
    isOpen: (): boolean => current !== null,
    report,
    /** Stores the name of a book. Ignores a second name, and names of more than 60 characters. */
    nameBook(book: string, name: string): void {
      const tidy = oneLine(name);
      if (isBookCode(book) && tidy !== '' && tidy.length <= 60 && !bookNames.has(book)) bookNames.set(book, tidy);
    },
    finish(file: string, found: FoundMetadata): ParsedFile {
      endBook();
      const finding = findings.find(({ place }) => place === null);
      if (verses.size === 0)
        throw importError(`${file} holds no verse of a book of the Bible${finding ? `: ${finding.message}` : ''}`);
      const remarks = omissionRemarks(skippedCount, [...leftOut], emptyNumberCount);
      const withoutVerses = [...documents].filter((code) => !leftOut.has(code));
      if (withoutVerses.length > 0)
        remarks.push(`left out, because they hold no verses: ${withoutVerses.slice(0, 30).join(' ')}`);
      if (repeatedCount > 0)
        remarks.push(`numbers that occur twice, of which the first text is kept: ${repeatedCount}`);
      const sorted = [...verses.values()].sort((a, b) => a.ordinal - b.ordinal);
      return {
        verses: hasMostLemmas(sorted) ? sorted : sorted.map(withoutLemmas),
        bookNames,
        remarks,
        found,
        findings,
        positions,
      };
    },
  };
}
/** Returns whether most verses have lemmas. If so, search and the concordance can group words by lemma. */
function hasMostLemmas(verses: readonly DraftVerse[]): boolean {
  let balance = 0;
  for (const { text, words } of verses)
    balance += 10 * words.filter(({ lemma }) => lemma !== undefined).length - 9 * text.split(' ').length;
  return balance >= 0;
}

const withoutLemmas = (verse: DraftVerse): DraftVerse => ({
  ...verse,
  words: verse.words.flatMap(({ start, length, strongs }) => (strongs.length > 0 ? [{ start, length, strongs }] : [])),
});

export type VerseCollector = ReturnType<typeof createVerseCollector>;
