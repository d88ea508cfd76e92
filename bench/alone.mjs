// What the way through the gateway adds to heavy questions: pages of search and of the concordance and questions by meaning, asked of the whole service in one process and
// of the subgraph alone over HTTP, in alternating rounds: node bench/alone.mjs. ROUNDS, SECONDS, CONNECTIONS.
// Needs `npm run build` and `npm run data`, and Linux.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { readQueries } from '../packages/embeddings/evaluation/measures.mjs';
import { createProcesses } from './gateway/processes.mjs';
import { prepareFolder } from './gateway/stage.mjs';
import { cpuSeconds } from './gateway/usage.mjs';

if (process.platform !== 'linux') throw new Error('What a process takes is read from /proc, which only Linux has');
const require = createRequire(import.meta.url);
const { openCorpus } = require('../packages/corpus/dist/index.js');
const { createRandom, freePort } = require('../packages/testing/dist/index.js');
const { tokenize } = require('../packages/words/dist/index.js');

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const data = resolve(process.env.LECTERN_DATA ?? join(root, 'data'));
const rounds = Number(process.env.ROUNDS ?? 5);
const seconds = Number(process.env.SECONDS ?? 3);
const connections = Number(process.env.CONNECTIONS ?? 32);
const translation = 'eng-web';

const folder = mkdtempSync(join(tmpdir(), 'lectern-alone-'));
const token = await prepareFolder(folder, data);
const processes = createProcesses();

async function start(name, file, more = {}) {
  const port = await freePort();
  const env = {
    APOLLO_TELEMETRY_DISABLED: '1',
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    HOST: '127.0.0.1',
    LECTERN_DATA: folder,
    PORT: String(port),
    SEMANTIC_TIMEOUT_MS: '60000',
    ...more,
  };
  const { pid } = await processes.start({ args: [join(root, file)], cwd: root, env }, async () =>
    (await fetch(`http://127.0.0.1:${port}/ready`)).ok ? null : 'not ready',
  );
  return { name, pid, url: `http://127.0.0.1:${port}` };
}

const random = createRandom(20_240_501);
const corpus = openCorpus(join(data, 'corpus.sqlite'));
const words = [
  ...new Set(
    Array.from(corpus.eachVerse(translation), ({ text }) => tokenize(text).map(({ folded }) => folded)).flat(),
  ),
].filter((word) => word.length > 3);
corpus.close();
const oneOf = (list) => list[Math.floor(random() * list.length)];
const asked = readQueries().map(({ text }) => text);
let questions = 0;
const page =
  'query P($word: String!) { searchVerses(query: $word, translation: "eng-web") { totalCount edges { cursor matches { start length } node { id bookName chapter verse text reference } } facets { byBook { bookId count } byTestament { old new } } pageInfo { hasNextPage endCursor } } }';
const concordance =
  'query C($word: String!) { concordance(translation: "eng-web", word: $word) { totalCount entry { lemma surfaceForms totalOccurrences verseCount } edges { cursor node { context matches { start length } verse { id reference text } } } pageInfo { hasNextPage endCursor } } }';
const question =
  'query Q($words: String!) { semanticSearch(query: $words) { similarity verse { id reference text } } }';

/** Different ones for every measurement; no question by meaning is ever asked twice. */
const kinds = [
  { name: 'a page of search', subgraph: 'search', body: () => ({ query: page, variables: { word: oneOf(words) } }) },
  {
    name: 'a page of the concordance',
    subgraph: 'concordance',
    body: () => ({ query: concordance, variables: { word: oneOf(words) } }),
  },
  {
    name: 'a question by meaning',
    subgraph: 'search',
    body: () => ({ query: question, variables: { words: `${oneOf(asked)} ${oneOf(words)} ${(questions += 1)}` } }),
  },
];

async function measure({ pid, url }, { body }) {
  const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` };
  const requests = Array.from({ length: 100 * connections }, () => ({
    method: 'POST',
    path: '/graphql',
    headers,
    body: JSON.stringify(body()),
  }));
  let next = 0;
  const before = cpuSeconds([pid]);
  const began = performance.now();
  let answers = 0;
  const client = autocannon({
    url,
    connections,
    duration: seconds,
    sampleInt: 100,
    setupClient(each) {
      each.setRequests(requests.slice(next * 100, (next + 1) * 100));
      next += 1;
    },
    verifyBody: (text) => !text.includes('"errors":['),
  });
  client.on('response', () => (answers += 1));
  const { non2xx, errors, mismatches } = await client;
  if (non2xx + errors + mismatches > 0)
    throw new Error(`${non2xx} requests were refused, ${errors} failed, ${mismatches} had errors in the answer`);
  return {
    rate: (answers * 1_000) / (performance.now() - began),
    cpu: ((cpuSeconds([pid]) - before) * 1_000) / answers,
  };
}

const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

try {
  console.log(
    `${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}; ${rounds} rounds of ${seconds} s, ${connections} connections; medians, with the least and the most ratio`,
  );
  const service = await start('in one process', 'packages/standalone/dist/main.js', {
    RESPONSE_CACHE_BYTES: '0',
    RATE_PER_MINUTE: '100000000',
    RATE_PER_DAY: '100000000',
  });
  const alone = {
    search: await start('search', 'services/search/dist/main.js'),
    concordance: await start('concordance', 'services/concordance/dist/main.js'),
  };
  for (const kind of kinds) {
    const contenders = [service, alone[kind.subgraph]];
    const taken = new Map(contenders.map((each) => [each, []]));
    for (const each of contenders) await measure(each, kind);
    for (let round = 0; round < rounds; round += 1)
      for (const each of round % 2 === 0 ? contenders : contenders.toReversed())
        taken.get(each).push(await measure(each, kind));
    const [through, direct] = contenders.map((each) => taken.get(each));
    const ratios = through.map(({ rate }, round) => rate / direct[round].rate);
    const show = (list) =>
      `${median(list.map(({ rate }) => rate)).toFixed(0)} a second, ${median(list.map(({ cpu }) => cpu)).toFixed(3)} ms of CPU`;
    console.log(
      `${kind.name}: through the gateway ${show(through)}; the subgraph alone ${show(direct)}; ratio ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    );
  }
} finally {
  await processes.endAll();
  rmSync(folder, { recursive: true, force: true });
}
