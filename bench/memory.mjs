// How much memory the whole service takes in one process, before and after questions by meaning: node bench/memory.mjs
// Needs `npm run build` and `npm run data`. It serves the repository's data under a key of its own. QUESTIONS: how many different ones; CALLERS: how many at a time.
// Settings in the environment hold for the service too: SEMANTIC_TRANSLATIONS= shows it without semantic search.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readQueries } from '../packages/embeddings/evaluation/measures.mjs';
import { prepareFolder } from './gateway/stage.mjs';

if (process.platform !== 'linux') throw new Error('What a process takes is read from /proc, which only Linux has');
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
const up = new Promise((ready, failed) => {
  service.stdout.on('data', (chunk) => String(chunk).includes('Lectern is up') && ready());
  service.once('exit', (code) => failed(new Error(`the service ended with ${code}`)));
});

async function ask(question) {
  const body = JSON.stringify({
    query: 'query($question: String!) { semanticSearch(query: $question) { similarity verse { reference text } } }',
    variables: { question },
  });
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body,
  });
  const answer = await response.json();
  if (!response.ok || answer.errors) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
}

/** Questions that nobody asked before: each is one of the evaluation with another's last word. */
const asked = readQueries().map(({ text }) => text);
const different = (number) =>
  `${asked[number % asked.length]} ${asked[(number * 7 + 1) % asked.length].split(' ').at(-1)} ${Math.floor(number / asked.length) || ''}`.slice(
    0,
    200,
  );

function show(when) {
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  const megabytes = (name) => Number(status.match(new RegExp(`${name}:\\s+(\\d+) kB`))?.[1]) / 1000;
  const now = megabytes('VmRSS');
  console.log(
    `${when.padEnd(56)} ${now.toFixed(0).padStart(4)} MB (${megabytes('RssAnon').toFixed(0)} of its own, ${megabytes('RssFile').toFixed(0)} of files; at most ${megabytes('VmHWM').toFixed(0)})`,
  );
  return now;
}

try {
  await up;
  console.log(
    `${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}; up after ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
  await wait(1_000);
  show('a second after the start');
  await ask('the first question');
  const first = show('after one question');
  let next = 0;
  const from = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (next < questions) await ask(different(next++));
    }),
  );
  const perSecond = questions / ((performance.now() - from) / 1000);
  const busy = show(`after ${questions} different questions, ${callers} at a time`);
  console.log(`  (${perSecond.toFixed(0)} a second)`);
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
