// Measures what compressed responses cost and save: node bench/compression.mjs
// Sends the same operations to the whole service in one process without Accept-Encoding, and with br and gzip, in
// alternating rounds, with the response cache and without. Settings: ROUNDS, SECONDS, CONNECTIONS.
// Needs `npm run build`, `npm run data` and Linux.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { createProcesses } from './gateway/child-processes.mjs';
import { cpuSeconds } from './gateway/process-usage.mjs';
import { prepareFolder } from './gateway/start-gateways.mjs';

if (process.platform !== 'linux') throw new Error('This benchmark reads CPU time from /proc, so it needs Linux');
const require = createRequire(import.meta.url);
const { freePort } = require('../packages/testing/dist/index.js');

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const data = resolve(process.env.LECTERN_DATA ?? join(root, 'data'));
const rounds = Number(process.env.ROUNDS ?? 5);
const seconds = Number(process.env.SECONDS ?? 1);
const connections = Number(process.env.CONNECTIONS ?? 8);

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
const token = await prepareFolder(folder, data);
const processes = createProcesses();

const operations = {
  verse: '{ verse(book: "JHN", chapter: 3, verse: 16) { reference text } }',
  chapter: '{ chapter(book: "JHN", chapter: 3) { id bookName chapter verse text } }',
  'all psalms': '{ passage(reference: "Psalms") { verses { text } } }',
};
const encodings = [null, 'br', 'gzip'];

async function start(env) {
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
        LECTERN_DATA: folder,
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

/** Returns the number of bytes of the response's body. */
async function bytesOf({ url }, query, encoding) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'accept-encoding': encoding ?? 'identity',
    },
    body: JSON.stringify({ query }),
  });
  await response.arrayBuffer();
  return Number(response.headers.get('content-length'));
}

/** Resolves with the CPU milliseconds of the service per request. */
async function measure({ pid, url }, query, encoding) {
  const before = cpuSeconds([pid]) ?? 0;
  let responses = 0;
  const client = autocannon({
    url: `${url}/graphql`,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      ...(encoding !== null && { 'accept-encoding': encoding }),
    },
    body: JSON.stringify({ query }),
    connections,
    duration: seconds,
  });
  client.on('response', () => (responses += 1));
  const { non2xx, errors } = await client;
  if (non2xx + errors > 0) throw new Error(`${non2xx} requests were rejected, ${errors} failed`);
  return (((cpuSeconds([pid]) ?? 0) - before) * 1_000) / responses;
}

const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

/** Measures an operation with each encoding and prints the ratios to the responses without compression. */
async function compare(service, name, query) {
  const measured = await Promise.all(
    encodings.map(async (encoding) => ({
      encoding,
      cpu: /** @type {number[]} */ ([]),
      bytes: await bytesOf(service, query, encoding),
    })),
  );
  for (const { encoding } of measured) await measure(service, query, encoding);
  for (let round = 0; round < rounds; round += 1)
    // Each round begins with another encoding, so that a slow moment of the machine affects all of them.
    for (let step = 0; step < measured.length; step += 1) {
      const each = measured[(round + step) % measured.length];
      each.cpu.push(await measure(service, query, each.encoding));
    }
  const [plain, ...compressed] = measured;
  console.log(`  ${name}: ${plain.bytes} bytes, ${median(plain.cpu).toFixed(3)} ms of CPU`);
  for (const { encoding, cpu, bytes } of compressed) {
    const ratios = cpu.map((each, round) => each / plain.cpu[round]);
    console.log(
      `    ${encoding?.padEnd(4)} bytes ${(bytes / plain.bytes).toFixed(3)}   CPU ${median(ratios).toFixed(2)} [${Math.min(...ratios).toFixed(2)}, ${Math.max(...ratios).toFixed(2)}]`,
    );
  }
}

try {
  console.log(
    `${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}; ${rounds} rounds of ${seconds} s, ${connections} connections. Ratios to responses without compression: median [lowest, highest].`,
  );
  const services = [
    ['every response is executed and compressed', await start({ RESPONSE_CACHE_BYTES: '0' })],
    ['every response is cached', await start({})],
  ];
  for (const [title, service] of services) {
    console.log(title);
    for (const [name, query] of Object.entries(operations)) await compare(service, name, query);
  }
} finally {
  await processes.stopAll();
  rmSync(folder, { recursive: true, force: true });
}
