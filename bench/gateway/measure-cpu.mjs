// Starts the whole service in one process, and measures its CPU time for one request.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { createProcesses } from './child-processes.mjs';
import { cpuSeconds } from './process-usage.mjs';
import { prepareFolder } from './start.mjs';

const require = createRequire(import.meta.url);
const { freePort } = require('../../packages/testing/dist/index.js');

/**
 * Prepares a folder with the data and a key, and reads the settings ROUNDS, SECONDS and CONNECTIONS. `start` starts the
 * service with more settings. Throws if this machine does not run Linux.
 */
export async function openServiceBenchmark() {
  if (process.platform !== 'linux') throw new Error('This benchmark reads CPU time from /proc, so it needs Linux');
  const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
  const token = await prepareFolder(folder, resolve(process.env.LECTERN_DATA ?? join(root, 'data')));
  const processes = createProcesses();
  return {
    folder,
    token,
    rounds: Number(process.env.ROUNDS ?? 5),
    seconds: Number(process.env.SECONDS ?? 1),
    connections: Number(process.env.CONNECTIONS ?? 8),
    /** @param {Record<string, string>} env */
    start: (env) => startEmbeddedService(processes, { root, dataDir: folder, env }),
    async close() {
      await processes.stopAll();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts the service without semantic search and without limits that a benchmark could reach.
 *
 * @param {ReturnType<typeof import('./child-processes.mjs').createProcesses>} processes
 * @param {{ root: string, dataDir: string, env: Record<string, string> }} options `env` has more settings of the service
 */
async function startEmbeddedService(processes, { root, dataDir, env }) {
  const port = await freePort();
  const { pid } = await processes.start(
    {
      args: [join(root, 'packages/standalone/dist/main.js')],
      cwd: root,
      env: {
        APOLLO_TELEMETRY_DISABLED: '1',
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        HOST: '127.0.0.1',
        LECTERN_DATA: dataDir,
        PORT: String(port),
        SEMANTIC_TRANSLATIONS: '',
        REQUEST_CPU_MS: '60000',
        RATE_PER_MINUTE: '0',
        KEY_RATE_PER_MINUTE: '0',
        RATE_PER_DAY: '0',
        ...env,
      },
    },
    async () => ((await fetch(`http://127.0.0.1:${port}/ready`)).ok ? null : 'not ready'),
  );
  return { pid, url: `http://127.0.0.1:${port}` };
}

/**
 * Repeats a GraphQL request for some seconds. Resolves with the CPU milliseconds of the service per request. Throws if a
 * request is rejected.
 *
 * @param {{ pid: number, url: string }} service
 * @param {{ headers: Record<string, string>, body: object, connections: number, seconds: number }} load
 */
export async function measureCpu({ pid, url }, { headers, body, connections, seconds }) {
  const before = cpuSeconds([pid]) ?? 0;
  let responses = 0;
  const client = autocannon({
    url: `${url}/graphql`,
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    connections,
    duration: seconds,
  });
  client.on('response', () => (responses += 1));
  const { non2xx, errors } = await client;
  if (non2xx + errors > 0) throw new Error(`${non2xx} requests were rejected, ${errors} failed`);
  return (((cpuSeconds([pid]) ?? 0) - before) * 1_000) / responses;
}

/** @param {number[]} list */
export const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
