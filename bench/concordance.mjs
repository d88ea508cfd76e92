// Measures pages of the concordance in the concordance subgraph, without HTTP, and the time to build the
// subgraph's index: node bench/concordance.mjs
// Needs `npm run build` and `npm run data`. Setting: ROUNDS.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyTextDatabases } from './copy-translations.mjs';

const require = createRequire(import.meta.url);
const { buildConcordanceIndex, createConcordanceSubgraph } = require('../services/concordance/dist/index.js');
const { executeInProcess } = require('../packages/subgraph/dist/index.js');
const { silentLogger } = require('../packages/serving/dist/index.js');

const dataDir = join(dirname(fileURLToPath(import.meta.url)), '..', 'data');
const rounds = Number(process.env.ROUNDS ?? 400);

const fields = `totalCount
  entry { lemma surfaceForms totalOccurrences verseCount occurrencesByBook { bookId bookName count } occurrencesByTestament { old new } }
  edges { cursor node { context matches { start length } verse { id bookId bookName chapter verse text reference } strongs { number lemma transliteration definition language } } }
  pageInfo { hasNextPage endCursor }`;
const pageDocument = `query P($translation: String!, $word: String!, $first: Int, $after: String) { concordance(translation: $translation, word: $word, first: $first, after: $after) { ${fields} } }`;
const edgesDocument =
  'query E($translation: String!, $word: String!, $first: Int, $after: String) { concordance(translation: $translation, word: $word, first: $first, after: $after) { edges { cursor node { context verse { reference text } } } pageInfo { hasNextPage endCursor } } }';
const strongsDocument = `query S($translation: String!, $number: String!) { strongsConcordance(translation: $translation, number: $number) { ${fields} } }`;
const indexDocument =
  'query I($translation: String!, $prefix: String, $minOccurrences: Int) { concordanceIndex(translation: $translation, prefix: $prefix, minOccurrences: $minOccurrences, first: 200) { lemma displayForm verseCount totalOccurrences } }';

const collocatesDocument =
  'query C($translation: String!, $word: String!) { collocates(translation: $translation, word: $word) { lemma displayForm together expected logLikelihood before after } }';
const orderDocument =
  'query O($translation: String!, $word: String!) { concordance(translation: $translation, word: $word, order: WORD_BEFORE) { edges { cursor node { context verse { reference text } } } pageInfo { hasNextPage endCursor } } }';

const percentile = (list, share) => list[Math.min(list.length - 1, Math.floor(list.length * share))];
const ms = (number) => `${number.toFixed(2)} ms`;

const openSubgraph = () => {
  const subgraph = createConcordanceSubgraph({ dataDir });
  return { execute: executeInProcess(subgraph, silentLogger), close: () => subgraph.close() };
};

const { execute, close } = openSubgraph();

/** @returns {Promise<any>} */
async function dataOf(request) {
  const { data, errors } = await execute(request);
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

/** Measures the requests in turn, so that a slow moment of the machine affects all of them. */
async function measure(requests, count) {
  const times = requests.map(() => []);
  for (let round = -20; round < count; round += 1) {
    for (const [which, [, request]] of requests.entries()) {
      const began = performance.now();
      await dataOf(request);
      if (round >= 0) times[which].push(performance.now() - began);
    }
  }
  return times.map((list) => list.sort((a, b) => a - b));
}

const translation = 'spa-rv1909';
const wordPage = (word, more = {}) => ({ query: pageDocument, variables: { translation, word, ...more } });
const edges = (word, more = {}) => ({ query: edgesDocument, variables: { translation, word, ...more } });
const collocates = (word, of = translation) => ({ query: collocatesDocument, variables: { translation: of, word } });
const cursor = (place) => Buffer.from(place).toString('base64url');

/** @type {[name: string, request: { query: string, variables: object }][]} */
const cases = [
  ['jehová, 25 rows: a typical page', wordPage('jehová')],
  ['misteri*, a rare word: 25 of its 35 verses', wordPage('misterio')],
  ['de, the most frequent word: first page', wordPage('de')],
  ['de, a page in the Psalms', wordPage('de', { after: cursor('PSA:100:1') })],
  ['de, the last page', wordPage('de', { after: cursor('REV:21:15') })],
  ['rare word, edges only', edges('misterio')],
  ['de, first page, edges only', edges('de')],
  ['de, page in the Psalms, edges only', edges('de', { after: cursor('PSA:100:1') })],
  ['de, 100 rows', wordPage('de', { first: 100 })],
  ['"de la", two common words', wordPage('de la')],
  ['G2316 of strongsConcordance', { query: strongsDocument, variables: { translation, number: 'G2316' } }],
  ['concordanceIndex, 200 from the start', { query: indexDocument, variables: { translation } }],
  ['concordanceIndex, 200 under "a"', { query: indexDocument, variables: { translation, prefix: 'a' } }],
  [
    'concordanceIndex, minOccurrences that nothing has',
    { query: indexDocument, variables: { translation, minOccurrences: 1_000_000 } },
  ],
  ['collocates of amor', collocates('amor')],
  ['collocates of dios', collocates('dios')],
  ['collocates of lord in eng-kjv', collocates('lord', 'eng-kjv')],
  [
    'jehová by the word before, 25 rows, order cached',
    { query: orderDocument, variables: { translation, word: 'jehová' } },
  ],
];

console.log(
  `${cpus().length} cores, ${cpus()[0].model}, node ${process.version}; ${rounds} rounds, inside the subgraph, no HTTP\n`,
);
const measured = await measure(cases, rounds);
for (const [which, [name]] of cases.entries())
  console.log(
    `  ${name.padEnd(52)} p50 ${ms(percentile(measured[which], 0.5)).padStart(9)}   p99 ${ms(percentile(measured[which], 0.99)).padStart(9)}`,
  );
const median = (name) => percentile(measured[cases.findIndex(([each]) => each.startsWith(name))], 0.5);
const slowest = Math.max(...['de, the most frequent', 'de, a page', 'de, the last'].map(median)) / median('misteri*');
console.log(`\n  slowest page of "de" / page of a rare word: x${slowest.toFixed(2)} (goal: at most 3)`);
console.log(`  p50 of a page of 25 rows: ${ms(median('jehová'))} (goal: under 2 ms)`);

// Reads all pages of the most frequent word in order, as a client does.
let after = null;
const pageTimes = [];
do {
  const began = performance.now();
  const { concordance } = await dataOf(edges('de', { after, first: 25 }));
  pageTimes.push(performance.now() - began);
  after = concordance.pageInfo.hasNextPage ? concordance.pageInfo.endCursor : null;
} while (after);
const medianOfPages = (/** @type {number} */ from, /** @type {number} */ to = pageTimes.length) =>
  percentile(
    pageTimes.slice(from, to).sort((a, b) => a - b),
    0.5,
  );
console.log(
  `  paging through "de": ${pageTimes.length} pages, median of the first 100 ${ms(medianOfPages(0, 100))}, of the last 100 ${ms(medianOfPages(-100))}`,
);

const passage = Array.from({ length: 1500 }, (_, verse) => ({
  __typename: 'Verse',
  id: Buffer.from(`v1:${translation}.PSA.${1 + (verse % 150)}.${1 + Math.floor(verse / 150)}`).toString('base64url'),
}));
for (const count of [100, 1500]) {
  const request = {
    query:
      'query W($r: [_Any!]!) { _entities(representations: $r) { ... on Verse { words { text start length strongs { number lemma } } } } }',
    variables: { r: passage.slice(0, count) },
  };
  const [times] = await measure([['words', request]], count > 1000 ? 5 : 50);
  console.log(`  words of ${count} verses, as entities: p50 ${ms(percentile(times, 0.5))}`);
}
close();

const opening = performance.now();
const cold = openSubgraph();
const opened = performance.now();
await cold.execute(wordPage('de'));
console.log(
  `\n  opening the file ${ms(opened - opening)}; first page of "de" with cold caches ${ms(performance.now() - opened)}`,
);
cold.close();

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
try {
  copyTextDatabases(dataDir, folder);
  const began = performance.now();
  await buildConcordanceIndex({
    dataDir: folder,
    log: (line) => console.log(`  ${line}`),
    env: {
      ...process.env,
      SWORD_PATH: ['StrongsHebrew', 'StrongsGreek'].map((name) => join(dataDir, 'sources', name)).join(':'),
    },
  });
  console.log(`  built in ${((performance.now() - began) / 1000).toFixed(1)} s`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
