// Requests a second through the gateway, against the default @apollo/gateway over the same subgraph: npm run bench
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const rounds = Number(process.env.ROUNDS ?? 3);
const seconds = Number(process.env.SECONDS ?? 4);
const connections = 32;

const queries = {
  verse: { query: 'query V($verse: Int!) { verse(book: "JHN", chapter: 3, verse: $verse) { bookId bookName chapter verse text reference } }', variables: { verse: 16 } },
  chapter: { query: '{ chapter(book: "JHN", chapter: 3) { id bookName chapter verse text } }' },
};

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
const { openKeys, readPepper } = require('../packages/keys/dist/index.js');
const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper: readPepper({ file: join(folder, 'key-pepper') }) });
const { token } = keys.issue({ email: 'bench@localhost', name: 'bench', environment: 'test' });
keys.close();

const children = [];
const start = (name, file, env) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file], { env: { ...process.env, APOLLO_TELEMETRY_DISABLED: '1', LOG_LEVEL: 'warn', NODE_ENV: 'production', ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
    const url = `http://127.0.0.1:${env.PORT}/graphql`;
    const poll = async () => {
      for (;;) {
        const up = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ __typename }"}' }).catch(() => null);
        if (up) return resolve({ name, url, pid: child.pid });
        await new Promise((later) => setTimeout(later, 50));
      }
    };
    poll();
  });

const body = (query) => JSON.stringify(query);
const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
const answerOf = async ({ url }, query) => (await fetch(url, { method: 'POST', headers, body: body(query) })).json();
// The default gateway's own root is its path.
const measure = async ({ url }, query, duration) => {
  const result = await autocannon({ url, method: 'POST', headers, body: body(query), connections, duration });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return { rate: result.requests.total / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
};
const median = (list) => list.slice().sort((a, b) => a - b)[Math.floor(list.length / 2)];

try {
  await start('text', 'services/text/dist/main.js', { PORT: '4701' });
  const shared = { LECTERN_DATA: folder, KEY_PEPPER: '' };
  const peer = await start('default @apollo/gateway', 'bench/peers/default-gateway.mjs', { PORT: '4702', TEXT_URL: 'http://127.0.0.1:4701/' });
  const distributed = await start('distributed', 'gateway/dist/main.js', { PORT: '4703', ...shared, SUBGRAPH_URLS: 'text=http://127.0.0.1:4701/graphql' });
  const embedded = await start('embedded', 'bench/peers/embedded.mjs', { PORT: '4704', ...shared });
  const contenders = [peer, distributed, embedded];
  console.log(`${cpus().length} cores, ${cpus()[0].model}, node ${process.version}; ${connections} connections, ${rounds} rounds of ${seconds} s each, medians\n`);
  for (const [name, query] of Object.entries(queries)) {
    const answers = await Promise.all(contenders.map((contender) => answerOf(contender, query)));
    for (const answer of answers) if (JSON.stringify(answer) !== JSON.stringify(answers[0])) throw new Error(`${name}: the answers differ`);
    const measured = contenders.map(() => []);
    for (const contender of contenders) await measure(contender, query, 2);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, contender] of contenders.entries()) measured[index].push(await measure(contender, query, seconds));
    }
    const ratio = (index) => measured[index].map((each, round) => each.rate / measured[0][round].rate);
    console.log(`${name}`);
    for (const [index, contender] of contenders.entries()) {
      const ratios = ratio(index);
      console.log(`  ${contender.name.padEnd(26)} ${median(measured[index].map((each) => each.rate)).toFixed(0).padStart(6)} req/s   p50 ${median(measured[index].map((each) => each.p50))} ms  p99 ${median(measured[index].map((each) => each.p99))} ms   x${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`);
    }
  }
} finally {
  for (const child of children) {
    child.removeAllListeners('exit');
    child.kill();
  }
  rmSync(folder, { recursive: true, force: true });
}
