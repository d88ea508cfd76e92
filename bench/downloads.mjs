// Measures how much parallel downloads of an offline package delay `verse`.
// oxlint-disable unicorn/require-post-message-target-origin -- only messages to windows have an origin
// Usage: node bench/downloads.mjs --help. Needs `npm run build` and `npm run data`. README.md explains the figures.
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { InvalidArgumentError, Option, program } from 'commander';
import { openTemporaryFolderAndProcesses } from './gateway/child-processes.mjs';
import { createGateways } from './gateway/gateways.mjs';
import {
  describeLatencies,
  measureVerses,
  percentile,
  readVerseBodies,
  sendGraphQL,
  startDeployment,
} from './gateway/measure-verses.mjs';
import { prepareFolder } from './gateway/start.mjs';

const { freePort } = createRequire(import.meta.url)('../packages/testing/dist/index.js');

/** The goal: the maximum p95 of `verse` during the downloads, in milliseconds. */
const maxP95Ms = 50;
/** All downloads begin within this time, in milliseconds. Then the measurement of `verse` begins. */
const startWithinMs = 3_000;

const numberOption = (flags, description, value, min = 1) =>
  new Option(flags, description)
    .argParser((text) => {
      if (!(Number(text) >= min)) throw new InvalidArgumentError(`It must be a number from ${min}.`);
      return Number(text);
    })
    .default(value);

const options = program
  .name('node bench/downloads.mjs')
  .description('Compares the latency of `verse` alone with its latency beside parallel downloads.')
  .addOption(numberOption('--rounds <number>', 'how often both are measured, in turn', 3))
  .addOption(numberOption('--seconds <number>', 'the duration of one measurement', 5))
  .addOption(numberOption('--verses <number>', 'requests for a verse per second', 200))
  .addOption(numberOption('--downloads <number>', 'parallel downloads', 100))
  .addOption(numberOption('--megabits <number>', 'the speed of each client in Mbit/s; 0: as fast as possible', 0, 0))
  .addOption(
    new Option('--deployment <name>', 'what is measured').choices(['embedded', 'distributed', 'both']).default('both'),
  )
  .option('--data <folder>', 'the data folder', 'data')
  .parse()
  .opts();

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dataDir = resolve(options.data);
const { folder, processes } = openTemporaryFolderAndProcesses('lectern-offline-');

const token = await prepareFolder(folder, dataDir);
const verseBodies = readVerseBodies(dataDir);
const supergraphFile = join(folder, 'supergraph.graphql');
const gateways = createGateways({ root, dataDir, keysDir: folder, supergraphFile, subgraphUrls: {} });

const speed = options.megabits === 0 ? 'as fast as possible' : `with ${options.megabits} Mbit/s each`;
console.log(
  `${options.rounds} rounds of ${options.seconds} s; ${options.verses} verses per second; ${options.downloads} downloads ${speed}`,
);
for (const deployment of /** @type {const} */ (['embedded', 'distributed']))
  if (options.deployment === deployment || options.deployment === 'both') await measureDeployment(deployment);

/** @param {'embedded' | 'distributed'} deployment */
async function measureDeployment(deployment) {
  const port = await freePort();
  // The single process serves the packages on its only port, whatever the URL says.
  const env = {
    OFFLINE_RATE_PER_MINUTE: '0',
    OFFLINE_PORT: String(port),
    OFFLINE_BASE_URL: `http://127.0.0.1:${port}`,
  };
  const origin = await startDeployment(processes, deployment, { root, dataDir, supergraphFile, gateways, env });
  const measure = (seconds) =>
    measureVerses(origin, { token, bodies: verseBodies, perSecond: options.verses, seconds });
  const url = new URL(await findPackagePath(origin), deployment === 'embedded' ? origin : env.OFFLINE_BASE_URL).href;
  await measure(3);
  const alone = [];
  const beside = [];
  const sums = { bytes: 0, downloads: 0 };
  for (let round = 0; round < options.rounds; round += 1) {
    alone.push(...(await measure(options.seconds)));
    const clients = startDownloads(url);
    await wait(startWithinMs);
    beside.push(...(await measure(options.seconds)));
    const { bytes, downloads } = await clients.stop();
    sums.bytes += bytes;
    sums.downloads += downloads;
  }
  await processes.stopAll();
  report(deployment, alone, beside, sums);
}

async function findPackagePath(origin) {
  const query = '{ translation(identifier: "eng-web") { offlinePackage { url } } }';
  const { data } = JSON.parse(await sendGraphQL(origin, token, JSON.stringify({ query })));
  return new URL(data.translation.offlinePackage.url).pathname;
}

/** Starts the clients that download. `stop` ends them and resolves with the numbers of bytes and of downloads. */
function startDownloads(url) {
  const worker = new Worker(new URL('verse-latency-during-downloads/download-clients.mjs', import.meta.url), {
    workerData: { url, clients: options.downloads, megabits: options.megabits, startWithinMs },
  });
  const result = new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  return {
    stop() {
      worker.postMessage('stop');
      return result;
    },
  };
}

function report(deployment, alone, beside, { bytes, downloads }) {
  const p95 = percentile(beside, 0.95);
  const seconds = options.rounds * (options.seconds + startWithinMs / 1_000);
  console.log(`\n${deployment}`);
  console.log(`  verse alone:            ${describeLatencies(alone)}`);
  console.log(`  verse beside downloads: ${describeLatencies(beside)}`);
  console.log(`  downloads:              ${downloads}, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s together`);
  console.log(
    `  the p95 beside downloads is ${p95.toFixed(1)} ms, ${p95 > maxP95Ms ? 'MORE THAN' : 'within'} the goal of ${maxP95Ms} ms`,
  );
  if (p95 > maxP95Ms) process.exitCode = 1;
}
