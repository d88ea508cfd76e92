import { type BookCode, isBookCode, type Place, verseOrdinal } from '@lectern/canon';
import type { MarkupReader } from '../markup/reader';
import { joinVerses } from '../markup/verse';
import { type FoundMetadata, oneLine } from '../resolve-metadata';
import { type DraftVerse, importError, omissionRemarks, type VerseText } from '../translation';

export interface ParsedFile {
  /** In canonical order. */
  verses: DraftVerse[];
  bookNames: ReadonlyMap<BookCode, string>;
  remarks: string[];
  found: FoundMetadata;
}

interface VerseNumbers {
  first: number;
  last: number;
  /** Whether the element is a part of a verse, such as "3a". "3a" and "3b" are joined. */
  part: boolean;
}

/** Parses "3", "1-2", "3a". Returns null if the text is not a verse number. */
export function parseVerseNumbers(text: string): VerseNumbers | null {
  const match = /^\s*(\d{1,3})([a-z]?)(?:\s*[-–—,]\s*(\d{1,3})([a-z]?))?\s*$/i.exec(text);
  if (!match) return null;
  const [, start, letter, end = start, lastLetter] = match;
  const first = Number(start);
  const last = Number(end);
  return first < 1 || last < first ? null : { first, last, part: Boolean(letter || lastLetter) };
}

const maxVerseLength = 20_000;

/**
 * Collects the verses that a markup reader reads, in any order of the file.
 * - A verse with several numbers ("1-2") is stored at the first. The other numbers stay empty.
 * - If a number occurs twice, the first text counts. Parts of a verse ("3a", "3b") are joined.
 * - Verses of books other than the 66 are counted and left out.
 *
 * `position` returns the place in the file for error messages.
 */
export function createVerseCollector(markup: MarkupReader, position: () => string) {
  const verses = new Map<number, DraftVerse>();
  const bookNames = new Map<BookCode, string>();
  const otherBooks = new Set<string>();
  let skippedCount = 0;
  let emptyNumberCount = 0;
  let repeatedCount = 0;
  let current: { place: Place; part: boolean } | 'skipped' | null = null;

  const store = (place: Place, part: boolean, verse: VerseText): void => {
    if (verse.text.length > maxVerseLength)
      throw importError(
        `${position()}: ${place.book} ${place.chapter}:${place.verse} is longer than ${maxVerseLength} characters, so this is not a verse`,
      );
    const ordinal = verseOrdinal(place);
    const previous = verses.get(ordinal);
    if (!previous) verses.set(ordinal, { ordinal, ...verse });
    else if (part) verses.set(ordinal, { ordinal, ...joinVerses(previous, verse) });
    else repeatedCount += 1;
  };
  const end = (): void => {
    if (!current) return;
    const verse = markup.finish();
    if (verse.text !== '' && current === 'skipped') skippedCount += 1;
    else if (verse.text !== '' && current !== 'skipped') store(current.place, current.part, verse);
    current = null;
  };

  return {
    /** Ends the previous verse and begins a new one. `book` may be a name beyond the 66 codes. */
    begin(book: string, chapter: number, { first, last, part }: VerseNumbers): void {
      end();
      markup.start();
      if (!isBookCode(book)) {
        otherBooks.add(book);
        current = 'skipped';
        return;
      }
      if (!Number.isInteger(chapter) || chapter < 1 || chapter > 999)
        throw importError(`${position()}: verse ${first} of ${book} stands in no chapter`);
      emptyNumberCount += last - first;
      current = { place: { book, chapter, verse: first }, part };
    },
    end,
    /** Ignores a second name of the same book, and names of more than 60 characters. */
    nameBook(book: string, name: string): void {
      const tidy = oneLine(name);
      if (isBookCode(book) && tidy !== '' && tidy.length <= 60 && !bookNames.has(book)) bookNames.set(book, tidy);
    },
    finish(file: string, found: FoundMetadata): ParsedFile {
      end();
      if (verses.size === 0) throw importError(`${file} holds no verse of the 66 books`);
      const remarks = omissionRemarks(skippedCount, [...otherBooks].slice(0, 30), emptyNumberCount);
      if (repeatedCount > 0)
        remarks.push(`numbers that occur twice, of which the first text is kept: ${repeatedCount}`);
      return { verses: [...verses.values()].sort((a, b) => a.ordinal - b.ordinal), bookNames, remarks, found };
    },
  };
}
export type VerseCollector = ReturnType<typeof createVerseCollector>;
