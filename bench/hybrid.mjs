// Measures the modes of searchVerses with questions and with half-remembered verses: node bench/hybrid.mjs
// The verses are 200 by a fixed seed: words left out, in another order, one misspelt, or as the other English translation has
// them. Prints nDCG@10 and success@5. Needs `npm run build` and `npm run data`. Setting: MODES.
import { createRequire } from 'node:module';
import { evaluationFolder, measure, readGrades, readQueries } from '../packages/embeddings/evaluation/measures.mjs';

const require = createRequire(import.meta.url);
const { cleanEnv } = require('envalid');
const { openCorpus } = require('../packages/corpus/dist/index.js');
const { silentLogger } = require('../packages/serving/dist/index.js');
const { executeInProcess } = require('../packages/subgraph/dist/index.js');
const { createRandom } = require('../packages/testing/dist/seeded-random.js');
const { createSearchSubgraph, createSemanticOptions, semanticSettings } = require('../services/search/dist/index.js');

const dataDir = process.env.LECTERN_DATA ?? 'data';
const settings = cleanEnv({ SEMANTIC_TIMEOUT_MS: '60000', SEMANTIC_TRANSLATIONS: '*' }, semanticSettings);
const subgraph = await createSearchSubgraph({
  dataDir,
  semantic: await createSemanticOptions({ settings, dataDir, log: silentLogger }),
});
const execute = executeInProcess(subgraph, silentLogger);
const document = `query($query: String!, $translation: String, $mode: SearchMode) {
  searchVerses(query: $query, translation: $translation, mode: $mode, first: 10) { edges { node { bookId chapter verse } } }
}`;
const times = [];
const search = async (query, translation, mode) => {
  const started = performance.now();
  const { data, errors } = await execute({ query: document, variables: { query, translation, mode } });
  times.push(performance.now() - started);
  if (errors) throw new Error(errors[0].message);
  return Object(data).searchVerses.edges.map(({ node }) => `${node.bookId}.${node.chapter}.${node.verse}`);
};

const random = createRandom(20_261_122);
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
  return {
    name: kind,
    translation: kind === 'other wording' ? otherEnglish : translation,
    query: kinds[kind](words.slice(from, from + 8)).join(' '),
    grades: new Map([[`${book}.${chapter}.${verse}`, 1]]),
  };
};
const remembered = Array.from({ length: 200 }, (_, number) => drawVerse(Object.keys(kinds)[number % 4]));
const grades = readGrades(evaluationFolder);
const questions = readQueries().map(({ id, language, kind, text }) => ({
  name: `${language} ${kind}`,
  translation: 'spa-rv1909',
  query: text,
  grades: grades.get(id) ?? new Map(),
}));

for (const mode of (process.env.MODES ?? 'WORDS,MEANING,HYBRID').split(',')) {
  const groups = new Map();
  times.length = 0;
  for (const [set, list] of Object.entries({ questions, remembered })) {
    for (const { name, translation, query, grades: expected } of list) {
      const { ndcg, success5 } = measure(await search(query, translation, mode), expected);
      for (const group of [name, set, 'all']) groups.set(group, [...(groups.get(group) ?? []), { ndcg, success5 }]);
    }
  }
  const mean = (list, key) => list.reduce((sum, each) => sum + each[key], 0) / list.length;
  const middle = times.toSorted((a, b) => a - b)[times.length >> 1].toFixed(2);
  console.log(`\n${mode.padEnd(18)}   n  nDCG@10  success@5   (p50 ${middle} ms)`);
  for (const [name, list] of groups)
    console.log(
      `${name.padEnd(18)} ${String(list.length).padStart(3)}   ${mean(list, 'ndcg').toFixed(4)}   ${mean(list, 'success5').toFixed(3)}`,
    );
}
await subgraph.close();
