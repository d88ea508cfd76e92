// Requests a second through the gateway, beside other gateways over the same subgraphs: npm run bench. README.md says how to read it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contenderNames, createContenders } from './gateway/contenders.mjs';
import { versionOf } from './gateway/install-peers.mjs';
import { answerOf, checkAnswers, measure } from './gateway/measure.mjs';
import { createOperations, operationNames } from './gateway/operations.mjs';
import { createProcesses } from './gateway/processes.mjs';
import { lineOf, resultsPage, summarise } from './gateway/report.mjs';
import { readSettings } from './gateway/settings.mjs';
import { prepareFolder, startContenders, startSubgraphs, writeSupergraph } from './gateway/stage.mjs';
import { memoryOf } from './gateway/usage.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const peersFolder = join(root, 'bench', 'peers');
const warmSeconds = 1;
const checkedTurns = 8;

const settings = readSettings(process.env, { contenders: contenderNames, operations: operationNames });
const dataDir = resolve(settings.LECTERN_DATA);
for (const [file, command] of [
  [join(root, 'gateway', 'dist', 'main.js'), 'npm run build'],
  [join(dataDir, 'corpus.sqlite'), 'npm run data'],
]) {
  if (existsSync(file)) continue;
  console.error(`${file} is not there. Make it with: ${command}`);
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
    console.error(`\n${signal}: ending what was started`);
    interruption.abort();
    void processes.endAll().finally(() => process.exit(130));
  });
}

try {
  process.exitCode = await bench();
} finally {
  await processes.endAll();
}

async function bench() {
  const operations = readOperations();
  const token = await prepareFolder(folder, dataDir);
  const subgraphs = await startSubgraphs(processes, { root, dataDir });
  const supergraphFile = join(folder, 'supergraph.graphql');
  writeSupergraph(supergraphFile, root, subgraphs);
  const subgraphUrls = Object.fromEntries(subgraphs.map(({ name, url }) => [name, url]));
  const contenders = createContenders({ root, dataDir, keysDir: folder, supergraphFile, subgraphUrls }).filter(
    ({ name }) => settings.PEERS.includes(name),
  );
  const { running, absent } = await startContenders(processes, contenders, { peersFolder, token, tidy });
  if (running.length === 0) throw new Error('Nobody could be started; the reasons stand above');
  const baseline = running[0].name;
  const watched = [...subgraphs, ...running];
  const started = watched.map(({ name, pid }) => ({ name, pid, start: memoryOf(pid) }));
  const failures = Object.entries(absent).map(([contender, reason]) => ({ contender, reason }));
  const results = {};

  for (const operation of operations) {
    console.log(`\n${operation.name}: ${operation.about}`);
    const fail = (contender, error) => {
      if (interruption.signal.aborted) return;
      // A process that is gone is told by its end; the error is only what the connection said of it.
      const reason = tidy(contender.ended() === null ? error.message : `its process ended with ${contender.ended()}`);
      console.log(`  ${contender.title.padEnd(28)} ${reason}`);
      failures.push({ contender: contender.name, operation: operation.name, reason });
    };
    results[operation.name] = await measureAll(operation, running, {
      subgraphPids: subgraphs.map(({ pid }) => pid),
      baseline,
      fail,
    });
    // What was cut short is no result.
    if (interruption.signal.aborted) return 130;
  }

  const memory = started.map(({ name, pid, start }) => ({ name, start, end: stillThere(pid) }));
  const page = resultsPage({
    date: new Date(),
    commit: commitName(),
    load,
    versions: peerVersions(contenders),
    baseline,
    contenders,
    operations,
    results,
    memory,
    absent,
    failures,
    settings: { rounds: settings.ROUNDS, seconds: settings.SECONDS, connections: settings.CONNECTIONS },
  });
  const isWhole =
    settings.PEERS.length === contenderNames.length && settings.OPERATIONS.length === operationNames.length;
  if (isWhole) writeFileSync(join(root, 'bench', 'results.md'), page);
  console.log(isWhole ? '\nWritten to bench/results.md' : '\nA part of the bench: bench/results.md is left as it was');
  // A peer that cannot is a result; Lectern that cannot is a fault.
  return failures.some(({ contender }) => contenders.find(({ name }) => name === contender)?.isOurs) ? 1 : 0;
}

/** The contenders in turn, each round beginning with the next, so that a slow spell of the machine falls on all alike. */
async function measureAll(operation, running, { subgraphPids, baseline, fail }) {
  const able = new Map();
  const sample = operation.turns.slice(0, checkedTurns).flat();
  let expected = null;
  for (const contender of running) {
    const can =
      (contender.speaks === 'graphql' || sample.every(({ path }) => path !== null)) &&
      (operation.isConstant || !contender.onlyConstant);
    if (!can) continue;
    try {
      expected ??= await Promise.all(sample.map((request) => answerOf(contender, request)));
      await checkAnswers(contender, sample, expected);
      able.set(contender, []);
    } catch (error) {
      fail(contender, error);
    }
  }
  const take = async (contender, seconds) => {
    try {
      return await measure(contender, operation, {
        connections: settings.CONNECTIONS,
        seconds,
        subgraphPids: contender.ofSubgraphs ? subgraphPids : [],
      });
    } catch (error) {
      able.delete(contender);
      fail(contender, error);
      return null;
    }
  };
  for (const contender of able.keys()) await take(contender, Math.min(warmSeconds, settings.SECONDS));
  for (let round = 0; round < settings.ROUNDS; round += 1) {
    const inTurn = [...able.keys()];
    const first = round % Math.max(1, inTurn.length);
    for (const contender of [...inTurn.slice(first), ...inTurn.slice(0, first)]) {
      const taken = await take(contender, settings.SECONDS);
      if (taken) able.get(contender).push(taken);
    }
  }
  const ofBaseline = [...able].find(([{ name }]) => name === baseline)?.[1] ?? null;
  return Object.fromEntries(
    [...able].map(([contender, rounds]) => {
      const summary = summarise(rounds, ofBaseline);
      console.log(`  ${contender.title.padEnd(28)} ${lineOf(summary)}`);
      return [contender.name, summary];
    }),
  );
}

function readOperations() {
  console.log('Choosing what to ask');
  const corpus = openCorpus(join(dataDir, 'corpus.sqlite'));
  try {
    return createOperations(corpus, createRandom(20_240_501)).filter(({ name }) => settings.OPERATIONS.includes(name));
  } finally {
    corpus.close();
  }
}

function peerVersions(contenders) {
  return [...new Set(contenders.flatMap(({ packages }) => packages))].map((name) => [
    name,
    versionOf(peersFolder, name) ?? 'not installed',
  ]);
}

function commitName() {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const { status, stdout } = git('rev-parse', '--short', 'HEAD');
  if (status !== 0) return 'no commit known';
  return `commit ${stdout.trim()}${git('status', '--porcelain', '--untracked-files=no').stdout.trim() === '' ? '' : ' with changes'}`;
}

function stillThere(pid) {
  try {
    return memoryOf(pid);
  } catch {
    return null;
  }
}

/** Of a message, what may stand in a file of the repository: no folder of this machine. */
function tidy(message) {
  return message.replaceAll(root, '.').replaceAll(folder, 'FOLDER').replace(/\s+/g, ' ').replaceAll('|', '/');
}
