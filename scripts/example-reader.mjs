// Starts the example reader for development.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { failure, runCommand } from './command-line.mjs';
import { prepare, root } from './install-and-build.mjs';

await runCommand({
  name: 'npm run example:reader --',
  description: 'Installs and builds what has changed, and starts the example reader for development.',
  options: [
    ['--host <address>', 'the address that Vite listens on', 'localhost'],
    ['--port <number>', 'the port', '5173'],
    ['--open', 'open the page in a browser'],
  ],
  help: 'LECTERN_URL is the GraphQL endpoint of a running service (default: http://127.0.0.1:4000/graphql).',
  run: async ({ host, port, open = false }) => {
    const url = process.env['LECTERN_URL'] || 'http://127.0.0.1:4000/graphql';
    const problem = await findProblem(url);
    if (problem !== null) throw failure(problem);
    await prepare({ workspaces: ['@lectern/standalone', '@lectern/reader'] });
    process.stderr.write(`The reader uses the service at ${url}. The page asks for an API key once.\n`);
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
    const { status } = spawnSync(
      process.execPath,
      [vite, '--host', host, '--port', port, ...(open ? ['--open'] : [])],
      {
        cwd: join(root, 'examples', 'reader'),
        stdio: 'inherit',
        env: { ...process.env, VITE_LECTERN_URL: url },
      },
    );
    return status ?? 1;
  },
});

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
