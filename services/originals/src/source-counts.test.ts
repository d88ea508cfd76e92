import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { books, parsePlace } from '@lectern/canon';
import { openCorpus } from '@lectern/corpus';
import { createRandom, dataDir, testSeed, useStarted } from '@lectern/testing';
import Database from 'better-sqlite3';
import {
  describeWithTexts,
  describeWithTranslations,
  openRealOriginalsClient,
  sources,
} from '../test-support/originals-client';
import { readStoredWords } from '../test-support/stored-words';
import { originalsFile } from './index';

// Reads the words of the source files in a few lines of its own, to compare the importer with them.
interface Word {
  verse: string;
  book: string;
  surface: string;
  lemma: string;
  code: string;
}
const osisBooks =
  'Gen Exod Lev Num Deut Josh Judg Ruth 1Sam 2Sam 1Kgs 2Kgs 1Chr 2Chr Ezra Neh Esth Job Ps Prov Eccl Song Isa Jer Lam Ezek Dan Hos Joel Amos Obad Jonah Mic Nah Hab Zeph Hag Zech Mal'.split(
    ' ',
  );
const codeAt = (index: number): string => books[index]?.code ?? '';

function readHebrew(folder: string): Word[] {
  return osisBooks.flatMap((name, index) => {
    const xml = readFileSync(join(folder, `${name}.xml`), 'utf8').replace(/<note[\s\S]*?<\/note>/g, '');
    return xml.split('<verse osisID="').flatMap((part, count) => {
      const [, chapter, verse] = part.slice(0, part.indexOf('"')).split('.');
      return Array.from(
        count === 0 ? [] : part.matchAll(/<w lemma="([^"]*)"[^>]* morph="([^"]*)"[^>]*>(.*?)<\/w>/g),
        (w) => ({
          verse: `${codeAt(index)} ${chapter}:${verse}`,
          book: codeAt(index),
          surface: (w[3] ?? '').replace(/<[^>]*>|\//g, '').normalize('NFC'),
          lemma: (w[1] ?? '').replace(/.*\//, '').replace(/[ +]/g, ''),
          code: w[2] ?? '',
        }),
      );
    });
  });
}

function readGreek(folder: string): Word[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => {
      const [key = '', pos, code, , surface = '', , lemma = ''] = line.split(' ');
      const book = codeAt(Number(key.slice(0, 2)) + 38);
      return {
        verse: `${book} ${Number(key.slice(2, 4))}:${Number(key.slice(4))}`,
        book,
        surface,
        lemma,
        code: `${pos} ${code}`,
      };
    });
}

/** Applies the corrections of corrections.tsv, which the importer applies too. */
function corrected(words: readonly Word[]): Word[] {
  const file = join(__dirname, '..', 'corrections.tsv');
  const corrections = new Map(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([verse, word, , field = '', , correction = '']) => [`${verse} ${word} ${field}`, correction]),
  );
  let [verse, position] = ['', 0];
  return words.map((word) => {
    position = word.verse === verse ? position + 1 : 1;
    verse = word.verse;
    const read = (field: keyof Word): string => corrections.get(`${verse} ${position} ${field}`) ?? word[field];
    return { ...word, surface: read('surface'), lemma: read('lemma'), code: read('code') };
  });
}

function countBy(words: readonly Word[], keyOf: (word: Word) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(keyOf(word), (counts.get(keyOf(word)) ?? 0) + 1);
  return counts;
}

describeWithTexts('comparison of originals.sqlite with its source files', () => {
  const client = useStarted(openRealOriginalsClient);
  const random = createRandom(testSeed());
  const draw = <Item>(items: readonly Item[], count: number): Item[] =>
    Array.from({ length: count }, () => items[Math.floor(random() * items.length)] as Item);
  let hebrew: Word[];
  let greek: Word[];
  let rows: (sql: string, ...values: (string | number)[]) => Record<string, unknown>[];
  beforeAll(() => {
    hebrew = corrected(readHebrew(sources.get('morphhb') ?? ''));
    greek = corrected(readGreek(sources.get('morphgnt') ?? ''));
    const db = new Database(originalsFile(dataDir), { readonly: true });
    rows = (sql, ...values) => db.prepare<unknown[], Record<string, unknown>>(sql).all(...values);
  });

  test('the file originals.sqlite has the known numbers of verses and words of the Hebrew and the Greek Bible', () => {
    expect(rows('SELECT id, verses, words FROM text')).toEqual([
      { id: 'hbo-wlc', verses: 23_213, words: 305_507 },
      { id: 'grc-sblgnt', verses: 7_927, words: 137_554 },
    ]);
    expect([hebrew.length, greek.length]).toEqual([305_507, 137_554]);
  });

  test('each book in originals.sqlite has as many words as in the source files', () => {
    const stored = rows('SELECT ordinal / 1000000 AS book, sum(words) AS words FROM verse GROUP BY 1 ORDER BY 1');
    const expected = countBy([...hebrew, ...greek], ({ book }) => book);
    expect(stored.map(({ book, words }) => [codeAt(Number(book) - 1), words])).toEqual([...expected]);
  });

  test('100 random lemmas and 50 random grammar codes occur as often in originals.sqlite as in the source files', () => {
    const lemmas = countBy(
      [...hebrew.map((word) => ({ ...word, lemma: `H${word.lemma}` })), ...greek],
      ({ lemma }) => lemma,
    );
    const stored = readStoredWords();
    for (const [lemma, count] of draw([...lemmas], 100)) {
      expect([lemma, stored.filter(({ key }) => key === lemma).length]).toEqual([lemma, count]);
      expect([
        lemma,
        rows('SELECT sum(words) AS n FROM lemma_book JOIN lemma AS l ON l.number = lemma WHERE l.key = ?', lemma),
      ]).toEqual([lemma, [{ n: count }]]);
    }
    const codes = countBy([...hebrew, ...greek], ({ code }) => code);
    for (const [code, count] of draw([...codes], 50))
      expect([code, stored.filter((word) => word.code === code).length]).toEqual([code, count]);
  });

  describeWithTranslations('the translations hbo-wlc and grc-sblgnt', () => {
    const corpus = useStarted(() => openCorpus(dataDir));
    let verses: { book: string; verse: string; text: string; words: string[] }[];
    beforeAll(() => {
      verses = ['hbo-wlc', 'grc-sblgnt'].flatMap((identifier) =>
        Array.from(corpus.eachVerse(identifier), ({ book, chapter, verse, text, words }) => ({
          book,
          verse: `${book} ${chapter}:${verse}`,
          text,
          words: words.map(({ start, length }) => text.slice(start, start + length)),
        })),
      );
    });

    test('each book of the translations hbo-wlc and grc-sblgnt has as many words as in the source files', () => {
      const counts = new Map<string, number>();
      for (const { book, words } of verses) counts.set(book, (counts.get(book) ?? 0) + words.length);
      expect([...counts]).toEqual([...countBy([...hebrew, ...greek], ({ book }) => book)]);
    });

    test('50 random verses of the translations hbo-wlc and grc-sblgnt have the words of the source files', () => {
      const sourceWords = [...hebrew, ...greek];
      for (const verse of draw(verses, 50)) {
        const first = sourceWords.findIndex((word) => word.verse === verse.verse);
        const expected = sourceWords
          .slice(first, first + verse.words.length + 1)
          .filter((word) => word.verse === verse.verse);
        expect([verse.verse, verse.words]).toEqual([verse.verse, expected.map(({ surface }) => surface)]);
        const between = verse.words.reduce((text, word) => text.replace(word, ''), verse.text);
        expect([verse.verse, between]).toEqual([verse.verse, expect.stringMatching(/^[\s\p{P}\u05c0]*$/u)]);
      }
    });

    test('the translation hbo-wlc (the Hebrew text) has a note for each marginal reading, and the paragraphs of its source', () => {
      const places = ['1KI 17:14', 'RUT 3:12', 'GEN 1:6', 'GEN 1:7'].flatMap((each) => parsePlace(each) ?? []);
      const [kings, ruth, day, noDay] = corpus.layouts('hbo-wlc', places);
      expect(kings?.notes.map(({ kind, text }) => [kind, text])).toEqual([['TRANSLATION', 'Qere: תֵּת']]);
      expect(ruth?.notes.map(({ text }) => text)).toEqual(['Qere: not read']);
      expect([day?.breaks, noDay?.breaks]).toEqual([[{ kind: 'PARAGRAPH', start: 0, indent: 0 }], []]);
      expect(corpus.verse('hbo-wlc', 'GEN', 1, 5)?.text).toMatch(/׃$/);
    });
  });

  test('the field Verse.original of 50 random verses has the words and grammar codes of the source files', async () => {
    const all = [...hebrew, ...greek];
    const chosen = draw([...new Set(all.map(({ verse }) => verse))], 50);
    for (const verse of chosen) {
      const expected = all.filter((word) => word.verse === verse).map(({ surface, code }) => [surface, code]);
      const [book = '', chapter, number] = verse.split(/[ :]/);
      const ordinal = (books.findIndex(({ code }) => code === book) + 1) * 1e6 + Number(chapter) * 1e3 + Number(number);
      const [standard] = rows(
        'SELECT standard FROM rendering JOIN verse AS v ON v.number = verse WHERE ordinal = ?',
        ordinal,
      );
      const [, of = ''] = /^\d+?(\d{6})$/.exec(String(standard?.['standard'])) ?? [];
      const place = `eng-kjv ${book} ${Number(of.slice(0, 3))}:${Number(of.slice(3))}`;
      const [found] = await client.verses<{
        original: {
          bookId: string;
          chapter: number;
          verse: number;
          words: { surface: string; parsing: { code: string } }[];
        }[];
      }>('original { bookId chapter verse words { surface parsing { code } } }', [place]);
      const original = found?.original.find((each) => `${each.bookId} ${each.chapter}:${each.verse}` === verse);
      expect([verse, original?.words.map(({ surface, parsing }) => [surface, parsing.code])]).toEqual([
        verse,
        expected,
      ]);
    }
  });
});
