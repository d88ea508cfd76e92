// Measures the modes of searchVerses (WORDS, MEANING, BEST) with questions and with half-remembered
// verses: node bench/search-mode-relevance.mjs. Prints nDCG@10 and success@5. Settings:
// MODES: the modes to measure. QUESTIONS: a folder with other questions.
// DRAWS=1,2: the seeds with which half-remembered verses are drawn.
// Needs `npm run build` and `npm run data`.
import { createRequire } from 'node:module';
import { measureRanking } from '../packages/embeddings/evaluation/measure-ndcg-and-success.mjs';
import { drawRememberedVerses, readQuestions } from './search-modes/expected-verses.mjs';

const require = createRequire(import.meta.url);
const { cleanEnv } = require('envalid');
const { silentLogger } = require('../packages/serving/dist/index.js');
const { executeInProcess } = require('../packages/subgraph/dist/index.js');
const { createSearchSubgraph, createSemanticOptions, semanticSettings } = require('../services/search/dist/index.js');

const dataDir = process.env.LECTERN_DATA ?? 'data';
const settings = cleanEnv({ SEMANTIC_TIMEOUT_MS: '60000', SEMANTIC_TRANSLATIONS: '*' }, semanticSettings);
const semantic = await createSemanticOptions({ settings, dataDir, log: silentLogger });
const questions = readQuestions(process.env.QUESTIONS);
const draws = (process.env.DRAWS ?? '20261122').split(',').map(Number);
const remembered = draws.flatMap((seed) => drawRememberedVerses({ dataDir, seed }));
const sets = { questions, remembered };

await measureModes((process.env.MODES ?? 'WORDS,MEANING,BEST').split(','));

async function measureModes(modes) {
  const subgraph = await createSearchSubgraph({ dataDir, semantic });
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
  for (const mode of modes) {
    const groups = new Map();
    times.length = 0;
    for (const [set, list] of Object.entries(sets)) {
      for (const { name, translation, query, grades } of list) {
        const { ndcg, success5 } = measureRanking(await search(query, translation, mode), grades);
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
}
