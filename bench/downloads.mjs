// Measures how much parallel downloads of an offline package delay `verse`.
// oxlint-disable unicorn/require-post-message-target-origin -- only messages to windows have an origin
// Usage: node bench/downloads.mjs --help. Needs `npm run build` and `npm run data`. README.md explains the figures.
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

/** The goal: the maximum ratio of the p99 of `verse` during the downloads to the p99 without downloads. */
const maxRatio = 1.5;
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
  const env = { OFFLINE_RATE_PER_MINUTE: '0' };
  const origin = await startDeployment(processes, deployment, { root, dataDir, supergraphFile, gateways, env });
  const measure = (seconds) =>
    measureVerses(origin, { token, bodies: verseBodies, perSecond: options.verses, seconds });
  const url = `${origin}${await findPackagePath(origin)}`;
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
  const ratio = percentile(beside, 0.99) / percentile(alone, 0.99);
  const seconds = options.rounds * (options.seconds + startWithinMs / 1_000);
  console.log(`\n${deployment}`);
  console.log(`  verse alone:            ${describeLatencies(alone)}`);
  console.log(`  verse beside downloads: ${describeLatencies(beside)}`);
  console.log(`  downloads:              ${downloads}, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s together`);
  console.log(
    `  the p99 is ${ratio.toFixed(2)} times that of verse alone, ${ratio > maxRatio ? 'MORE THAN' : 'within'} the goal of ${maxRatio} times`,
  );
  if (ratio > maxRatio) process.exitCode = 1;
}
