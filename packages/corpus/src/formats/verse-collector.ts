import { type BookCode, isBookCode, type Place, verseOrdinal } from '@lectern/canon';
import { importError } from '../import-error';
import type { MarkupReader } from '../markup-reader';
import type { DraftVerse } from '../translation';
import type { Position } from './read-xml';

/** What one import found. */
export interface CollectedVerses {
  verses: DraftVerse[];
  bookNames: ReadonlyMap<BookCode, string>;
  remarks: string[];
}

/** The numbers a verse element names: "3", "1-2", "3a". */
export interface VerseNumbers {
  first: number;
  last: number;
  /** "3a" and "3b" are parts of one verse and are joined. */
  part: boolean;
}

const longestVerse = 20_000;

/** Null for text that is no verse number. */
export function parseVerseNumbers(text: string): VerseNumbers | null {
  const match = /^\s*(\d{1,3})([a-z]?)(?:\s*[-–—,]\s*(\d{1,3})([a-z]?))?\s*$/i.exec(text);
  if (!match) return null;
  const first = Number(match[1]);
  const last = match[3] === undefined ? first : Number(match[3]);
  if (first < 1 || last < first || last > 999) return null;
  return { first, last, part: match[2] !== '' || (match[4] ?? '') !== '' };
}

/**
 * Gathers verses as a file gives them, in any order. The text of a verse that spans several numbers ("1-2") stands at
 * the first, the others stay empty. Where a number comes twice, the first text counts, unless the file calls them parts.
 */
export function createVerseCollector(markup: MarkupReader, position: Position) {
  const verses = new Map<number, DraftVerse>();
  const names = new Map<BookCode, string>();
  const others = new Set<string>();
  let skipped = 0;
  let spanning = 0;
  let twice = 0;
  let current: { place: Place; part: boolean } | null = null;
  let skipping = false;

  const keep = (place: Place, part: boolean): void => {
    const { text, words } = markup.finish();
    if (text === '') return;
    if (text.length > longestVerse)
      throw importError(
        `${position()}: ${place.book} ${place.chapter}:${place.verse} is longer than ${longestVerse} characters, so this is no verse`,
      );
    const ordinal = verseOrdinal(place);
    const before = verses.get(ordinal);
    if (!before) verses.set(ordinal, { ordinal, text, words });
    else if (part) {
      const shift = before.text.length + 1;
      verses.set(ordinal, {
        ordinal,
        text: `${before.text} ${text}`,
        words: [...before.words, ...words.map((word) => ({ ...word, start: word.start + shift }))],
      });
    } else twice += 1;
  };
  const end = (): void => {
    if (current) keep(current.place, current.part);
    else if (skipping && markup.finish().text !== '') skipped += 1;
    current = null;
    skipping = false;
  };

  return {
    /** Ends the verse before it. A book beside the 66 is counted and left out. */
    begin(book: string, chapter: number, numbers: VerseNumbers): void {
      end();
      markup.start();
      if (!isBookCode(book)) {
        others.add(book);
        skipping = true;
        return;
      }
      if (!Number.isInteger(chapter) || chapter < 1 || chapter > 999)
        throw importError(`${position()}: verse ${numbers.first} of ${book} stands in no chapter`);
      spanning += numbers.last - numbers.first;
      current = { place: { book, chapter, verse: numbers.first }, part: numbers.part };
    },
    end,
    isOpen: (): boolean => current !== null || skipping,
    nameBook(book: string, name: string): void {
      const tidy = name.replace(/\s+/g, ' ').trim().normalize('NFC');
      if (isBookCode(book) && tidy !== '' && tidy.length <= 60 && !names.has(book)) names.set(book, tidy);
    },
    finish(file: string): CollectedVerses {
      end();
      if (verses.size === 0) throw importError(`${file} holds no verse of the 66 books`);
      const remarks: string[] = [];
      if (skipped > 0)
        remarks.push(
          `left out, being of books beside the 66: ${skipped} verses (${[...others].slice(0, 30).join(' ')})`,
        );
      if (spanning > 0)
        remarks.push(`numbers that stay empty, for their text stands at the number before: ${spanning}`);
      if (twice > 0) remarks.push(`numbers that come twice, of which the first text is kept: ${twice}`);
      return { verses: [...verses.values()].sort((a, b) => a.ordinal - b.ordinal), bookNames: names, remarks };
    },
  };
}
export type VerseCollector = ReturnType<typeof createVerseCollector>;
