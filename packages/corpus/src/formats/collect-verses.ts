import { type BookCode, isBookCode, type Place, verseOrdinal } from '@lectern/canon';
import { emptyNumbersRemark, importError, skippedBooksRemark } from '../import-errors-and-remarks';
import { createMarkupReader, type MarkupReader, type MarkupRules } from '../markup/reader';
import type { FoundMetadata } from '../metadata';
import { joinLayouts, moveLayout } from '../move-join-and-slice-layout';
import type { DraftVerse } from '../translation';
import { type Position, readXml, type XmlHandler } from './xml';

/** The verses and book names of one file. */
export interface CollectedVerses {
  verses: DraftVerse[];
  bookNames: ReadonlyMap<BookCode, string>;
  remarks: string[];
}

/** The result of parsing a USFX, OSIS or Zefania file. */
export interface ParsedFile extends CollectedVerses {
  found: FoundMetadata;
}

/** The numbers of a verse element: "3", "1-2" or "3a". */
export interface VerseNumbers {
  first: number;
  last: number;
  /**
   * Whether the element is a part of a verse, such as "3a". The parts "3a" and "3b" are joined to
   * one verse.
   */
  part: boolean;
}

const maxVerseLength = 20_000;

/** Parses "3", "1-2", "3a". Returns null if the text is not a verse number. */
export function parseVerseNumbers(text: string): VerseNumbers | null {
  const match = /^\s*(\d{1,3})([a-z]?)(?:\s*[-–—,]\s*(\d{1,3})([a-z]?))?\s*$/i.exec(text);
  if (!match) return null;
  const first = Number(match[1]);
  const last = match[3] === undefined ? first : Number(match[3]);
  if (first < 1 || last < first || last > 999) return null;
  return { first, last, part: match[2] !== '' || (match[4] ?? '') !== '' };
}

/**
 * Streams an XML file through the handler of its format, and returns the verses that the handler
 * passed to the collector.
 */
export async function collectVerses(
  file: string,
  rules: MarkupRules,
  createHandler: (markup: MarkupReader, verses: VerseCollector, position: Position) => XmlHandler,
): Promise<CollectedVerses> {
  const markup = createMarkupReader(rules, { tags: true, raiseDivineName: true });
  let currentPosition: Position = () => file;
  const verses = createVerseCollector(markup, () => currentPosition());
  await readXml(file, (position) => {
    currentPosition = position;
    return createHandler(markup, verses, position);
  });
  return verses.finish(file);
}

/**
 * Collects verses in the order of the file, which may be any order.
 * - The text of a verse with several numbers ("1-2") is stored at the first number. The other
 *   numbers stay empty.
 * - If a number occurs twice, the first text counts. Texts that the file marks as parts ("3a",
 *   "3b") are joined.
 * - Verses of books other than the 66 are counted and left out.
 */
function createVerseCollector(markup: MarkupReader, position: Position) {
  const verses = new Map<number, DraftVerse>();
  const names = new Map<BookCode, string>();
  const otherBooks = new Set<string>();
  let skippedCount = 0;
  let emptyNumberCount = 0;
  let repeatedCount = 0;
  let current: { place: Place; part: boolean } | null = null;
  let isSkipping = false;

  const store = (place: Place, part: boolean): void => {
    const { text, words, layout } = markup.finish();
    if (text === '') return;
    if (text.length > maxVerseLength)
      throw importError(
        `${position()}: ${place.book} ${place.chapter}:${place.verse} is longer than ${maxVerseLength} characters, so this is not a verse`,
      );
    const ordinal = verseOrdinal(place);
    const previous = verses.get(ordinal);
    if (!previous) verses.set(ordinal, { ordinal, text, words, layout });
    else if (part) {
      const shift = previous.text.length + 1;
      verses.set(ordinal, {
        ordinal,
        text: `${previous.text} ${text}`,
        words: [...previous.words, ...words.map((word) => ({ ...word, start: word.start + shift }))],
        layout: joinLayouts(
          previous.layout,
          moveLayout(layout, (offset) => offset + shift),
        ),
      });
    } else repeatedCount += 1;
  };
  const end = (): void => {
    if (current) store(current.place, current.part);
    else if (isSkipping && markup.finish().text !== '') skippedCount += 1;
    current = null;
    isSkipping = false;
  };

  return {
    /**
     * Ends the previous verse and begins a new one. `book` is a USFM code, or any other name for a
     * book beyond the 66.
     */
    begin(book: string, chapter: number, numbers: VerseNumbers): void {
      end();
      markup.start();
      if (!isBookCode(book)) {
        otherBooks.add(book);
        isSkipping = true;
        return;
      }
      if (!Number.isInteger(chapter) || chapter < 1 || chapter > 999)
        throw importError(`${position()}: verse ${numbers.first} of ${book} stands in no chapter`);
      emptyNumberCount += numbers.last - numbers.first;
      current = { place: { book, chapter, verse: numbers.first }, part: numbers.part };
    },
    end,
    /**
     * Stores a book's name. Ignores a second name of the same book, and names of more than 60
     * characters.
     */
    nameBook(book: string, name: string): void {
      const tidy = name.replace(/\s+/g, ' ').trim().normalize('NFC');
      if (isBookCode(book) && tidy !== '' && tidy.length <= 60 && !names.has(book)) names.set(book, tidy);
    },
    finish(file: string): CollectedVerses {
      end();
      if (verses.size === 0) throw importError(`${file} holds no verse of the 66 books`);
      const remarks: string[] = [];
      if (skippedCount > 0) remarks.push(skippedBooksRemark(skippedCount, [...otherBooks].slice(0, 30)));
      if (emptyNumberCount > 0) remarks.push(emptyNumbersRemark(emptyNumberCount));
      if (repeatedCount > 0)
        remarks.push(`numbers that occur twice, of which the first text is kept: ${repeatedCount}`);
      return { verses: [...verses.values()].sort((a, b) => a.ordinal - b.ordinal), bookNames: names, remarks };
    },
  };
}
export type VerseCollector = ReturnType<typeof createVerseCollector>;
