import {
  bookByCode,
  indexOfSorted,
  isBookCode,
  ordinalParts,
  type Place,
  type VerseParts,
  verseOrdinal,
} from '@lectern/canon';
import type { Database } from 'better-sqlite3';
import type { Grammar } from './grammar/grammar';
import { decodeGreek } from './grammar/greek';
import { decodeHebrew } from './grammar/hebrew';
import { greekText, hebrewText, type OriginalText, originalTexts } from './texts';

/** A verse of an original text, in the numbering of the original. */
export interface OriginalVerse extends Place {
  readonly text: OriginalText;
  readonly number: number;
  readonly firstWord: number;
  readonly wordCount: number;
  /** Whether only a part of the verse of the original or of the requested verse corresponds. */
  readonly isPartial: boolean;
}

/** The spelling and the parsing of a word, as the tables store them. */
export interface Spelling {
  /** The word as written. `/` separates the segments of a Hebrew word. */
  readonly surface: string;
  readonly lemma: string;
  readonly strongs: string | null;
  readonly letter: string | null;
  readonly gloss: string | null;
  /** The number of the word's parsing, which `grammarOf` decodes. */
  readonly parsing: number;
}

export interface OriginalWord extends Spelling {
  readonly number: number;
  readonly verse: OriginalVerse;
  /** The position of the word in its verse, starting at 1. */
  readonly position: number;
  readonly before: string;
  readonly after: string;
  /**
   * Whether something else is read than is written (qere). `qere` has the words that are read. It is empty if the word
   * is not read at all.
   */
  readonly isReadOtherwise: boolean;
  readonly qere: readonly string[];
  /** The Strong's numbers of the words that are read instead. */
  readonly qereNumbers: readonly string[];
}

/** The decoded parsing of a word. */
export interface WordGrammar {
  readonly code: string;
  /** The grammar of each segment. */
  readonly segments: readonly Grammar[];
  /** The lemmas of the segments before the word's own, such as `b` and `d`. */
  readonly prefixes: readonly string[];
}

/** The segment that has the word's lemma: the one after the prefixes. */
export const ownSegment = ({ prefixes, segments }: WordGrammar): Grammar => {
  const own = segments[Math.min(prefixes.length, segments.length - 1)];
  if (!own) throw new Error('A word has at least one segment');
  return own;
};

interface WordRow {
  number: number;
  surface: string;
  lemma: string;
  strongs: string | null;
  letter: string | null;
  gloss: string | null;
  parsing: number;
  before: string | null;
  after: string | null;
}

/** Reads originals.sqlite. All verse numbers and parsings stay in memory: three megabytes. */
export function createOriginalsReader(db: Database) {
  const present = db.prepare<[], { number: number }>('SELECT number FROM text ORDER BY number').all();
  const texts = originalTexts.filter(({ number }) => present.some((each) => each.number === number));
  const verseCount = db.prepare<[], number>('SELECT count(*) FROM verse').pluck().get() ?? 0;
  const wordCount = db.prepare<[], number>('SELECT count(*) FROM word').pluck().get() ?? 0;
  // The first word after the last verse is an entry too.
  const firstWords = new Int32Array(verseCount + 1).fill(wordCount + 1);
  const ordinals = new Int32Array(verseCount);
  const textNumbers = new Uint8Array(verseCount);
  for (const [number, text, ordinal, first] of db
    .prepare<[], [number, number, number, number]>('SELECT number, text, ordinal, first_word FROM verse')
    .raw()
    .iterate()) {
    textNumbers[number - 1] = text;
    ordinals[number - 1] = ordinal;
    firstWords[number - 1] = first;
  }
  const selectRenderings = db.prepare<[string], { verse: number; isPartial: number }>(
    `SELECT DISTINCT r.verse, r.is_partial AS isPartial FROM json_each(?) AS place
     CROSS JOIN rendering AS r ON r.standard = place.value`,
  );
  const selectStandard = db.prepare<[number], { standard: number }>(
    'SELECT standard FROM rendering WHERE verse = ? ORDER BY standard',
  );
  // The codes of Greek and Hebrew always differ: only those of Greek contain a blank.
  const parsingTexts: number[] = [0];
  for (const { number, isGreek } of db
    .prepare<[], { number: number; isGreek: number }>("SELECT number, code LIKE '% %' AS isGreek FROM parsing")
    .all())
    parsingTexts[number] = (isGreek ? greekText : hebrewText).number;
  const parsings = new Map<number, WordGrammar>();
  const selectParsing = db.prepare<[number], { code: string; prefixes: string }>(
    'SELECT code, prefixes FROM parsing WHERE number = ?',
  );
  const columns = `f.surface, l.text AS lemma, l.strongs, l.letter, l.gloss`;
  // CROSS JOIN fixes the join order, so that SQLite looks up each range by key.
  const selectWords = db.prepare<[string], WordRow>(
    `SELECT w.number, ${columns}, w.parsing, w.before, w.after FROM json_each(?) AS range
     CROSS JOIN word AS w ON w.number BETWEEN range.value ->> 0 AND range.value ->> 1
     CROSS JOIN form AS f ON f.number = w.form CROSS JOIN lemma AS l ON l.number = w.lemma`,
  );
  const selectQere = db.prepare<[string], { word: number; surface: string | null; strongs: string | null }>(
    `SELECT q.word, f.surface, l.strongs FROM json_each(?) AS range
     CROSS JOIN qere AS q ON q.word BETWEEN range.value ->> 0 AND range.value ->> 1
     LEFT JOIN form AS f ON f.number = q.form LEFT JOIN lemma AS l ON l.number = q.lemma`,
  );

  /** Returns the verse with this number, which must exist. */
  function verseAt(number: number, isPartial = false): OriginalVerse {
    const index = number - 1;
    const place = ordinalParts(ordinals[index] ?? 0);
    const text = texts.find((each) => each.number === textNumbers[index]);
    if (!place || !text) throw new Error(`originals.sqlite has no verse ${number}`);
    const firstWord = firstWords[index] ?? 0;
    return { ...place, text, number, firstWord, wordCount: (firstWords[number] ?? 0) - firstWord, isPartial };
  }

  function findVerse(textId: string, place: Place): OriginalVerse | null {
    const text = texts.find(({ id }) => id === textId);
    if (!text) return null;
    const from = textNumbers.indexOf(text.number);
    const own = ordinals.subarray(from, textNumbers.lastIndexOf(text.number) + 1);
    const index = indexOfSorted(own, verseOrdinal(place));
    return index < 0 ? null : verseAt(from + index + 1);
  }

  return {
    texts,
    verseCount,
    verseAt,
    /** The number of the text of each parsing, by number of the parsing. 0 where there is none. */
    parsingTexts,

    // Returns the number of a verse's text. Verses are numbered from 1.
    textOf: (number: number): number => textNumbers[number - 1] ?? 0,
    ordinal: (number: number): number => ordinals[number - 1] ?? 0,
    /** Returns the number of a verse's first word. Also accepts the number after the last verse. */
    firstWord: (number: number): number => firstWords[number - 1] ?? 0,

    /** Returns the King James verses that a verse renders, as ordinals. */
    standardVersesOf: (number: number): number[] => selectStandard.all(number).map(({ standard }) => standard),

    /**
     * Returns the verses of the original of a verse of a translation, which has these King James
     * verses, in canonical order, each once. A verse of an original text is its own original.
     */
    versesOf(
      { translation, ...place }: VerseParts,
      standard: readonly number[],
      textId: string | null,
    ): OriginalVerse[] {
      const own = findVerse(translation, place);
      if (own) return textId === null || textId === translation ? [own] : [];
      const rows = selectRenderings.all(JSON.stringify(standard));
      const byNumber = new Map(rows.map((row) => [row.verse, row]));
      return Array.from(byNumber.values(), ({ verse, isPartial }) => verseAt(verse, isPartial === 1))
        .filter(({ text }) => textId === null || text.id === textId)
        .sort((a, b) => a.number - b.number);
    },

    /** Returns null for a verse that the text lacks. */
    verse: findVerse,

    /** Reads the words of verses, one list for each verse. */
    words(verses: readonly OriginalVerse[]): OriginalWord[][] {
      const unique = new Map(verses.map((verse) => [verse.number, verse]));
      const ranges = JSON.stringify(
        Array.from(unique.values(), (each) => [each.firstWord, each.firstWord + each.wordCount - 1]),
      );
      const rows = selectWords.all(ranges);
      const qere = new Map<number, { surface: string | null; strongs: string | null }[]>();
      for (const row of selectQere.all(ranges)) qere.set(row.word, [...(qere.get(row.word) ?? []), row]);
      // The rows are in the order of the ranges.
      let next = 0;
      const byVerse = new Map<number, OriginalWord[]>();
      for (const verse of unique.values()) {
        const own = rows.slice(next, next + verse.wordCount);
        next += verse.wordCount;
        byVerse.set(
          verse.number,
          own.map((row, index): OriginalWord => {
            const read = qere.get(row.number);
            const [before, after] = [row.before ?? '', row.after ?? ' '];
            return Object.assign(row, {
              verse,
              position: index + 1,
              before,
              after,
              isReadOtherwise: read !== undefined,
              qere: read?.flatMap(({ surface }) => surface ?? []) ?? [],
              qereNumbers: read?.flatMap(({ strongs }) => strongs ?? []) ?? [],
            });
          }),
        );
      }
      return verses.map(({ number }) => byVerse.get(number) ?? []);
    },

    /** Decodes a parsing once, and keeps it: there are 5,000. */
    grammarOf(number: number, { language }: OriginalText): WordGrammar {
      const known = parsings.get(number);
      if (known) return known;
      const { code = '', prefixes = '' } = selectParsing.get(number) ?? {};
      const segments = language === 'grc' ? [decodeGreek(code)] : decodeHebrew(code);
      const grammar = { code, segments, prefixes: prefixes === '' ? [] : prefixes.split('/') };
      parsings.set(number, grammar);
      return grammar;
    },
  };
}

export type OriginalsReader = ReturnType<typeof createOriginalsReader>;

/** The global id of a word: its text, its verse in the numbering of the text, and its position. */
export function wordId({ verse: { text, book, chapter, verse }, position }: OriginalWord): string {
  return Buffer.from(`v1:${text.id}.${book}.${chapter}.${verse}.${position}`, 'latin1').toString('base64url');
}

/** Reads an id of `wordId`. Returns null for any other text. */
export function parseWordId(id: string): { text: string; place: Place; position: number } | null {
  if (id.length > 100) return null;
  const decoded = Buffer.from(id, 'base64url').toString('latin1');
  const [, text = '', book = '', chapter, verse, position] =
    /^v1:([a-z0-9-]+)\.(\w{3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(decoded) ?? [];
  if (!isBookCode(book) || Buffer.from(decoded, 'latin1').toString('base64url') !== id) return null;
  const place = { book: bookByCode(book).code, chapter: Number(chapter), verse: Number(verse) };
  return { text, place, position: Number(position) };
}
