import { spawn } from 'node:child_process';
import { send } from '@lectern/testing';

/**
 * The user of the images, as whom the processes of containers run if the tests run as root. Other
 * users cannot start a process as another user.
 */
export const containerUser = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};

export interface RunOptions {
  /** The folder that takes the place of /app in the image. */
  folder: string;
  command: readonly string[];
  env: Readonly<Record<string, string>>;
}

/**
 * Runs the command of a container in `folder`, with no other environment variables than `env` and
 * PATH. If the tests run as root, the process runs as a user who may not write to the folder.
 */
export function runContainer({ folder, command: [program = '', ...args], env }: RunOptions) {
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...containerUser,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const ended = new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  return { child, ended, output: () => output };
}

export type RunningContainer = ReturnType<typeof runContainer>;

const readyTimeoutMs = 60_000;

/**
 * Waits until GET /ready responds 200. Rejects with the output of the process if the process exits
 * or is not ready after 60 s.
 */
export async function untilReady(container: RunningContainer, origin: string): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  while (Date.now() < deadline && container.child.exitCode === null) {
    const ready = await send(`${origin}/ready`, { method: 'GET' }).catch(() => null);
    if (ready?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`not ready at ${origin}:\n${container.output()}`);
}
