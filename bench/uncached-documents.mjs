// Measures how long a document that is not in the operation cache blocks the gateway's event loop: by
// its validation, and by its query planning. Most of the documents are the most expensive that we
// know within the limits. Run by hand: node bench/uncached-documents.mjs [rounds]
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';

const require = createRequire(import.meta.url);
const { createGraph } = require('../gateway/dist/graph.js');
const { transportWithoutReplicas } = require('../gateway');
const { createGatewayMetrics } = require('../gateway/dist/metrics.js');
const { silentLogger } = require('../packages/serving');
const { noSpan, silentMetrics } = require('../packages/telemetry');

const rounds = Number(process.argv[2] ?? 15);
const repeat = (times, part) => Array.from({ length: times }, (_, index) => part(index)).join(' ');
const verse = 'verse(book: "JHN", chapter: 3, verse: 16)';
const cheap = 'search(query: "love", limit: 1)';
const other = 'inTranslation(identifier: "eng-kjv")';
/**
 * Returns nested fragments: each spreads the next fragment `branches` times. `between` wraps a spread in
 * a field that leads to another verse, and `leaf` is the content of the last fragment.
 */
const tree = (levels, branches, between, leaf) =>
  `${repeat(levels, (level) => `fragment F${level} on Verse { ${repeat(branches, (index) => `a${index}: ${between(`...F${level + 1}`, index)}`)} }`)} fragment F${levels} on Verse { ${leaf} }`;
const parallel = (spread) => `${other} { ${spread} }`;

const documents = {
  'one verse': `{ ${verse} { reference text } }`,
  '22 passages, cost 264': `{ ${repeat(22, (index) => `p${index}: passage(reference: "John ${index}") { reference text translationId translationName translationNote verses { bookId bookName chapter verse text } }`)} }`,
  '45 verses with words, cost 225': `{ ${repeat(45, (index) => `v${index}: ${verse} { text reference words { text } }`)} }`,
  'parallel verses that double seven times': `{ ${cheap} { ...F0 } } ${tree(7, 2, parallel, 'words { text }')}`,
  'parallel verses that triple four times': `{ ${cheap} { ...F0 } } ${tree(4, 3, parallel, 'words { text } text similar { similarity }')}`,
  'parallel and similar verses in turn': `{ ${cheap} { ...F0 } } ${tree(6, 2, (spread, index) => (index === 0 ? parallel(spread) : `similar(limit: 1) { verse { ${spread} } }`), 'words { text }')}`,
  '20 searches with parallel verses and their words': `{ ${repeat(20, (index) => `s${index}: ${cheap} { ...V }`)} } fragment V on Verse { ${repeat(9, (index) => `w${index}: ${other} { words { text } }`)} }`,
  'parallel verses under conditions': `query ($s: Boolean = true) { ${cheap} { ...F0 } } ${tree(5, 2, (spread) => `${other} @include(if: $s) { words @skip(if: $s) { text } ... { ${spread} } }`, 'words { text }')}`,
  '4,900 selections without a cost': `{ ${verse} { ...F0 words { text } } } ${repeat(9, (index) => `fragment F${index} on Verse { ... on Verse { ...F${index + 1} } ... { ...F${index + 1} } }`)} fragment F9 on Verse { ${repeat(5, () => '__typename')} }`,
  'inline fragments that double 16 times': `{ ${verse} { ...F0 words { text } } } ${repeat(16, (index) => `fragment F${index} on Verse { ... on Verse { ...F${index + 1} } ... { ...F${index + 1} } }`)} fragment F16 on Verse { __typename }`,
  'parallel verses that triple five times': `{ ${cheap} { ...F0 } } ${tree(5, 3, parallel, 'words { text }')}`,
};

const graph = await createGraph({
  supergraphSdl: readFileSync('supergraph.graphql', 'utf8'),
  limits: { tokens: 5_000, depth: 15, complexity: 300 },
  executionStrategy: 'auto',
  responseCache: { maxBytes: 0, maxSeconds: 0 },
  metrics: createGatewayMetrics(silentMetrics),
  log: silentLogger,
  subgraphs: {
    ...transportWithoutReplicas,
    subgraph: () => async () => {
      await nextTurn();
      return { data: null, errors: [{ message: 'not measured' }] };
    },
  },
});

/** Returns the longest time, in milliseconds, between two turns of the event loop while `run` runs. */
async function longestTurn(run) {
  let longest = 0;
  let last = performance.now();
  let isDone = false;
  const measure = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(measure);
  };
  setImmediate(measure);
  await run();
  isDone = true;
  await nextTurn();
  return longest;
}

function median(times) {
  times.sort((a, b) => a - b);
  return (times[times.length >> 1] ?? 0).toFixed(1).padStart(6);
}

console.log(
  `${cpus().length} cores, ${cpus()[0].model}, node ${process.version}; ${rounds} times each, median and min in ms\n`,
);
for (const [name, document] of Object.entries(documents)) {
  const validation = [];
  const planning = [];
  let result = '';
  for (let round = 0; round < rounds; round += 1) {
    await nextTurn();
    const startedAt = performance.now();
    const params = { query: `${document} # ${round}`, variables: null, operationName: null };
    const request = await graph.prepare(params, graph.createBudget());
    validation.push(performance.now() - startedAt);
    if (request.kind === 'rejected') {
      result = request.errors[0].message;
      continue;
    }
    const { fields, conditions, selections } = request.operation.size;
    result = `${fields} fields, ${conditions} conditions, ${selections} selections`;
    planning.push(await longestTurn(() => graph.execute(request, { requestId: 'bench', span: noSpan })));
  }
  const planned =
    planning.length > 0 ? `planning ${median(planning)} (${planning[0].toFixed(1)})` : 'rejected'.padEnd(22);
  console.log(`${name.padEnd(50)} validation ${median(validation)}   ${planned}   ${result}`);
}
await graph.close();
