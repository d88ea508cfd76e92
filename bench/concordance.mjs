// What a page of the concordance costs inside the subgraph, and what building its index costs: node bench/concordance.mjs
// Needs data/corpus.sqlite and data/concordance.sqlite (npm run data) and the compiled rooms (npm run build).
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { buildConcordanceIndex, createConcordanceSubgraph } = require('../services/concordance/dist/index.js');
const { executeInProcess } = require('../packages/subgraph/dist/index.js');
const { silentLogger } = require('../packages/serving/dist/index.js');

const data = join(dirname(fileURLToPath(import.meta.url)), '..', 'data');
const rounds = Number(process.env.ROUNDS ?? 400);

const fields = `totalCount
  entry { lemma surfaceForms totalOccurrences verseCount occurrencesByBook { bookId bookName count } occurrencesByTestament { old new } }
  edges { cursor node { context matches { start length } verse { id bookId bookName chapter verse text reference } strongs { number lemma transliteration definition language } } }
  pageInfo { hasNextPage endCursor }`;
const page = `query P($translation: String!, $word: String!, $first: Int, $after: String) { concordance(translation: $translation, word: $word, first: $first, after: $after) { ${fields} } }`;
const edgesAlone =
  'query E($translation: String!, $word: String!, $first: Int, $after: String) { concordance(translation: $translation, word: $word, first: $first, after: $after) { edges { cursor node { context verse { reference text } } } pageInfo { hasNextPage endCursor } } }';
const strongsPage = `query S($translation: String!, $number: String!) { strongsConcordance(translation: $translation, number: $number) { ${fields} } }`;
const index =
  'query I($translation: String!, $prefix: String, $minOccurrences: Int) { concordanceIndex(translation: $translation, prefix: $prefix, minOccurrences: $minOccurrences, first: 200) { lemma displayForm verseCount totalOccurrences } }';

const at = (list, share) => list[Math.min(list.length - 1, Math.floor(list.length * share))];
const ms = (number) => `${number.toFixed(2)} ms`;

const fresh = () => {
  const subgraph = createConcordanceSubgraph({ concordanceFile: join(data, 'concordance.sqlite') });
  return { ask: executeInProcess(subgraph, silentLogger), close: () => subgraph.close() };
};

const { ask, close } = fresh();

async function asked(request) {
  const { data: answer, errors } = await ask(request);
  if (errors) throw new Error(JSON.stringify(errors));
  return answer;
}

/** Interleaved, so that a slow spell of the machine falls on all alike. */
async function measure(requests, count) {
  const times = requests.map(() => []);
  for (let round = -20; round < count; round += 1) {
    for (const [which, [, request]] of requests.entries()) {
      const began = performance.now();
      await asked(request);
      if (round >= 0) times[which].push(performance.now() - began);
    }
  }
  return times.map((list) => list.sort((a, b) => a - b));
}

const translation = 'spa-rv1909';
const wordPage = (word, more = {}) => ({ query: page, variables: { translation, word, ...more } });
const edges = (word, more = {}) => ({ query: edgesAlone, variables: { translation, word, ...more } });
const cursor = (place) => Buffer.from(place).toString('base64url');

const cases = [
  ['jehová, 25 rows: a usual page', wordPage('jehová')],
  ['misteri*, a rare word: 25 of its 35 verses', wordPage('misterio')],
  ['de, the commonest word: first page', wordPage('de')],
  ['de, a page in the Psalms', wordPage('de', { after: cursor('PSA:100:1') })],
  ['de, the last page', wordPage('de', { after: cursor('REV:21:15') })],
  ['rare word, edges alone', edges('misterio')],
  ['de, first page, edges alone', edges('de')],
  ['de, page in the Psalms, edges alone', edges('de', { after: cursor('PSA:100:1') })],
  ['de, 100 rows', wordPage('de', { first: 100 })],
  ['"de la", two common words', wordPage('de la')],
  ['G2316 of strongsConcordance', { query: strongsPage, variables: { translation, number: 'G2316' } }],
  ['concordanceIndex, 200 from the start', { query: index, variables: { translation } }],
  ['concordanceIndex, 200 under "a"', { query: index, variables: { translation, prefix: 'a' } }],
  [
    'concordanceIndex, minOccurrences that nothing has',
    { query: index, variables: { translation, minOccurrences: 1_000_000 } },
  ],
];

console.log(
  `${cpus().length} cores, ${cpus()[0].model}, node ${process.version}; ${rounds} rounds, inside the subgraph, no HTTP\n`,
);
const measured = await measure(cases, rounds);
for (const [which, [name]] of cases.entries())
  console.log(
    `  ${name.padEnd(52)} p50 ${ms(at(measured[which], 0.5)).padStart(9)}   p99 ${ms(at(measured[which], 0.99)).padStart(9)}`,
  );
const median = (name) => at(measured[cases.findIndex(([each]) => each.startsWith(name))], 0.5);
const worst = Math.max(...['de, the commonest', 'de, a page', 'de, the last'].map(median)) / median('misteri*');
console.log(`\n  slowest page of "de" / page of a rare word: x${worst.toFixed(2)} (wanted: at most 3)`);
console.log(`  p50 of a page of 25 rows: ${ms(median('jehová'))} (wanted: under 2 ms)`);

// Every page of the commonest word, one after the other, as a client walks them.
let after = null;
const walk = [];
do {
  const began = performance.now();
  const { concordance } = await asked(edges('de', { after, first: 25 }));
  walk.push(performance.now() - began);
  after = concordance.pageInfo.hasNextPage ? concordance.pageInfo.endCursor : null;
} while (after);
const slice = (from, to) =>
  at(
    walk.slice(from, to).sort((a, b) => a - b),
    0.5,
  );
console.log(
  `  walking "de": ${walk.length} pages, median of the first hundred ${ms(slice(0, 100))}, of the last hundred ${ms(slice(-100))}`,
);

const passage = Array.from({ length: 2400 }, (_, verse) => ({
  __typename: 'Verse',
  id: Buffer.from(`v1:${translation}.PSA.${1 + (verse % 150)}.${1 + Math.floor(verse / 150)}`).toString('base64url'),
}));
for (const count of [100, 2400]) {
  const request = {
    query:
      'query W($r: [_Any!]!) { _entities(representations: $r) { ... on Verse { words { text start length strongs { number lemma } } } } }',
    variables: { r: passage.slice(0, count) },
  };
  const [times] = await measure([['words', request]], count > 1000 ? 5 : 50);
  console.log(`  words of ${count} verses, as entities: p50 ${ms(at(times, 0.5))}`);
}
close();

const firstAsk = performance.now();
const cold = fresh();
const opened = performance.now();
await cold.ask(wordPage('de'));
console.log(
  `\n  opening the file ${ms(opened - firstAsk)}; first page of "de" with nothing kept ${ms(performance.now() - opened)}`,
);
cold.close();

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
try {
  const file = join(folder, 'concordance.sqlite');
  const began = performance.now();
  await buildConcordanceIndex({
    corpusFile: join(data, 'corpus.sqlite'),
    concordanceFile: file,
    log: (line) => console.log(`  ${line}`),
    env: {
      ...process.env,
      SWORD_PATH: ['StrongsHebrew', 'StrongsGreek'].map((name) => join(data, 'sources', name)).join(':'),
    },
  });
  console.log(
    `  built in ${((performance.now() - began) / 1000).toFixed(1)} s; ${(statSync(file).size / 1e6).toFixed(1)} MB`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
