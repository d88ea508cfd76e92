// Measures the CPU time that a request takes in the subgraphs, behind each gateway:
// node bench/router-cpu.mjs. At full speed, gateways send different numbers of requests
// in the same time, and a busy subgraph needs less CPU time per request. Therefore the same operations are also sent to all
// gateways at the same rate. At the end, requests that each gateway has once sent to the subgraphs
// (tests/routers/recorded-requests.json) are sent to the subgraphs directly.
// Settings: GATEWAYS, OPERATIONS, RATE, ROUNDS, SECONDS, CONNECTIONS, HIVE_ROUTER, APOLLO_ROUTER. Needs
// `npm run build`, `npm run data` and Linux.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createOperations } from './gateway/benchmark-operations.mjs';
import { createProcesses } from './gateway/child-processes.mjs';
import { createGateways } from './gateway/gateways.mjs';
import { createLoad } from './gateway/load-generator.mjs';
import { median } from './gateway/measure-cpu.mjs';
import { prepareFolder, startGateways, startSubgraphs, writeSupergraph } from './gateway/start.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const { openCorpus } = require('../packages/corpus/dist/index.js');
const { createRandom, metricValue } = require('../packages/testing/dist/index.js');

const { GATEWAYS = 'lectern,apollo,hive-gateway', OPERATIONS = 'verse,chapter,search,entities,mix' } = process.env;
const [rate, rounds, seconds, connections] = [
  ['RATE', 300],
  ['ROUNDS', 5],
  ['SECONDS', 1],
  ['CONNECTIONS', 32],
].map(([name, otherwise]) => Number(process.env[name] ?? otherwise));
const idleSeconds = 2;
/** The CPU time that the subgraphs take without requests, for timers and metrics, in microseconds per second. */
let idlePerSecond = 0;

const processes = createProcesses();
const load = createLoad(connections);
const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
/** The ways to send requests, by their names in the output. */
const speeds = {
  'full speed': (origin, requests) => load.atFullSpeed(origin, requests, { seconds }),
  [`${rate}/s`]: (origin, requests) => load.atRate(origin, requests, { seconds, perSecond: rate }),
};

try {
  await bench();
} finally {
  await load.close();
  await processes.stopAll();
  rmSync(folder, { recursive: true, force: true });
}

async function bench() {
  const dataDir = join(root, 'data');
  const corpus = openCorpus(dataDir);
  const operations = createOperations(corpus, createRandom(20_240_501)).filter(({ name }) =>
    OPERATIONS.split(',').includes(name),
  );
  corpus.close();
  const token = await prepareFolder(folder, dataDir);
  const subgraphs = await startSubgraphs(processes, { root, dataDir, withMetrics: true });
  const supergraphFile = join(folder, 'supergraph.graphql');
  writeSupergraph(supergraphFile, root, subgraphs);
  const subgraphUrls = Object.fromEntries(subgraphs.map(({ name, url }) => [name, url]));
  const gateways = createGateways({ root, dataDir, keysDir: folder, supergraphFile, subgraphUrls }).filter(({ name }) =>
    GATEWAYS.split(',').includes(name),
  );
  const { running } = await startGateways(processes, gateways, {
    otherGatewaysFolder: join(root, 'bench', 'other-gateways'),
    token,
    withoutLocalPaths: (message) => message,
  });
  const idle = cpuMicroseconds(subgraphs);
  await wait(idleSeconds * 1_000);
  idlePerSecond = (cpuMicroseconds(subgraphs) - idle) / idleSeconds;
  console.log(
    `\nThe subgraphs take ${(idlePerSecond / 1_000).toFixed(1)} ms of CPU per second without requests. This is subtracted.`,
  );
  for (const { name, turns } of operations) {
    const loads = running.map(({ title, origin, headers }) => ({
      title,
      targets: [{ origin, requests: turns.flat().map(({ body }) => ({ headers, body })) }],
    }));
    await compare(`${name}, behind each gateway`, subgraphs, loads);
  }
  for (const [name, loads] of recordedRequests(subgraphs)) {
    if (OPERATIONS.split(',').includes(name)) await compare(`${name}, sent directly`, subgraphs, loads);
  }
}

/** Measures the load of each gateway in each round, and prints the medians. Each round begins with another gateway. */
async function compare(name, subgraphs, loads) {
  console.log(`\n${name}:`);
  for (const [speed, sendAll] of Object.entries(speeds)) {
    const measured = new Map(loads.map((each) => [each, []]));
    for (let round = -1; round < rounds; round += 1) {
      for (const index of loads.keys()) {
        const each = loads[(index + round + 1) % loads.length];
        const measurement = await measureOnce(subgraphs, each, sendAll);
        // The first round is not counted, because new processes are slower at first.
        if (round >= 0) measured.get(each)?.push(measurement);
      }
    }
    for (const [{ title }, list] of measured) {
      const cpu = list.map((each) => each.cpu).toSorted((a, b) => a - b);
      const requests = median(list.map((each) => each.requests));
      console.log(
        `  ${speed.padEnd(10)} ${title.padEnd(24)} ${median(cpu).toFixed(0)} µs (${cpu[0]?.toFixed(0)} to ${cpu.at(-1)?.toFixed(0)}) for each request to a subgraph, ${requests.toFixed(2)} of them for an operation, ${median(list.map((each) => each.byApollo)).toFixed(2)} by Apollo Server`,
      );
    }
  }
}

async function measureOnce(subgraphs, { targets }, sendAll) {
  const before = await countRequests(subgraphs);
  const [beganAt, cpuBefore] = [performance.now(), cpuMicroseconds(subgraphs)];
  let sent = 0;
  for (const { origin, requests } of targets) sent += await sendAll(origin, requests);
  const tookSeconds = (performance.now() - beganAt) / 1_000;
  const cpu = cpuMicroseconds(subgraphs) - cpuBefore - idlePerSecond * tookSeconds;
  const after = await countRequests(subgraphs);
  const requests = after.all - before.all;
  return { cpu: cpu / requests, requests: requests / sent, byApollo: (after.byApollo - before.byApollo) / sent };
}

/** Returns the CPU time of the threads of these processes, in microseconds. */
function cpuMicroseconds(subgraphs) {
  const files = subgraphs.flatMap(({ pid }) =>
    readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/schedstat`),
  );
  return files.reduce((sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ')[0]) / 1_000, 0);
}

/** Returns how many requests the subgraphs have executed, and how many of them with Apollo Server. */
async function countRequests(subgraphs) {
  const texts = await Promise.all(
    subgraphs.map(async ({ metricsPort }) => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()),
  );
  const sum = (...labels) =>
    texts.reduce((total, text) => total + metricValue(text, 'lectern_subgraph_requests_total', ...labels), 0);
  return { all: sum(), byApollo: sum('execution="apollo-server"') };
}

/** Returns the recorded requests of the gateways to subgraphs, by operation and then by gateway. */
function recordedRequests(subgraphs) {
  const patterns = {
    verse: /[ {]verse\(book: ?\$book/,
    chapter: /[ {]chapter\(book: ?\$book/,
    search: /"query":"query Search|\{search\(query: ?\$words\)/,
    entities: /_entities.*inTranslation/,
  };
  const recorded = JSON.parse(readFileSync(join(root, 'tests', 'routers', 'recorded-requests.json'), 'utf8'));
  return Object.entries(patterns).map(([name, pattern]) => {
    const loads = recorded.flatMap(({ router, source, headers, encoding, requests }) => {
      const found = encoding || source !== 'recorded' ? undefined : requests.find(({ body }) => pattern.test(body));
      const subgraph = subgraphs.find((each) => each.name === found?.subgraph);
      if (!found || !subgraph) return [];
      return [
        {
          title: router,
          targets: [{ origin: new URL(subgraph.url).origin, requests: [{ headers, body: found.body }] }],
        },
      ];
    });
    return /** @type {const} */ ([name, loads]);
  });
}
