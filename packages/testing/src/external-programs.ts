import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createConnection } from 'node:net';
import { delimiter, join } from 'node:path';
import { freePort } from './processes';

/**
 * Returns the path of the first of these programs found on the PATH or in the extra folders. If no
 * program is found, prints one line and returns null. With CI=true, throws instead.
 */
export function findProgram(
  names: readonly string[],
  debianPackage: string,
  folders: readonly string[] = [],
): string | null {
  for (const name of names) {
    for (const folder of [...(process.env['PATH'] ?? '').split(delimiter), ...folders]) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // This folder does not contain the program, so the search continues.
      }
    }
  }
  if (process.env['CI'] === 'true')
    throw new Error(`${names.join(' or ')} is missing: apt-get install ${debianPackage}`);
  process.stderr.write(`skipped: tests with ${names[0] ?? ''} (apt-get install ${debianPackage})\n`);
  return null;
}

export interface RunningProgram {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Stops the process with SIGSTOP: the process keeps its connections and does not respond. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/**
 * Starts a redis-server without persistence on `port`, or on a free port if `port` is not given.
 */
export async function startRedis(program: string, port?: number): Promise<RunningProgram> {
  const listenPort = port ?? (await freePort());
  const child = spawn(
    program,
    ['--port', String(listenPort), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    {
      stdio: 'ignore',
    },
  );
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await waitForPort(listenPort);
  return {
    url: `redis://127.0.0.1:${listenPort}`,
    port: listenPort,
    pid: child.pid ?? 0,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const portTimeoutMs = 20_000;

/** Resolves when a server accepts connections on this port of 127.0.0.1. Rejects after 20 s. */
export async function waitForPort(port: number): Promise<void> {
  const deadline = Date.now() + portTimeoutMs;
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = createConnection({ port, host: '127.0.0.1' }, () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (open) return;
    if (Date.now() > deadline) throw new Error(`nothing listens on port ${port}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
