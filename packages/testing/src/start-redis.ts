import { spawn } from 'node:child_process';
import { freePort, waitForPort } from './processes';

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
