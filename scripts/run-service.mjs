// Installs and builds if needed, then starts a service with the memory limits of MEMORY_MB: node scripts/run-service.mjs FILE.
// V8 and glibc read these limits only when a process starts, so the service needs a process of its own.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from './install-and-build.mjs';

const [file, ...args] = process.argv.slice(2);
await prepare();
const { processOptionsFromEnv } = createRequire(import.meta.url)(join(root, 'packages/serving/dist/index.js'));
const { execArgv, env: limits } = processOptionsFromEnv(process.env);
// The service has a process group of its own. Otherwise a terminal would send SIGINT to both processes, the service would
// receive it twice, and the second SIGINT ends the service at once. A service whose IPC channel closes stops, so that it
// does not outlive this process.
const child = spawn(process.execPath, [...execArgv, join(root, file), ...args], {
  env: { NODE_ENV: 'production', ...process.env, ...limits },
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  detached: process.platform !== 'win32',
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']))
  process.on(signal, () => child.kill(signal));
child.once('exit', (code, signal) => process.exit(code ?? (signal ? 128 + constants.signals[signal] : 1)));
