// Whether memory grows: the whole service in one process answers millions of requests, and its heap is looked at after a collection at every step.
// README.md says how to read it.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { createContenders } from './gateway/contenders.mjs';
import { answerOf } from './gateway/measure.mjs';
import { createOperations } from './gateway/operations.mjs';
import { createProcesses } from './gateway/processes.mjs';
import { prepareFolder } from './gateway/stage.mjs';
import { memoryOf } from './gateway/usage.mjs';

const require = createRequire(import.meta.url);
const { cleanEnv, num, str } = require('envalid');
const { openCorpus } = require('../packages/corpus/dist/index.js');
const { createRandom, freePort } = require('../packages/testing/dist/index.js');

const { REQUESTS, STEPS, LECTERN_DATA } = cleanEnv(process.env, {
  REQUESTS: num({ default: 5_000_000, desc: 'How many requests in all.' }),
  STEPS: num({ default: 20, desc: 'How often the heap is looked at.' }),
  LECTERN_DATA: str({ default: 'data', desc: 'The folder of the texts.' }),
});
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dataDir = resolve(LECTERN_DATA);
const connections = 32;
/** What is grown at first (compiled code, caches that fill up to their bounds) is no leak: the first quarter of the steps is left out of the judgement. */
const settling = Math.ceil(STEPS / 4);
const mostGrowth = 0.1;

const folder = mkdtempSync(join(tmpdir(), 'lectern-soak-'));
const processes = createProcesses();
process.once('exit', () => {
  processes.killAll();
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const token = await prepareFolder(folder, dataDir);
const corpus = openCorpus(join(dataDir, 'corpus.sqlite'));
const mix = createOperations(corpus, createRandom(20_240_501)).find(({ name }) => name === 'mix');
corpus.close();
const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
const port = await freePort();
const heapPort = await freePort();
const embedded = createContenders({ root, dataDir, keysDir: folder, supergraphFile: '', subgraphUrls: {} }).find(
  ({ name }) => name === 'lectern-embedded',
);
const command = embedded.command(port);
const reachable = { ...embedded, origin: `http://127.0.0.1:${port}`, headers };
const server = await processes.start(
  {
    ...command,
    args: ['--expose-gc', '--import', join(root, 'bench', 'soak', 'tell-heap.mjs'), ...command.args],
    env: { ...command.env, HEAP_PORT: String(heapPort) },
  },
  () => answerOf(reachable, mix.turns[0][0]).then(() => null),
);
const heap = async () => Number(await (await fetch(`http://127.0.0.1:${heapPort}`)).text()) / 1e6;

console.log(
  `${REQUESTS} requests of the mix on ${connections} connections; heap after a collection, and resident memory, in MB`,
);
const heaps = [];
for (let step = 1; step <= STEPS; step += 1) {
  const shares = Array.from({ length: connections }, (_, share) =>
    mix.turns.filter((__, index) => index % connections === share).flat(),
  );
  let next = 0;
  const { non2xx, errors, requests } = await autocannon({
    url: reachable.origin,
    connections,
    amount: Math.ceil(REQUESTS / STEPS),
    setupClient(client) {
      client.setRequests(
        shares[next % shares.length].map(({ body }) => ({ method: 'POST', path: '/graphql', headers, body })),
      );
      next += 1;
    },
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} requests were refused, ${errors} failed`);
  heaps.push(await heap());
  console.log(
    `${String(step).padStart(3)}  heap ${heaps.at(-1).toFixed(1).padStart(6)}  resident ${memoryOf(server.pid)?.now.toFixed(0) ?? '-'}  ${requests.average.toFixed(0)} req/s`,
  );
}
await processes.endAll();

const settled = heaps.slice(settling);
const growth = (settled.at(-1) ?? 0) / (settled[0] ?? 1) - 1;
console.log(
  `After the first ${settling} steps the heap ${growth > mostGrowth ? 'GREW' : 'stayed'}: ${(growth * 100).toFixed(1)} %`,
);
process.exitCode = growth > mostGrowth ? 1 : 0;
