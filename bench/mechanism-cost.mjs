// Measures what a mechanism saves or costs: runs the service with and without it, in turn, and compares the CPU time.
// Usage: taskset -c 1 node bench/mechanism-cost.mjs --help. Needs `npm run build`, `npm run data` and Linux.
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { Option, program } from 'commander';
import { createOperations } from './gateway/benchmark-operations.mjs';
import { openTemporaryFolderAndProcesses } from './gateway/child-processes.mjs';
import { createGateways } from './gateway/gateways.mjs';
import { cpuSeconds } from './gateway/process-usage.mjs';
import { prepareFolder, startSubgraphs, writeSupergraph } from './gateway/start.mjs';
import { positive } from './positive-number.mjs';

const require = createRequire(import.meta.url);
const { openCorpus } = require('../packages/corpus/dist/index.js');
const { createRandom, freePort } = require('../packages/testing/dist/index.js');

const numberOption = (flags, description, value) => new Option(flags, description).argParser(positive).default(value);
const collect = (value, list) => [...list, value];
const options = program
  .name('node bench/mechanism-cost.mjs')
  .description('Compares the CPU time of a request with a mechanism (on) and without it (off).')
  .option('--off <file::text::by>', 'what is replaced in a compiled file to switch the mechanism off', collect, [])
  .option('--off-env <NAME=VALUE>', 'a setting that switches the mechanism off', collect, [])
  .option('--env <NAME=VALUE>', 'a setting of both', collect, [])
  .option('--operations <names>', 'operations of compare-gateways.mjs, separated by commas', 'verse')
  .option('--body <json>', 'a request that is measured instead of the operations')
  .addOption(numberOption('--rounds <number>', 'how often each is measured, in turn', 4))
  .addOption(numberOption('--seconds <number>', 'the duration of one measurement', 2))
  .addOption(numberOption('--connections <number>', 'number of connections', 8))
  .addOption(new Option('--deployment <name>').choices(['embedded', 'distributed']).default('distributed'))
  .option('--core <number>', 'the core of all measured processes', '0')
  .parse()
  .opts();

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dataDir = resolve('data');
const { folder, processes } = openTemporaryFolderAndProcesses('lectern-mechanism-');
const token = await prepareFolder(folder, dataDir);
const supergraphFile = join(folder, 'supergraph.graphql');
const isDistributed = options.deployment === 'distributed';
const pinned = {
  ...processes,
  start: ({ args, env, cwd }, check) =>
    processes.start({ program: 'taskset', args: ['-c', options.core, process.execPath, ...args], env, cwd }, check),
};
const subgraphs = isDistributed ? await startSubgraphs(pinned, { root, dataDir }) : [];
writeSupergraph(supergraphFile, root, subgraphs);
const name = isDistributed ? 'lectern' : 'lectern-embedded';
const gateway = createGateways({ root, dataDir, keysDir: folder, supergraphFile, subgraphUrls: {} }).find(
  (each) => each.name === name,
);
const settings = (list) => Object.fromEntries(list.map((each) => each.split(/=(.*)/s).slice(0, 2)));

/** Starts the gateway or the whole service, with more settings and with replaced text. */
async function start(env, replacements) {
  const port = await freePort();
  const command = /** @type {any} */ (gateway).command(port);
  const { pid } = await pinned.start(
    {
      ...command,
      args: ['--require', join(root, 'bench/mechanism-cost/replace-compiled-text.cjs'), ...command.args],
      env: { ...command.env, LECTERN_REPLACE: JSON.stringify(replacements), ...env },
    },
    async () => ((await fetch(`http://127.0.0.1:${port}/ready`)).ok ? null : 'not ready'),
  );
  return { pid, url: `http://127.0.0.1:${port}` };
}

/** Sends requests as fast as responses arrive. Resolves with the CPU milliseconds of a request and its latencies. */
async function measure({ pid, url }, bodies, seconds) {
  const pids = subgraphs.map((each) => each.pid ?? 0);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const before = [cpuSeconds([pid]) ?? 0, cpuSeconds(pids) ?? 0];
  const { connections } = options;
  let next = 0;
  const load = autocannon({
    url: `${url}/graphql`,
    connections,
    duration: seconds,
    setupClient(client) {
      const share = bodies.filter((_, index) => bodies.length < connections || index % connections === next);
      next += 1;
      client.setRequests(share.map((body) => ({ method: 'POST', path: '/graphql', headers, body })));
    },
  });
  const latencies = /** @type {number[]} */ ([]);
  load.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  const { non2xx, errors } = await load;
  if (non2xx + errors > 0) throw new Error(`${non2xx} requests were rejected, ${errors} failed`);
  const after = [cpuSeconds([pid]) ?? 0, cpuSeconds(pids) ?? 0];
  const [own, others] = after.map((value, index) => ((value - before[index]) * 1_000) / latencies.length);
  latencies.sort((a, b) => a - b);
  return { own, others, sum: own + others, p99: latencies[Math.floor(latencies.length * 0.99)] };
}

const show = (runs, key) => {
  const values = runs.map((run) => run[key]).toSorted((a, b) => a - b);
  const middle = (values[(values.length - 1) >> 1] + values[values.length >> 1]) / 2;
  return { middle, text: `${middle.toFixed(3)} (${values[0].toFixed(3)} to ${values[values.length - 1].toFixed(3)})` };
};

const corpus = openCorpus(dataDir);
const operations = options.body
  ? [{ name: options.body, turns: [[{ body: options.body }]] }]
  : createOperations(corpus, createRandom(20_261_124)).filter((each) =>
      options.operations.split(',').includes(each.name),
    );
corpus.close();
const replacements = options.off.map((each) => each.split('::'));
const on = { title: 'on', service: await start(settings(options.env), []) };
const off = {
  title: 'off',
  service: await start({ ...settings(options.env), ...settings(options.offEnv) }, replacements),
};
for (const { name: operation, turns } of operations) {
  const bodies = turns.flat().map(({ body }) => body);
  for (const { service } of [on, off]) await measure(service, bodies, 3);
  const runs = { on: /** @type {any[]} */ ([]), off: /** @type {any[]} */ ([]) };
  for (let round = 0; round < options.rounds; round += 1)
    for (const each of [on, off]) runs[each.title].push(await measure(each.service, bodies, options.seconds));
  console.log(`${operation}: ms of CPU for a request, median (lowest to highest)`);
  for (const key of ['own', 'others', 'sum', 'p99']) {
    const [a, b] = [show(runs.on, key), show(runs.off, key)];
    console.log(`  ${key.padEnd(6)} on ${a.text}   off ${b.text}   off/on ${(b.middle / a.middle).toFixed(3)}`);
  }
}
await processes.stopAll();
