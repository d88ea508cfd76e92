import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

const startTimeoutMs = 60_000;
const stopTimeoutMs = 5_000;
const maxOutputLength = 20_000;

/** Creates functions that start child processes and stop only these processes. */
export function createProcesses() {
  const running = new Set();

  /**
   * @param {string} file
   * @param {string[]} args
   * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, stdio: import('node:child_process').StdioOptions }} options
   */
  const spawnTracked = (file, args, { env = process.env, cwd, stdio }) => {
    const child = spawn(file, args, { cwd, env, stdio });
    running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => (output = (output + chunk).slice(-maxOutputLength)));
    let ended = null;
    const end = new Promise((resolve) => {
      const onEnd = (how) => {
        running.delete(child);
        ended = how;
        resolve(how);
      };
      child.once('error', (error) => onEnd(error.message));
      child.once('exit', (code, signal) => onEnd(code ?? signal));
    });
    return { pid: child.pid, end, ended: () => ended, output: () => output };
  };

  return {
    /** Runs a command, shows its output and returns its exit status. */
    run: (file, args) => spawnTracked(file, args, { stdio: ['ignore', 'inherit', 'inherit'] }).end,

    /**
     * Starts a server with this environment: a file of JavaScript, or `program`. Resolves when `check` returns null.
     * Rejects with the server's output if it exits or does not become ready in time.
     */
    async start({ program = process.execPath, args, env, cwd }, check) {
      const server = spawnTracked(program, args, {
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const deadline = Date.now() + startTimeoutMs;
      let reason = 'no response';
      while (Date.now() < deadline) {
        if (server.ended() !== null)
          throw new Error(`it exited with ${server.ended()}: ${errorLineIn(server.output())}`);
        const error = await check().catch((error) => error.cause?.code ?? error.message);
        if (error === null) return server;
        reason = error;
        await wait(100);
      }
      throw new Error(
        `it was not ready within ${startTimeoutMs / 1_000} seconds (${reason}): ${errorLineIn(server.output())}`,
      );
    },

    /** Sends SIGTERM to all child processes, and SIGKILL to those that do not exit in time. */
    async stopAll() {
      const children = [...running];
      const gone = children.map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of children) child.kill('SIGTERM');
      await Promise.race([Promise.all(gone), wait(stopTimeoutMs, undefined, { ref: false })]);
      this.killAll();
    },

    /** Sends SIGKILL to all child processes. Exit handlers use this function, because they cannot wait. */
    killAll() {
      for (const child of running) child.kill('SIGKILL');
    },
  };
}

/**
 * Creates a temporary folder and the functions of `createProcesses` for a benchmark. When the benchmark
 * exits, also by Ctrl-C or SIGTERM, the child processes are killed and the folder is deleted.
 *
 * @param {string} prefix the beginning of the folder's name
 */
export function openTemporaryFolderAndProcesses(prefix) {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const processes = createProcesses();
  process.once('exit', () => {
    processes.killAll();
    // A process that was just killed may still write a file to the folder.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  return { folder, processes };
}

/** Returns the first line of a process's output that reports an error, or its last line. */
function errorLineIn(output) {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return (lines.find((line) => /error/i.test(line) && !line.startsWith('at ')) ?? lines.at(-1) ?? 'no output').slice(
    0,
    300,
  );
}
