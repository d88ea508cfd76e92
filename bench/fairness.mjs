// Measures how much one key that sends the worst operations at its full rate delays `verse` of other keys.
// Usage: node bench/fairness.mjs --help. Needs `npm run build` and `npm run data`. README.md explains the figures.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Option, program } from 'commander';
import { openTemporaryFolderAndProcesses } from './gateway/child-processes.mjs';
import { createGateways } from './gateway/gateways.mjs';
import {
  describeLatencies,
  measureVerses,
  percentile,
  readVerseBodies,
  startDeployment,
} from './gateway/measure-verses.mjs';
import { prepareFolder } from './gateway/start.mjs';
import { positive } from './positive-number.mjs';

const require = createRequire(import.meta.url);
const { openKeys, readPepper } = require('../packages/keys/dist/index.js');
const { knownOperations } = require('../packages/testing/dist/index.js');

/** The goal: the maximum by which the p99 latency of other keys may rise, in milliseconds. */
const maxRiseMs = 50;

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
const { folder, processes } = openTemporaryFolderAndProcesses('lectern-fairness-');

const verseToken = await prepareFolder(folder, dataDir);
const otherToken = await issueKey();
const verseBodies = readVerseBodies(dataDir);
const supergraphFile = join(folder, 'supergraph.graphql');
const gateways = createGateways({ root, dataDir, keysDir: folder, supergraphFile, subgraphUrls: {} });
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

/** @param {'embedded' | 'distributed'} deployment */
async function measureDeployment(deployment) {
  const origin = await startDeployment(processes, deployment, { root, dataDir, supergraphFile, gateways });
  const measure = (seconds) =>
    measureVerses(origin, { token: verseToken, bodies: verseBodies, perSecond: options.verses, seconds });
  // This first measurement is ignored: the first operations of a new process take several times as long.
  const first = sendWorst(origin);
  await measure(options.seconds);
  await first.stop();
  const alone = [];
  const beside = [];
  let sent = 0;
  for (let round = 0; round < options.rounds; round += 1) {
    alone.push(...(await measure(options.seconds)));
    const attack = sendWorst(origin);
    beside.push(...(await measure(options.seconds)));
    sent += await attack.stop();
  }
  await processes.stopAll();
  report(deployment, alone, beside, sent);
}

/**
 * Sends worst operations with the other key on several connections: at most as many as its rate
 * limit allows in a minute.
 */
function sendWorst(origin) {
  const thread = new Worker(new URL('./fairness/sender-thread.mjs', import.meta.url), {
    workerData: {
      origin,
      token: otherToken,
      operations: worstOperations,
      count: options.perMinute,
      connections: options.connections,
      firstDocument: documents,
    },
  });
  return {
    /** Stops the sending after the requests in flight. Resolves with the number of requests. */
    async stop() {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- windows have origins, threads have none
      thread.postMessage('stop');
      const [sent] = await once(thread, 'message');
      documents += sent;
      return sent;
    },
  };
}

function report(deployment, alone, beside, sent) {
  const rise = percentile(beside, 0.99) - percentile(alone, 0.99);
  console.log(`\n${deployment}`);
  console.log(`  verse alone:                       ${describeLatencies(alone)}`);
  console.log(`  beside ${String(sent).padStart(4)} of the worst operations: ${describeLatencies(beside)}`);
  console.log(
    `  the p99 rises by ${rise.toFixed(1)} ms, ${rise > maxRiseMs ? 'MORE THAN' : 'within'} the goal of ${maxRiseMs} ms`,
  );
  if (rise > maxRiseMs) process.exitCode = 1;
}
