import { join } from 'node:path';
import { openCorpus } from '@lectern/corpus';
import { createRandom, dataDir, testSeed, useStarted } from '@lectern/testing';
import { foldWord } from '@lectern/words';
import Database from 'better-sqlite3';
import { describeWithTranslations, openRealOriginalsClient } from '../../test-support/originals-client';
import { originalsFile } from '../index';

const readColumn = (file: string, sql: string): string[] => {
  const db = new Database(file, { readonly: true });
  const values = db.prepare<[], string>(sql).pluck().all();
  db.close();
  return values;
};

/** Names of several words, which no single word of the Hebrew text has as its number, and a ketiv (H4000). */
const severalWords = new Set(['H3070', 'H3072', 'H3073', 'H3074', 'H3128', 'H3197', 'H415', 'H416', 'H4000']);

describeWithTranslations("the Strong's numbers that fields return", () => {
  const client = useStarted(openRealOriginalsClient);
  const tagged = new Set<string>();
  const own = new Set<string>();
  let inLexicons: ReadonlySet<string>;
  let dictionary: ReadonlyMap<string, string>;
  beforeAll(() => {
    const corpus = openCorpus(dataDir);
    for (const identifier of ['eng-kjv', 'spa-rv1909', 'hbo-wlc', 'grc-sblgnt'])
      for (const { words } of corpus.eachVerse(identifier))
        for (const { strongs } of words) for (const number of strongs) tagged.add(number);
    corpus.close();
    for (const number of readColumn(originalsFile(dataDir), 'SELECT strongs FROM lemma WHERE strongs IS NOT NULL'))
      own.add(number);
    inLexicons = new Set(readColumn(originalsFile(dataDir), 'SELECT strongs FROM lexicon_number'));
    const lexicon = readColumn(join(dataDir, 'strongs.sqlite'), "SELECT number || ' ' || lemma FROM lexicon");
    dictionary = new Map(lexicon.map((row) => [row.split(' ')[0] ?? '', row.slice(row.indexOf(' ') + 1)]));
  });

  async function countsOf(numbers: readonly string[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (let from = 0; from < numbers.length; from += 20) {
      const some = numbers.slice(from, from + 20);
      const fields = some.map(
        (number) => `${number}: searchOriginals(words: [{ strongs: "${number}" }]) { wordCount }`,
      );
      const found = await client.data<Record<string, { wordCount: number }>>(`{ ${fields.join(' ')} }`);
      for (const number of some) counts.set(number, found[number]?.wordCount ?? 0);
    }
    return counts;
  }

  test('each number of a lemma, of a tag and of a lexicon is one that the field strongs of the dictionary or of a text has', () => {
    const unknown = [...own, ...inLexicons].filter((number) => !dictionary.has(number) && !tagged.has(number));
    expect(unknown).toEqual([]);
  });

  test('searchOriginals finds each number of a translation, except those of words that the texts lack', async () => {
    const others = [...tagged].filter((number) => !own.has(number));
    expect(others.length).toBeGreaterThan(150);
    const counts = await countsOf(others);
    const folded = new Set(readColumn(originalsFile(dataDir), 'SELECT folded FROM lemma'));
    const lost = others.filter((number) => counts.get(number) === 0 && !severalWords.has(number));
    expect(lost.filter((number) => folded.has(foldWord(dictionary.get(number) ?? '')))).toEqual([]);
    expect(lost.length).toBeLessThan(75);
    for (const [number, least] of [
      ['G2036', 2_300],
      ['G2258', 2_400],
      ['G39', 200],
    ] as const)
      expect([number, (counts.get(number) ?? 0) >= least]).toEqual([number, true]);
  });

  test('200 random numbers of lemmas have as many words in searchOriginals as their lemmas have', async () => {
    const random = createRandom(testSeed());
    const all = [...own];
    const drawn = Array.from({ length: 200 }, () => all[Math.floor(random() * all.length)] ?? '');
    const words = new Map(
      readColumn(
        originalsFile(dataDir),
        "SELECT l.strongs || ' ' || sum(b.words) FROM lemma AS l JOIN lemma_book AS b ON b.lemma = l.number WHERE l.strongs IS NOT NULL GROUP BY l.strongs",
      ).map((row) => row.split(' ') as [string, string]),
    );
    // A word of the margin (qere) counts as the word that it replaces.
    for (const [number, count] of await countsOf([...new Set(drawn)]))
      expect([number, count >= Number(words.get(number) ?? 0)]).toEqual([number, true]);
  });

  test('StrongsEntry.lexicons lists an entry for each number, except 23 of words that no lexicon has', async () => {
    const numbers = [...new Set([...tagged, ...own, ...dictionary.keys()])];
    const empty: string[] = [];
    for (let from = 0; from < numbers.length; from += 200) {
      const { entries } = await client.data<{ entries: { number: string; lexicons: unknown[] }[] }>(
        'query ($of: [_Any!]!) { entries: _entities(representations: $of) { ... on StrongsEntry { number lexicons { id } } } }',
        { of: numbers.slice(from, from + 200).map((number) => ({ __typename: 'StrongsEntry', number })) },
      );
      for (const { number, lexicons } of entries) if (lexicons.length === 0) empty.push(number);
    }
    expect(empty.length).toBeLessThanOrEqual(23);
    expect(empty.filter((number) => own.has(number)).length).toBeLessThanOrEqual(6);
  });
});
