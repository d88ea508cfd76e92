// Measures the memory of the whole service in one process, before and after semantic searches: node bench/memory.mjs
// Needs `npm run build`, `npm run data` and Linux. Settings: QUESTIONS (number of different queries), CALLERS (how many at a time).
// The service inherits the environment: SEMANTIC_TRANSLATIONS= measures it without semantic search.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readQueries } from '../packages/embeddings/evaluation/measures.mjs';
import { prepareFolder } from './gateway/start-gateways.mjs';

if (process.platform !== 'linux') throw new Error('This benchmark reads CPU and memory from /proc, so it needs Linux');
const require = createRequire(import.meta.url);
const { freePort } = require('../packages/testing/dist/index.js');

const data = resolve(process.env.LECTERN_DATA ?? 'data');
const questions = Number(process.env.QUESTIONS ?? 500);
const callers = Number(process.env.CALLERS ?? 32);
const goalMegabytes = 400;
const settledMs = 5_000;

const folder = mkdtempSync(join(tmpdir(), 'lectern-memory-'));
const token = await prepareFolder(folder, data);

const port = await freePort();
const began = performance.now();
const service = spawn(process.execPath, ['packages/standalone/dist/main.js'], {
  env: {
    APOLLO_TELEMETRY_DISABLED: '1',
    NODE_ENV: 'production',
    SEMANTIC_TIMEOUT_MS: '60000',
    RATE_PER_MINUTE: '0',
    RATE_PER_DAY: '0',
    ...process.env,
    LECTERN_DATA: folder,
    PORT: String(port),
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
/** @type {Promise<void>} */
const started = new Promise((resolve, reject) => {
  service.stdout.on('data', (chunk) => String(chunk).includes('Lectern is up') && resolve());
  service.once('exit', (code) => reject(new Error(`the service exited with ${code}`)));
});

async function searchByMeaning(question) {
  const body = JSON.stringify({
    query: 'query($question: String!) { semanticSearch(query: $question) { similarity verse { reference text } } }',
    variables: { question },
  });
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body,
  });
  const result = Object(await response.json());
  if (!response.ok || result.errors) throw new Error(`${response.status} ${JSON.stringify(result)}`);
}

/** Combines a query of the evaluation with the last word of another, so that each query is new. */
const queries = readQueries().map(({ text }) => text);
const newQuery = (number) =>
  `${queries[number % queries.length]} ${queries[(number * 7 + 1) % queries.length].split(' ').at(-1)} ${Math.floor(number / queries.length) || ''}`.slice(
    0,
    200,
  );

function show(when) {
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  const megabytes = (name) => Number((status.match(new RegExp(`${name}:\\s+(\\d+) kB`)) ?? [])[1]) / 1000;
  const now = megabytes('VmRSS');
  console.log(
    `${when.padEnd(56)} ${now.toFixed(0).padStart(4)} MB (${megabytes('RssAnon').toFixed(0)} anonymous, ${megabytes('RssFile').toFixed(0)} mapped files; peak ${megabytes('VmHWM').toFixed(0)})`,
  );
  return now;
}

try {
  await started;
  console.log(
    `${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}; up after ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
  await wait(1_000);
  show('one second after the start');
  await searchByMeaning('the first query');
  const first = show('after one query');
  let next = 0;
  const from = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (next < questions) await searchByMeaning(newQuery(next++));
    }),
  );
  const perSecond = questions / ((performance.now() - from) / 1000);
  const busy = show(`after ${questions} different queries, ${callers} at a time`);
  console.log(`  (${perSecond.toFixed(0)} queries/s)`);
  await wait(settledMs);
  const settled = show(`${settledMs / 1000} seconds later`);
  console.log(`goal: below ${goalMegabytes} MB; ${Math.max(first, busy, settled) < goalMegabytes ? 'met' : 'MISSED'}`);
} finally {
  service.removeAllListeners('exit');
  if (service.exitCode === null) {
    service.kill();
    await new Promise((ended) => service.once('exit', ended));
  }
  rmSync(folder, { recursive: true, force: true });
}
