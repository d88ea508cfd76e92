import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const serving = JSON.stringify(join(__dirname, '..', 'dist', 'index.js'));

/**
 * Runs a program that calls `run` with the arguments of `runUntilStopped`. Calls `stop` when the
 * program prints `ready`: by default, `stop` sends SIGTERM. The program has an IPC channel to this
 * process. Returns its exit code and output.
 */
async function runProgram(program: string, stop = (child: ChildProcess): unknown => child.kill('SIGTERM')) {
  const script = `
const { createLogger, runUntilStopped } = require(${serving});
const run = (close, options) => runUntilStopped(close, createLogger({ service: 'test', level: 'error' }), options);
const printDrainMs = async (drainMs) => console.log('draining for', drainMs);
${program}
console.log('ready');`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output === 'ready\n') stop(child);
  });
  // The end of standard output is awaited, because `child.disconnect()` prevents the event `close`.
  const read = new Promise((resolve) => void child.stdout?.once('end', resolve));
  const code = await new Promise((resolve) => void child.once('exit', resolve));
  await read;
  return { code, output };
}

const keepRunning = 'setInterval(() => {}, 1_000);';

test('a process with runUntilStopped exits with 1 if its callback close does not end within drainMs plus stopWithinMs', async () => {
  const { code, output } = await runProgram(
    `run(() => new Promise(() => {}), { drainMs: 50, stopWithinMs: 100 }); ${keepRunning}`,
  );
  expect(code).toBe(1);
  expect(output).toContain('could not stop in time');
});

test.each<[string, (child: ChildProcess) => unknown]>([
  ['after SIGTERM', (child) => child.kill('SIGTERM')],
  ['when the IPC channel to its parent closes', (child) => child.disconnect()],
  [
    'after SIGTERM although the IPC channel to its parent closes at the same time',
    (child) => {
      child.stdout?.once('data', () => child.disconnect());
      child.kill('SIGTERM');
    },
  ],
])('a process with runUntilStopped calls its callback close with drainMs and exits with 0 %s', async (_, stop) => {
  const close = 'async (drainMs) => { await printDrainMs(drainMs); await new Promise((end) => setTimeout(end, 100)); }';
  const { code, output } = await runProgram(
    `run(${close}, { drainMs: 50, stopWithinMs: 60_000 }); ${keepRunning}`,
    stop,
  );
  expect({ code, output }).toEqual({ code: 0, output: 'ready\ndraining for 50\n' });
});

test('a process with runUntilStopped closes and exits with 0 at once if the IPC channel to its parent is already closed', async () => {
  const program = `process.once('disconnect', () => run(printDrainMs, { drainMs: 50 })); ${keepRunning}`;
  const { code, output } = await runProgram(program, (child) => child.disconnect());
  expect({ code, output }).toEqual({ code: 0, output: 'ready\ndraining for 50\n' });
});

test('a process with runUntilStopped and no more work exits with 0, even while the IPC channel to its parent is open', async () => {
  const { code, output } = await runProgram('run(printDrainMs);', () => undefined);
  expect({ code, output }).toEqual({ code: 0, output: 'ready\n' });
});
