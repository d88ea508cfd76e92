// Compares several workers with one process, in alternating rounds: node bench/workers.mjs
// Settings: ROUNDS, SECONDS, CONNECTIONS, WORKERS, QUERY. Needs `npm run build`, `npm run data`, redis-server and Linux.
// Both services count rate limits in one Redis. The load generator and Redis use the same processors, so on two cores
// the rate of a cheap query says little: QUERY is another query, in which $chapter and $verse vary.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import autocannon from 'autocannon';
import { createProcesses } from './gateway/child-processes.mjs';
import { median } from './gateway/measure-cpu.mjs';
import { cpuSeconds, memoryOf } from './gateway/process-usage.mjs';
import { prepareFolder } from './gateway/start.mjs';

if (process.platform !== 'linux') throw new Error('This benchmark reads CPU and memory from /proc, so it needs Linux');
const require = createRequire(import.meta.url);
const { findProgram, freePort, startRedis } = require('../packages/testing/dist/index.js');

const data = resolve(process.env.LECTERN_DATA ?? 'data');
const rounds = Number(process.env.ROUNDS ?? 5);
const seconds = Number(process.env.SECONDS ?? 3);
const connections = Number(process.env.CONNECTIONS ?? 32);
const workers = process.env.WORKERS ?? '2';
const warmSeconds = 5;

const folder = mkdtempSync(join(tmpdir(), 'lectern-workers-'));
const token = await prepareFolder(folder, data);

const redisServer = findProgram(['redis-server'], 'redis-server');
if (redisServer === null) throw new Error('This benchmark needs redis-server');
const redis = await startRedis(redisServer);
const processes = createProcesses();
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const query =
  process.env.QUERY ??
  'query($chapter: Int!, $verse: Int!) { verse(book: "PSA", chapter: $chapter, verse: $verse) { text reference } }';
const requests = Array.from({ length: 640 }, (_, index) => ({
  method: 'POST',
  path: '/graphql',
  headers,
  body: JSON.stringify({ query, variables: { chapter: 1 + (index % 150), verse: 1 + (index % 5) } }),
}));

async function start(count) {
  const port = await freePort();
  // No response cache. Rate limits are on, but so high that they are never reached.
  const env = {
    NODE_ENV: 'production',
    LECTERN_DATA: folder,
    PORT: String(port),
    WORKERS: count,
    REDIS_URL: redis.url,
    SEMANTIC_TRANSLATIONS: '',
    RESPONSE_CACHE_BYTES: '0',
    RATE_PER_MINUTE: '100000000',
    KEY_RATE_PER_MINUTE: '100000000',
    RATE_PER_DAY: '100000000',
  };
  const server = await processes.start(
    { args: ['packages/standalone/dist/main.js'], cwd: process.cwd(), env },
    async () => ((await fetch(`http://127.0.0.1:${port}/ready`)).ok ? null : 'not ready'),
  );
  // The primary, or the only process, prints this line when the service is up.
  while (!server.output().includes('Lectern is up')) await wait(100);
  return { count, origin: `http://127.0.0.1:${port}`, pid: server.pid, rates: [], cpu: [], p50: [], p99: [] };
}

const pidsOf = ({ pid }) => [
  pid,
  ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
];
/** Returns CPU seconds. cpuSeconds() returns null only without /proc, and this benchmark needs Linux. */
const cpuSecondsOf = (pids) => cpuSeconds(pids) ?? 0;

async function load(service, options) {
  const latencies = [];
  const client = autocannon({ url: service.origin, connections, requests, sampleInt: 100, ...options });
  client.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  const { non2xx, errors } = await client;
  if (non2xx + errors > 0)
    throw new Error(`WORKERS=${service.count}: ${non2xx} requests were rejected, ${errors} failed`);
  return latencies.sort((a, b) => a - b);
}

async function measure(service) {
  const before = cpuSecondsOf(pidsOf(service));
  const began = performance.now();
  const latencies = await load(service, { duration: seconds });
  service.rates.push((latencies.length * 1_000) / (performance.now() - began));
  service.cpu.push(((cpuSecondsOf(pidsOf(service)) - before) * 1_000_000) / latencies.length);
  service.p50.push(latencies[latencies.length >> 1]);
  service.p99.push(latencies[Math.floor(latencies.length * 0.99)]);
}

try {
  console.log(
    `${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}; ${rounds} rounds of ${seconds} s, ${connections} connections; medians, with lowest and highest`,
  );
  const services = [await start('1'), await start(workers)];
  for (const service of services) await load(service, { duration: warmSeconds });
  for (let round = 0; round < rounds; round += 1)
    for (const service of round % 2 === 0 ? services : [...services].reverse()) await measure(service);
  const spread = (list, digits = 0) =>
    `${median(list).toFixed(digits)} (${Math.min(...list).toFixed(digits)} to ${Math.max(...list).toFixed(digits)})`;
  for (const service of services) {
    const memory = pidsOf(service)
      .map((pid) => memoryOf(pid)?.now.toFixed(0))
      .join(' + ');
    console.log(
      `WORKERS=${service.count}: ${spread(service.rates)} requests/s, ${spread(service.cpu)} us of CPU per request, p50 ${spread(service.p50, 1)} ms, p99 ${spread(service.p99, 1)} ms, memory ${memory} MB`,
    );
  }
  const [one, several] = services;
  console.log(
    `ratio of ${workers} to 1: ${spread(
      several.rates.map((rate, round) => rate / one.rates[round]),
      2,
    )}; of CPU per request: ${spread(
      several.cpu.map((cpu, round) => cpu / one.cpu[round]),
      2,
    )}`,
  );
} finally {
  await processes.stopAll();
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
}
