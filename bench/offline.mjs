// Measures how much parallel downloads of an offline package delay `verse`.
// oxlint-disable unicorn/require-post-message-target-origin -- windows have origins, threads have none
// Usage: node bench/offline.mjs --help. Needs `npm run build` and `npm run data`. README.md explains the figures.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { InvalidArgumentError, Option, program } from 'commander';
import { createOperations } from './gateway/benchmark-operations.mjs';
import { createProcesses } from './gateway/child-processes.mjs';
import { createGateways } from './gateway/gateways.mjs';
import { prepareFolder, startSubgraphs, writeSupergraph } from './gateway/start-gateways.mjs';

const require = createRequire(import.meta.url);
const { openCorpus } = require('../packages/corpus/dist/index.js');
const { createRandom, freePort } = require('../packages/testing/dist/index.js');

/** The goal: the p99 of `verse` beside the downloads is at most this many times that of `verse` alone. */
const maxRatio = 1.5;
/** The downloads begin within this time, before `verse` is measured. */
const startWithinMs = 3_000;

const numberOption = (flags, description, value, min = 1) =>
  new Option(flags, description)
    .argParser((text) => {
      if (!(Number(text) >= min)) throw new InvalidArgumentError(`It must be a number from ${min}.`);
      return Number(text);
    })
    .default(value);

const options = program
  .name('node bench/offline.mjs')
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
const folder = mkdtempSync(join(tmpdir(), 'lectern-offline-'));
const processes = createProcesses();
process.once('exit', () => {
  processes.killAll();
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const token = await prepareFolder(folder, dataDir);
const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
const verseBodies = readVerseBodies();
const supergraphFile = join(folder, 'supergraph.graphql');
const gateways = createGateways({ root, dataDir, keysDir: folder, supergraphFile, subgraphUrls: {} });
const deployments = { embedded: 'lectern-embedded', distributed: 'lectern' };

const speed = options.megabits === 0 ? 'as fast as possible' : `with ${options.megabits} Mbit/s each`;
console.log(
  `${options.rounds} rounds of ${options.seconds} s; ${options.verses} verses per second; ${options.downloads} downloads ${speed}`,
);
for (const deployment of /** @type {const} */ (['embedded', 'distributed']))
  if (options.deployment === deployment || options.deployment === 'both') await measureDeployment(deployment);

/** Returns the bodies of 640 requests for a verse. */
function readVerseBodies() {
  const corpus = openCorpus(dataDir);
  const verse = createOperations(corpus, createRandom(20_261_122)).find(({ name }) => name === 'verse');
  corpus.close();
  if (!verse || !('turns' in verse)) throw new Error('The operation `verse` is missing');
  return verse.turns.map(([{ body }]) => body);
}

/** @param {'embedded' | 'distributed'} deployment */
async function measureDeployment(deployment) {
  if (deployment === 'distributed')
    writeSupergraph(supergraphFile, root, await startSubgraphs(processes, { root, dataDir }));
  const origin = `http://127.0.0.1:${await freePort()}`;
  const command = gateways.find(({ name }) => name === deployments[deployment]).command(Number(new URL(origin).port));
  await processes.start({ ...command, env: { ...command.env, OFFLINE_RATE_PER_MINUTE: '0' } }, async () => {
    const { ok, status } = await fetch(`${origin}/ready`);
    return ok ? null : `status ${status}`;
  });
  const url = `${origin}${await findPackagePath(origin)}`;
  await measureVerses(origin, 3);
  const alone = [];
  const beside = [];
  const sums = { bytes: 0, downloads: 0 };
  for (let round = 0; round < options.rounds; round += 1) {
    alone.push(...(await measureVerses(origin, options.seconds)));
    const clients = startDownloads(url);
    await wait(startWithinMs);
    beside.push(...(await measureVerses(origin, options.seconds)));
    const { bytes, downloads } = await clients.stop();
    sums.bytes += bytes;
    sums.downloads += downloads;
  }
  await processes.stopAll();
  report(deployment, alone, beside, sums);
}

async function findPackagePath(origin) {
  const query = '{ translation(identifier: "eng-web") { offlinePackage { url } } }';
  const response = await fetch(`${origin}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const { data } = /** @type {any} */ (await response.json());
  return new URL(data.translation.offlinePackage.url).pathname;
}

/** Sends verses at a fixed rate. Returns their latencies in milliseconds from the time when each was due. */
async function measureVerses(origin, seconds) {
  const latencies = [];
  const pending = [];
  const startedAt = performance.now();
  for (let index = 0; index < seconds * options.verses; index += 1) {
    const dueAt = startedAt + (index * 1_000) / options.verses;
    await wait(Math.max(0, dueAt - performance.now()));
    const sentAt = performance.now();
    pending.push(
      requestVerse(origin, index).then(() => {
        latencies.push(performance.now() - sentAt);
      }),
    );
  }
  await Promise.all(pending);
  return latencies;
}

async function requestVerse(origin, index) {
  const body = verseBodies[index % verseBodies.length];
  const text = await (await fetch(`${origin}/graphql`, { method: 'POST', headers, body })).text();
  if (!text.startsWith('{"data":{"verse":{')) throw new Error(`A request for a verse failed: ${text.slice(0, 200)}`);
}

/** Starts the clients that download. `stop` resolves with what they received. */
function startDownloads(url) {
  const worker = new Worker(new URL('offline/download-clients.mjs', import.meta.url), {
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
  const line = (latencies) =>
    `p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p99 ${percentile(latencies, 0.99).toFixed(1)} ms, max ${percentile(latencies, 1).toFixed(1)} ms`;
  const seconds = options.rounds * (options.seconds + startWithinMs / 1_000);
  console.log(`\n${deployment}`);
  console.log(`  verse alone:            ${line(alone)}`);
  console.log(`  verse beside downloads: ${line(beside)}`);
  console.log(`  downloads:              ${downloads}, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s together`);
  console.log(
    `  the p99 is ${ratio.toFixed(2)} times that of verse alone, ${ratio > maxRatio ? 'MORE THAN' : 'within'} the goal of ${maxRatio} times`,
  );
  if (ratio > maxRatio) process.exitCode = 1;
}

function percentile(latencies, share) {
  const sorted = [...latencies].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
