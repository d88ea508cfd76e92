import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { openTemporaryFolderAndProcesses } from './gateway/child-processes.mjs';
import { startSubgraphs } from './gateway/start.mjs';
import { prepareGateway } from './compare-commits/measure.mjs';
const require = createRequire(import.meta.url);
const { freePort } = require('../packages/testing/dist/index.js');
const root = '/work/main', oldRoot = '/tmp/lectern-commits/9a74fb6d27d90a612324e1384582b9faf62bd93b';
const { folder, processes } = openTemporaryFolderAndProcesses('lectern-cmp-');
const subgraphs = await startSubgraphs(processes, { root, dataDir: root + '/data' });
const run = async (name, r, d) => {
  const g = await prepareGateway('distributed', { name, root: r, dataDir: d }, { folder, subgraphs });
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const command = g.command(port);
  await processes.start({ ...command, env: { ...command.env, RESPONSE_CACHE_BYTES: '0', REQUEST_CPU_MS: '600000' } }, async () => { const x = await fetch(origin + '/ready'); return x.ok ? null : String(x.status); });
  return async (body) => (await (await fetch(origin + '/graphql', { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${g.token}` }, body: JSON.stringify(body) })).json());
};
const [a, b] = [await run('old', oldRoot, oldRoot + '/data'), await run('new', root, root + '/data')];
const queries = JSON.parse(readFileSync('/tmp/hq/cmp/queries.json', 'utf8'));
let same = 0, data = 0, errs = 0, rejected = 0; const out = [];
for (const q of queries) {
  const [x, y] = await Promise.all([a(q), b(q)]);
  const strip = (r) => JSON.stringify((r.errors ?? []).map(({ message, path, extensions }) => ({ message, path, code: extensions?.code })));
  if (x.data === undefined && y.data === undefined) rejected += 1;
  if (JSON.stringify(x.data) !== JSON.stringify(y.data)) { data += 1; out.push({ q, x, y }); }
  else if (strip(x) !== strip(y)) { errs += 1; out.push({ q, x: x.errors, y: y.errors }); }
  else same += 1;
}
console.log({ same, data, errs, rejected });
writeFileSync('/tmp/hq/cmp/diff.json', JSON.stringify(out, null, 1));
await processes.stopAll();
process.exit(0);
