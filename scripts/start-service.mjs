// Installs and builds if needed, then starts a service with the memory limits of MEMORY_MB:
// node scripts/start-service.mjs FILE. V8 and glibc read these limits only when a
// process starts, so the service runs in a new process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './command-line.mjs';
import { prepare, root } from './install-and-build.mjs';

/** How often this process checks whether npm has ended, in milliseconds. */
const checkParentEveryMs = 250;

const [file] = process.argv.splice(2, 1);
const parentPid = process.ppid;

await runCommand({
  name: 'npm start --',
  description: 'Installs and builds what has changed, and starts the service. Ctrl-C stops it.',
  help: 'Settings are environment variables, such as PORT and LECTERN_DATA. docs/settings.md lists them.',
  run: start,
});

/**
 * Exits with the status of the service.
 *
 * @returns {Promise<never>}
 */
async function start() {
  await prepare();
  const { processOptionsFromEnv } = createRequire(import.meta.url)(join(root, 'packages/serving/dist/index.js'));
  const { execArgv, env: limits } = processOptionsFromEnv(process.env);
  // The service gets its own process group. Otherwise, after Ctrl-C, the service would receive SIGINT
  // twice, from the terminal and from this process, and the second SIGINT would end it at once. The IPC
  // channel closes when this process ends, and then the service stops too.
  const child = spawn(process.execPath, [...execArgv, join(root, file)], {
    env: { NODE_ENV: 'production', ...process.env, ...limits },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: process.platform !== 'win32',
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']))
    process.on(signal, () => child.kill(signal));
  // npm runs this script in a shell, and sends SIGTERM to the shell only. The shell ends without
  // forwarding the signal, and this process gets another parent. If npm did not start this
  // script, the service continues when its parent ends, for example after `nohup`.
  if (process.env.npm_lifecycle_event !== undefined) {
    const check = setInterval(() => {
      if (process.ppid === parentPid) return;
      clearInterval(check);
      child.kill('SIGTERM');
    }, checkParentEveryMs);
  }
  const [code, signal] = await once(child, 'exit');
  return process.exit(code ?? (signal ? 128 + constants.signals[signal] : 1));
}
