// Soak test: checks that the heap of the whole service does not grow over millions of requests:
// node bench/soak-heap-growth.mjs
// After each step it collects garbage and measures the heap. README.md explains the result.
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { createOperations } from './gateway/benchmark-operations.mjs';
import { openTemporaryFolderAndProcesses } from './gateway/child-processes.mjs';
import { createGateways } from './gateway/gateways.mjs';
import { fetchResult } from './gateway/measure-gateway.mjs';
import { memoryOf } from './gateway/process-usage.mjs';
import { prepareFolder } from './gateway/start.mjs';

const require = createRequire(import.meta.url);
const { cleanEnv, num, str } = require('envalid');
const { openCorpus } = require('../packages/corpus/dist/index.js');
const { createRandom, freePort } = require('../packages/testing/dist/index.js');

const { REQUESTS, STEPS, LECTERN_DATA } = cleanEnv(process.env, {
  REQUESTS: num({ default: 5_000_000, desc: 'Total number of requests.' }),
  STEPS: num({ default: 20, desc: 'Number of steps. The heap is measured after each.' }),
  LECTERN_DATA: str({ default: 'data', desc: 'The data folder.' }),
});
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dataDir = resolve(LECTERN_DATA);
const connections = 32;
/** The number of first steps whose heap is ignored, because compiled code and caches with a bound still grow then. */
const warmUpSteps = Math.ceil(STEPS / 4);
const maxGrowth = 0.1;

const { folder, processes } = openTemporaryFolderAndProcesses('lectern-soak-');

const token = await prepareFolder(folder, dataDir);
const corpus = openCorpus(dataDir);
const mix = createOperations(corpus, createRandom(20_240_501)).find(({ name }) => name === 'mix');
corpus.close();
if (!mix || !('turns' in mix)) throw new Error('The operation `mix` is missing');
const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
const port = await freePort();
const heapPort = await freePort();
const embedded = createGateways({ root, dataDir, keysDir: folder, supergraphFile: '', subgraphUrls: {} }).find(
  ({ name }) => name === 'lectern-embedded',
);
const command = embedded.command(port);
const target = { ...embedded, origin: `http://127.0.0.1:${port}`, headers };
const server = await processes.start(
  {
    ...command,
    args: ['--expose-gc', '--import', join(root, 'bench', 'soak', 'heap-size-server.mjs'), ...command.args],
    env: { ...command.env, HEAP_PORT: String(heapPort) },
  },
  () => fetchResult(target, mix.turns[0][0]).then(() => null),
);
const heapMegabytes = async () => Number(await (await fetch(`http://127.0.0.1:${heapPort}`)).text()) / 1e6;

console.log(
  `${REQUESTS} requests of \`mix\` on ${connections} connections; heap after garbage collection, and resident memory, in MB`,
);
const heaps = [];
for (let step = 1; step <= STEPS; step += 1) {
  const shares = Array.from({ length: connections }, (_, share) =>
    mix.turns.filter((__, index) => index % connections === share).flat(),
  );
  let next = 0;
  const { non2xx, errors, requests } = await autocannon({
    url: target.origin,
    connections,
    amount: Math.ceil(REQUESTS / STEPS),
    setupClient(client) {
      client.setRequests(
        shares[next % shares.length].map(({ body }) => ({ method: 'POST', path: '/graphql', headers, body })),
      );
      next += 1;
    },
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} requests were rejected, ${errors} failed`);
  heaps.push(await heapMegabytes());
  console.log(
    `${String(step).padStart(3)}  heap ${heaps.at(-1).toFixed(1).padStart(6)}  resident ${memoryOf(server.pid)?.now.toFixed(0) ?? '-'}  ${requests.average.toFixed(0)} req/s`,
  );
}
await processes.stopAll();

const measured = heaps.slice(warmUpSteps);
const growth = (measured.at(-1) ?? 0) / (measured[0] ?? 1) - 1;
console.log(
  `After the first ${warmUpSteps} steps the heap ${growth > maxGrowth ? 'GREW' : 'did not grow'}: ${(growth * 100).toFixed(1)} %`,
);
process.exitCode = growth > maxGrowth ? 1 : 0;
