// Compares the speed of this checkout with another commit, in alternating rounds: node bench/compare-commits.mjs COMMIT
// Needs `npm run build`, `npm run data` and Linux. README.md explains the method.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { failure, runCommand, usageError } from '../scripts/command-line.mjs';
import { describeCheckout, findCommit, prepareCheckout } from './compare-commits/checkout.mjs';
import { median, ratioWithRange } from './compare-commits/ratios.mjs';
import { createOperations, probe } from './gateway/benchmark-operations.mjs';
import { createProcesses, openTemporaryFolderAndProcesses } from './gateway/child-processes.mjs';
import { createGateways } from './gateway/gateways.mjs';
import { versionOf } from './gateway/install-other-gateways.mjs';
import { fetchResult, measure } from './gateway/measure-gateway.mjs';
import { percentile } from './gateway/measure-verses.mjs';
import { memoryOf } from './gateway/process-usage.mjs';
import { prepareFolder, startSubgraphs, writeSupergraph } from './gateway/start.mjs';

const require = createRequire(import.meta.url);
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const operationNames = ['verse', 'chapter', 'search', 'entities', 'mix'];
const connections = 32;
/** A round is disturbed if other processes take more than this share of one processor. */
const maxDisturbance = 0.05;
/** How often a disturbed round is repeated. The last attempt counts, and the result says so. */
const maxAttempts = 4;
/** The names of the gateways in gateways.mjs. */
const gatewayOf = { distributed: 'lectern', embedded: 'lectern-embedded' };

const say = (line) => console.error(line);

await runCommand({
  name: 'node bench/compare-commits.mjs',
  description:
    'Measures the CPU of this build for one request as a ratio to that of another commit, in alternating rounds.',
  arguments: [['<commit>', 'the other commit, such as 2a634923 or HEAD: it is built in a temporary folder']],
  options: [
    ['--deployment <name>', 'embedded, distributed or both', 'both'],
    ['--operations <names>', 'operations, separated by commas', operationNames.join(',')],
    ['--rounds <number>', 'how often both builds are measured with each operation', '12'],
    ['--starts <number>', 'how often both builds are started anew, among the rounds', '4'],
    ['--seconds <number>', 'about how long one measurement takes', '1'],
    ['--bound <ratio>', 'exit with 1 if a range of ratios lies above this bound', '1.03'],
    ['--control', 'measure a second process of this build too: its ratio must be within 1.02'],
    ['--data <folder>', "this build's data", join(root, 'data')],
    ['--json <file>', 'write all results to this file'],
  ],
  help: `Ratios are this build / the other commit: above 1 this build takes more. CPU is in us for each request.
Builds of other commits are kept in ${join(tmpdir(), 'lectern-commits')} (about 1.5 GB each).`,
  run: compare,
});

async function compare(options, commit) {
  const settings = readSettings(options);
  const { dataDir } = settings;
  const otherRoot = prepareCheckout({
    root,
    dataDir,
    commitsDir: join(tmpdir(), 'lectern-commits'),
    sha: findCommit(root, commit),
    say,
  });
  const { folder, processes } = openTemporaryFolderAndProcesses('lectern-compare-');
  const builds = [
    { name: 'new', root, dataDir },
    { name: 'old', root: otherRoot, dataDir: join(otherRoot, 'data') },
    ...(settings.control ? [{ name: 'control', root, dataDir }] : []),
  ];
  const operations = readOperations(settings);
  console.log(
    `new: ${describeCheckout(root)}; old: ${commit}; ${settings.rounds} rounds of about ${settings.seconds} s in ${settings.starts} starts, ${connections} connections, load before ${loadavg()[0].toFixed(2)}`,
  );
  const results = [];
  for (const deployment of settings.deployments) {
    const subgraphs = deployment === 'distributed' ? await startSubgraphs(processes, { root, dataDir }) : [];
    const measured = await measureDeployment(deployment, { builds, subgraphs, operations, folder, settings });
    await processes.stopAll();
    results.push(...report(deployment, measured, settings));
  }
  if (settings.json) writeFileSync(settings.json, `${JSON.stringify({ commit, settings, results }, null, 2)}\n`);
  return judge(results, settings);
}

function readSettings(options) {
  const number = (name, min) => {
    const value = Number(options[name]);
    if (!(value >= min)) throw usageError(`--${name} must be a number of at least ${min}, not '${options[name]}'.`);
    return value;
  };
  const operations = options.operations.split(',');
  const unknown = operations.find((name) => !operationNames.includes(name));
  if (unknown !== undefined)
    throw usageError(`Unknown operation '${unknown}'. The operations: ${operationNames.join(', ')}`);
  if (!['embedded', 'distributed', 'both'].includes(options.deployment))
    throw usageError(`--deployment must be embedded, distributed or both, not '${options.deployment}'.`);
  if (process.platform !== 'linux') throw failure('This benchmark reads CPU time from /proc, so it needs Linux.');
  const dataDir = resolve(options.data);
  for (const [file, command] of [
    [join(root, 'gateway', 'dist', 'main.js'), 'npm run build'],
    [join(dataDir, 'text-catalogue.sqlite'), 'npm run data'],
  ])
    if (!existsSync(file)) throw failure(`${file} is missing. Create it with: ${command}`);
  const starts = number('starts', 1);
  const rounds = number('rounds', 1);
  return {
    deployments: options.deployment === 'both' ? ['distributed', 'embedded'] : [options.deployment],
    operations,
    rounds,
    starts: Math.min(starts, rounds),
    seconds: number('seconds', 0.1),
    bound: number('bound', 0),
    control: options.control === true,
    json: options.json,
    dataDir,
  };
}

function readOperations({ dataDir, operations }) {
  const { openCorpus } = require('../packages/corpus/dist/index.js');
  const { createRandom } = require('../packages/testing/dist/index.js');
  const corpus = openCorpus(dataDir);
  try {
    return createOperations(corpus, createRandom(20_240_501)).filter(({ name }) => operations.includes(name));
  } finally {
    corpus.close();
  }
}

/** Measures all operations of a deployment. Resolves with the rounds of each: one object of measurements by build. */
async function measureDeployment(deployment, { builds, subgraphs, operations, folder, settings }) {
  const measured = new Map(operations.map((operation) => [operation, { starts: [], memory: {}, notes: new Set() }]));
  const subgraphPids = subgraphs.map(({ pid }) => pid);
  const commands = [];
  for (const build of builds) commands.push(await prepareCommand(deployment, build, { subgraphs, folder }));
  if (deployment === 'embedded') {
    const json = prepareJsonRoute(commands[0]);
    if (json) commands.push(json);
    else say('The JSON route is not measured: bench/other-gateways has no fastify');
  }
  for (let start = 0; start < settings.starts; start += 1) {
    const rounds =
      Math.floor(((start + 1) * settings.rounds) / settings.starts) -
      Math.floor((start * settings.rounds) / settings.starts);
    const processes = createProcesses();
    const kill = () => processes.killAll();
    process.once('exit', kill);
    const running = await Promise.all(commands.map((command) => startProcess(processes, command)));
    for (const [operation, result] of measured) {
      say(`${deployment} ${operation.name}: start ${start + 1} of ${settings.starts}`);
      const reason = start === 0 ? await compareResponses(operation, running) : null;
      if (reason) result.notes.add(reason);
      const amount = await warmUp(operation, running, { subgraphPids, settings });
      const list = [];
      for (let round = 0; round < rounds; round += 1) {
        const order = round % 2 === 0 ? running : running.toReversed();
        list.push(await measureRound(operation, order, { amount, subgraphPids }));
      }
      result.starts.push(list);
      for (const { name, pid } of running) (result.memory[name] ??= []).push(memoryOf(pid)?.now ?? 0);
    }
    await processes.stopAll();
    process.off('exit', kill);
  }
  return measured;
}

/** Prepares the folder of a build's gateway. The command that starts it is that of the build's own benchmarks. */
async function prepareCommand(deployment, { name, root, dataDir }, { subgraphs, folder }) {
  const keysDir = join(folder, `${deployment}-${name}`);
  mkdirSync(keysDir);
  const token = await prepareFolder(keysDir, dataDir, root);
  const supergraphFile = join(keysDir, 'supergraph.graphql');
  writeSupergraph(supergraphFile, root, subgraphs);
  const { createGateways } = await import(pathToFileURL(join(root, 'bench', 'gateway', 'gateways.mjs')).href);
  const gateways = createGateways({ root, dataDir, keysDir, supergraphFile, subgraphUrls: {} });
  return { ...gateways.find((each) => each.name === gatewayOf[deployment]), name, token, keysDir, dataDir };
}

/** Returns the command of the JSON route over the data and keys of this build, or null if Fastify is not installed. */
function prepareJsonRoute({ keysDir, dataDir, token }) {
  if (versionOf(join(root, 'bench', 'other-gateways'), 'fastify') === null) return null;
  const gateways = createGateways({ root, dataDir, keysDir, supergraphFile: '', subgraphUrls: {} });
  return { ...gateways.find(({ name }) => name === 'json'), token };
}

async function startProcess(processes, command) {
  const { freePort } = require('../packages/testing/dist/index.js');
  const port = await freePort();
  const target = {
    ...command,
    origin: `http://127.0.0.1:${port}`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${command.token}` },
  };
  const check = () => fetchResult(target, probe).then(() => null);
  const child = await processes.start({ program: command.program, ...command.command(port) }, check).catch((error) => {
    throw failure(`The gateway '${command.name}' did not start: ${error.message}`);
  });
  return { ...target, ...child };
}

/** Returns a note if the builds respond differently to the first requests of an operation, or null. */
async function compareResponses(operation, running) {
  const sample = operation.turns.slice(0, 8).flat();
  const responses = [];
  for (const gateway of running)
    responses.push(await Promise.all(sample.map((request) => fetchResult(gateway, request))));
  const differs = (index) => new Set(responses.map((list) => JSON.stringify(list[index]))).size > 1;
  const count = sample.filter((_, index) => differs(index)).length;
  return count === 0 ? null : `${count} of ${sample.length} compared responses differ`;
}

/** Sends requests to each process. Resolves with the number of requests to measure: whole repetitions of all turns. */
async function warmUp(operation, running, { subgraphPids, settings }) {
  const total = operation.turns.flat().length;
  const rates = [];
  for (const gateway of running) {
    await measure(gateway, operation, { connections, seconds: 2, subgraphPids });
    rates.push((await measure(gateway, operation, { connections, seconds: 1, subgraphPids })).rate);
  }
  return Math.max(1, Math.round((Math.min(...rates) * settings.seconds) / total)) * total;
}

/** Measures all processes once. Repeats the round if other work disturbed it. */
async function measureRound(operation, running, { amount, subgraphPids }) {
  for (let attempt = 1; ; attempt += 1) {
    const round = { disturbance: 0, attempts: attempt };
    for (const gateway of running) {
      const measured = await measure(gateway, operation, { connections, amount, subgraphPids });
      const { rate, latencies, gatewayCpu, subgraphsCpu, clientCpu, machineCpu } = /** @type {any} */ (measured);
      const others = (rate * (machineCpu - gatewayCpu - subgraphsCpu - clientCpu)) / 1_000;
      round.disturbance = Math.max(round.disturbance, others);
      round[gateway.name] = {
        rate,
        cpu: gatewayCpu * 1_000,
        subgraphsCpu: subgraphsCpu * 1_000,
        p50: percentile(latencies, 0.5),
        p99: percentile(latencies, 0.99),
      };
    }
    if (round.disturbance <= maxDisturbance || attempt === maxAttempts) return round;
  }
}

/** Prints the results of a deployment and returns them, one for each operation. */
function report(deployment, measured, settings) {
  const { createRandom } = require('../packages/testing/dist/index.js');
  const results = [];
  console.log(`\n${deployment}`);
  for (const [operation, { starts, memory, notes }] of measured) {
    const rounds = starts.flat();
    const of = (name, key) => median(rounds.map((round) => round[name][key]));
    const pair = (one, other, key) =>
      ratioWithRange(
        starts.map((list) => list.map((round) => round[one][key] / round[other][key])),
        createRandom(1),
      );
    const hasJson = rounds[0].json !== undefined;
    const result = {
      deployment,
      operation: operation.name,
      cpu: pair('new', 'old', 'cpu'),
      subgraphsCpu: deployment === 'distributed' ? pair('new', 'old', 'subgraphsCpu') : null,
      control: settings.control ? pair('control', 'new', 'cpu') : null,
      toJson: hasJson ? { new: pair('new', 'json', 'cpu'), old: pair('old', 'json', 'cpu') } : null,
      notes: [...notes],
      memory,
      starts,
    };
    results.push(result);
    const both = (key, digits = 0) => `${of('old', key).toFixed(digits)} -> ${of('new', key).toFixed(digits)}`;
    const lines = [
      `CPU ${both('cpu')}: ${show(result.cpu)}`,
      ...(result.subgraphsCpu ? [`subgraphs ${both('subgraphsCpu')}: ${show(result.subgraphsCpu)}`] : []),
      ...(result.control ? [`control ${show(result.control)}`] : []),
      `${both('rate')} requests/s`,
      `p50 ${both('p50', 1)} ms`,
      `p99 ${both('p99', 1)} ms`,
      `resident ${median(memory.old).toFixed(0)} -> ${median(memory.new).toFixed(0)} MB`,
    ];
    console.log(`  ${operation.name.padEnd(8)} ${lines.join('; ')}`);
    if (result.toJson)
      console.log(
        `           to the JSON route (${of('json', 'cpu').toFixed(0)}): old ${show(result.toJson.old)}; new ${show(result.toJson.new)}`,
      );
    const repeated = rounds.reduce((sum, { attempts }) => sum + attempts - 1, 0);
    const disturbed = rounds.filter(({ disturbance }) => disturbance > maxDisturbance).length;
    if (repeated > 0) result.notes.push(`other work disturbed ${repeated} measurements, which were repeated`);
    if (disturbed > 0)
      result.notes.push(
        `OTHER WORK DISTURBED ${disturbed} of ${rounds.length} rounds, up to ${Math.max(...rounds.map((each) => each.disturbance)).toFixed(2)} of a processor`,
      );
    for (const note of result.notes) console.log(`           ${note}`);
  }
  return results;
}

function show({ ratio, low, high }) {
  return `${ratio.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

/** Prints what fails the comparison. Returns the exit status. */
function judge(results, { bound }) {
  const errors = results.flatMap(({ deployment, operation, cpu, control }) => [
    ...(cpu.low > bound ? [`${deployment} ${operation}: slower, all of the range is above ${bound}`] : []),
    ...(control && Math.abs(control.ratio - 1) > 0.02
      ? [`${deployment} ${operation}: the control is ${control.ratio.toFixed(3)}, so this run says little`]
      : []),
  ]);
  if (errors.length > 0) console.log(`\n${errors.join('\n')}`);
  return errors.length > 0 ? 1 : 0;
}
