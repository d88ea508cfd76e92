// Measures how much one client that sends expensive operations delays `verse` and `semanticSearch` of another key.
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

const repeat = (count, field) => Array.from({ length: count }, (_, at) => `a${at}: ${field}`).join(' ');
const operation = (selection) => ({ query: `query W { ${selection} }`, variables: {} });

/** The operations of each attack. ` W` becomes a new name in each request, so no document is sent twice. */
const attacks = {
  worst: () => (options.operations ? JSON.parse(readFileSync(options.operations, 'utf8')) : knownOperations()),
  semantic: () => [
    operation(repeat(28, 'semanticSearch(query: "how do I forgive someone W", limit: 1) { similarity }')),
  ],
  topic: () => [operation('topic(name: "GOD") { sections { entries { text references { reference verseCount } } } }')],
  tree: () => [operation(repeat(2, 'translations { name books { name chapters { number verseCount } } }'))],
  order: () => [
    operation(
      'strongsConcordance(translation: "hbo-wlc", number: "H853", first: 1, order: WORD_BEFORE) { totalCount }',
    ),
  ],
};

/** The goals beside each attack: the maximum p95 in milliseconds. */
const maxP95Ms = { verse: 50, semanticSearch: 150 };

const searchesPerSecond = 4;

const numberOption = (flags, description, value) => new Option(flags, description).argParser(positive).default(value);

const options = program
  .name('node bench/fairness.mjs')
  .description('Compares the latency of a key alone with its latency while other keys send expensive operations.')
  .addOption(numberOption('--rounds <number>', 'how often both are measured, in turn', 3))
  .addOption(numberOption('--seconds <number>', 'the duration of one measurement', 20))
  .addOption(numberOption('--verses <number>', 'requests for a verse per second', 50))
  .addOption(numberOption('--connections <number>', 'connections of the attack', 16))
  .addOption(numberOption('--keys <number>', 'how many keys of one address send the attack', 1))
  .addOption(
    new Option('--deployment <name>', 'what is measured').choices(['embedded', 'distributed', 'both']).default('both'),
  )
  .addOption(
    new Option('--attack <name>', 'the operations that the other keys send')
      .choices(Object.keys(attacks))
      .default('worst'),
  )
  .option('--operations <file>', 'operations that bench/worst-case.mjs --output wrote (default: the known worst ones)')
  .option('--data <folder>', 'the data folder', 'data')
  .parse()
  .opts();

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dataDir = resolve(options.data);
const { folder, processes } = openTemporaryFolderAndProcesses('lectern-fairness-');
const token = await prepareFolder(folder, dataDir);
const attackTokens = await issueKeys(options.keys);
const verseBodies = readVerseBodies(dataDir);
const supergraphFile = join(folder, 'supergraph.graphql');
const gateways = createGateways({ root, dataDir, keysDir: folder, supergraphFile, subgraphUrls: {} });
const [address, attackAddress] = ['192.0.2.1', '192.0.2.2'];
let documents = 0;

if (options.deployment !== 'distributed') await measureDeployment('embedded');
if (options.deployment !== 'embedded') await measureDeployment('distributed');
await processes.stopAll();

async function issueKeys(count) {
  const pepper = readPepper({ setting: undefined, file: join(folder, 'key-pepper') });
  const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper });
  const tokens = [];
  for (let number = 0; number < count; number += 1) {
    const email = `attack${number}@localhost`;
    const issued = await keys.issue({ email, name: 'attack', environment: 'test' }, 'bench');
    tokens.push(issued.token);
  }
  await keys.close();
  return tokens;
}

/** @param {'embedded' | 'distributed'} deployment */
async function measureDeployment(deployment) {
  const env = { SEMANTIC_TRANSLATIONS: 'spa-rv1909', TRUSTED_PROXIES: 'loopback' };
  const origin = await startDeployment(processes, deployment, { root, dataDir, supergraphFile, gateways, env });
  let queries = 0;
  const searchBody = () =>
    JSON.stringify({
      query: 'query ($query: String!) { semanticSearch(query: $query, limit: 1) { similarity } }',
      variables: { query: `how do I forgive someone who hurt me ${(queries += 1)}` },
    });
  const measure = async ({ verse, semanticSearch, failures }) => {
    const load = { token, seconds: options.seconds, address, failures };
    const searches = Array.from({ length: searchesPerSecond * options.seconds }, searchBody);
    const measured = await Promise.all([
      measureVerses(origin, { ...load, bodies: verseBodies, perSecond: options.verses }),
      measureVerses(origin, { ...load, bodies: searches, perSecond: searchesPerSecond, field: 'semanticSearch' }),
    ]);
    verse.push(...measured[0]);
    semanticSearch.push(...measured[1]);
  };
  const createResults = () => ({ verse: [], semanticSearch: [], failures: /** @type {string[]} */ ([]) });
  // This first measurement is ignored: the first operations of a new process take several times as long.
  const first = sendAttack(origin);
  await measure(createResults());
  await first.stop();
  const results = { alone: createResults(), beside: createResults() };
  let sent = 0;
  for (let round = 0; round < options.rounds; round += 1) {
    await measure(results.alone);
    const attack = sendAttack(origin);
    await measure(results.beside);
    sent += await attack.stop();
  }
  await processes.stopAll();
  report(deployment, results, sent);
}

/** Sends the attack on several connections, in a thread of its own, until `stop` is called. */
function sendAttack(origin) {
  const thread = new Worker(new URL('./fairness/sender-thread.mjs', import.meta.url), {
    workerData: {
      origin,
      tokens: attackTokens,
      address: attackAddress,
      operations: attacks[options.attack](),
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

function report(deployment, results, sent) {
  console.log(
    `\n${deployment}, ${options.attack}: ${sent} requests, ${options.keys} keys, ${options.connections} connections`,
  );
  for (const [name, { verse, semanticSearch, failures }] of Object.entries(results)) {
    console.log(`  verse ${name}:           ${describeLatencies(verse)}`);
    console.log(`  semanticSearch ${name}:  ${describeLatencies(semanticSearch)}, ${failures.length} failed`);
    for (const failure of new Set(failures)) console.log(`    ${failure.slice(0, 300)}`);
  }
  const { beside } = results;
  const isMet =
    percentile(beside.verse, 0.95) <= maxP95Ms.verse &&
    percentile(beside.semanticSearch, 0.95) <= maxP95Ms.semanticSearch &&
    beside.failures.length === 0;
  console.log(
    `  goals: p95 of at most ${maxP95Ms.verse} and ${maxP95Ms.semanticSearch} ms, ${isMet ? 'met' : 'MISSED'}`,
  );
  if (!isMet) process.exitCode = 1;
}
