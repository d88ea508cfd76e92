// Measures what the gateway adds to expensive operations: node bench/gateway-overhead.mjs
// Sends pages of full-text search, pages of the concordance and semantic searches in alternating rounds: to the whole
// service in one process, and to the subgraph alone over HTTP. Settings: ROUNDS, SECONDS, CONNECTIONS.
// Needs `npm run build`, `npm run data` and Linux.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { readQueries } from '../packages/embeddings/evaluation/measure-ndcg-and-success.mjs';
import { createProcesses } from './gateway/child-processes.mjs';
import { median } from './gateway/measure-cpu.mjs';
import { cpuSeconds } from './gateway/process-usage.mjs';
import { prepareFolder } from './gateway/start.mjs';

if (process.platform !== 'linux') throw new Error('This benchmark reads CPU and memory from /proc, so it needs Linux');
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

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
const token = await prepareFolder(folder, data);
const processes = createProcesses();

async function start(file, extraEnv = {}) {
  const port = await freePort();
  const env = {
    APOLLO_TELEMETRY_DISABLED: '1',
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    HOST: '127.0.0.1',
    LECTERN_DATA: folder,
    PORT: String(port),
    SEMANTIC_TIMEOUT_MS: '60000',
    ...extraEnv,
  };
  const { pid } = await processes.start({ args: [join(root, file)], cwd: root, env }, async () =>
    (await fetch(`http://127.0.0.1:${port}/ready`)).ok ? null : 'not ready',
  );
  return { pid, url: `http://127.0.0.1:${port}` };
}

const random = createRandom(20_240_501);
const corpus = openCorpus(data);
const words = [
  ...new Set(
    Array.from(corpus.eachVerse(translation), ({ text }) => tokenize(text).map(({ folded }) => folded)).flat(),
  ),
].filter((word) => word.length > 3);
corpus.close();
const pickOne = (list) => list[Math.floor(random() * list.length)];
const semanticQueries = readQueries().map(({ text }) => text);
let semanticQueryCount = 0;
const searchDocument =
  'query P($word: String!) { searchVerses(query: $word, translation: "eng-web") { totalCount edges { cursor matches { start length } node { id bookName chapter verse text reference } } facets { byBook { bookId count } byTestament { old new } } pageInfo { hasNextPage endCursor } } }';
const concordanceDocument =
  'query C($word: String!) { concordance(translation: "eng-web", word: $word) { totalCount entry { lemma surfaceForms totalOccurrences verseCount } edges { cursor node { context matches { start length } verse { id reference text } } } pageInfo { hasNextPage endCursor } } }';
const semanticDocument =
  'query Q($words: String!) { semanticSearch(query: $words) { similarity verse { id reference text } } }';

/** The operations. Each measurement draws random words. A number at the end makes each semantic query unique. */
const operations = [
  {
    name: 'page of full-text search',
    subgraph: 'search',
    body: () => ({ query: searchDocument, variables: { word: pickOne(words) } }),
  },
  {
    name: 'page of the concordance',
    subgraph: 'concordance',
    body: () => ({ query: concordanceDocument, variables: { word: pickOne(words) } }),
  },
  {
    name: 'semantic search',
    subgraph: 'search',
    body: () => ({
      query: semanticDocument,
      variables: { words: `${pickOne(semanticQueries)} ${pickOne(words)} ${(semanticQueryCount += 1)}` },
    }),
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
  const before = cpuSecondsOf([pid]);
  const began = performance.now();
  let responses = 0;
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
  client.on('response', () => (responses += 1));
  const { non2xx, errors, mismatches } = await client;
  if (non2xx + errors + mismatches > 0)
    throw new Error(`${non2xx} requests were rejected, ${errors} failed, ${mismatches} responses had errors`);
  return {
    rate: (responses * 1_000) / (performance.now() - began),
    cpu: ((cpuSecondsOf([pid]) - before) * 1_000) / responses,
  };
}

/** Returns CPU seconds. cpuSeconds() returns null only without /proc, and this benchmark needs Linux. */
const cpuSecondsOf = (pids) => cpuSeconds(pids) ?? 0;

try {
  console.log(
    `${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}; ${rounds} rounds of ${seconds} s, ${connections} connections; medians, with the lowest and the highest ratio`,
  );
  const service = await start('packages/standalone/dist/main.js', {
    RESPONSE_CACHE_BYTES: '0',
    RATE_PER_MINUTE: '100000000',
    KEY_RATE_PER_MINUTE: '100000000',
    RATE_PER_DAY: '100000000',
  });
  const alone = {
    search: await start('services/search/dist/main.js'),
    concordance: await start('services/concordance/dist/main.js'),
  };
  for (const operation of operations) {
    const targets = [service, alone[operation.subgraph]];
    /** @type {Map<object, { rate: number, cpu: number }[]>} */
    const measurements = new Map(targets.map((each) => [each, []]));
    for (const each of targets) await measure(each, operation);
    for (let round = 0; round < rounds; round += 1)
      for (const each of round % 2 === 0 ? targets : targets.toReversed())
        measurements.get(each)?.push(await measure(each, operation));
    const [viaGateway, direct] = targets.map((each) => measurements.get(each) ?? []);
    const ratios = viaGateway.map(({ rate }, round) => rate / direct[round].rate);
    const show = (list) =>
      `${median(list.map(({ rate }) => rate)).toFixed(0)} requests/s, ${median(list.map(({ cpu }) => cpu)).toFixed(3)} ms of CPU`;
    console.log(
      `${operation.name}: through the gateway ${show(viaGateway)}; subgraph alone ${show(direct)}; ratio ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    );
  }
} finally {
  await processes.stopAll();
  rmSync(folder, { recursive: true, force: true });
}
