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
  sendGraphQL,
  startDeployment,
} from './gateway/measure-verses.mjs';
import { prepareFolder } from './gateway/start.mjs';
import { positive } from './positive-number.mjs';

const require = createRequire(import.meta.url);
const { openKeys, readPepper } = require('../packages/keys/dist/index.js');
const { knownOperations } = require('../packages/testing/dist/index.js');

/** The goal: the maximum by which the p99 latency of other keys may rise, in milliseconds. */
const maxRiseMs = 50;

/** The requests of the attack with `semanticSearch`, and the single ones that are measured beside it. */
const semanticConnections = 16;
const semanticAliases = 28;
const searchesPerSecond = 4;

/** The goals beside the attack with `semanticSearch`. */
const maxP95Ms = { verse: 30, search: 120 };

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
  .addOption(
    new Option(
      '--attack <name>',
      'worst: the worst operations; semantic: requests with 28 aliases of `semanticSearch`, beside which single ones are measured too',
    )
      .choices(['worst', 'semantic'])
      .default('worst'),
  )
  .addOption(numberOption('--keys <number>', 'how many keys of one address send the requests of --attack semantic', 1))
  .option('--operations <file>', 'operations that bench/worst-case.mjs --output wrote (default: the known worst ones)')
  .option('--data <folder>', 'the data folder', 'data')
  .parse()
  .opts();

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dataDir = resolve(options.data);
const worstOperations = options.operations ? JSON.parse(readFileSync(options.operations, 'utf8')) : knownOperations();
const { folder, processes } = openTemporaryFolderAndProcesses('lectern-fairness-');

const verseToken = await prepareFolder(folder, dataDir);
const [otherToken, ...moreTokens] = await issueKeys(options.attack === 'semantic' ? options.keys : 1);
const verseBodies = readVerseBodies(dataDir);
const supergraphFile = join(folder, 'supergraph.graphql');
const gateways = createGateways({ root, dataDir, keysDir: folder, supergraphFile, subgraphUrls: {} });
let documents = 0;

if (options.attack === 'worst')
  console.log(
    `${options.rounds} rounds of ${options.seconds} s; ${options.verses} verses per second; ${options.perMinute} of ${worstOperations.length} worst operations on ${options.connections} connections in each`,
  );
const measureAttack = options.attack === 'semantic' ? measureSemantic : measureDeployment;
if (options.deployment !== 'distributed') await measureAttack('embedded');
if (options.deployment !== 'embedded') await measureAttack('distributed');
await processes.stopAll();

async function issueKeys(count) {
  const pepper = readPepper({ setting: undefined, file: join(folder, 'key-pepper') });
  const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper });
  const tokens = [];
  for (let number = 0; number < count; number += 1) {
    const email = `worst${number}@localhost`;
    const { token } = await keys.issue({ email, name: 'worst', environment: 'test' }, 'bench');
    tokens.push(token);
  }
  await keys.close();
  return tokens;
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

/**
 * Measures `verse` and single `semanticSearch` of a key, alone and beside other keys, all of another
 * address, whose connections send requests with 28 aliases of `semanticSearch`. No query is sent twice.
 * @param {'embedded' | 'distributed'} deployment
 */
async function measureSemantic(deployment) {
  const env = { SEMANTIC_TRANSLATIONS: 'spa-rv1909', TRUSTED_PROXIES: 'loopback' };
  const origin = await startDeployment(processes, deployment, { root, dataDir, supergraphFile, gateways, env });
  const [address, attackAddress] = ['192.0.2.1', '192.0.2.2'];
  let queries = 0;
  const query = () => `how do I forgive someone who hurt me ${(queries += 1)}`;
  const attackBody = () =>
    JSON.stringify({
      query: `{ ${Array.from({ length: semanticAliases }, (_, at) => `a${at}: semanticSearch(query: "${query()}", limit: 1) { similarity }`).join(' ')} }`,
    });
  const measure = async ({ verses, searches, failures }) => {
    const load = { token: verseToken, seconds: options.seconds, address };
    const bodies = Array.from({ length: searchesPerSecond * options.seconds }, () =>
      JSON.stringify({
        query: 'query ($query: String!) { semanticSearch(query: $query, limit: 1) { similarity } }',
        variables: { query: query() },
      }),
    );
    const measured = await Promise.all([
      measureVerses(origin, { ...load, bodies: verseBodies, perSecond: options.verses }),
      measureVerses(origin, { ...load, bodies, perSecond: searchesPerSecond, field: 'semanticSearch', failures }),
    ]);
    verses.push(...measured[0]);
    searches.push(...measured[1]);
  };
  const attack = () => {
    const stopped = new AbortController();
    let sent = 0;
    const tokens = [otherToken, ...moreTokens];
    const connection = async (_, index) => {
      while (!stopped.signal.aborted) {
        await sendGraphQL(origin, tokens[index % tokens.length], attackBody(), attackAddress);
        sent += 1;
      }
    };
    const sending = Promise.all(Array.from({ length: semanticConnections }, connection));
    return async () => {
      stopped.abort();
      await sending;
      return sent;
    };
  };
  const createResults = () => ({ verses: [], searches: [], failures: /** @type {string[]} */ ([]) });
  await measure(createResults());
  const alone = createResults();
  const beside = createResults();
  let sent = 0;
  for (let round = 0; round < options.rounds; round += 1) {
    await measure(alone);
    const stop = attack();
    await measure(beside);
    sent += await stop();
  }
  await processes.stopAll();
  console.log(`\n${deployment}, ${options.keys} keys with ${semanticConnections} connections, ${sent} requests`);
  for (const [name, { verses, searches, failures }] of Object.entries({ alone, beside })) {
    console.log(`  verse ${name}:           ${describeLatencies(verses)}`);
    console.log(`  semanticSearch ${name}:  ${describeLatencies(searches)}, ${failures.length} failed`);
    for (const failure of new Set(failures)) console.log(`    ${failure.slice(0, 300)}`);
  }
  const p95 = { verse: percentile(beside.verses, 0.95), search: percentile(beside.searches, 0.95) };
  const isMet = p95.verse <= maxP95Ms.verse && p95.search <= maxP95Ms.search && beside.failures.length === 0;
  console.log(`  goals: p95 of at most ${maxP95Ms.verse} and ${maxP95Ms.search} ms, ${isMet ? 'met' : 'MISSED'}`);
  if (!isMet) process.exitCode = 1;
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
