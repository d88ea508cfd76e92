// Measures the quality and the speed of semantic search in the search subgraph, with GraphQL
// operations but without HTTP: node bench/semantic-search.mjs. Compares the quality
// with the goals, and with the quality of a simpler ranking, the "recipe" in the output. Needs `npm run build` and `npm run data`.
// Setting: QUESTIONS (number of timed queries).
import { createRequire } from 'node:module';
import { cpus, loadavg } from 'node:os';
import {
  evaluateQueries,
  evaluationFolder,
  readQueries,
} from '../packages/embeddings/evaluation/measure-ndcg-and-success.mjs';

const require = createRequire(import.meta.url);
const { cleanEnv } = require('envalid');
const { silentLogger } = require('../packages/serving/dist/index.js');
const { executeInProcess } = require('../packages/subgraph/dist/index.js');
const { createSemanticOptions, createSearchSubgraph, semanticSettings } = require('../services/search/dist/index.js');

const folder = process.env.LECTERN_DATA ?? 'data';
const rounds = Number(process.env.QUESTIONS ?? 1_000);

/**
 * The goals, and as `recipe` the figures of a ranking by cosine similarity with a bonus for lexical overlap
 * only: nDCG@10 and success@5. services/search/RANKING.md explains what the service adds to it.
 */
const targets = {
  'es topic': { goal: { ndcg: 0.125, success: 0.44 }, recipe: [0.132, 0.46] },
  'es paraphrase': { goal: { ndcg: 0.25 }, recipe: [0.264, 0.39] },
  'en topic': { goal: { ndcg: 0.145 }, recipe: [0.157, 0.5] },
  'en paraphrase': { goal: { ndcg: 0.42 }, recipe: [0.458, 0.57] },
};

const megabytes = () => `${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`;
const percentile = (times, share) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(2);

console.log(`${cpus().length} x ${cpus()[0]?.model}, load ${loadavg()[0].toFixed(2)}, Node ${process.version}`);
const settings = cleanEnv({ SEMANTIC_TIMEOUT_MS: '60000', ...process.env }, semanticSettings);
const began = performance.now();
const subgraph = await createSearchSubgraph({
  dataDir: folder,
  semantic: await createSemanticOptions({ settings, dataDir: folder, log: silentLogger }),
});
console.log(`ready after ${(performance.now() - began).toFixed(0)} ms`);
const execute = executeInProcess(subgraph, silentLogger);

/** @returns {Promise<any>} */
async function dataOf(query, variables = {}) {
  const { data, errors } = await execute({ query, variables });
  if (errors) throw new Error(errors[0].message);
  return data;
}
const searchDocument =
  'query($query: String!, $limit: Int) { semanticSearch(query: $query, limit: $limit) { similarity verse { id bookId chapter verse text reference } } }';
const search = async (query, limit = 10) => (await dataOf(searchDocument, { query, limit })).semanticSearch;

const first = performance.now();
await search('the first query');
console.log(`first query ${(performance.now() - first).toFixed(0)} ms later, model loaded\n`);

console.log('queries          n   nDCG@10  recipe   goal      success@5  recipe  goal');
const evaluated = [];
async function findVerses(text) {
  const from = performance.now();
  const found = await search(text, 50);
  evaluated.push(performance.now() - from);
  return found.map(({ verse }) => `${verse.bookId}.${verse.chapter}.${verse.verse}`);
}
for (const { name, queries: questions, ndcg, success5: success } of await evaluateQueries(
  evaluationFolder,
  findVerses,
)) {
  const { goal, recipe } = targets[name] ?? { goal: {}, recipe: [] };
  const met = (found, wanted) => (wanted === undefined ? '     ' : `${wanted} ${found >= wanted ? 'met' : 'MISSED'}`);
  console.log(
    `${name.padEnd(14)} ${String(questions).padStart(3)}   ${ndcg.toFixed(3)}    ${recipe[0]?.toFixed(3) ?? ''}    ${met(ndcg, goal.ndcg).padEnd(10)}${success.toFixed(2)}       ${recipe[1]?.toFixed(2) ?? ''}    ${met(success, goal.success)}`,
  );
}
console.log(
  `one query at a time, each new, 50 verses: p50 ${percentile(evaluated, 0.5)} ms, p99 ${percentile(evaluated, 0.99)} ms; resident ${megabytes()}`,
);

// Creates queries of realistic length that the service has not seen: a query of the evaluation, whose last
// word is replaced by a word of another query.
const questions = readQueries().map(({ text }) => text);
const used = new Set(questions);
let attempts = 0;
function newQuery() {
  for (;;) {
    const words = questions[attempts % questions.length].split(' ');
    const others =
      questions[(attempts * 7 + Math.floor(attempts / questions.length) + 1) % questions.length].split(' ');
    attempts += 1;
    const question = [...words.slice(0, -1), others[attempts % others.length]].join(' ').slice(0, 200);
    if (used.has(question)) continue;
    used.add(question);
    return question;
  }
}

console.log(`\nNew queries, ${rounds} of each:`);
for (const callers of [1, 8, 32]) {
  const times = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (next < rounds) {
        next += 1;
        const question = newQuery();
        const from = performance.now();
        await search(question);
        times.push(performance.now() - from);
      }
    }),
  );
  const perSecond = rounds / ((performance.now() - started) / 1000);
  console.log(
    `  ${String(callers).padStart(2)} callers: p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms, ${perSecond.toFixed(0)} queries/s`,
  );
}

async function measure(name, work, count) {
  const times = [];
  for (let round = 0; round < count; round += 1) {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
  }
  console.log(`${name}: p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms`);
}
await measure('\nA repeated query', () => search('what is love?'), 1_000);
const found = await dataOf('{ search(query: "Dios", translation: "spa-rv1909", limit: 100) { id } }');
const representations = (count) => found.search.slice(0, count).map(({ id }) => ({ __typename: 'Verse', id }));
const similarDocument =
  'query($representations: [_Any!]!) { _entities(representations: $representations) { ... on Verse { similar { similarity verse { reference text } } } } }';
for (const count of [1, 25, 100])
  await measure(
    `similar of ${count} verses`,
    () => dataOf(similarDocument, { representations: representations(count) }),
    50,
  );
console.log(`\nresident ${megabytes()}`);
await subgraph.close();
