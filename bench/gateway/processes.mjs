import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

const startsWithinMs = 60_000;
const endsWithinMs = 5_000;
const keptOutput = 20_000;

/** The bench's own processes, and no others: what is started here is ended here, by its id. */
export function createProcesses() {
  const running = new Set();

  const begin = (file, args, { env = process.env, cwd, stdio }) => {
    const child = spawn(file, args, { cwd, env, stdio });
    running.add(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => (said = (said + chunk).slice(-keptOutput)));
    let ended = null;
    const end = new Promise((resolve) => {
      const over = (how) => {
        running.delete(child);
        ended = how;
        resolve(how);
      };
      child.once('error', (error) => over(error.message));
      child.once('exit', (code, signal) => over(code ?? signal));
    });
    return { pid: child.pid, end, ended: () => ended, said: () => said };
  };

  return {
    /** A command that ends by itself, with what it says shown. Its exit status. */
    run: (file, args) => begin(file, args, { stdio: ['ignore', 'inherit', 'inherit'] }).end,

    /** A server, with this environment alone; resolves once `isUp` says that it answers. Rejects with its own words when it ends before that. */
    async start({ args, env, cwd }, isUp) {
      const server = begin(process.execPath, args, {
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const deadline = Date.now() + startsWithinMs;
      let last = 'no answer';
      while (Date.now() < deadline) {
        if (server.ended() !== null) throw new Error(`it ended with ${server.ended()}: ${reasonIn(server.said())}`);
        const fault = await isUp().catch((error) => error.cause?.code ?? error.message);
        if (fault === null) return server;
        last = fault;
        await wait(100);
      }
      throw new Error(
        `it did not answer within ${startsWithinMs / 1_000} seconds (${last}): ${reasonIn(server.said())}`,
      );
    },

    /** Asks each to end, and makes it where it does not. */
    async endAll() {
      const children = [...running];
      const gone = children.map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of children) child.kill('SIGTERM');
      await Promise.race([Promise.all(gone), wait(endsWithinMs, undefined, { ref: false })]);
      this.killAll();
    },

    /** At once: for when nothing can be waited for any more. */
    killAll() {
      for (const child of running) child.kill('SIGKILL');
    },
  };
}

/** The line that says most of what a process wrote, on one line and without its colours. */
function reasonIn(said) {
  const lines = stripVTControlCharacters(said)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return (
    lines.find((line) => /error/i.test(line) && !line.startsWith('at ')) ??
    lines.at(-1) ??
    'it said nothing'
  ).slice(0, 300);
}
