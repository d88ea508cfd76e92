// Compares the speed of this checkout with that of another commit: node bench/compare-commits.mjs --help
// Needs `npm run build`, `npm run data` and Linux. README.md explains the method.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSchema, parse, validate } from 'graphql';
import { failure, runCommand, usageError } from '../scripts/command-line.mjs';
import { describeCheckout, findCommit, prepareCheckout } from './compare-commits/checkout.mjs';
import {
  connections,
  maxDisturbance,
  measureOneStart,
  prepareGateway,
  prepareJsonRoute,
  reserveProcessor,
} from './compare-commits/measure.mjs';
import { ratioWithRange } from './compare-commits/ratios.mjs';
import { createOperations } from './gateway/benchmark-operations.mjs';
import { openTemporaryFolderAndProcesses } from './gateway/child-processes.mjs';
import { installOtherGateways } from './gateway/install-other-gateways.mjs';
import { median } from './gateway/measure-cpu.mjs';
import { percentile } from './gateway/measure-verses.mjs';
import { startSubgraphs } from './gateway/start.mjs';

const require = createRequire(import.meta.url);
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const commitsDir = join(tmpdir(), 'lectern-commits');
const operationNames = ['verse', 'chapter', 'search', 'entities', 'mix'];
/** The control compares two processes of this build. Its ratio may differ from 1 by this much. */
const maxControlDifference = 0.02;

await runCommand({
  name: 'node bench/compare-commits.mjs',
  description: 'Measures the CPU time of this build for a request, compared with a build of another commit.',
  arguments: [['<commit>', 'the other commit, such as 2a634923, or HEAD to measure uncommitted changes']],
  options: [
    ['--deployment <name>', 'distributed, embedded or both', 'both'],
    ['--operations <names>', 'the operations, separated by commas', operationNames.join(',')],
    ['--rounds <number>', 'how often the builds are measured with each operation', '12'],
    ['--starts <number>', 'how often the processes are started anew, among the rounds', '4'],
    ['--seconds <number>', 'about how long each build is measured in a round', '1'],
    ['--bound <ratio>', 'exit with 1 if the whole range of a ratio is above this number', '1.03'],
    ['--control', 'measure a second process of this build: its ratio to the first shows what this run can tell'],
    ['--data <folder>', "this checkout's data", join(root, 'data')],
    ['--json <file>', 'write all results to this file'],
  ],
  help: `Ratios are this build divided by the other one: above 1, this build takes more. This build is the checkout as it was
compiled, with uncommitted changes. The other is built once in ${commitsDir} (about 1.3 GB, some minutes).
Each operation takes one to two minutes for each deployment, with --control half more. Progress and the results so far go
to standard error. Ctrl-C stops all processes.`,
  run: compare,
});

async function compare(options, commit) {
  const settings = readSettings(options);
  const { dataDir } = settings;
  const sha = findCommit(root, commit);
  const otherRoot = prepareCheckout({ root, dataDir, commitsDir, sha, say });
  const { folder, processes } = openTemporaryFolderAndProcesses('lectern-compare-');
  if (settings.deployments.includes('embedded')) await installJsonRoute(processes);
  const builds = [
    { name: 'old', root: otherRoot, dataDir: join(otherRoot, 'data') },
    { name: 'new', root, dataDir },
    ...(settings.control ? [{ name: 'control', root, dataDir }] : []),
  ];
  const operations = readOperations(settings, builds);
  console.log(
    `new: ${describeCheckout(root)}; old: ${sha.slice(0, 8)}. ${settings.rounds} rounds of about ${settings.seconds} s in ${settings.starts} starts; ${connections} connections; load before ${loadavg()[0].toFixed(2)}.`,
  );
  const processor = reserveProcessor();
  if (processor === null) console.log('This machine has one processor: the figures vary more.');
  const results = [];
  for (const deployment of settings.deployments) {
    const subgraphs = deployment === 'distributed' ? await startSubgraphs(processes, { root, dataDir }) : [];
    const gateways = [];
    for (const build of builds) gateways.push(await prepareGateway(deployment, build, { folder, subgraphs }));
    if (deployment === 'embedded') gateways.push(await prepareJsonRoute(gateways[1], dataDir));
    const starts = [];
    for (let start = 0; start < settings.starts; start += 1) {
      say(`${deployment}: start ${start + 1} of ${settings.starts}`);
      const rounds = share(settings.rounds, settings.starts, start);
      const subgraphPids = subgraphs.map(({ pid }) => Number(pid));
      starts.push(await measureOneStart(gateways, { ...settings, rounds, operations, subgraphPids, processor, say }));
      if (starts.length < settings.starts)
        for (const result of summariseAll(deployment, operations, starts)) say(describe(result)[0]);
    }
    await processes.stopAll();
    results.push(...report(deployment, operations, starts));
  }
  if (settings.json) writeFileSync(settings.json, `${JSON.stringify({ commit: sha, settings, results }, null, 2)}\n`);
  return exitStatusOf(results, settings.bound);
}

function readSettings(options) {
  const number = (name, min) => {
    const value = Number(options[name]);
    if (!(value >= min)) throw usageError(`--${name} must be a number of at least ${min}, not '${options[name]}'.`);
    return value;
  };
  const wanted = options.operations.split(',');
  const unknown = wanted.find((name) => !operationNames.includes(name));
  if (unknown !== undefined)
    throw usageError(`Unknown operation '${unknown}'. The operations are ${operationNames.join(', ')}.`);
  if (!['distributed', 'embedded', 'both'].includes(options.deployment))
    throw usageError(`--deployment must be distributed, embedded or both, not '${options.deployment}'.`);
  if (process.platform !== 'linux') throw failure('This benchmark reads CPU time from /proc, so it needs Linux.');
  const dataDir = resolve(options.data);
  for (const [file, command] of [
    [join(root, 'gateway', 'dist', 'main.js'), 'npm run build'],
    [join(dataDir, 'text-catalogue.sqlite'), 'npm run data'],
  ])
    if (!existsSync(file)) throw failure(`${file} is missing. Create it with: ${command}`);
  const rounds = number('rounds', 1);
  return {
    deployments: options.deployment === 'both' ? ['distributed', 'embedded'] : [options.deployment],
    wanted,
    rounds,
    starts: Math.min(rounds, number('starts', 1)),
    seconds: number('seconds', 0.1),
    bound: number('bound', 0),
    control: options.control === true,
    json: options.json,
    dataDir,
  };
}

/** Returns the wanted operations that the supergraphs of all builds have. */
function readOperations({ dataDir, wanted }, builds) {
  const { openCorpus } = require('../packages/corpus/dist/index.js');
  const { createRandom } = require('../packages/testing/dist/index.js');
  const corpus = openCorpus(dataDir);
  const all = createOperations(corpus, createRandom(20_240_501)).filter(({ name }) => wanted.includes(name));
  corpus.close();
  const schemas = builds.map((build) =>
    buildSchema(readFileSync(join(build.root, 'supergraph.graphql'), 'utf8'), { assumeValid: true }),
  );
  return all.filter(({ name, turns }) => {
    const [first] = turns;
    const error = first
      .flatMap(({ body }) => schemas.flatMap((schema) => validate(schema, parse(JSON.parse(body).query))))
      .at(0);
    if (error) console.log(`${name} is left out, because a supergraph does not have it: ${error.message}`);
    return error === undefined;
  });
}

async function installJsonRoute(processes) {
  const reason = await installOtherGateways(join(root, 'bench', 'other-gateways'), processes, { onlyJsonRoute: true });
  if (reason !== null) throw failure(`The JSON route cannot be measured: ${reason}.`);
}

/** Returns how many of `total` rounds the start with this number has. */
function share(total, starts, start) {
  return Math.floor(((start + 1) * total) / starts) - Math.floor((start * total) / starts);
}

/** Prints the results of a deployment. Returns one result for each operation. */
function report(deployment, operations, starts) {
  console.log(`\n${deployment}: CPU time in us for each request, and the ratio new/old with its range`);
  const results = summariseAll(deployment, operations, starts);
  for (const result of results) for (const line of describe(result)) console.log(line);
  const memory = Object.keys(starts[0].memory).map(
    (name) => `${name} ${median(starts.map((start) => start.memory[name])).toFixed(0)}`,
  );
  console.log(`  MB resident at the end: ${memory.join(', ')}`);
  return results.map((result) => ({ ...result, memory: starts.map((start) => start.memory) }));
}

function summariseAll(deployment, operations, starts) {
  return operations.map((operation, index) =>
    summarise(
      { deployment, operation: operation.name },
      starts.map(({ results }) => results[index]),
    ),
  );
}

/** Summarises the rounds of an operation. `starts` has the rounds of each start. */
function summarise(names, starts) {
  const { createRandom } = require('../packages/testing/dist/index.js');
  const rounds = starts.flatMap((start) => start.rounds);
  const ratio = (key, one, other) =>
    ratioWithRange(
      starts.map((start) => start.rounds.map(({ gateways }) => gateways[one][key] / gateways[other][key])),
      createRandom(1),
    );
  const measured = Object.keys(rounds[0].gateways);
  const isDistributed = names.deployment === 'distributed';
  return {
    ...names,
    ratio: ratio('cpu', 'new', 'old'),
    subgraphsRatio: isDistributed ? ratio('subgraphsCpu', 'new', 'old') : null,
    control: measured.includes('control') ? ratio('cpu', 'control', 'new') : null,
    toJson: measured.includes('json') ? { old: ratio('cpu', 'old', 'json'), new: ratio('cpu', 'new', 'json') } : null,
    gateways: Object.fromEntries(
      measured.map((name) => {
        const of = (key) => median(rounds.map(({ gateways }) => gateways[name][key]));
        const latencies = rounds.flatMap(({ gateways }) => gateways[name].latencies);
        const times = { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
        const cpu = rounds.map(({ gateways }) => gateways[name].cpu);
        return [name, { cpu: of('cpu'), subgraphsCpu: of('subgraphsCpu'), rate: of('rate'), ...times, rounds: cpu }];
      }),
    ),
    differences: starts[0].differences,
    repeated: rounds.reduce((sum, { attempts }) => sum + attempts - 1, 0),
    disturbed: rounds.map(({ disturbance }) => disturbance).filter((each) => each > maxDisturbance),
    rounds: rounds.length,
  };
}

function describe({ operation, ratio, subgraphsRatio, control, toJson, gateways, ...more }) {
  const change = (key, digits = 0) => `${gateways.old[key].toFixed(digits)} -> ${gateways.new[key].toFixed(digits)}`;
  const indent = ' '.repeat(11);
  const first = [`${change('cpu').padEnd(12)} ${show(ratio)}`];
  if (subgraphsRatio) first.push(`subgraphs ${change('subgraphsCpu')} ${show(subgraphsRatio)}`);
  if (control) first.push(`control ${show(control)}`);
  const lines = [
    `  ${operation.padEnd(9)}${first.join('   ')}`,
    `${indent}requests/s ${change('rate')}, p50 ${change('p50', 1)} ms, p99 ${change('p99', 1)} ms`,
  ];
  if (toJson)
    lines.push(
      `${indent}JSON route ${gateways.json.cpu.toFixed(0)}: old ${show(toJson.old)} of it, new ${show(toJson.new)}`,
    );
  if (more.differences > 0) lines.push(`${indent}${more.differences} of the first responses differ between the builds`);
  if (more.repeated > 0) lines.push(`${indent}other work disturbed ${more.repeated} measurements, which were repeated`);
  if (more.disturbed.length > 0)
    lines.push(
      `${indent}OTHER WORK DISTURBED ${more.disturbed.length} of ${more.rounds} rounds: it took up to ${Math.max(...more.disturbed).toFixed(2)} of a processor`,
    );
  return lines;
}

function show({ ratio, low, high }) {
  return `${ratio.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

/** Prints what fails the comparison. Returns the exit status. */
function exitStatusOf(results, bound) {
  const errors = results.flatMap(({ deployment, operation, ratio, control }) => [
    ...(ratio.low > bound ? [`${deployment} ${operation} is slower: its whole range is above ${bound}`] : []),
    ...(control && Math.abs(control.ratio - 1) > maxControlDifference
      ? [
          `${deployment} ${operation}: the control is not within ${1 + maxControlDifference}: measure again with more rounds`,
        ]
      : []),
  ]);
  if (errors.length > 0) console.log(`\n${errors.join('\n')}`);
  return errors.length > 0 ? 1 : 0;
}

function say(line) {
  console.error(line);
}
