// What several workers give beside one process, in alternating rounds: node bench/workers.mjs. ROUNDS, SECONDS, CONNECTIONS; WORKERS: how many.
// Needs `npm run build` and `npm run data`, and Linux. The caller shares the processors: with two of them a second worker has about half of one left. CPU a request says more.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import autocannon from 'autocannon';
import { createProcesses } from './gateway/processes.mjs';
import { prepareFolder } from './gateway/stage.mjs';
import { cpuSeconds, memoryOf } from './gateway/usage.mjs';

if (process.platform !== 'linux') throw new Error('What a process takes is read from /proc, which only Linux has');
const require = createRequire(import.meta.url);
const { freePort } = require('../packages/testing/dist/index.js');

const data = resolve(process.env.LECTERN_DATA ?? 'data');
const rounds = Number(process.env.ROUNDS ?? 5);
const seconds = Number(process.env.SECONDS ?? 3);
const connections = Number(process.env.CONNECTIONS ?? 32);
const workers = process.env.WORKERS ?? '2';
const warmRequests = 20_000;

const folder = mkdtempSync(join(tmpdir(), 'lectern-workers-'));
const token = await prepareFolder(folder, data);

const processes = createProcesses();
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const query =
  'query($chapter: Int!, $verse: Int!) { verse(book: "PSA", chapter: $chapter, verse: $verse) { text reference } }';
const requests = Array.from({ length: 640 }, (_, index) => ({
  method: 'POST',
  path: '/graphql',
  headers,
  body: JSON.stringify({ query, variables: { chapter: 1 + (index % 150), verse: 1 + (index % 5) } }),
}));

async function start(count) {
  const port = await freePort();
  // Answers are not kept, and the limits are out of reach, but counted.
  const env = {
    NODE_ENV: 'production',
    LECTERN_DATA: folder,
    PORT: String(port),
    WORKERS: count,
    SEMANTIC_TRANSLATIONS: '',
    RESPONSE_CACHE_BYTES: '0',
    RATE_PER_MINUTE: '100000000',
    RATE_PER_DAY: '100000000',
  };
  const server = await processes.start({ args: ['packages/standalone/dist/main.js'], env }, async () =>
    (await fetch(`http://127.0.0.1:${port}/ready`)).ok ? null : 'not ready',
  );
  // That all of them are up.
  while (!server.said().includes('Lectern is up')) await wait(100);
  return { count, origin: `http://127.0.0.1:${port}`, pid: server.pid, rates: [], cpu: [], p50: [], p99: [] };
}

const pidsOf = ({ pid }) => [
  pid,
  ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
];
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

async function load(contender, options) {
  const latencies = [];
  const client = autocannon({ url: contender.origin, connections, requests, sampleInt: 100, ...options });
  client.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  const { non2xx, errors } = await client;
  if (non2xx + errors > 0)
    throw new Error(`WORKERS=${contender.count}: ${non2xx} requests were refused, ${errors} failed`);
  return latencies.sort((a, b) => a - b);
}

async function measure(contender) {
  const before = cpuSeconds(pidsOf(contender));
  const began = performance.now();
  const latencies = await load(contender, { duration: seconds });
  contender.rates.push((latencies.length * 1_000) / (performance.now() - began));
  contender.cpu.push(((cpuSeconds(pidsOf(contender)) - before) * 1_000_000) / latencies.length);
  contender.p50.push(latencies[latencies.length >> 1]);
  contender.p99.push(latencies[Math.floor(latencies.length * 0.99)]);
}

try {
  console.log(
    `${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}; ${rounds} rounds of ${seconds} s, ${connections} connections; medians, with least and most`,
  );
  const contenders = [await start('1'), await start(workers)];
  for (const contender of contenders) await load(contender, { amount: warmRequests });
  for (let round = 0; round < rounds; round += 1)
    for (const contender of round % 2 === 0 ? contenders : [...contenders].reverse()) await measure(contender);
  const spread = (list, digits = 0) =>
    `${median(list).toFixed(digits)} (${Math.min(...list).toFixed(digits)} to ${Math.max(...list).toFixed(digits)})`;
  for (const contender of contenders) {
    const memory = pidsOf(contender)
      .map((pid) => memoryOf(pid).now.toFixed(0))
      .join(' + ');
    console.log(
      `WORKERS=${contender.count}: ${spread(contender.rates)} a second, ${spread(contender.cpu)} us of CPU a request, p50 ${spread(contender.p50, 1)} ms, p99 ${spread(contender.p99, 1)} ms, memory ${memory} MB`,
    );
  }
  const [one, several] = contenders;
  console.log(
    `ratio of ${workers} to 1: ${spread(
      several.rates.map((rate, round) => rate / one.rates[round]),
      2,
    )}; of CPU a request: ${spread(
      several.cpu.map((cpu, round) => cpu / one.cpu[round]),
      2,
    )}`,
  );
} finally {
  await processes.endAll();
  rmSync(folder, { recursive: true, force: true });
}
