// Cross-validates the weights of the mode HYBRID, which combines the scores of WORDS and MEANING: chooses
// the weights with some of the queries, and measures them with the other queries.
import { createRequire } from 'node:module';
import { measure } from '../../packages/embeddings/evaluation/measure-ndcg-and-success.mjs';

const require = createRequire(import.meta.url);
const { ordinalParts } = require('../../packages/canon/dist/index.js');
const { createWorkScheduler } = require('../../packages/serving/dist/index.js');
const { silentMetrics } = require('../../packages/telemetry/dist/index.js');
const { createRandom } = require('../../packages/testing/dist/seeded-random-and-test-seed.js');
const { parseQuery } = require('../../services/search/dist/full-text/query.js');
const {
  compareCandidates,
  hybridScores,
  hybridWeights,
} = require('../../services/search/dist/full-text/rank-by-meaning.js');
const { openSearchFiles } = require('../../services/search/dist/store.js');
const { createSemanticMetrics } = require('../../services/search/dist/semantic/metrics.js');
const { openSemanticIndex } = require('../../services/search/dist/semantic/semantic-index.js');

/** The maximum number of verses that HYBRID compares for a query. */
const maxVerses = 500;
const shuffleSeed = 1;

/**
 * Prints the chosen weights of each fold with their nDCG@10: for the queries that chose the
 * weights, and for the other queries. Then prints how much the chosen weights gain over the better
 * single mode, the best weights for all queries, and nDCG@10 of the weights in use.
 */
export async function crossValidate(sets, { folds, dataDir, semantic }) {
  const queries = await compareAll(sets, { dataDir, semantic });
  const grid = listWeights().map((weights) => ({
    weights,
    quality: queries.map(({ compared, grades, nameOf }) =>
      quality(compared.verses, hybridScores(compared, weights), { grades, nameOf }),
    ),
  }));
  const inUse = queries.map(({ compared, grades, nameOf }) =>
    quality(compared.verses, hybridScores(compared, hybridWeights), { grades, nameOf }),
  );
  const foldOf = assignFolds(queries, folds);
  const all = [...queries.keys()];
  /** @type {Record<string, number[]>} */
  const gains = Object.fromEntries(Object.keys(sets).map((set) => [set, []]));
  for (let fold = 0; fold < folds; fold += 1) {
    const train = all.filter((at) => foldOf(queries[at]) !== fold);
    const test = all.filter((at) => foldOf(queries[at]) === fold);
    const chosen = chooseWeights(grid, queries, train);
    console.log(`fold ${fold + 1} chooses ${JSON.stringify(chosen.weights)}`);
    report('  chosen with', queries, train, chosen.quality);
    report('  measured with', queries, test, chosen.quality);
    for (const [set, list] of Object.entries(gains)) {
      const rows = test.filter((at) => queries[at].set === set);
      const single = bestSingle(queries, rows);
      list.push(...rows.map((at) => chosen.quality[at] - queries[at].single[single]));
    }
  }
  for (const [set, list] of Object.entries(gains))
    console.log(
      `${set}: the chosen weights gain ${interval(list)} over the better single mode, in queries not chosen with`,
    );
  console.log(`the best weights for all queries: ${JSON.stringify(chooseWeights(grid, queries, all).weights)}`);
  report(`the weights in use, ${JSON.stringify(hybridWeights)}:`, queries, all, inUse);
}

/** Lists the combinations of weights to choose from. */
function listWeights() {
  const grid = [];
  for (const quoted of [0.03, 0.05, 0.1, 0.15, 0.2])
    for (const relevance of [0.2, 0.3, 0.5, 0.8])
      for (const minQuotedShare of [0.2, 0.25, 0.3, 0.35, 0.4, 0.45])
        for (const width of [0.1, 0.25, 0.4])
          grid.push({ quoted, relevance, minQuotedShare, fullQuotedShare: minQuotedShare + width });
  return grid;
}

/**
 * Chooses the weights with the highest mean nDCG@10 of the queries in `rows`, among the weights
 * with which HYBRID scores no lower than WORDS and MEANING in each set. If there are none, chooses
 * the weights whose greatest loss in a set is the smallest.
 */
function chooseWeights(grid, queries, rows) {
  const sets = [...new Set(queries.map(({ set }) => set))];
  const valueOf = ({ quality }) => {
    const losses = sets.map((set) => {
      const own = rows.filter((at) => queries[at].set === set);
      const single = bestSingle(queries, own);
      return Math.min(0, meanOf(own.map((at) => quality[at] - queries[at].single[single])));
    });
    const loss = Math.min(...losses);
    return loss < 0 ? loss : 1 + meanOf(rows.map((at) => quality[at]));
  };
  return grid.map((each) => ({ each, value: valueOf(each) })).reduce((a, b) => (b.value > a.value ? b : a)).each;
}

/** Runs each query in the modes WORDS and MEANING, and compares its candidate verses as HYBRID does. */
async function compareAll(sets, { dataDir, semantic }) {
  const files = openSearchFiles({ dataDir });
  const metrics = createSemanticMetrics(silentMetrics);
  const sharedWork = createWorkScheduler().createUnlimitedBudget();
  const semanticIndex = await openSemanticIndex({ ...semantic, metrics, sharedWork }, files);
  const compared = [];
  for (const [set, list] of Object.entries(sets))
    for (const each of list) compared.push({ ...each, set, ...(await compareOne(each)) });
  await semanticIndex.close();
  files.close();
  return compared;

  async function compareOne({ translation, query, grades }) {
    const index = files.use(translation)?.index.read();
    if (!index) throw new Error(`the translation ${translation} is not indexed`);
    const parsed = parseQuery(query);
    const full = runToEnd(index.findFull(parsed));
    const words = full.hits.verses.length > 0 ? full : runToEnd(index.findRelaxed(parsed));
    const nearest = await semanticIndex.nearest(translation, query, maxVerses, sharedWork);
    const { compareVerse } = index.compare(parsed);
    const compared = runToEnd(compareCandidates(index, compareVerse, { words, nearest, limit: maxVerses }));
    const { verses, similarities } = compared;
    const nameOf = (verse) => {
      const place = ordinalParts(index.ordinals[verse] ?? 0);
      return place ? `${place.book}.${place.chapter}.${place.verse}` : '';
    };
    const scores = new Map(words.hits.verses.map((verse, at) => [verse, words.hits.scores[at]]));
    const found = verses.filter((verse) => scores.has(verse));
    const single = {
      WORDS: quality(
        found,
        found.map((verse) => scores.get(verse)),
        { grades, nameOf },
      ),
      MEANING: quality(verses, similarities, { grades, nameOf }),
    };
    return { compared, nameOf, single };
  }
}

/** Returns nDCG@10 of a query's verses, sorted by their scores. */
function quality(verses, scores, { grades, nameOf }) {
  const rounded = scores.map((score) => Math.round(score * 10_000));
  const best = [...verses.keys()].sort((a, b) => rounded[b] - rounded[a] || verses[a] - verses[b]);
  return measure(
    best.slice(0, 10).map((at) => nameOf(verses[at])),
    grades,
  ).ndcg;
}

/**
 * Divides the queries into folds. All queries of a group go into one fold. Otherwise, weights could be
 * chosen with a question, and measured with the same question in another language.
 */
function assignFolds(queries, folds) {
  const random = createRandom(shuffleSeed);
  const groups = [...new Set(queries.map(({ group }) => group))]
    .map((group) => ({ group, place: random() }))
    .sort((a, b) => a.place - b.place);
  const foldOfGroup = new Map(groups.map(({ group }, at) => [group, at % folds]));
  return ({ group }) => foldOfGroup.get(group);
}

const modes = ['WORDS', 'MEANING'];

/** Returns the mode, WORDS or MEANING, with the higher mean nDCG@10 for these queries. */
const bestSingle = (queries, rows) =>
  modes.reduce((a, b) =>
    meanOf(rows.map((at) => queries[at].single[b])) > meanOf(rows.map((at) => queries[at].single[a])) ? b : a,
  );

function report(name, queries, rows, hybrid) {
  console.log(name);
  for (const set of [...new Set(queries.map((each) => each.set)), 'all']) {
    const own = rows.filter((at) => set === 'all' || queries[at].set === set);
    const figures = [...modes.map((mode) => own.map((at) => queries[at].single[mode])), own.map((at) => hybrid[at])];
    const [words, meaning, both] = figures.map((list) => meanOf(list).toFixed(4));
    console.log(`    ${set.padEnd(11)} n ${own.length}   WORDS ${words}   MEANING ${meaning}   HYBRID ${both}`);
  }
}

const meanOf = (list) => list.reduce((sum, each) => sum + each, 0) / list.length;

/** Returns the mean and the half width of its 95 % confidence interval. */
function interval(list) {
  const mean = meanOf(list);
  const deviation = Math.sqrt(meanOf(list.map((each) => (each - mean) ** 2)) / list.length);
  return `${mean.toFixed(4)} ± ${(1.96 * deviation).toFixed(4)}`;
}

function runToEnd(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
