import type { ChildProcess, ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { send } from './send-http-request';
import { repositoryRoot } from './temporary-and-data-folders';

export interface StartedProcess {
  origin: string;
  port: number;
  child: ChildProcess;
  /** Returns the output so far, standard output and standard error together. */
  output(): string;
  /** A promise that resolves on exit with the exit code or the name of the signal. */
  ended: Promise<number | string>;
}

/**
 * The ports for tests. Ports from 32768 on are not used, because operating systems take them for outgoing connections.
 */
const [firstPort, endPort] = [11_000, 32_768];
/** The number of parts into which the ports are divided. Each test process of a run has its own part. */
const parts = 16;
const portsOfPart = Math.floor((endPort - firstPort) / parts);
/** The search for a free port begins at a random port of the part, because another test run may use the same part. */
let tried = randomInt(portsOfPart);

/**
 * Returns a port of 127.0.0.1 that is free at the time of the call. No other test process of this
 * run returns the port, and this process returns it again only after all its other ports. So no
 * other test takes the port before this test uses it, or while this test restarts a server on it.
 */
export async function freePort(): Promise<number> {
  const part = Number(process.env['JEST_WORKER_ID'] ?? 0) % parts;
  for (;;) {
    tried += 1;
    const port = firstPort + part * portsOfPart + (tried % portsOfPart);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

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

/** If EXECUTION_STRATEGY is `standard` (`npm run test:standard`), @apollo/gateway executes every operation. */
const { EXECUTION_STRATEGY } = process.env;
const executionStrategy = EXECUTION_STRATEGY === undefined ? {} : { EXECUTION_STRATEGY };

export interface SpawnOptions {
  /** The working directory: by default the repository's root. */
  cwd?: string;
  /** A module that Node loads before the file. It can talk to the test over an IPC channel. */
  preload?: string;
}

/**
 * Starts a compiled file (a path below the repository's root) as a Node process with the
 * environment `env`. From the environment of the test run, the process gets only PATH and
 * EXECUTION_STRATEGY. The process does not load the parser of Bible references at its start unless
 * `env` sets PRELOAD_PARSER, because few tests need the parser. A text subgraph serves no offline
 * packages unless `env` sets OFFLINE_PORT, because tests run several at the same time.
 */
export function spawnProcess(
  file: string,
  env: Record<string, string>,
  args: readonly string[] = [],
  { cwd = repositoryRoot, preload }: SpawnOptions = {},
): Omit<StartedProcess, 'origin' | 'port'> {
  const nodeArgs = preload === undefined ? [] : ['--require', preload];
  const child = spawn(process.execPath, [...nodeArgs, join(repositoryRoot, file), ...args], {
    cwd,
    env: {
      PATH: process.env['PATH'],
      APOLLO_TELEMETRY_DISABLED: '1',
      PRELOAD_PARSER: 'false',
      OFFLINE_PORT: '0',
      ...executionStrategy,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', ...(preload === undefined ? [] : ['ipc' as const])],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  let written = '';
  child.stdout.on('data', (chunk: Buffer) => (written += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (written += chunk.toString('utf8')));
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  return { child, output: () => written, ended };
}

const readyTimeoutMs = 60_000;

/**
 * Starts a server and resolves when its /ready responds 200, or with `until: '/health'` as soon as
 * the server listens. Rejects with the output if the process exits or takes over 60 s.
 */
export async function startProcess(
  file: string,
  env: Record<string, string>,
  until: '/ready' | '/health' = '/ready',
  options: SpawnOptions = {},
): Promise<StartedProcess> {
  const port = env['PORT'] === undefined ? await freePort() : Number(env['PORT']);
  const started = spawnProcess(file, { ...env, PORT: String(port) }, [], options);
  const origin = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + readyTimeoutMs;
  while (Date.now() < deadline && started.child.exitCode === null) {
    const ready = await send(origin + until, { method: 'GET' }).catch(() => null);
    if (ready?.status === 200) return { ...started, origin, port };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  started.child.kill('SIGKILL');
  throw new Error(`${file} did not start:\n${started.output()}`);
}
