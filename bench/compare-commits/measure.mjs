// Starts the processes of several builds and measures them in turn.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { failure } from '../../scripts/command-line.mjs';
import { probe } from '../gateway/benchmark-operations.mjs';
import { createProcesses } from '../gateway/child-processes.mjs';
import { createLoad } from '../gateway/load-generator.mjs';
import { fetchResult } from '../gateway/measure-gateway.mjs';
import { busySeconds, cpuSeconds, memoryOf } from '../gateway/process-usage.mjs';
import { prepareFolder, writeSupergraph } from '../gateway/start.mjs';

const require = createRequire(import.meta.url);
const { freePort } = require('../../packages/testing/dist/index.js');
const ownRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export const connections = 16;
/** The number of requests in a slice: so few that a slow moment of the machine affects all builds. */
const sliceLength = 80;
/** The compiler of V8 needs some thousand requests until a process takes its usual CPU time. */
const warmUpSeconds = 4;
/** A round is disturbed if other processes take more than this share of one processor. */
export const maxDisturbance = 0.1;
/** How often a disturbed round is measured at most. Of several, the least disturbed counts. */
const maxAttempts = 2;
/** The number of requests whose responses are compared. */
const comparedRequests = 40;

/** The names of the gateways in gateways.mjs. */
const gatewayNames = { distributed: 'lectern', embedded: 'lectern-embedded' };

/**
 * Moves this process, and all processes that it starts, away from the first processor. Returns the first processor for
 * the gateways, or null if there is only one. Otherwise the scheduler would move the gateways between processors, which
 * changes their CPU time by a tenth.
 */
export function reserveProcessor() {
  const list = /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  const [first, ...others] = list.split(',').flatMap((range) => {
    const [from, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
  if (others.length === 0) return null;
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', others.join(','), String(process.pid)]);
  return first;
}

/**
 * Prepares a folder with links to the data, a key, and the supergraph of a build. Resolves with the command of its
 * gateway, which its own benchmark settings make.
 *
 * @typedef {{ name: string, root: string, dataDir: string }} Build
 * @param {'distributed' | 'embedded'} deployment
 * @param {Build} build
 * @param {{ folder: string, subgraphs: any[] }} options
 */
export async function prepareGateway(deployment, { name, root, dataDir }, { folder, subgraphs }) {
  const keysDir = join(folder, `${deployment}-${name}`);
  mkdirSync(keysDir);
  const token = await prepareFolder(keysDir, dataDir, root);
  const supergraphFile = join(keysDir, 'supergraph.graphql');
  writeSupergraph(supergraphFile, root, subgraphs);
  const find = await readGateways(root, { dataDir, keysDir, supergraphFile });
  return { ...find(gatewayNames[deployment]), name, token, keysDir };
}

/** Returns the command of the JSON route over the data and the key of a gateway of this checkout. */
export async function prepareJsonRoute({ keysDir, token }, dataDir) {
  const find = await readGateways(ownRoot, { dataDir, keysDir, supergraphFile: '' });
  return { ...find('json'), token };
}

async function readGateways(root, folders) {
  const { createGateways } = await import(pathToFileURL(join(root, 'bench', 'gateway', 'gateways.mjs')).href);
  const gateways = createGateways({ root, ...folders, subgraphUrls: {} });
  return (wanted) => gateways.find(({ name }) => name === wanted);
}

/**
 * Starts the processes, warms them up and measures each operation in alternating slices. Resolves with the rounds of each
 * operation and the resident memory of each process.
 *
 * @param {any[]} gateways
 * @param {{ operations: any[], subgraphPids: number[], rounds: number, seconds: number, processor: number | null, say: (line: string) => void }} options
 */
export async function measureOneStart(gateways, { operations, subgraphPids, rounds, seconds, processor, say }) {
  const processes = createProcesses();
  const kill = () => processes.killAll();
  process.once('exit', kill);
  const load = createLoad(connections);
  try {
    const running = await Promise.all(gateways.map((gateway) => start(processes, gateway, processor)));
    const results = [];
    for (const { name, turns } of operations) {
      const requests = turns.flat();
      const differences = await countDifferences(requests.slice(0, comparedRequests), running);
      const toSend = (gateway) => requests.map((request) => httpRequest(gateway, request));
      const targets = running.map((gateway) => ({ ...gateway, requests: toSend(gateway) }));
      const slices = Math.max(1, Math.round((seconds * (await warmUp(load, targets))) / sliceLength));
      const measured = [];
      while (measured.length < rounds) {
        const round = await measureUndisturbed(load, targets, {
          slices,
          first: measured.length * slices,
          subgraphPids,
        });
        measured.push(round);
        say(`  ${name}: round ${measured.length} of ${rounds} of this start`);
      }
      results.push({ rounds: measured, differences });
    }
    return { results, memory: Object.fromEntries(running.map(({ name, pid }) => [name, memoryOf(pid)?.now ?? 0])) };
  } finally {
    await load.close();
    await processes.stopAll();
    process.off('exit', kill);
  }
}

async function start(processes, gateway, processor) {
  const port = await freePort();
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${gateway.token}` };
  const target = { ...gateway, origin: `http://127.0.0.1:${port}`, headers };
  const { args, ...command } = gateway.command(port);
  const pinned =
    processor === null
      ? { ...command, args }
      : { ...command, program: 'taskset', args: ['--cpu-list', String(processor), process.execPath, ...args] };
  const check = () => fetchResult(target, probe).then(() => null);
  const child = await processes.start(pinned, check).catch((error) => {
    throw failure(`'${gateway.name}' (${gateway.title}) did not start: ${error.message}`);
  });
  return { ...target, ...child };
}

const httpRequest = ({ protocol, headers }, { body, path }) =>
  protocol === 'json' ? { method: 'GET', path, headers } : { headers, body };

/** Returns how many of the requests get different responses. Throws if one gets an error. */
async function countDifferences(requests, running) {
  const counts = await Promise.all(
    requests.map(async (request) => {
      const responses = await Promise.all(running.map((gateway) => fetchResult(gateway, request)));
      return new Set(responses.map((response) => JSON.stringify(response))).size > 1 ? 1 : 0;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Returns a slice of the requests, which are repeated without end. */
const slice = (requests, index) =>
  Array.from({ length: sliceLength }, (_, at) => requests[(index * sliceLength + at) % requests.length]);

/** Sends requests to all processes in turn until each has worked for some seconds. Returns the lowest rate of the last second. */
async function warmUp(load, targets) {
  const times = targets.map(() => 0);
  const rates = targets.map(() => 0);
  for (let index = 0; Math.min(...times) < warmUpSeconds; index += 1)
    for (const [at, { origin, requests }] of targets.entries()) {
      const began = performance.now();
      await load.eachOnce(origin, slice(requests, index));
      const seconds = (performance.now() - began) / 1_000;
      times[at] += seconds;
      if (times[at] > warmUpSeconds / 2) rates[at] = sliceLength / seconds;
    }
  return Math.min(...rates);
}

/** Measures a round. If other work disturbed it, measures again. The least disturbed round counts. */
async function measureUndisturbed(load, targets, options) {
  const rounds = [await measureRound(load, targets, options)];
  while (rounds[0].disturbance > maxDisturbance && rounds.length < maxAttempts) {
    rounds.push(await measureRound(load, targets, options));
    rounds.sort((one, other) => one.disturbance - other.disturbance);
  }
  return { ...rounds[0], attempts: rounds.length };
}

/**
 * Sends the same slices to all processes in turn, each time in another order. The CPU time of a gateway counts from the
 * beginning of the round to its end, so that garbage which is collected later counts too.
 */
async function measureRound(load, targets, { slices, first, subgraphPids }) {
  const pids = targets.map(({ pid }) => pid);
  const seconds = (list) => cpuSeconds(list) ?? 0;
  const busy = () => busySeconds() ?? 0;
  const totals = targets.map(() => ({ subgraphs: 0, milliseconds: 0, latencies: /** @type {number[]} */ ([]) }));
  const allPids = [process.pid, ...subgraphPids, ...pids];
  const before = { busy: busy(), own: seconds(allPids), cpu: pids.map((pid) => seconds([pid])), at: performance.now() };
  for (let index = 0; index < slices; index += 1)
    for (const at of turnOrder(targets.length, index)) {
      const subgraphsBefore = seconds(subgraphPids);
      const began = performance.now();
      totals[at].latencies.push(
        ...(await load.eachOnce(targets[at].origin, slice(targets[at].requests, first + index))),
      );
      totals[at].milliseconds += performance.now() - began;
      totals[at].subgraphs += seconds(subgraphPids) - subgraphsBefore;
    }
  const took = (performance.now() - before.at) / 1_000;
  const disturbance = Math.max(0, busy() - before.busy - (seconds(allPids) - before.own)) / took;
  const count = slices * sliceLength;
  return {
    disturbance,
    gateways: Object.fromEntries(
      targets.map(({ name, pid }, at) => [
        name,
        {
          cpu: ((seconds([pid]) - before.cpu[at]) * 1e6) / count,
          subgraphsCpu: (totals[at].subgraphs * 1e6) / count,
          rate: (count * 1_000) / totals[at].milliseconds,
          latencies: totals[at].latencies,
        },
      ]),
    ),
  };
}

/** Returns 0 to length - 1, in an order that begins with another number each time and runs backwards every other cycle. */
function turnOrder(length, index) {
  const order = Array.from({ length }, (_, at) => (at + index) % length);
  return Math.floor(index / length) % 2 === 0 ? order : order.toReversed();
}
