// What passes, deadlines, metrics and traces cost, beside a gateway without any of them. Run by hand: node bench/observing.mjs
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContenders, subgraphCommand } from './gateway/contenders.mjs';
import { answerOf, checkAnswers, measure } from './gateway/measure.mjs';
import { createOperations, probe } from './gateway/operations.mjs';
import { createProcesses } from './gateway/processes.mjs';
import { prepareFolder, writeSupergraph } from './gateway/stage.mjs';

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
const shown = (ratios) =>
  `${median(ratios).toFixed(3)} [${Math.min(...ratios).toFixed(3)}, ${Math.max(...ratios).toFixed(3)}]`;

const secret = 'a secret of the bench as long as it has to be';
const processes = createProcesses();
const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
process.once('exit', () => {
  processes.killAll();
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

// Takes what it is sent and keeps none of it.
const collector = createServer((request, response) => request.resume().on('end', () => response.end('{}')));
await new Promise((listening) => collector.listen(0, '127.0.0.1', listening));
const metrics = async () => ({ METRICS_PORT: String(await freePort()) });
const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.address().port}` };

/** Each with subgraphs of its own, set the same way. */
const variants = [
  { name: 'bare', file: 'bench/gateway/bare-gateway.mjs', env: async () => ({}) },
  { name: 'passes and deadlines', env: async () => ({ SUBGRAPH_SECRET: secret }) },
  { name: 'and metrics', env: async () => ({ SUBGRAPH_SECRET: secret, ...(await metrics()) }) },
  {
    name: 'and a trace of 1 in 100',
    env: async () => ({
      SUBGRAPH_SECRET: secret,
      ...(await metrics()),
      ...traces,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.01',
    }),
  },
  { name: 'and a trace of every one', env: async () => ({ SUBGRAPH_SECRET: secret, ...(await metrics()), ...traces }) },
];

try {
  await bench();
} finally {
  await processes.endAll();
  collector.closeAllConnections();
  collector.close();
}

async function bench() {
  const token = await prepareFolder(folder, dataDir);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const started = [];
  for (const { name, file, env } of variants) started.push({ name, ...(await startVariant({ file, env, headers })) });
  const corpus = openCorpus(join(dataDir, 'corpus.sqlite'));
  const operations = createOperations(corpus, createRandom(20_240_501)).filter((operation) =>
    operationNames.includes(operation.name),
  );
  corpus.close();

  console.log(
    `${cpus().length} cores, ${cpus()[0].model}, node ${process.version}, load ${loadavg()[0].toFixed(1)}; ${rounds} rounds of ${seconds} s, ${connections} callers. Ratios to the bare gateway of the same round: median [least, most].`,
  );
  for (const operation of operations) {
    const sample = operation.turns.slice(0, 8).flat();
    const expected = await Promise.all(sample.map((request) => answerOf(started[0], request)));
    for (const variant of started) await checkAnswers(variant, sample, expected);
    const taken = new Map(started.map((variant) => [variant, []]));
    for (const variant of started)
      await measure(variant, operation, { connections, seconds, subgraphPids: variant.subgraphPids });
    for (let round = 0; round < rounds; round += 1) {
      // Each begins in turn, so that a slow spell of the machine falls on all alike.
      for (let step = 0; step < started.length; step += 1) {
        const variant = started[(round + step) % started.length];
        taken
          .get(variant)
          .push(await measure(variant, operation, { connections, seconds, subgraphPids: variant.subgraphPids }));
      }
    }
    console.log(`\n${operation.name}: ${operation.about}`);
    const [bare] = started;
    for (const variant of started) {
      const ratios = (value) => taken.get(variant).map((each, round) => value(each) / value(taken.get(bare)[round]));
      const cpu = ({ routerCpu, subgraphsCpu }) => routerCpu + subgraphsCpu;
      console.log(
        `  ${variant.name.padEnd(24)} requests a second ${shown(ratios(({ rate }) => rate))}   CPU a request ${shown(ratios(cpu))}   ${median(taken.get(variant).map(({ rate }) => rate)).toFixed(0)} a second, ${median(taken.get(variant).map(cpu)).toFixed(3)} ms of CPU`,
      );
    }
  }
}

async function startVariant({ file, env, headers }) {
  const started = await Promise.all(
    ['text', 'search'].map(async (name) => {
      const port = await freePort();
      const command = subgraphCommand({ root, dataDir }, name, port);
      const isUp = async () => ((await fetch(`http://127.0.0.1:${port}/ready`)).ok ? null : 'not ready');
      const { pid } = await processes.start({ ...command, env: { ...command.env, ...(await env()) } }, isUp);
      return { name, pid, url: `http://127.0.0.1:${port}/graphql` };
    }),
  );
  const port = await freePort();
  const supergraphFile = join(folder, `supergraph-${port}.graphql`);
  writeSupergraph(supergraphFile, root, started);
  const { command } = createContenders({ root, dataDir, keysDir: folder, supergraphFile, subgraphUrls: {} }).find(
    ({ name }) => name === 'lectern',
  );
  const { args, env: common, cwd } = command(port);
  const gateway = { origin: `http://127.0.0.1:${port}`, speaks: 'graphql', headers };
  const { pid } = await processes.start(
    { args: file ? [join(root, file)] : args, cwd, env: { ...common, ...(await env()) } },
    () => answerOf(gateway, probe).then(() => null),
  );
  return { ...gateway, pid, subgraphPids: started.map((subgraph) => subgraph.pid) };
}
