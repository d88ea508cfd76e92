// Starts the example reader for development: npm run example:reader [-- arguments of vite].
// LECTERN_URL is the GraphQL endpoint of a running service.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepare, root } from './install-and-build.mjs';

const url = process.env['LECTERN_URL'] || 'http://127.0.0.1:4000/graphql';

const problem = await findProblem(url);
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
await prepare({ workspaces: ['@lectern/standalone', '@lectern/reader'] });
process.stderr.write(`The reader uses the service at ${url}. The page asks for an API key once.\n`);
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
const { status } = spawnSync(process.execPath, [vite, ...process.argv.slice(2)], {
  cwd: join(root, 'examples', 'reader'),
  stdio: 'inherit',
  env: { ...process.env, VITE_LECTERN_URL: url },
});
process.exitCode = status ?? 1;

/**
 * Returns null if a GraphQL service answers at this address, otherwise a sentence that says what to do.
 *
 * @param {string} address
 */
async function findProblem(address) {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"query":"{__typename}"}',
      signal: AbortSignal.timeout(10_000),
    });
    // The request has no API key, so the service responds with an error. A GraphQL service sends it as JSON.
    if (response.headers.get('content-type')?.includes('json')) return null;
    return `${address} responds with status ${response.status}, but not as a GraphQL service. LECTERN_URL must end in /graphql.`;
  } catch {
    return `No service responds at ${address}. Start one with \`npm start\` in another terminal, or set LECTERN_URL to the address of a running one.`;
  }
}
