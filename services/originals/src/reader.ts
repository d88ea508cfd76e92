import {
  bookByCode,
  firstIndexFrom,
  indexOfSorted,
  isBookCode,
  type Place,
  placeOf,
  type VerseParts,
  verseOrdinal,
} from '@lectern/canon';
import type { Database } from 'better-sqlite3';
import type { Grammar } from './grammar/grammar';
import { decodeGreek } from './grammar/greek';
import { decodeHebrew } from './grammar/hebrew';
import { columnTypes } from './tables';
import { greekText, hebrewText, type OriginalText, originalTexts } from './texts';

/** A verse of an original text, in the numbering of the original. */
export interface OriginalVerse extends Place {
  readonly text: OriginalText;
  readonly number: number;
  readonly firstWord: number;
  readonly wordCount: number;
  /** Whether only a part of this verse corresponds to the verse that was requested. */
  readonly isPartial: boolean;
}

export interface Lemma {
  readonly lemma: string;
  readonly strongs: string | null;
  readonly letter: string | null;
  /** What the lemma means, in English. */
  readonly gloss: string | null;
  readonly spanishGloss: string | null;
}

export interface OriginalWord extends Lemma {
  readonly number: number;
  readonly verse: OriginalVerse;
  /** The position of the word in its verse, starting at 1. */
  readonly position: number;
  /** The word as written, with `/` between the segments of a Hebrew word. */
  readonly surface: string;
  readonly transliteration: string;
  readonly before: string;
  readonly after: string;
  /** The number of the word's parsing, which `grammarOf` decodes. */
  readonly parsing: number;
  /** The words read aloud in place of this word (qere). Empty if it is skipped. Null if it is read as written. */
  readonly qere: readonly QereWord[] | null;
}

/** A word that is read in place of the written one: the numbers of its form, lemma and parsing. */
export interface QereWord {
  readonly form: number;
  readonly lemma: number;
  readonly parsing: number;
}

/** The decoded parsing of a word. */
export interface WordGrammar {
  readonly text: OriginalText;
  readonly code: string;
  readonly segments: readonly Grammar[];
  /** The lemmas of the segments before the word itself, such as `b` and `d`. */
  readonly prefixes: readonly string[];
}

/** Returns the segment with the word's lemma, which follows the prefixes. */
export const ownSegment = ({ prefixes, segments }: WordGrammar): Grammar => {
  const own = segments[Math.min(prefixes.length, segments.length - 1)];
  if (!own) throw new Error('A word has at least one segment');
  return own;
};

/** Creates the functions that read originals.sqlite. All but lemmas and lexicons stays in memory: about 15 MB. */
export function createOriginalsReader(db: Database) {
  const present = db.prepare<[], { number: number }>('SELECT number FROM text ORDER BY number').all();
  const texts = originalTexts.filter(({ number }) => present.some((each) => each.number === number));
  const words = readColumns(db);
  const forms = readForms(db);
  const verses = readVerses(db, texts, words.form.length);
  const renderings = readRenderings(db);
  const selectStandard = db.prepare<[number], { standard: number }>(
    'SELECT standard FROM rendering WHERE verse = ? ORDER BY standard',
  );
  const grammars = readGrammars(db);
  const punctuations = db
    .prepare<[], { before: string; after: string }>('SELECT before, after FROM punctuation ORDER BY number')
    .all();
  const qere = readQere(db);
  const lemmaCount = db.prepare<[], number>('SELECT count(*) FROM lemma').pluck().get() ?? 0;
  const lemmas: Lemma[] = [];
  const selectLemma = db.prepare<[number], Lemma>(
    'SELECT text AS lemma, strongs, letter, gloss, spanish_gloss AS spanishGloss FROM lemma WHERE number = ?',
  );

  /** Reads a lemma at its first use and keeps it. There are 15,000 lemmas. */
  function lemmaOf(number: number): Lemma {
    const lemma = lemmas[number] ?? selectLemma.get(number);
    if (!lemma) throw new Error(`originals.sqlite has no lemma ${number}`);
    lemmas[number] = lemma;
    return lemma;
  }

  function wordAt(verse: OriginalVerse, position: number): OriginalWord {
    const number = verse.firstWord + position - 1;
    const { lemma, strongs, letter, gloss, spanishGloss } = lemmaOf(words.lemma[number - 1] ?? 0);
    const { surface, transliteration } = forms.spelling(words.form[number - 1] ?? 0);
    const { before, after } = punctuations[(words.punctuation[number - 1] ?? 0) - 1] ?? noPunctuation;
    const parsing = words.parsing[number - 1] ?? 0;
    return {
      number,
      verse,
      position,
      surface,
      transliteration,
      lemma,
      strongs,
      letter,
      gloss,
      spanishGloss,
      before,
      after,
      parsing,
      qere: qere.get(number) ?? null,
    };
  }

  return {
    texts,
    ...verses,
    lemmaOf,
    lemmaCount,
    /** The form, lemma, parsing and punctuation of each word. Index 0 is word 1. */
    columns: words,
    /** The words that are read aloud in place of a word (qere), by the number of the word, in ascending order. */
    qere,
    forms,
    /** The grammars by the number of the parsing. Index 0 is null, because no parsing has the number 0. */
    grammars,

    /** Returns the King James verses with the content of a verse, as numbers such as 43003016 for John 3:16. */
    standardVersesOf: (number: number): number[] => selectStandard.all(number).map(({ standard }) => standard),

    /**
     * Returns the verses that a verse of a translation renders, in canonical order, without duplicates. `standard` has
     * the King James verses of this verse. A verse of an original text renders only itself.
     */
    versesOf(
      { translation, ...place }: VerseParts,
      standard: readonly number[],
      textId: string | null,
    ): OriginalVerse[] {
      const own = verses.verse(translation, place);
      if (own) return textId === null || textId === translation ? [own] : [];
      const byNumber = new Map(standard.flatMap((ordinal) => renderings.of(ordinal)));
      return Array.from(byNumber, ([number, isPartial]) => verses.verseAt(number, isPartial))
        .filter(({ text }) => textId === null || text.id === textId)
        .sort((a, b) => a.number - b.number);
    },

    /** Returns the word of a verse at a position, from 1. The word must exist. */
    wordAt,

    words: (verse: OriginalVerse): OriginalWord[] =>
      Array.from({ length: verse.wordCount }, (_, index) => wordAt(verse, index + 1)),

    grammarOf(number: number): WordGrammar {
      const grammar = grammars[number];
      if (!grammar) throw new Error(`originals.sqlite has no parsing ${number}`);
      return grammar;
    },
  };
}

const noPunctuation = { before: '', after: '' };

/** Reads the form, lemma, parsing and punctuation of all words. */
function readColumns(db: Database) {
  const select = db.prepare<[string], Buffer>('SELECT numbers FROM word_column WHERE name = ?').pluck();
  // The bytes are copied, because a typed array needs an aligned start.
  const bytesOf = (name: string): ArrayBuffer => new Uint8Array(select.get(name) ?? []).buffer;
  return {
    form: new columnTypes.form(bytesOf('form')),
    lemma: new columnTypes.lemma(bytesOf('lemma')),
    parsing: new columnTypes.parsing(bytesOf('parsing')),
    punctuation: new columnTypes.punctuation(bytesOf('punctuation')),
  };
}

/** Reads a column as one JSON value. Single rows would leave ten times as much memory to the garbage collector. */
const readNumbers = (db: Database, column: string, table: string, order: string): Int32Array =>
  Int32Array.from(
    JSON.parse(
      db.prepare<[], string>(`SELECT json_group_array(${column} ORDER BY ${order}) FROM ${table}`).pluck().get() ??
        '[]',
    ) as number[],
  );

/** Reads the spellings into one string. 130,000 separate strings would take four times as much memory. */
function readForms(db: Database) {
  const all =
    db
      .prepare<[], string>(
        `SELECT coalesce(group_concat(surface || char(9) || transliteration || char(10), '' ORDER BY number), '') FROM form`,
      )
      .pluck()
      .get() ?? '';
  const count = db.prepare<[], number>('SELECT count(*) FROM form').pluck().get() ?? 0;
  const starts = new Uint32Array(count + 2);
  for (let number = 1; number <= count; number += 1) starts[number + 1] = all.indexOf('\n', starts[number]) + 1;
  return {
    count,
    /** Returns the spelling of a form by its number, which must exist. */
    spelling(number: number): { surface: string; transliteration: string } {
      const [start, end] = [starts[number] ?? 0, (starts[number + 1] ?? 0) - 1];
      const middle = all.indexOf('\t', start);
      return { surface: all.slice(start, middle), transliteration: all.slice(middle + 1, end) };
    },
  };
}

/** Reads the places of all verses in their texts. `wordCount` is the number of words of all texts. */
function readVerses(db: Database, texts: readonly OriginalText[], wordCount: number) {
  const ordinals = readNumbers(db, 'ordinal', 'verse', 'number');
  const textNumbers = readNumbers(db, 'text', 'verse', 'number');
  /** Returns the number of a text's first verse, and the number after its last verse. */
  const versesOfText = ({ number }: OriginalText) => ({
    from: textNumbers.indexOf(number) + 1,
    to: textNumbers.lastIndexOf(number) + 2,
  });
  // The additional last entry is the number after the last word, where the last verse ends.
  const firstWords = Int32Array.of(...readNumbers(db, 'first_word', 'verse', 'number'), wordCount + 1);

  /** Returns a verse by its number, which must exist. */
  function verseAt(number: number, isPartial = false): OriginalVerse {
    const index = number - 1;
    const text = texts.find((each) => each.number === textNumbers[index]);
    if (!text) throw new Error(`originals.sqlite has no verse ${number}`);
    const firstWord = firstWords[index] ?? 0;
    return {
      ...placeOf(ordinals[index] ?? 0),
      text,
      number,
      firstWord,
      wordCount: (firstWords[number] ?? 0) - firstWord,
      isPartial,
    };
  }

  /** Returns the verse of a text at a place. Returns null if the text lacks the verse. */
  function verse(textId: string, place: Place): OriginalVerse | null {
    const text = texts.find(({ id }) => id === textId);
    if (!text) return null;
    const { from, to } = versesOfText(text);
    const index = indexOfSorted(ordinals.subarray(from - 1, to - 1), verseOrdinal(place));
    return index < 0 ? null : verseAt(from + index);
  }

  return {
    verseCount: ordinals.length,
    versesOfText,
    verseAt,
    verse,
    /** Returns the place of the verse number `number` (from 1) as one integer, such as 43003016 for John 3:16. */
    ordinal: (number: number): number => ordinals[number - 1] ?? 0,
    /** Returns the number of a verse's first word. After the last verse, it is the number after the last word. */
    firstWord: (number: number): number => firstWords[number - 1] ?? 0,
  };
}

/** Reads which verses of the originals each verse of the King James Version renders. */
function readRenderings(db: Database) {
  const standard = readNumbers(db, 'standard', 'rendering', 'standard, verse');
  const verses = readNumbers(db, 'verse', 'rendering', 'standard, verse');
  const partial = readNumbers(db, 'is_partial', 'rendering', 'standard, verse');
  return {
    of(ordinal: number): [verse: number, isPartial: boolean][] {
      const found: [number, boolean][] = [];
      for (let index = firstIndexFrom(standard, ordinal); standard[index] === ordinal; index += 1)
        found.push([verses[index] ?? 0, partial[index] === 1]);
      return found;
    },
  };
}

/** Decodes all 5,000 parsings. The index is the number of the parsing. */
function readGrammars(db: Database): (WordGrammar | null)[] {
  const grammars: (WordGrammar | null)[] = [null];
  const rows = db.prepare<[], { number: number; code: string; prefixes: string }>(
    'SELECT number, code, prefixes FROM parsing',
  );
  for (const { number, code, prefixes } of rows.all()) {
    // Only Greek parsing codes contain a space.
    const isGreek = code.includes(' ');
    grammars[number] = {
      text: isGreek ? greekText : hebrewText,
      code,
      segments: isGreek ? [decodeGreek(code)] : decodeHebrew(code),
      prefixes: prefixes === '' ? [] : prefixes.split('/'),
    };
  }
  return grammars;
}

function readQere(db: Database): ReadonlyMap<number, readonly QereWord[]> {
  const qere = new Map<number, QereWord[]>();
  const rows = db.prepare<[], { word: number } & { [Key in keyof QereWord]: number | null }>(
    'SELECT word, form, lemma, parsing FROM qere ORDER BY word, position',
  );
  for (const { word, form, lemma, parsing } of rows.all()) {
    const read = qere.get(word) ?? [];
    if (form !== null && lemma !== null && parsing !== null) read.push({ form, lemma, parsing });
    qere.set(word, read);
  }
  return qere;
}

export type OriginalsReader = ReturnType<typeof createOriginalsReader>;

/** Returns the global id: the text, the verse in the text's own numbering, and the word's position. */
export function wordId({ verse: { text, book, chapter, verse }, position }: OriginalWord): string {
  return Buffer.from(`v1:${text.id}.${book}.${chapter}.${verse}.${position}`, 'latin1').toString('base64url');
}

/** Parses an id that `wordId` made. Returns null for any other text. */
export function parseWordId(id: string): { text: string; place: Place; position: number } | null {
  if (id.length > 100) return null;
  const decoded = Buffer.from(id, 'base64url').toString('latin1');
  const [, text = '', book = '', chapter, verse, position] =
    /^v1:([a-z0-9-]+)\.(\w{3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(decoded) ?? [];
  if (!isBookCode(book) || Buffer.from(decoded, 'latin1').toString('base64url') !== id) return null;
  const place = { book: bookByCode(book).code, chapter: Number(chapter), verse: Number(verse) };
  return { text, place, position: Number(position) };
}
