// The queries for measuring the modes of searchVerses: questions, whose expected verses have grades of
// relevance, and half-remembered verses.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  evaluationFolder,
  readGrades,
  readQueries,
} from '../../packages/embeddings/evaluation/measure-ndcg-and-success.mjs';

const require = createRequire(import.meta.url);
const { openCorpus } = require('../../packages/corpus/dist/index.js');
const { createRandom } = require('../../packages/testing/dist/seeded-random-and-test-seed.js');

/**
 * @typedef {object} MeasuredQuery
 * @property {string} name the kind of the query
 * @property {string} group queries of one group ask for the same in other words or another language
 * @property {string} translation
 * @property {string} query
 * @property {Map<string, number>} grades the relevance of each expected verse, by a place such as JHN.3.16
 */

/**
 * Reads the questions of a folder with queries.tsv, qrels.tsv and groups-of-questions.tsv.
 * @returns {MeasuredQuery[]}
 */
export function readQuestions(folder = evaluationFolder) {
  const grades = readGrades(folder);
  /** @type {Map<string, string>} */
  const groups = new Map();
  for (const line of readFileSync(join(folder, 'groups-of-questions.tsv'), 'utf8').split('\n')) {
    const [id = '', group = ''] = line.split('\t');
    groups.set(id, group);
  }
  return readQueries(folder).map(({ id, language, kind, text }) => ({
    name: `${language} ${kind}`,
    group: groups.get(id) ?? id,
    translation: 'spa-rv1909',
    query: text,
    grades: grades.get(id) ?? new Map(),
  }));
}

/**
 * Draws half-remembered verses: eight consecutive words of a verse, changed in one of four ways. Some
 * words are missing, the order is another, one word is misspelt, or the words come from another
 * English translation than the translation that is searched.
 * @returns {MeasuredQuery[]}
 */
export function drawRememberedVerses({ dataDir, seed = 20_261_122, count = 200 }) {
  const random = createRandom(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const corpus = openCorpus(dataDir);
  const verses = new Map(
    ['eng-web', 'eng-kjv', 'spa-rv1909'].map((translation) => [translation, [...corpus.eachVerse(translation)]]),
  );
  corpus.close();
  const misspell = (word) => {
    const at = 1 + Math.floor(random() * (word.length - 2));
    return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
  };
  const kinds = {
    'words left out': (words) => words.filter(() => random() > 0.3),
    'another order': (words) => [...words.slice(4), ...words.slice(0, 4)],
    'a misspelt word': (words) => {
      const longest = words.reduce((a, b) => (b.length > a.length ? b : a));
      return words.map((word) => (word === longest ? misspell(word) : word));
    },
    'other wording': (words) => words,
  };
  const drawVerse = (kind) => {
    const translation = pick(kind === 'other wording' ? ['eng-web', 'eng-kjv'] : [...verses.keys()]);
    const { book, chapter, verse, text } = pick(verses.get(translation));
    const words = text.split(/[^\p{L}'’]+/u).filter(Boolean);
    if (words.length < 8) return drawVerse(kind);
    const from = Math.floor(random() * (words.length - 7));
    const otherEnglish = translation === 'eng-web' ? 'eng-kjv' : 'eng-web';
    const id = `${book}.${chapter}.${verse}`;
    return {
      name: kind,
      group: id,
      translation: kind === 'other wording' ? otherEnglish : translation,
      query: kinds[kind](words.slice(from, from + 8)).join(' '),
      grades: new Map([[id, 1]]),
    };
  };
  return Array.from({ length: count }, (_, number) => drawVerse(Object.keys(kinds)[number % 4]));
}
