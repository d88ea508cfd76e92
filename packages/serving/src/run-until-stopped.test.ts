import { spawn } from 'node:child_process';
import { join } from 'node:path';

const serving = JSON.stringify(join(__dirname, '..', 'dist', 'index.js'));

/** Sends SIGTERM to a process that runs `runUntilStopped` with these arguments. Returns its exit code and output. */
async function stopProcess(close: string, options: string) {
  const program = `
const { createLogger, runUntilStopped } = require(${serving});
runUntilStopped(${close}, createLogger({ service: 'test', level: 'error' }), ${options});
setInterval(() => {}, 1_000);
console.log('ready');`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output === 'ready\n') child.kill('SIGTERM');
  });
  const code = await new Promise((resolve) => void child.once('close', resolve));
  return { code, output };
}

test('a process that does not close within stopWithinMs exits with 1 and logs an error', async () => {
  const { code, output } = await stopProcess('() => new Promise(() => {})', '{ drainMs: 50, stopWithinMs: 100 }');
  expect(code).toBe(1);
  expect(output).toContain('could not stop in time');
});

test('a process that closes within stopWithinMs drains for drainMs and exits with 0', async () => {
  const close = "async (drainMs) => console.log('draining for', drainMs)";
  const { code, output } = await stopProcess(close, '{ drainMs: 50, stopWithinMs: 60_000 }');
  expect({ code, output }).toEqual({ code: 0, output: 'ready\ndraining for 50\n' });
});
