import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';

const meter = join(__dirname, '..', '..', 'dist', 'worst-case', 'event-loop-meter.js');
/** Computes for 30 ms when it receives the command `start`, after the meter has started. */
const program = `
setInterval(() => {}, 1_000);
process.on('message', (command) => {
  const end = performance.now() + 30;
  if (command === 'start') while (performance.now() < end);
});`;

let child: ChildProcess;
beforeEach(() => {
  const args = ['--require', meter, '--eval', program];
  child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
});
afterEach(async () => {
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
});

test('the meter of event-loop delays includes the turn of the event loop in which it is stopped', async () => {
  const results: number[] = [];
  // Both commands arrive together, so the meter handles `stop` in the turn in which the program
  // computes.
  child.send('start');
  child.send('stop');
  for await (const [result] of on(child, 'message')) {
    results.push(result as number);
    if (results.length === 2) break;
  }
  // The first result responds to `start`. The second one is the longest turn, in CPU time: on a
  // busy machine the program computes for less than 30 ms, because it also waits for a core.
  expect(results[1]).toBeGreaterThan(5);
});
