import { bookByCode, type Numbering, standardVerses, verseOrdinal } from '@lectern/canon';
import type { OriginalSources } from '@lectern/corpus';
import type { Database } from 'better-sqlite3';
import { readOtherNumbers } from '../alignment/word-parts';
import { decodeGreek } from '../grammar/greek';
import { decodeHebrew } from '../grammar/hebrew';
import type { SourceLexicons } from '../lexicons/read-lexicons';
import { foldOriginal, foldTransliteration, withoutAccents } from '../script/fold';
import { transliterateGreek } from '../script/greek';
import { transliterateHebrew } from '../script/hebrew';
import { columnTypes } from '../tables';
import { greekText, hebrewText, type OriginalText } from '../texts';
import { createGreekLemmas, createHebrewLemmas, type Lemma } from './lemmas';
import {
  createCorrections,
  readGreekVerses,
  readHebrewVerses,
  type SourceVerse,
  type SourceWord,
} from './source-verses';

/** Writes the texts with sources on this machine. Throws an Error that names the place of an unreadable word. */
export function writeTexts(
  db: Database,
  { sources, lexicons, log }: { sources: OriginalSources; lexicons: SourceLexicons; log: (line: string) => void },
): void {
  const { write, finish } = createTextWriter(db);
  const hebrew = sources.get('morphhb');
  if (hebrew) {
    const lemmaOf = createHebrewLemmas(lexicons);
    log(write(hebrewText, readHebrewVerses(hebrew), { lemmaOf, numbering: 'hebrew', decode: decodeHebrew }));
  }
  const greek = sources.get('morphgnt');
  if (greek) {
    const decode = (code: string) => [decodeGreek(code)];
    const lemmaOf = createGreekLemmas(lexicons);
    log(write(greekText, readGreekVerses(greek), { lemmaOf, numbering: 'greek', decode }));
  }
  finish();
}

interface TextRules {
  lemmaOf: (lemma: string) => Lemma;
  numbering: Numbering;
  /** Decodes a parsing code into one element for each segment. Throws an Error for an unknown code. */
  decode: (code: string) => readonly unknown[];
}

/** Numbers values from 1, in the order of their first use, and calls `write` once for each. */
function createNumbering() {
  const numbers = new Map<string, number>();
  return (key: string, write: (number: number) => void): number => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, numbers.size + 1);
    write(numbers.size);
    return numbers.size;
  };
}

function createTextWriter(db: Database) {
  const insertText = db.prepare('INSERT INTO text (number, id, words, verses) VALUES (?, ?, ?, ?)');
  const insertVerse = db.prepare('INSERT INTO verse (number, text, ordinal, first_word, words) VALUES (?, ?, ?, ?, ?)');
  const insertRendering = db.prepare('INSERT INTO rendering (standard, verse, is_partial) VALUES (?, ?, ?)');
  const insertPunctuation = db.prepare('INSERT INTO punctuation (number, before, after) VALUES (?, ?, ?)');
  const insertQere = db.prepare('INSERT INTO qere (word, position, form, lemma, parsing) VALUES (?, ?, ?, ?, ?)');
  const insertForm = db.prepare(
    'INSERT INTO form (number, surface, transliteration, folded, latin) VALUES (?, ?, ?, ?, ?)',
  );
  const insertParsing = db.prepare('INSERT INTO parsing (number, code, prefixes) VALUES (?, ?, ?)');
  const insertLemma = db.prepare(
    'INSERT INTO lemma (number, key, text, folded, latin, strongs, letter, gloss, spanish_gloss) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const [forms, lemmas, parsings] = [createNumbering(), createNumbering(), createNumbering()];
  const punctuations = createNumbering();
  const columns: Columns = { form: [], lemma: [], parsing: [], punctuation: [] };
  const [lemmaBooks, lemmaForms] = [createCounts(), createCounts()];
  const correct = createCorrections();
  let verseCount = 0;
  let wordCount = 0;

  function write(text: OriginalText, verses: Iterable<SourceVerse>, { lemmaOf, numbering, decode }: TextRules): string {
    const transliterate = text === hebrewText ? transliterateHebrew : transliterateGreek;
    const [firstVerse, firstWord] = [verseCount, wordCount];
    /** The number of each form, by its written form and its parsing code. */
    const formNumbers = new Map<string, number>();
    /** The number of segments of each parsing code that occurs. */
    const segmentCounts = new Map<string, number>();

    function numbersOf({ surface, lemma, code }: SourceWord) {
      const segments = surface.split('/');
      if (!segmentCounts.has(code)) segmentCounts.set(code, decode(code).length);
      if (surface === '' || segments.length !== segmentCounts.get(code))
        throw new Error(`'${surface}' has other segments than its parsing '${code}'`);
      const parts = text === hebrewText ? lemma.split('/') : [lemma];
      const own = (parts.at(-1) ?? '').replace(/\+$/, '');
      // A few words have a lemma with a prefix, but are written as one segment. Their prefix is left out.
      const prefixes = parts.slice(0, -1).slice(0, segments.length - 1);
      const spelling = `${surface}|${code}`;
      const form = formNumbers.get(spelling) ?? formOf(surface, transliterate(surface, code));
      formNumbers.set(spelling, form);
      const lemmaNumber = lemmas(`${text.number}|${own}`, (number) => {
        const { key, text: spelling, strongs, letter, gloss, spanishGloss } = lemmaOf(own);
        const shown = spelling ?? withoutAccents(segments[prefixes.length] ?? surface);
        const latin = foldTransliteration(transliterate(shown));
        insertLemma.run(number, key, shown, foldOriginal(shown), latin, strongs, letter, gloss, spanishGloss);
      });
      const parsing = parsings(`${code}|${prefixes.join('/')}`, (number) =>
        insertParsing.run(number, code, prefixes.join('/')),
      );
      return [form, lemmaNumber, parsing] as const;
    }

    const formOf = (surface: string, transliteration: string): number =>
      forms(`${surface}|${transliteration}`, (number) =>
        insertForm.run(number, surface, transliteration, foldOriginal(surface), foldTransliteration(transliteration)),
      );

    let corrected = 0;
    for (const verse of verses) {
      if (verse.words.length === 0) continue;
      verseCount += 1;
      corrected += correct(verse);
      insertVerse.run(verseCount, text.number, verseOrdinal(verse), wordCount + 1, verse.words.length);
      for (const { isPartial = false, ...place } of standardVerses(numbering, verse))
        insertRendering.run(verseOrdinal(place), verseCount, Number(isPartial));
      for (const [index, word] of verse.words.entries()) {
        wordCount += 1;
        try {
          const after = index === verse.words.length - 1 ? word.after.trimEnd() : word.after;
          const [form, lemma, parsing] = numbersOf(word);
          columns.form.push(form);
          columns.lemma.push(lemma);
          columns.parsing.push(parsing);
          columns.punctuation.push(
            punctuations(`${word.before}|${after}`, (number) => insertPunctuation.run(number, word.before, after)),
          );
          lemmaBooks.add(lemma, bookByCode(verse.book).position);
          lemmaForms.add(lemma, form);
          if (word.qere?.length === 0) insertQere.run(wordCount, 0, null, null, null);
          for (const [position, read] of (word.qere ?? []).entries())
            insertQere.run(wordCount, position, ...numbersOf(read));
        } catch (error) {
          throw new Error(`${verse.place}, word ${index + 1}: ${(error as Error).message}`, { cause: error });
        }
      }
    }
    const [words, versesOfText] = [wordCount - firstWord, verseCount - firstVerse];
    if (words > 0) insertText.run(text.number, text.id, words, versesOfText);
    return `${text.title}: ${versesOfText} verses, ${words} words, ${corrected} corrections`;
  }

  return { write, finish: () => writeTotals(db, columns, lemmaBooks, lemmaForms) };
}

type Columns = Record<keyof typeof columnTypes, number[]>;
type Counts = ReturnType<typeof createCounts>;

/** Writes the data that depends on all texts together. */
function writeTotals(db: Database, columns: Columns, lemmaBooks: Counts, lemmaForms: Counts): void {
  const insert = db.prepare('INSERT INTO word_column (name, numbers) VALUES (?, ?)');
  for (const [name, type] of Object.entries(columnTypes)) {
    const numbers = columns[name as keyof typeof columnTypes];
    const column = type.from(numbers);
    if (numbers.some((number, index) => column[index] !== number)) throw new Error(`Too many numbers of ${name}`);
    insert.run(name, Buffer.from(column.buffer));
  }
  // A number that no lemma has as its own, such as an inflected form's, finds the lemmas to which it is given.
  db.exec('INSERT INTO lemma_number SELECT strongs, number FROM lemma WHERE strongs IS NOT NULL');
  const insertNumber = db.prepare(
    `INSERT OR IGNORE INTO lemma_number SELECT $number, number FROM lemma WHERE $lemma IN (text, strongs)
     AND $number NOT IN (SELECT strongs FROM lemma WHERE strongs IS NOT NULL)`,
  );
  for (const [lemma, others] of readOtherNumbers())
    for (const { number } of others) insertNumber.run({ number, lemma });
  const insertBook = db.prepare('INSERT INTO lemma_book (lemma, book, words) VALUES (?, ?, ?)');
  lemmaBooks.each((...counts) => insertBook.run(...counts));
  const insertOfLemma = db.prepare('INSERT INTO lemma_form (lemma, form, words) VALUES (?, ?, ?)');
  lemmaForms.each((...counts) => insertOfLemma.run(...counts));
}

/** Creates a counter of pairs of numbers, which lists the pairs in order. The second number must be below 2^20. */
function createCounts() {
  const counts = new Map<number, number>();
  return {
    add(first: number, second: number): void {
      const key = first * 2 ** 20 + second;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    each(write: (first: number, second: number, count: number) => void): void {
      for (const key of Float64Array.from(counts.keys()).sort())
        write(Math.floor(key / 2 ** 20), key % 2 ** 20, counts.get(key) ?? 0);
    },
  };
}
