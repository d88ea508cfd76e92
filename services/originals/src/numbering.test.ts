import { fromStandard, ordinalParts, type Place, toStandard } from '@lectern/canon';
import { openCorpus } from '@lectern/corpus';
import { dataDir, useStarted } from '@lectern/testing';
import Database from 'better-sqlite3';
import { describeWithTexts, openRealOriginalsClient } from '../test-support/originals-client';
import { readStoredWords } from '../test-support/stored-words';
import { originalsFile } from './index';

/** A Hebrew verse with the Strong's numbers of its words. */
interface HebrewVerse {
  place: Place;
  numbers: ReadonlySet<string>;
}

/** Verses spread evenly over the Hebrew Bible. Titles of Psalms and the seven partial verses have no full partner. */
const drawn = 300;

describeWithTexts('the numbering of the Hebrew Bible', () => {
  useStarted(openRealOriginalsClient);

  test(`${drawn} Hebrew verses share most of their Strong's numbers with the King James verses taken as their equivalents`, () => {
    const db = new Database(originalsFile(dataDir), { readonly: true });
    const rows = db
      .prepare<[], { ordinal: number; first: number; words: number }>(
        'SELECT ordinal, first_word AS first, words FROM verse WHERE text = 1 ORDER BY ordinal',
      )
      .all();
    db.close();
    const words = readStoredWords();
    const hebrew = rows.flatMap(({ ordinal, first, words: count }): HebrewVerse[] => {
      const numbers = words.slice(first - 1, first - 1 + count).flatMap(({ strongs }) => strongs ?? []);
      const place = ordinalParts(ordinal);
      const standard = place && toStandard('hebrew', place);
      const back = standard && fromStandard('hebrew', standard);
      const isTitle = back?.chapter !== place?.chapter || back?.verse !== place?.verse;
      return place && !isTitle ? [{ place, numbers: new Set(numbers) }] : [];
    });
    const step = hebrew.length / drawn;
    const corpus = openCorpus(dataDir);
    const shares = Array.from({ length: drawn }, (_, index) => {
      const { place, numbers } = hebrew[Math.floor(index * step)] ?? { place: null, numbers: new Set() };
      const standard = place && toStandard('hebrew', place);
      const own = (standard ? corpus.words('eng-kjv', [standard]) : []).flat().flatMap(({ strongs }) => strongs);
      return { place, share: own.filter((number) => numbers.has(number)).length / own.length };
    });
    corpus.close();
    expect(shares.filter(({ share }) => !(share >= 0.6))).toEqual([]);
    expect(shares.reduce((sum, { share }) => sum + share, 0) / drawn).toBeGreaterThan(0.98);
  });
});
