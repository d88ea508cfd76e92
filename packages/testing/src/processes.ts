import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { repositoryRoot } from './fixtures';
import { send } from './send';

export interface Started {
  origin: string;
  port: number;
  child: ChildProcess;
  /** What it has written so far to both of its outputs. */
  output(): string;
  /** Its exit code once it has ended, or the signal's name. */
  ended: Promise<number | string>;
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Starts a compiled file of a room as a process of its own, with only this environment. */
export function spawnRoom(
  file: string,
  env: Record<string, string>,
  args: readonly string[] = [],
): Omit<Started, 'origin' | 'port'> {
  const child = spawn(process.execPath, [join(repositoryRoot, file), ...args], {
    cwd: repositoryRoot,
    env: { PATH: process.env['PATH'], APOLLO_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let written = '';
  child.stdout.on('data', (chunk: Buffer) => (written += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (written += chunk.toString('utf8')));
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  return { child, output: () => written, ended };
}

const startsWithinMs = 60_000;

/** Starts a server and waits until it says that it is ready. Rejects with what it wrote when it ends before. */
export async function startRoom(file: string, env: Record<string, string>): Promise<Started> {
  const port = env['PORT'] === undefined ? await freePort() : Number(env['PORT']);
  const started = spawnRoom(file, { ...env, PORT: String(port) });
  const origin = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + startsWithinMs;
  while (Date.now() < deadline && started.child.exitCode === null) {
    const ready = await send(`${origin}/ready`, { method: 'GET' }).catch(() => null);
    if (ready?.status === 200) return { ...started, origin, port };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  started.child.kill('SIGKILL');
  throw new Error(`${file} did not start:\n${started.output()}`);
}
