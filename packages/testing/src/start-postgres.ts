import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findProgram } from './find-program';
import { freePort } from './processes';
import type { RunningProgram } from './start-redis';

export interface RunningPostgres extends RunningProgram {
  /** Stops the server, which closes its connections, and starts it with the same data and port. */
  restart(): void;
  /** Restarts the server as a standby, which accepts no changes. The standby follows no primary. */
  restartAsStandby(): void;
  /** Turns the standby into a primary. */
  promote(): void;
}

const debianFolder = '/usr/lib/postgresql';

/** The path of pg_ctl, which Debian does not put on the PATH. Null if PostgreSQL is not installed. */
export const findPostgres = (): string | null =>
  findProgram(
    ['pg_ctl'],
    'postgresql',
    existsSync(debianFolder) ? readdirSync(debianFolder).map((version) => join(debianFolder, version, 'bin')) : [],
  );

const password = 'not-for-logs';

/**
 * The script of a guard process. The guard waits until standard input closes, also because the test
 * process was killed, then stops the server and removes its folder. A server stopped by SIGSTOP has
 * to continue (SIGCONT) before it can exit.
 */
const guardScript =
  'read -r _; kill -CONT "$(head -n 1 "$1/postmaster.pid")"; "$0" stop -D "$1" -m immediate -w -t 60; rm -rf "$2"';

/**
 * Starts PostgreSQL with an empty database on a free port. As root, starts the server as another
 * user, since PostgreSQL does not run as root.
 */
export async function startPostgres(pgCtl: string): Promise<RunningPostgres> {
  const user = process.getuid?.() === 0 ? unprivilegedUser() : {};
  const folder = mkdtempSync(join(tmpdir(), 'lectern-postgres-'));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  // The guard has a separate process group: otherwise Ctrl-C would stop the guard before it has
  // stopped the server.
  const guard = spawn('/bin/sh', ['-c', guardScript, pgCtl, data, folder], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => void guard.once('close', () => resolve()));
  const stop = async () => {
    guard.stdin.end();
    await ended;
  };
  const run = (program: string, ...args: string[]): void => {
    // `stdio` is ignored: the server would inherit the output streams and keep them open, and
    // spawnSync would wait until the server ends.
    const { status, error } = spawnSync(program, args, {
      ...user,
      cwd: folder,
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed (${error?.message ?? String(status)})`);
  };
  const port = await freePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
  const control = (command: string, ...args: string[]) => run(pgCtl, command, '-D', data, '-w', '-t', '60', ...args);
  const start = () => control('start', '-l', join(folder, 'log'), '-o', options);
  try {
    run(join(dirname(pgCtl), 'initdb'), '-D', data, '-U', 'lectern', '-E', 'UTF8', '--auth=trust', '--no-sync');
    start();
  } catch (error) {
    await stop();
    throw error;
  }
  const pidOf = () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [pidOf(), ...childrenOf(pidOf())]) process.kill(pid, name);
  };
  const restart = (): void => {
    control('stop', '-m', 'fast');
    start();
  };
  return {
    url: `postgres://lectern:${password}@127.0.0.1:${port}/postgres`,
    port,
    get pid() {
      return pidOf();
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    restart,
    restartAsStandby: () => {
      writeFileSync(join(data, 'standby.signal'), '');
      restart();
    },
    promote: () => control('promote'),
    stop,
  };
}

/** The server's child processes: one for each connection, and those for other work. */
function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child = 0]) => child);
}

function unprivilegedUser(): { uid?: number; gid?: number } {
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g']
      .map((option) => spawnSync('id', [option, name], { encoding: 'utf8' }))
      .map(({ status, stdout }) => (status === 0 ? Number(stdout) : null));
    if (typeof uid === 'number' && typeof gid === 'number') return { uid, gid };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody to run it as.');
}
