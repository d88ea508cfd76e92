import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ensureCorpus } from '@lectern/corpus';
import { temporaryFolder } from '../../corpus/test-support/temporary-folder';
import { dataDir } from '../test-support/open-or-build-real-corpus';

const folder = temporaryFolder();
const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

/** Starts the compiled command as a process. */
function start(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(__dirname, '..', 'dist', 'main.js'), ...args], {
    env: { ...process.env, EMBEDDINGS_THREADS: '1', ...env },
  });
  children.push(child);
  let output = '';
  const collect = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  );
  return { child, ended };
}

/** Waits until the condition is true or the process has exited. */
async function until(condition: () => boolean, child: ChildProcess): Promise<void> {
  while (!condition() && child.exitCode === null) await wait(50);
}

test('SIGINT stops the command `embeddings build` with exit code 130, and the build keeps its checkpoint', async () => {
  await ensureCorpus({ dataDir, env: process.env, log: () => {} });
  const file = join(folder, 'eng-kjv.vec');
  const checkpoint = `${file}.passages`;
  const { child, ended } = start(['build', '--data', dataDir, '--translation', 'eng-kjv', '--file', file]);
  await until(() => existsSync(checkpoint) && statSync(checkpoint).size > 10_000, child);
  child.kill('SIGINT');
  expect(await ended).toEqual({
    code: 130,
    output: expect.stringContaining('stopped; the same command continues from here'),
  });
  expect(existsSync(file)).toBe(false);
  expect(statSync(checkpoint).size).toBeGreaterThan(10_000);
  expect(dirname(checkpoint)).toBe(folder);
});
