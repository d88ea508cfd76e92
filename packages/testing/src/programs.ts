import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createConnection } from 'node:net';
import { delimiter, join } from 'node:path';
import { freePort } from './processes';

/**
 * A program that some tests need, by its first name that is found on the PATH. Null without it, said in one line; under CI its absence
 * fails the tests instead.
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
        // Not in this folder.
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
  /** Holds it still: it keeps its connections and answers nobody. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/** A redis-server that keeps nothing, on a free port or on this one. */
export async function startRedis(program: string, port?: number): Promise<RunningProgram> {
  const at = port ?? (await freePort());
  const child = spawn(program, ['--port', String(at), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await untilItListens(at);
  return {
    url: `redis://127.0.0.1:${at}`,
    port: at,
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

const listensWithinMs = 20_000;

/** Resolves when something accepts connections on this port of this machine. */
export async function untilItListens(port: number): Promise<void> {
  const deadline = Date.now() + listensWithinMs;
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
