// Measures requests per second through Lectern and other gateways over the same subgraphs: npm run bench
// README.md explains the method and the results.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createOperations, operationNames } from './gateway/benchmark-operations.mjs';
import { readSettings } from './gateway/benchmark-settings.mjs';
import { createProcesses } from './gateway/child-processes.mjs';
import { createGateways, gatewayNames } from './gateway/gateways.mjs';
import { versionOf } from './gateway/install-other-gateways.mjs';
import { checkResults, fetchResult, measure } from './gateway/measure-gateway.mjs';
import { memoryOf } from './gateway/process-usage.mjs';
import { resultsPage, summarise, summaryLine } from './gateway/render-results-markdown.mjs';
import { prepareFolder, startGateways, startSubgraphs, writeSupergraph } from './gateway/start.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const otherGatewaysFolder = join(root, 'bench', 'other-gateways');
const warmUpSeconds = 1;
/** Before the measurement, the gateways must give equal results for this number of turns (lists of requests). */
const comparedTurns = 8;

const settings = readSettings(process.env, { gateways: gatewayNames, operations: operationNames });
const dataDir = resolve(settings.LECTERN_DATA);
for (const [file, command] of [
  [join(root, 'gateway', 'dist', 'main.js'), 'npm run build'],
  [join(dataDir, 'text-catalogue.sqlite'), 'npm run data'],
]) {
  if (existsSync(file)) continue;
  console.error(`${file} is missing. Create it with: ${command}`);
  process.exit(1);
}

const require = createRequire(import.meta.url);
const { openCorpus } = require('../packages/corpus/dist/index.js');
const { createRandom } = require('../packages/testing/dist/index.js');

const processes = createProcesses();
const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
const load = loadavg()[0];
const interruption = new AbortController();
process.once('exit', () => {
  processes.killAll();
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    console.error(`\n${signal}: stopping the started processes`);
    interruption.abort();
    void processes.stopAll().finally(() => process.exit(130));
  });
}

try {
  process.exitCode = await bench();
} finally {
  await processes.stopAll();
}

async function bench() {
  const operations = readOperations();
  const token = await prepareFolder(folder, dataDir);
  const subgraphs = await startSubgraphs(processes, { root, dataDir });
  const supergraphFile = join(folder, 'supergraph.graphql');
  writeSupergraph(supergraphFile, root, subgraphs);
  const subgraphUrls = Object.fromEntries(subgraphs.map(({ name, url }) => [name, url]));
  const gateways = createGateways({ root, dataDir, keysDir: folder, supergraphFile, subgraphUrls }).filter(({ name }) =>
    settings.GATEWAYS.includes(name),
  );
  const { running, notStarted } = await startGateways(processes, gateways, {
    otherGatewaysFolder,
    token,
    withoutLocalPaths,
  });
  if (running.length === 0) throw new Error('No gateway could be started. The messages above give the reasons.');
  const baseline = running[0].name;
  const memoryAtStart = [...subgraphs, ...running].map(({ name, pid }) => ({ name, pid, start: memoryOf(pid) }));
  /** @type {{ gateway: string, operation?: string, reason: string }[]} */
  const failures = Object.entries(notStarted).map(([gateway, reason]) => ({ gateway, reason }));
  const results = {};

  for (const operation of operations) {
    console.log(`\n${operation.name}: ${operation.about}`);
    const fail = (gateway, error) => {
      if (interruption.signal.aborted) return;
      // If the gateway's process has ended, its exit status is reported instead of the connection error.
      const reason = withoutLocalPaths(
        gateway.ended() === null ? error.message : `the process exited with ${gateway.ended()}`,
      );
      console.log(`  ${gateway.title.padEnd(28)} ${reason}`);
      failures.push({ gateway: gateway.name, operation: operation.name, reason });
    };
    results[operation.name] = await measureAll(operation, running, {
      subgraphPids: subgraphs.map(({ pid }) => pid),
      baseline,
      fail,
    });
    // An interrupted measurement is not a result.
    if (interruption.signal.aborted) return 130;
  }

  const memory = memoryAtStart.map(({ name, pid, start }) => ({ name, start, end: memoryOrNull(pid) }));
  const page = resultsPage({
    date: new Date(),
    commit: commitName(),
    load,
    versions: otherGatewayVersions(gateways),
    baseline,
    gateways,
    operations,
    results,
    memory,
    notStarted,
    failures,
    settings: { rounds: settings.ROUNDS, seconds: settings.SECONDS, connections: settings.CONNECTIONS },
  });
  const isWhole =
    settings.GATEWAYS.length === gatewayNames.length && settings.OPERATIONS.length === operationNames.length;
  if (isWhole) writeFileSync(join(root, 'bench', 'results.md'), page);
  console.log(
    isWhole
      ? '\nWritten to bench/results.md'
      : '\nNot all gateways and operations took part: bench/results.md is unchanged',
  );
  // A failure of another gateway is a result. A failure of Lectern fails the benchmark.
  return failures.some(({ gateway }) => gateways.find(({ name }) => name === gateway)?.isLectern) ? 1 : 0;
}

/**
 * Measures one operation with all gateways. Each round begins with another gateway, so that a slow moment of the machine
 * affects all of them.
 */
async function measureAll(operation, running, { subgraphPids, baseline, fail }) {
  /** @type {Map<any, any[]>} */
  const measurements = new Map();
  const sample = operation.turns.slice(0, comparedTurns).flat();
  /** @type {any[] | null} */
  let expected = null;
  for (const gateway of running) {
    const supportsOperation =
      (gateway.protocol === 'graphql' || sample.every(({ path }) => path !== null)) &&
      (operation.isConstant || !gateway.constantOnly);
    if (!supportsOperation) continue;
    try {
      expected ??= await Promise.all(sample.map((request) => fetchResult(gateway, request)));
      await checkResults(gateway, sample, expected);
      measurements.set(gateway, []);
    } catch (error) {
      fail(gateway, error);
    }
  }
  const measureOrFail = async (gateway, seconds) => {
    try {
      return await measure(gateway, operation, {
        connections: settings.CONNECTIONS,
        seconds,
        subgraphPids: gateway.usesSubgraphs ? subgraphPids : [],
      });
    } catch (error) {
      measurements.delete(gateway);
      fail(gateway, error);
      return null;
    }
  };
  for (const gateway of measurements.keys()) await measureOrFail(gateway, Math.min(warmUpSeconds, settings.SECONDS));
  for (let round = 0; round < settings.ROUNDS; round += 1) {
    const inOrder = [...measurements.keys()];
    const first = round % Math.max(1, inOrder.length);
    for (const gateway of [...inOrder.slice(first), ...inOrder.slice(0, first)]) {
      const measured = await measureOrFail(gateway, settings.SECONDS);
      if (measured) measurements.get(gateway)?.push(measured);
    }
  }
  const baselineRounds = [...measurements].find(([{ name }]) => name === baseline)?.[1] ?? null;
  return Object.fromEntries(
    [...measurements].map(([gateway, rounds]) => {
      const summary = summarise(rounds, baselineRounds);
      console.log(`  ${gateway.title.padEnd(28)} ${summaryLine(summary)}`);
      return [gateway.name, summary];
    }),
  );
}

function readOperations() {
  console.log('Choosing the requests');
  const corpus = openCorpus(dataDir);
  try {
    return createOperations(corpus, createRandom(20_240_501)).filter(({ name }) => settings.OPERATIONS.includes(name));
  } finally {
    corpus.close();
  }
}

function otherGatewayVersions(gateways) {
  return [...new Set(gateways.flatMap(({ packages }) => packages))].map((name) => [
    name,
    versionOf(otherGatewaysFolder, name) ?? 'not installed',
  ]);
}

function commitName() {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const { status, stdout } = git('rev-parse', '--short', 'HEAD');
  if (status !== 0) return 'unknown commit';
  return `commit ${stdout.trim()}${git('status', '--porcelain', '--untracked-files=no').stdout.trim() === '' ? '' : ' with uncommitted changes'}`;
}

/** Returns the memory of a process, or null if the process has ended. */
function memoryOrNull(pid) {
  try {
    return memoryOf(pid);
  } catch {
    return null;
  }
}

/** Removes paths of this machine from a message, because results.md is committed. */
function withoutLocalPaths(message) {
  return message.replaceAll(root, '.').replaceAll(folder, 'FOLDER').replace(/\s+/g, ' ').replaceAll('|', '/');
}
