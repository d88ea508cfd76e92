import { type Numbering, standardVerses, verseOrdinal } from '@lectern/canon';
import type { OriginalSources } from '@lectern/corpus';
import type { Database } from 'better-sqlite3';
import { decodeGreek } from '../grammar/greek';
import { decodeHebrew } from '../grammar/hebrew';
import type { SourceLexicons } from '../lexicons/read-lexicons';
import { foldOriginal, foldTransliteration, withoutAccents } from '../script/fold';
import { transliterateGreek } from '../script/greek';
import { transliterateHebrew } from '../script/hebrew';
import { greekText, hebrewText, type OriginalText } from '../texts';
import { readGreekVerses } from './greek';
import { readHebrewVerses, type SourceVerse, type SourceWord } from './hebrew';
import { createGreekLemmas, createHebrewLemmas, type Lemma } from './lemmas';

/** Writes the texts that this machine has. Throws an Error that names the place of a bad word. */
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
  /** Throws an Error for an unknown code. Returns one element for each segment. */
  decode: (code: string) => readonly unknown[];
}

/** Numbers values in the order of their first use, from 1. `write` is called once for each value. */
function createNumbering() {
  const numbers = new Map<string, number>();
  const numberOf = (key: string, write: (number: number) => void): number => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, numbers.size + 1);
    write(numbers.size);
    return numbers.size;
  };
  return Object.assign(numberOf, { count: () => numbers.size });
}

function createTextWriter(db: Database) {
  const insertText = db.prepare('INSERT INTO text (number, id, words, verses) VALUES (?, ?, ?, ?)');
  const insertVerse = db.prepare('INSERT INTO verse (number, text, ordinal, first_word, words) VALUES (?, ?, ?, ?, ?)');
  const insertRendering = db.prepare('INSERT INTO rendering (standard, verse, is_partial) VALUES (?, ?, ?)');
  const insertWord = db.prepare(
    'INSERT INTO word (number, form, lemma, parsing, before, after, is_compound) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertQere = db.prepare('INSERT INTO qere (word, position, form, lemma, parsing) VALUES (?, ?, ?, ?, ?)');
  const insertForm = db.prepare('INSERT INTO form (number, surface, folded, latin) VALUES (?, ?, ?, ?)');
  const insertParsing = db.prepare('INSERT INTO parsing (number, code, prefixes) VALUES (?, ?, ?)');
  const insertLemma = db.prepare(
    'INSERT INTO lemma (number, key, text, folded, latin, strongs, letter, gloss) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const [forms, lemmas, parsings] = [createNumbering(), createNumbering(), createNumbering()];
  const columns: Record<'form' | 'lemma' | 'parsing', number[]> = { form: [], lemma: [], parsing: [] };
  let verseCount = 0;
  let wordCount = 0;

  function write(text: OriginalText, verses: Iterable<SourceVerse>, { lemmaOf, numbering, decode }: TextRules): string {
    const transliterate = text === hebrewText ? transliterateHebrew : transliterateGreek;
    const [firstVerse, firstWord] = [verseCount, wordCount];
    /** The number of segments of each code that occurs. */
    const segmentCounts = new Map<string, number>();

    function numbersOf({ surface, lemma, code }: SourceWord) {
      const segments = surface.split('/');
      if (!segmentCounts.has(code)) segmentCounts.set(code, decode(code).length);
      if (surface === '' || segments.length !== segmentCounts.get(code))
        throw new Error(`'${surface}' has other segments than its parsing '${code}'`);
      const parts = text === hebrewText ? lemma.split('/') : [lemma];
      const own = (parts.at(-1) ?? '').replace(/\+$/, '');
      // A few words are written as one segment, although their lemma has a prefix.
      const prefixes = parts.slice(0, -1).slice(0, segments.length - 1);
      const form = forms(surface, (number) =>
        insertForm.run(number, surface, foldOriginal(surface), foldTransliteration(transliterate(surface, code))),
      );
      const lemmaNumber = lemmas(`${text.number}|${own}`, (number) => {
        const { key, text: spelling, strongs, letter, gloss } = lemmaOf(own);
        const shown = spelling ?? withoutAccents(segments[prefixes.length] ?? surface);
        const latin = foldTransliteration(transliterate(shown));
        insertLemma.run(number, key, shown, foldOriginal(shown), latin, strongs, letter, gloss);
      });
      const parsing = parsings(`${code}|${prefixes.join('/')}`, (number) =>
        insertParsing.run(number, code, prefixes.join('/')),
      );
      return [form, lemmaNumber, parsing] as const;
    }

    for (const verse of verses) {
      if (verse.words.length === 0) continue;
      verseCount += 1;
      insertVerse.run(verseCount, text.number, verseOrdinal(verse), wordCount + 1, verse.words.length);
      for (const { isPartial = false, ...place } of standardVerses(numbering, verse))
        insertRendering.run(verseOrdinal(place), verseCount, Number(isPartial));
      for (const [index, word] of verse.words.entries()) {
        wordCount += 1;
        try {
          const between = index === verse.words.length - 1 ? word.after.trimEnd() : word.after;
          const after = between === ' ' ? null : between;
          const isCompound = word.lemma.endsWith('+') ? 1 : null;
          const [form, lemma, parsing] = numbersOf(word);
          insertWord.run(wordCount, form, lemma, parsing, word.before || null, after, isCompound);
          columns.form.push(form);
          columns.lemma.push(lemma);
          columns.parsing.push(parsing);
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
    return `${text.title}: ${versesOfText} verses, ${words} words`;
  }

  return {
    write,
    /** Writes what depends on all texts. */
    finish(): void {
      const insert = db.prepare('INSERT INTO word_column (name, numbers) VALUES (?, ?)');
      if (lemmas.count() > maxUint16 || parsings.count() > maxUint16) throw new Error('Too many lemmas or parsings');
      insert.run('form', Buffer.from(Uint32Array.from(columns.form).buffer));
      insert.run('lemma', Buffer.from(Uint16Array.from(columns.lemma).buffer));
      insert.run('parsing', Buffer.from(Uint16Array.from(columns.parsing).buffer));
    },
  };
}

const maxUint16 = 65_535;
