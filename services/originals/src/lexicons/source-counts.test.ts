import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, dataDir, testSeed, useStarted } from '@lectern/testing';
import Database from 'better-sqlite3';
import { describeWithTexts, openRealOriginalsClient, sources } from '../../test-support/originals-client';
import { originalsFile } from '../index';
import { unpackEntry } from './read-lexicons';

const file = (part: 'hebrewlexicon' | 'abbott-smith', name: string): string =>
  readFileSync(join(sources.get(part) ?? '', name), 'utf8');
const matches = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), (each) => each[1] ?? '');

describeWithTexts('comparison of the lexicons in originals.sqlite with their source files', () => {
  const client = useStarted(openRealOriginalsClient);
  let rows: (sql: string) => Record<string, unknown>[];
  beforeAll(() => {
    const db = new Database(originalsFile(dataDir), { readonly: true });
    rows = (sql) => db.prepare<[], Record<string, unknown>>(sql).all();
  });
  const idsOf = (lexicon: string): string[] =>
    rows(`SELECT id FROM lexicon_entry WHERE id LIKE '${lexicon}:%' ORDER BY number`).map(({ id }) => String(id));
  const numbersOf = (lexicon: string): string[] =>
    rows(
      `SELECT DISTINCT e.id || ' ' || strongs || letter AS pair FROM lexicon_number JOIN lexicon_entry AS e ON e.number = entry WHERE e.id LIKE '${lexicon}:%'`,
    ).map(({ pair }) => String(pair));

  test("the lexicon Brown-Driver-Briggs has all 11,845 entries of its source file, with 9,291 Strong's numbers", () => {
    const ids = matches(file('hebrewlexicon', 'BrownDriverBriggs.xml'), /<entry id="([^"]*)"/g);
    expect([ids.length, idsOf('bdb')]).toEqual([11_845, ids.map((id) => `bdb:${id}`)]);
    const index = file('hebrewlexicon', 'LexicalIndex.xml').match(/<xref [^>]*>/g) ?? [];
    const attribute = (xref: string, name: string): string => new RegExp(`${name}="([^"]*)"`).exec(xref)?.[1] ?? '';
    const pairs = index
      .filter((xref) => /strong="\d/.test(xref) && attribute(xref, 'bdb') !== '')
      .map((xref) => `bdb:${attribute(xref, 'bdb')} H${attribute(xref, 'strong')}${attribute(xref, 'aug')}`);
    expect(numbersOf('bdb').sort()).toEqual([...new Set(pairs)].sort());
  });

  test("Strong's Hebrew dictionary has all 8,674 entries of its source file, each with its own number", () => {
    const ids = matches(file('hebrewlexicon', 'HebrewStrong.xml'), /<entry id="([^"]*)"/g);
    expect([ids.length, idsOf('strongs-hebrew')]).toEqual([8_674, ids.map((id) => `strongs-hebrew:${id}`)]);
    expect(numbersOf('strongs-hebrew').sort()).toEqual(ids.map((id) => `strongs-hebrew:${id} ${id}`).sort());
  });

  test("the lexicon Abbott-Smith has all 5,896 entries with a lemma, 5,429 of them with a Strong's number", () => {
    const entries = file('abbott-smith', 'abbott-smith.tei_lemma.xml').match(/<entry lemma[^>]*>/g) ?? [];
    expect([entries.length, idsOf('abbott-smith').length]).toEqual([5_896, 5_896]);
    const withNumber = entries.filter((each) => each.includes('strong='));
    const withLetter = withNumber.filter((each) => /strong="G\d+[a-z]"/.test(each));
    expect([withNumber.length, withLetter.length]).toEqual([5_444, 15]);
    expect(
      new Set(
        rows("SELECT id FROM lexicon_entry WHERE id LIKE 'abbott-smith:%' AND content LIKE '%\"strongs\":[{%'").map(
          ({ id }) => id,
        ),
      ).size,
    ).toBe(5_429);
  });

  test('in every lexicon entry, spans lie within the text, links lead to existing entries, and texts contain no markup', () => {
    const entries = rows('SELECT content FROM lexicon_entry').map(({ content }) => unpackEntry(String(content)));
    expect(entries).toHaveLength(26_415);
    const ids = new Set(entries.map(({ id }) => id));
    const problems: string[] = [];
    let links = 0;
    let references = 0;
    for (const { id, headword, text, derivation, senses, related } of entries) {
      if (headword.trim() === '' || related.some((each) => !ids.has(each) || each === id)) problems.push(id);
      for (const each of [text, derivation ?? text, ...senses]) {
        if (/<\/?[a-z]|&\w+;| {2}|^\s|\s$/.test(each.text)) problems.push(`${id}: ${each.text}`);
        for (const { start, length, entry, verses } of each.spans) {
          if (start < 0 || length <= 0 || start + length > each.text.length) problems.push(`${id}: ${start}`);
          if (entry !== undefined && !ids.has(entry)) problems.push(`${id}: ${entry}`);
          links += entry === undefined ? 0 : 1;
          references += verses ? 1 : 0;
        }
      }
    }
    expect(problems).toEqual([]);
    expect(links).toBeGreaterThan(20_000);
    expect(references).toBeGreaterThan(46_000);
  });

  test('OriginalWord.lexicons of "create" in Genesis 1:1 (H1254a) has the entry of H1254a and not of H1254b', async () => {
    const [verse] = await client.verses<{ original: { words: { lexicons: { id: string }[] }[] }[] }>(
      'original { words { lexicons { id } } }',
      ['eng-kjv GEN 1:1'],
    );
    expect(verse?.original[0]?.words[1]?.lexicons).toEqual([{ id: 'bdb:b.cw.aa' }, { id: 'strongs-hebrew:H1254' }]);
  });

  test('an entry of Brown-Driver-Briggs that the index joins with several words has the transliteration of its own word', () => {
    const transliterationOf = (id: string): unknown =>
      unpackEntry(String(rows(`SELECT content FROM lexicon_entry WHERE id = '${id}'`)[0]?.['content'])).transliteration;
    // Peace, not the altar "the LORD is peace"; harvest, not the stronghold of the same consonants; the last has none.
    expect(['bdb:v.ds.ab', 'bdb:t.ab.aa', 'bdb:a.fj.ad'].map(transliterationOf)).toEqual(['šālôm', 'rāʾâ', null]);
  });

  test('the gloss of a Greek lemma comes from the senses of the lemma itself, not from the word from which the lemma derives', () => {
    const keys = ['θερίζω', 'φυτεύω'].map((key) => `'${key}'`).join(', ');
    expect(rows(`SELECT gloss FROM lemma WHERE key IN (${keys}) ORDER BY key`)).toEqual([
      { gloss: 'to reap' },
      { gloss: 'to plant' },
    ]);
  });

  test('each of 40 random lexicon entries has as many occurrences as its lemma has words in the source files', async () => {
    const counts = new Map<string, number>();
    for (const key of readLemmas()) counts.set(key, (counts.get(key) ?? 0) + 1);
    const random = createRandom(testSeed());
    for (const letter of ['H', 'G']) {
      const numbers = rows(
        `SELECT DISTINCT strongs FROM lexicon_number WHERE strongs LIKE '${letter}%' AND strongs NOT IN
         (SELECT strongs FROM lemma WHERE key IN (${correctedLemmas()}) AND strongs IS NOT NULL)`,
      );
      for (let drawn = 0; drawn < 20; drawn++) {
        const number = String(numbers[Math.floor(random() * numbers.length)]?.['strongs']);
        const { entries } = await client.data<{
          entries: {
            lexicons: {
              numbers: { number: string }[];
              occurrences: { totalCount: number; byBook: { count: number }[] };
            }[];
          }[];
        }>(
          'query ($of: [_Any!]!) { entries: _entities(representations: $of) { ... on StrongsEntry { lexicons { numbers { number } occurrences { totalCount byBook { count } } } } } }',
          { of: [{ __typename: 'StrongsEntry', number }] },
        );
        // The last entry is one of all words of the number: Strong's, or the only one of Abbott-Smith.
        const entry = entries[0]?.lexicons.at(-1);
        const last = entry?.occurrences;
        const own = (entry?.numbers ?? []).map((each) => `'${each.number}'`).join();
        const keys = rows(
          `SELECT DISTINCT key FROM lemma JOIN lemma_number AS n ON n.lemma = lemma.number WHERE n.strongs IN (${own})`,
        ).map(({ key }) => String(key));
        const expected = keys.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0);
        expect([number, last?.totalCount]).toEqual([number, expected]);
        expect(last?.byBook.reduce((sum, { count }) => sum + count, 0)).toBe(expected);
      }
    }
  });
});

/** Returns the lemmas that corrections.tsv removes from words or gives to words, as a list of SQL. */
const correctedLemmas = (): string =>
  readFileSync(join(__dirname, '..', '..', 'corrections.tsv'), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .flatMap(([, , , field, ...lemmas]) =>
      field === 'lemma'
        ? lemmas.slice(0, 2).map((lemma) => (/^\d|\//.test(lemma) ? `H${lemma.replace(/.*\//, '')}` : lemma))
        : [],
    )
    .map((lemma) => `'${lemma.replaceAll(' ', '')}'`)
    .join();

/** Returns the lemma of each word of the source files: H1254a, or its Greek spelling. */
function readLemmas(): string[] {
  const [hebrew = '', greek = ''] = [sources.get('morphhb'), sources.get('morphgnt')];
  return [
    ...readdirSync(hebrew).flatMap((name) =>
      matches(
        readFileSync(join(hebrew, name), 'utf8').replace(/<note[\s\S]*?<\/note>/g, ''),
        /<w lemma="(?:[^"]*\/)?([^"/]*)"/g,
      ).map((lemma) => `H${lemma.replace(/[ +]/g, '')}`),
    ),
    ...readdirSync(greek).flatMap((name) =>
      matches(readFileSync(join(greek, name), 'utf8').normalize('NFC'), / (\S+)\r?\n/g),
    ),
  ];
}
