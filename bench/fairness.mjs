// Measures how much one key that sends the worst operations at its full rate delays `verse` of other keys.
// Usage: node bench/fairness.mjs --help. Needs `npm run build` and `npm run data`. README.md explains the figures.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError, Option, program } from 'commander';
import { createOperations } from './gateway/benchmark-operations.mjs';
import { createProcesses } from './gateway/child-processes.mjs';
import { createGateways } from './gateway/gateways.mjs';
import { prepareFolder, startSubgraphs, writeSupergraph } from './gateway/start-gateways.mjs';

const require = createRequire(import.meta.url);
const { openCorpus } = require('../packages/corpus/dist/index.js');
const { openKeys, readPepper } = require('../packages/keys/dist/index.js');
const { createRandom, freePort, knownOperations } = require('../packages/testing/dist/index.js');

/** The goal: the p99 of other keys rises by at most this. */
const maxRiseMs = 50;

/** @param {string} text */
const positive = (text) => {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
};
const numberOption = (flags, description, value) => new Option(flags, description).argParser(positive).default(value);

const options = program
  .name('node bench/fairness.mjs')
  .description('Compares the latency of `verse` alone with its latency while another key sends the worst operations.')
  .addOption(numberOption('--rounds <number>', 'how often both are measured, in turn', 3))
  .addOption(numberOption('--seconds <number>', 'the duration of one measurement', 20))
  .addOption(numberOption('--verses <number>', 'requests for a verse per second', 50))
  .addOption(
    numberOption('--per-minute <number>', 'requests of the other key in one measurement: RATE_PER_MINUTE', 100),
  )
  .addOption(numberOption('--connections <number>', 'connections of the other key', 10))
  .addOption(
    new Option('--deployment <name>', 'what is measured').choices(['embedded', 'distributed', 'both']).default('both'),
  )
  .option('--operations <file>', 'operations that bench/worst-case.mjs --output wrote (default: the known worst ones)')
  .option('--data <folder>', 'the data folder', 'data')
  .parse()
  .opts();

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dataDir = resolve(options.data);
const worstOperations = options.operations ? JSON.parse(readFileSync(options.operations, 'utf8')) : knownOperations();
const folder = mkdtempSync(join(tmpdir(), 'lectern-fairness-'));
const processes = createProcesses();
process.once('exit', () => {
  processes.killAll();
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const verseToken = await prepareFolder(folder, dataDir);
const otherToken = await issueKey();
const verseBodies = readVerseBodies();
const supergraphFile = join(folder, 'supergraph.graphql');
const gateways = createGateways({ root, dataDir, keysDir: folder, supergraphFile, subgraphUrls: {} });
const deployments = { embedded: 'lectern-embedded', distributed: 'lectern' };
let documents = 0;

console.log(
  `${options.rounds} rounds of ${options.seconds} s; ${options.verses} verses per second; ${options.perMinute} of ${worstOperations.length} worst operations on ${options.connections} connections in each`,
);
if (options.deployment !== 'distributed') await measureDeployment('embedded');
if (options.deployment !== 'embedded') await measureDeployment('distributed');
await processes.stopAll();

async function issueKey() {
  const pepper = readPepper({ setting: undefined, file: join(folder, 'key-pepper') });
  const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper });
  const { token } = await keys.issue({ email: 'worst@localhost', name: 'worst', environment: 'test' }, 'bench');
  await keys.close();
  return token;
}

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
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/graphql`;
  const gateway = gateways.find(({ name }) => name === deployments[deployment]);
  await processes.start(gateway.command(port), async () => {
    const { ok, status } = await fetch(`http://127.0.0.1:${port}/ready`);
    return ok ? null : `status ${status}`;
  });
  await measureVerses(url, 5);
  const alone = [];
  const beside = [];
  let sent = 0;
  for (let round = 0; round < options.rounds; round += 1) {
    alone.push(...(await measureVerses(url, options.seconds)));
    const attack = sendWorst(url);
    beside.push(...(await measureVerses(url, options.seconds)));
    sent += await attack.stop();
  }
  await processes.stopAll();
  report(deployment, alone, beside, sent);
}

/** Sends verses at a fixed rate. Returns their latencies in milliseconds from the time when each was due. */
async function measureVerses(url, seconds) {
  const latencies = [];
  const pending = [];
  const startedAt = performance.now();
  const count = seconds * options.verses;
  for (let index = 0; index < count; index += 1) {
    const dueAt = startedAt + (index * 1_000) / options.verses;
    await wait(Math.max(0, dueAt - performance.now()));
    pending.push(
      request(url, verseToken, verseBodies[index % verseBodies.length]).then((text) => {
        if (!text.startsWith('{"data":{"verse":{'))
          throw new Error(`A request for a verse failed: ${text.slice(0, 200)}`);
        latencies.push(performance.now() - dueAt);
      }),
    );
  }
  await Promise.all(pending);
  return latencies;
}

/** Sends the worst operations on several connections until the other key has used up its minute. */
function sendWorst(url) {
  let sent = 0;
  const stopped = new AbortController();
  const connection = async () => {
    while (!stopped.signal.aborted && sent < options.perMinute) {
      const { query, variables } = worstOperations[sent % worstOperations.length];
      sent += 1;
      documents += 1;
      // A new name makes a new document, which the gateway has not prepared.
      await request(url, otherToken, JSON.stringify({ query: query.replace(' W', ` W${documents}`), variables }));
    }
  };
  const connections = Promise.all(Array.from({ length: options.connections }, connection));
  return {
    async stop() {
      stopped.abort();
      await connections;
      return sent;
    },
  };
}

async function request(url, token, body) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const response = await fetch(url, { method: 'POST', headers, body });
  return response.text();
}

function report(deployment, alone, beside, sent) {
  const rise = percentile(beside, 0.99) - percentile(alone, 0.99);
  const line = (latencies) =>
    `p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p99 ${percentile(latencies, 0.99).toFixed(1)} ms, max ${percentile(latencies, 1).toFixed(1)} ms`;
  console.log(`\n${deployment}`);
  console.log(`  verse alone:                       ${line(alone)}`);
  console.log(`  beside ${String(sent).padStart(4)} of the worst operations: ${line(beside)}`);
  console.log(
    `  the p99 rises by ${rise.toFixed(1)} ms, ${rise > maxRiseMs ? 'MORE THAN' : 'within'} the goal of ${maxRiseMs} ms`,
  );
  if (rise > maxRiseMs) process.exitCode = 1;
}

function percentile(latencies, share) {
  const sorted = [...latencies].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
