// Measures the cost of gateway tokens, deadlines, metrics and traces, compared with a gateway without them.
// Run by hand on an idle machine: node bench/request-overhead.mjs.
// Settings: ROUNDS, SECONDS, OPERATIONS.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { cpus, loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createOperations, probe } from './gateway/benchmark-operations.mjs';
import { openTemporaryFolderAndProcesses } from './gateway/child-processes.mjs';
import { createGateways, subgraphCommand } from './gateway/gateways.mjs';
import { checkResults, fetchResult, measure } from './gateway/measure-gateway.mjs';
import { prepareFolder, writeSupergraph } from './gateway/start.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dataDir = resolve(process.env.LECTERN_DATA ?? 'data');
const rounds = Number(process.env.ROUNDS ?? 15);
const seconds = Number(process.env.SECONDS ?? 2);
const connections = 32;
const operationNames = (process.env.OPERATIONS ?? 'verse,entities').split(',');

const require = createRequire(import.meta.url);
const { openCorpus } = require('../packages/corpus/dist/index.js');
const { createRandom, freePort } = require('../packages/testing/dist/index.js');

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const median = (numbers) => sorted(numbers)[Math.floor(numbers.length / 2)];
const formatRatios = (ratios) =>
  `${median(ratios).toFixed(3)} [${Math.min(...ratios).toFixed(3)}, ${Math.max(...ratios).toFixed(3)}]`;

const secret = 'a secret of the benchmark with the required length';
const { folder, processes } = openTemporaryFolderAndProcesses('lectern-bench-');

// An OpenTelemetry collector that accepts traces and discards them.
const collector = createServer((request, response) => request.resume().on('end', () => response.end('{}')));
await new Promise((resolve) => collector.listen(0, '127.0.0.1', () => resolve(null)));
const metrics = async () => ({ METRICS_PORT: String(await freePort()) });
const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${Object(collector.address()).port}` };

/** The settings to compare. For each variant, the gateway and its own subgraphs run with these settings. */
const variants = [
  { name: 'bare', file: 'bench/gateway/plain-transport.mjs', env: async () => ({}) },
  { name: 'tokens and deadlines', env: async () => ({ SUBGRAPH_SECRET: secret }) },
  { name: '+ metrics', env: async () => ({ SUBGRAPH_SECRET: secret, ...(await metrics()) }) },
  {
    name: '+ traces of 1 %',
    env: async () => ({
      SUBGRAPH_SECRET: secret,
      ...(await metrics()),
      ...traces,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.01',
    }),
  },
  { name: '+ traces of all requests', env: async () => ({ SUBGRAPH_SECRET: secret, ...(await metrics()), ...traces }) },
];

try {
  await bench();
} finally {
  await processes.stopAll();
  collector.closeAllConnections();
  collector.close();
}

async function bench() {
  const token = await prepareFolder(folder, dataDir);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const started = [];
  for (const { name, file, env } of variants) started.push({ name, ...(await startVariant({ file, env, headers })) });
  const corpus = openCorpus(dataDir);
  const operations = createOperations(corpus, createRandom(20_240_501)).filter((operation) =>
    operationNames.includes(operation.name),
  );
  corpus.close();

  console.log(
    `${cpus().length} cores, ${cpus()[0].model}, node ${process.version}, load ${loadavg()[0].toFixed(1)}; ${rounds} rounds of ${seconds} s, ${connections} connections. Ratios to the bare gateway of the same round: median [lowest, highest].`,
  );
  for (const operation of operations) {
    const sample = operation.turns.slice(0, 8).flat();
    const expected = await Promise.all(sample.map((request) => fetchResult(started[0], request)));
    for (const variant of started) await checkResults(variant, sample, expected);
    /** @type {Map<object, any[]>} */
    const measurements = new Map(started.map((variant) => [variant, []]));
    for (const variant of started)
      await measure(variant, operation, { connections, seconds, subgraphPids: variant.subgraphPids });
    for (let round = 0; round < rounds; round += 1) {
      // Each round begins with another variant, so that a slow moment of the machine affects all of them.
      for (let step = 0; step < started.length; step += 1) {
        const variant = started[(round + step) % started.length];
        measurements
          .get(variant)
          ?.push(await measure(variant, operation, { connections, seconds, subgraphPids: variant.subgraphPids }));
      }
    }
    console.log(`\n${operation.name}: ${operation.about}`);
    const [bare] = started;
    for (const variant of started) {
      const roundsOf = (each) => measurements.get(each) ?? [];
      const ratios = (value) => roundsOf(variant).map((each, round) => value(each) / value(roundsOf(bare)[round]));
      const cpu = ({ gatewayCpu, subgraphsCpu }) => gatewayCpu + subgraphsCpu;
      console.log(
        `  ${variant.name.padEnd(24)} requests/s ${formatRatios(ratios(({ rate }) => rate))}   CPU per request ${formatRatios(ratios(cpu))}   ${median(roundsOf(variant).map(({ rate }) => rate)).toFixed(0)} requests/s, ${median(roundsOf(variant).map(cpu)).toFixed(3)} ms of CPU`,
      );
    }
  }
}

async function startVariant({ file, env, headers }) {
  const started = await Promise.all(
    ['text', 'search'].map(async (name) => {
      const port = await freePort();
      const command = subgraphCommand({ root, dataDir }, name, port);
      const check = async () => ((await fetch(`http://127.0.0.1:${port}/ready`)).ok ? null : 'not ready');
      const { pid } = await processes.start({ ...command, env: { ...command.env, ...(await env()) } }, check);
      return { name, pid, url: `http://127.0.0.1:${port}/graphql` };
    }),
  );
  const port = await freePort();
  const supergraphFile = join(folder, `supergraph-${port}.graphql`);
  writeSupergraph(supergraphFile, root, started);
  const { command } = createGateways({ root, dataDir, keysDir: folder, supergraphFile, subgraphUrls: {} }).find(
    ({ name }) => name === 'lectern',
  );
  const { args, env: common, cwd } = command(port);
  const gateway = { origin: `http://127.0.0.1:${port}`, protocol: 'graphql', headers };
  const { pid } = await processes.start(
    { args: file ? [join(root, file)] : args, cwd, env: { ...common, ...(await env()) } },
    () => fetchResult(gateway, probe).then(() => null),
  );
  return { ...gateway, pid, subgraphPids: started.map((subgraph) => subgraph.pid) };
}
