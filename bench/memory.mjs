// Measures the resident memory of the whole service in one process, and of the gateway and the subgraphs
// as separate processes, under two loads: node bench/memory.mjs
// Needs `npm run build`, `npm run data` and Linux. README.md explains the loads.
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { readSubgraphs } from '../scripts/schema/compose-subgraphs.mjs';
import { openTemporaryFolderAndProcesses } from './gateway/child-processes.mjs';
import { memoryOf } from './gateway/process-usage.mjs';
import { prepareFolder } from './gateway/start.mjs';
import { createLoads } from './memory/loads.mjs';

if (process.platform !== 'linux') throw new Error('This benchmark reads memory from /proc, so it needs Linux');
const require = createRequire(import.meta.url);
const { cleanEnv, num, str } = require('envalid');
const { processOptionsFromEnv } = require('../packages/serving/dist/index.js');
const { freePort } = require('../packages/testing/dist/index.js');

const { SECONDS, CONNECTIONS, DEPLOYMENTS, LOADS, LECTERN_DATA } = cleanEnv(process.env, {
  SECONDS: num({
    default: 20,
    desc: 'The duration of each load, in seconds. The figures of docs/measure.md#memory come from 30 to 45.',
  }),
  CONNECTIONS: num({ default: 16, desc: 'The number of connections.' }),
  DEPLOYMENTS: str({ default: 'embedded,distributed', desc: 'What to measure, one after the other.' }),
  LOADS: str({ default: 'heavy,unique', desc: 'The loads, one after the other on the same processes.' }),
  LECTERN_DATA: str({ default: 'data', desc: 'The data folder.' }),
});

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { folder, processes } = openTemporaryFolderAndProcesses('lectern-memory-');

/** The maximum resident memory by process, in megabytes: the figures of docs/measure.md#memory with a small reserve. */
const documented = {
  embedded: 500,
  gateway: 250,
  text: 200,
  search: 385,
  concordance: 165,
  study: 150,
  originals: 150,
};

const token = await prepareFolder(folder, resolve(LECTERN_DATA));
const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };

/** The same options as `npm start` uses to start a process. MEMORY_MB applies to each process. */
const options = processOptionsFromEnv(process.env);
const limits = { ...options.env, ...(process.env.MEMORY_MB && { MEMORY_MB: process.env.MEMORY_MB }) };

async function start(name, file, env) {
  const port = await freePort();
  const server = await processes.start(
    {
      args: [...options.execArgv, join(root, file)],
      cwd: root,
      env: {
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        LECTERN_DATA: folder,
        RATE_PER_MINUTE: '0',
        KEY_RATE_PER_MINUTE: '0',
        RATE_PER_DAY: '0',
        SEMANTIC_TIMEOUT_MS: '60000',
        SUBGRAPH_TIMEOUT_MS: '60000',
        APOLLO_TELEMETRY_DISABLED: '1',
        ...limits,
        ...env,
        PORT: String(port),
      },
    },
    async () => ((await fetch(`http://127.0.0.1:${port}/ready`)).ok ? null : 'not ready'),
  );
  return { name, pid: server.pid, url: `http://127.0.0.1:${port}/graphql` };
}

const subgraphNames = readSubgraphs(join(root, 'supergraph.yaml')).map(({ name }) => name);
const deployments = {
  embedded: async () => [await start('embedded', 'packages/standalone/dist/main.js', {})],
  async distributed() {
    const subgraphs = [];
    for (const name of subgraphNames) subgraphs.push(await start(name, `services/${name}/dist/main.js`, {}));
    const urls = subgraphs.map(({ name, url }) => `${name}=${url}`).join(',');
    return [await start('gateway', 'gateway/dist/main.js', { SUBGRAPH_URLS: urls }), ...subgraphs];
  },
};

/** Sends requests for some seconds. Throws if more than one in a hundred fails. */
async function run(url, nextBody) {
  const { non2xx, errors, requests, latency } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    timeout: 60,
    requests: [{ method: 'POST', headers, setupRequest: (request) => ({ ...request, body: nextBody() }) }],
  });
  if (non2xx + errors > requests.total / 100) throw new Error(`${non2xx} requests were rejected, ${errors} failed`);
  return `${requests.average.toFixed(0)} requests/s, p99 ${latency.p99} ms`;
}

/** @param {number} pid */
function residentMemory(pid) {
  const memory = memoryOf(pid);
  if (memory === null) throw new Error('This benchmark reads memory from /proc');
  return memory;
}

const megabytes = (value) => `${value.toFixed(0).padStart(4)} MB`;
function show(servers, when) {
  for (const { name, pid } of servers) {
    const { now, max } = residentMemory(pid);
    console.log(`${name.padEnd(12)} ${when.padEnd(18)} ${megabytes(now)} resident, peak ${megabytes(max)}`);
  }
}

console.log(`${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}; ${SECONDS} seconds of each load`);
for (const name of DEPLOYMENTS.split(',')) {
  const servers = await deployments[name]();
  show(servers, 'after the start');
  const loads = createLoads(resolve(LECTERN_DATA));
  for (const load of LOADS.split(',')) {
    const speed = await run(servers[0].url, loads[load]);
    show(servers, `after ${load}`);
    console.log(`${''.padEnd(12)} ${load}: ${speed}`);
  }
  for (const server of servers) {
    const isMet = residentMemory(server.pid).now < documented[server.name];
    console.log(`${server.name.padEnd(12)} limit ${documented[server.name]} MB: ${isMet ? 'met' : 'MISSED'}`);
    if (!isMet) process.exitCode = 1;
  }
  await processes.stopAll();
}
