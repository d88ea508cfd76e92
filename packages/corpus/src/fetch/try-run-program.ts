import { spawn } from 'node:child_process';

export interface ProgramResult {
  /** The exit code. Null if the program could not be started, or was killed at its deadline. */
  code: number | null;
  /**
   * The last three lines of the program's output, and the reason if it could not be started or was
   * killed at its deadline. For an error message.
   */
  tail: string;
}

const maxOutputLength = 4_000;

/** Runs a program without a shell. Never throws: the result tells whether the program failed. */
export function tryRunProgram(
  command: string,
  args: readonly string[],
  options: { cwd: string; timeoutMs: number; env: NodeJS.ProcessEnv },
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...options.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-maxOutputLength);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    let timedOut = false;
    const deadline = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, options.timeoutMs);
    const finish = (code: number | null, message: string): void => {
      clearTimeout(deadline);
      const lines = output
        .trim()
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
      resolve({ code, tail: [...lines.slice(-3), ...(message === '' ? [] : [message])].join(' | ') });
    };
    child.on('error', (error) =>
      finish(null, (error as NodeJS.ErrnoException).code === 'ENOENT' ? `${command} is not installed` : error.message),
    );
    child.on('close', (code) =>
      finish(timedOut ? null : code, timedOut ? `stopped after ${options.timeoutMs / 1000} seconds` : ''),
    );
  });
}
